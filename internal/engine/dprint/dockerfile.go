package dprint

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"
)

// hold starts a comment that stands for an instruction the plugin does not get.
const hold = "# poly-hold-"

// dockerWords are patterns of Dockerfiles.
type dockerWords struct {
	escape  *regexp.Regexp // the directive that names the escape character
	heredoc *regexp.Regexp // the start of one, and its end
	legacy  *regexp.Regexp // ENV or LABEL with a blank between name and value
	takes   *regexp.Regexp // instructions that take heredocs
}

var docker = sync.OnceValue(func() *dockerWords {
	return &dockerWords{
		escape:  regexp.MustCompile("^#[ \t]*(?i:escape)[ \t]*=[ \t]*(\\S)"),
		heredoc: regexp.MustCompile(`<<(-?)["']?([A-Za-z_][\w.]*)["']?`),
		legacy:  regexp.MustCompile(`^[ \t]*(?i:ENV|LABEL)[ \t]+[^\s="']+([ \t]|$|\\)`),
		takes:   regexp.MustCompile(`^[ \t]*(?i:RUN|COPY|ADD|ONBUILD)\b`),
	}
})

// instruction is one with its continuations, comments inside and heredocs.
type instruction struct {
	first, last int // lines, from 0
	empty       bool
}

// instructions finds those of a Dockerfile.
func instructions(lines [][]byte) []instruction {
	d := docker()
	escape := byte('\\')
	var out []instruction
	for i := 0; i < len(lines); i++ {
		line := bytes.TrimSpace(lines[i])
		if len(line) == 0 || line[0] == '#' {
			if m := d.escape.FindSubmatch(line); m != nil && len(out) == 0 {
				escape = m[1][0]
			}
			continue
		}
		in := continued(lines, i, escape)
		if d.takes.Match(lines[in.first]) {
			in.last = heredocs(lines, in.first, in.last)
		}
		i = in.last
		out = append(out, in)
	}
	return out
}

// continued returns the instruction that starts on a line, without heredocs.
func continued(lines [][]byte, first int, escape byte) instruction {
	in := instruction{first: first}
	for in.last = first; ; in.last++ {
		line := bytes.TrimSpace(lines[in.last])
		if len(line) == 1 && line[0] == escape {
			in.empty = true
		}
		comment := in.last > first && (len(line) == 0 || line[0] == '#')
		if !comment && (len(line) == 0 || line[len(line)-1] != escape) || in.last == len(lines)-1 {
			return in
		}
	}
}

// heredocs returns the last line of those that start in some lines.
func heredocs(lines [][]byte, first, last int) int {
	for _, m := range docker().heredoc.FindAllSubmatch(bytes.Join(lines[first:last+1], nil), -1) {
		for last+1 < len(lines) {
			last++
			line := bytes.TrimRight(lines[last], "\n")
			if len(m[1]) > 0 {
				line = bytes.TrimLeft(line, "\t")
			}
			if bytes.Equal(line, m[2]) {
				break
			}
		}
	}
	return last
}

// repairDockerfile keeps from the plugin what it damages: instructions with
// lines that hold nothing but the escape character, which it no longer reads
// once it has formatted them, settings of the old form on several lines, and
// those that flagged lines are in. It writes comments as they were.
func repairDockerfile(text []byte, flagged map[int]bool) (prepared []byte, undo func([]byte) []byte) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	var held [][]byte
	next := 0
	for _, in := range instructions(lines) {
		keep := in.empty || in.last > in.first && docker().legacy.Match(lines[in.first])
		for n := in.first; n <= in.last && !keep; n++ {
			keep = flagged[n+1]
		}
		if !keep {
			continue
		}
		prepared = append(prepared, bytes.Join(lines[next:in.first], nil)...)
		prepared = append(strconv.AppendInt(append(prepared, hold...), int64(len(held)), 10), '\n')
		held = append(held, bytes.TrimRight(bytes.Join(lines[in.first:in.last+1], nil), " \t\n"))
		next = in.last + 1
	}
	prepared = append(prepared, bytes.Join(lines[next:], nil)...)
	if bytes.Contains(text, []byte(hold)) {
		return text, func(out []byte) []byte { return out }
	}
	return prepared, func(out []byte) []byte { return sameComments(text, release(out, held, hold, "")) }
}

// release puts what was held back in the place of the lines that stand for it,
// which are a number between two marks.
func release(text []byte, held [][]byte, begin, end string) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		number, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte(begin))
		number = bytes.TrimSuffix(number, []byte(end))
		n, err := strconv.Atoi(string(number))
		if !ok || err != nil || n >= len(held) {
			out = append(out, line...)
			continue
		}
		out = append(append(out, held[n]...), '\n')
	}
	return out
}

// sameComments writes the comments of a formatted text as they were, in which
// the plugin leaves one blank after the number sign.
func sameComments(before, after []byte) []byte {
	was, is := commentLines(before), commentLines(after)
	if len(was) != len(is) {
		return after
	}
	var out []byte
	n := 0
	for line := range bytes.Lines(after) {
		trimmed := bytes.TrimLeft(line, " \t")
		if len(trimmed) == 0 || trimmed[0] != '#' {
			out = append(out, line...)
			continue
		}
		original := was[n]
		n++
		if len(original) > 1 && bytes.IndexByte([]byte(" \t#"), original[1]) >= 0 && bytes.Equal(dense(original), dense(trimmed)) {
			line = append(append(bytes.Clone(line[:len(line)-len(trimmed)]), original...), '\n')
		}
		out = append(out, line...)
	}
	return out
}

// commentLines returns the lines that are comments, without blanks around them.
func commentLines(text []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '#' {
			out = append(out, line)
		}
	}
	return out
}

// dense returns a text without blanks.
func dense(text []byte) []byte { return bytes.Join(bytes.Fields(text), nil) }

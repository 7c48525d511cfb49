package dprint

import (
	"bytes"
	"regexp"
	"sync"
)

// marker holds two signs apart that the plugin joins, "- -x". It is taken out
// of what it formatted.
const marker = "/**/"

// damage are patterns of what the plugin for scripts damages.
type damage struct {
	signs      *regexp.Regexp // one of two equal signs, the next one
	blankEnd   *regexp.Regexp // what stands before a blank and a closing tag
	blankStart *regexp.Regexp // a tag and a blank before something
	comment    *regexp.Regexp // else, a comment, if: the plugin writes the comment first
}

var damages = sync.OnceValue(func() *damage {
	return &damage{
		signs:      regexp.MustCompile(`(-[ \t]+-|\+[ \t]+\+)`),
		blankEnd:   regexp.MustCompile(`(\S)[ \t]+</`),
		blankStart: regexp.MustCompile(`(<(?:[A-Za-z][\w.:-]*(?:\s[^<>]*[^<>=/]|)|)>)[ \t]+(\S)`),
		comment:    regexp.MustCompile(`\belse\s*(/\*[^\n]*?\*/)\s*if\b`),
	}
})

// repairScript changes lines so that the plugin leaves their meaning alone. The
// guard, not these patterns, decides whether that went well.
func repairScript(text []byte, lines map[int]bool) (prepared []byte, undo func([]byte) []byte) {
	d := damages()
	var comments [][]byte
	marks := !bytes.Contains(text, []byte(marker))
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if !lines[n] {
			prepared = append(prepared, line...)
			continue
		}
		line = d.blankStart.ReplaceAll(line, []byte(`$1{" "}$2`))
		line = d.blankEnd.ReplaceAll(line, []byte(`$1{" "}</`))
		if marks {
			line = d.signs.ReplaceAllFunc(line, func(m []byte) []byte {
				return append(append([]byte{m[0], ' '}, marker...), m[len(m)-1])
			})
		}
		for _, m := range d.comment.FindAllSubmatch(line, -1) {
			comments = append(comments, m[1])
		}
		prepared = append(prepared, line...)
	}
	return prepared, func(out []byte) []byte {
		if marks {
			out = bytes.ReplaceAll(out, []byte(" "+marker), []byte(marker))
			out = bytes.ReplaceAll(out, []byte(marker+" "), []byte(" "))
		}
		for _, c := range comments {
			moved := append(bytes.Clone(c), " else if"...)
			out = bytes.ReplaceAll(out, moved, append(append([]byte("else "), c...), " if"...))
		}
		return out
	}
}

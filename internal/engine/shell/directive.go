package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/engine"
)

// rcNames are the files shellcheck reads its settings from.
func rcNames() []string { return []string{".shellcheckrc", "shellcheckrc"} }

// mute is a range of a file in which codes are not reported.
type mute struct {
	start, end int
	codes      []codeRange
}

type codeRange struct{ low, high int }

// directive is what one "# shellcheck" comment, or a settings file, says.
type directive struct {
	disable []codeRange
	source  string
	shell   string
}

// parseDirective reads the words behind "# shellcheck".
func parseDirective(words []string) directive {
	var d directive
	for _, w := range words {
		if strings.HasPrefix(w, "#") {
			break
		}
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "disable":
			d.disable = append(d.disable, parseCodes(value)...)
		case "source":
			d.source = value
		case "shell":
			d.shell = value
		}
	}
	return d
}

// parseCodes reads SC2086,2034,SC1000-SC1999,all.
func parseCodes(list string) []codeRange {
	var out []codeRange
	for part := range strings.SplitSeq(list, ",") {
		part = strings.Trim(part, `"' `)
		if part == "all" {
			out = append(out, codeRange{0, 1 << 20})
			continue
		}
		low, high, ok := strings.Cut(part, "-")
		if !ok {
			high = low
		}
		a, err1 := strconv.Atoi(strings.TrimPrefix(low, "SC"))
		b, err2 := strconv.Atoi(strings.TrimPrefix(high, "SC"))
		if err1 == nil && err2 == nil {
			out = append(out, codeRange{a, b})
		}
	}
	return out
}

// commentDirective reads a comment; ok is false if it is an ordinary one.
func commentDirective(c *syntax.Comment) (d directive, ok bool) {
	words := strings.Fields(c.Text)
	if len(words) < 2 || words[0] != "shellcheck" {
		return d, false
	}
	return parseDirective(words[1:]), true
}

// settings reads the nearest settings file. What shellcheck tells that it
// cannot process is an error; keys it does not know are nothing to it.
func (s *script) settings(inputs []engine.Input) error {
	if len(inputs) == 0 {
		return nil
	}
	number := 0
	for line := range strings.Lines(string(inputs[0].Text)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		for _, w := range words {
			if w[0] == '#' {
				break
			}
			if fault := rcFault(w); fault != "" {
				return engine.Broken(inputs[0].Path, number, "%s", fault)
			}
		}
		s.mutes = append(s.mutes, mute{0, len(s.text), parseDirective(words).disable})
	}
	return nil
}

// rcFault tells what is wrong with key=value, "" for nothing.
func rcFault(word string) string {
	key, value, ok := strings.Cut(word, "=")
	value = strings.Trim(value, `"'`)
	switch {
	case !ok || key == "":
		return "key=value is expected, not " + strconv.Quote(word)
	case key == "source-path" && value == "":
		return "source-path has no value"
	case key != "disable" || value == "":
		return ""
	}
	for part := range strings.SplitSeq(value, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if part != "all" && (!isCode(low) || isRange && !isCode(high)) {
			return "disable: " + strconv.Quote(part) + " is no code"
		}
	}
	return ""
}

func isCode(s string) bool {
	s = strings.TrimPrefix(s, "SC")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// directives notes what the comments before a node say about it, or about the
// whole file if nothing but comments precedes them.
func (s *script) directives(comments []syntax.Comment, n syntax.Node) {
	for i := range comments {
		c := &comments[i]
		if !n.Pos().After(c.Pos()) {
			continue
		}
		d, ok := commentDirective(c)
		if !ok {
			continue
		}
		m := mute{int(n.Pos().Offset()), int(n.End().Offset()), d.disable}
		if len(s.file.Stmts) > 0 && !c.Pos().After(s.file.Stmts[0].Pos()) {
			m.start, m.end = 0, len(s.text)
		}
		s.mutes = append(s.mutes, m)
		if d.source != "" {
			s.sources = append(s.sources, sourceNote{int(n.Pos().Offset()), int(n.End().Offset()), d.source})
		}
	}
}

// muted reports whether a code is switched off at an offset.
func (s *script) muted(code string, at int) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(code, "SC"))
	if err != nil {
		return false
	}
	for _, m := range s.mutes {
		if at < m.start || at > m.end {
			continue
		}
		for _, r := range m.codes {
			if r.low <= n && n <= r.high {
				return true
			}
		}
	}
	return false
}

// sourceNote is a directive that names the file a command reads.
type sourceNote struct {
	start, end int
	path       string
}

package buildifier

import (
	"bytes"
	"unicode/utf8"

	"poly/internal/diag"
)

// maxFixes is how many fixes are made for one file in one run: each needs the
// file to be parsed and printed.
const maxFixes = 50

// fix returns the edit for the n-th finding of a rule: the difference that
// buildifier's own fix makes to the file as it prints it. There is none unless
// the file is printed so already.
func (l *linter) fix(code string, n int) []diag.Edit {
	if l.formatted == nil {
		same := bytes.Equal(l.printed(nil), l.body)
		l.formatted = &same
	}
	if l.fixes++; !*l.formatted || l.fixes > maxFixes {
		return nil
	}
	after := l.printed(func(f *linter) bool {
		found := find(f.file, code)
		if n >= len(found) {
			return false
		}
		for _, r := range found[n].Replacement {
			*r.Old = r.New
		}
		return true
	})
	if after == nil || bytes.Equal(after, l.body) {
		return nil
	}
	return []diag.Edit{l.difference(after)}
}

// printed parses the body anew, lets change have it, and prints it.
func (l *linter) printed(change func(*linter) bool) []byte {
	f, kind, err := l.parse(l.src.Path, l.body)
	if err != nil {
		return nil
	}
	if change != nil && !change(&linter{file: f}) {
		return nil
	}
	keepCharacters(f, l.body)
	return l.print(f, kind)
}

// difference is the smallest edit that makes after of the body.
func (l *linter) difference(after []byte) diag.Edit {
	head := 0
	for head < min(len(l.body), len(after)) && l.body[head] == after[head] {
		head++
	}
	for head > 0 && head < len(l.body) && !utf8.RuneStart(l.body[head]) {
		head--
	}
	tail := 0
	for tail < min(len(l.body), len(after))-head && l.body[len(l.body)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(l.body[len(l.body)-tail]) {
		tail--
	}
	text := after[head : len(after)-tail]
	if bytes.Contains(l.src.Text, []byte("\r\n")) {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return diag.Edit{Start: l.original(head), End: l.original(len(l.body) - tail), Replacement: string(text)}
}

// original returns where a place of the body is in the source.
func (l *linter) original(at int) int {
	line := 1 + bytes.Count(l.body[:at], []byte("\n"))
	return l.lines.Offset(line, 1) + at - 1 - bytes.LastIndexByte(l.body[:at], '\n')
}

package buildifier

import (
	"bytes"

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
	return l.print(f, kind)
}

// difference is the smallest edit of whole lines that makes after of the body.
func (l *linter) difference(after []byte) diag.Edit {
	a, b := bytes.SplitAfter(l.body, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	head := 0
	for head < min(len(a), len(b)) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	text := bytes.Join(b[head:len(b)-tail], nil)
	e := diag.Edit{Start: l.lines.Offset(head+1, 1), End: l.lines.Offset(len(a)-tail+1, 1), Replacement: string(text)}
	if bytes.Contains(l.src.Text, []byte("\r\n")) {
		e.Replacement = string(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	}
	return e
}

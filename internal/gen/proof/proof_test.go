package main

import (
	"io"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
	"poly/internal/gen/proof/lab"
)

func TestOutOfScope(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path string
		mode fs.FileMode
		text string
		fmt  bool
		want string
	}{
		{path: "a.yaml", mode: 0o644},
		{path: "vendor/a.yaml", mode: 0o644, want: "below vendor"},
		{path: "x/node_modules/y/a.yaml", mode: 0o644, want: "below node_modules"},
		{path: "vendor", mode: 0o644, text: "x", want: "no known language"},
		{path: "a.yaml", mode: fs.ModeSymlink | 0o777, want: "symbolic link"},
		{path: "sub", mode: fs.ModeDir | 0o755, want: "submodule"},
		{path: "go.sum", mode: 0o644},
		{path: "go.sum", mode: 0o644, fmt: true, want: "lock file"},
		{path: "x/Cargo.lock", mode: 0o644, fmt: true, want: "lock file"},
		{path: "run", mode: 0o644, text: "#!/bin/sh\n"},
		{path: "run", mode: 0o755, text: "\x7fELF\x00", want: "no known language"},
		{path: "a.unheardof", mode: 0o644, text: "#!/bin/sh\n", want: "no known language"},
		{path: "a.unheardof", mode: 0o755, text: "#!/bin/sh\n"},
	}
	for _, tc := range tests {
		f := &file{tc.path, tc.mode, int64(len(tc.text)), func() ([]byte, error) { return []byte(tc.text), nil }}
		if got := outOfScope(f, tc.fmt); got != tc.want {
			t.Errorf("outOfScope(%s, %v, fmt %v) = %q, want %q", tc.path, tc.mode, tc.fmt, got, tc.want)
		}
	}
}

func TestExplainGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		d    difference
		want bool
	}{
		{"line ends kept", difference{ours: []byte("\xef\xbb\xbfa\r\nb\r\n"), theirs: []byte("a\nb\n")}, false},
		{"other bytes", difference{ours: []byte("a\n"), theirs: []byte("b\n")}, true},
		{"left alone", difference{skipped: "formatter does not converge", ours: []byte("a\r\n"), theirs: []byte("a\n")}, true},
	}
	for _, tc := range tests {
		if reason, fault, err := (*proof)(nil).explainGo(t.Context(), &tc.d); err != nil || fault != tc.want {
			t.Errorf("%s: explainGo = %q, fault %v, %v; want fault %v", tc.name, reason, fault, err, tc.want)
		}
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	all := []misspelling{{"r", "a", "x"}, {"r", "b", "x"}, {"r", "c", "y"}, {"r", "a", "x"}}
	got := draw(all, 2)
	if len(draw(all, 9)) != 3 {
		t.Errorf("draw returns a finding twice: %v", draw(all, 9))
	}
	for i := range all {
		rest := append(append([]misspelling{}, all[i+1:]...), all[:i+1]...)
		if d := cmp.Diff(got, draw(rest, 2), cmp.AllowUnexported(misspelling{})); d != "" {
			t.Errorf("draw depends on the order:\n%s", d)
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	if _, err := readVerdicts(judged); err != nil {
		t.Error(err)
	}
	if _, err := readVerdicts([]byte("perhaps\tr\tp\tt\tn\n")); err == nil {
		t.Error("readVerdicts accepts a verdict that is none")
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	sheets := []sheet{{name: "core", parts: []lab.Part{{Name: "a"}, {Name: "b"}}}, {name: "engines", parts: []lab.Part{{Name: "c"}}}}
	tests := []struct {
		names         string
		core, engines int
	}{{"", 2, 1}, {"core", 2, 0}, {"a", 1, 0}, {"a,engines", 1, 1}, {"c", 0, 1}}
	for _, tc := range tests {
		got, err := choose(sheets, tc.names)
		if err != nil || len(got["core"]) != tc.core || len(got["engines"]) != tc.engines {
			t.Errorf("choose(%q) = %v, %v, want %d and %d parts", tc.names, got, err, tc.core, tc.engines)
		}
	}
	if _, err := choose(sheets, "a,d"); err == nil {
		t.Error("choose accepts a part that is none")
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	const out = `{"Action":"output","Package":"p","Test":"TestA/x","Output":"why\n"}
{"Action":"pass","Package":"p","Test":"TestA/y","Elapsed":1}
{"Action":"fail","Package":"p","Test":"TestA/x","Elapsed":1}
{"Action":"fail","Package":"p","Test":"TestA","Elapsed":2}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestC","Elapsed":3}
{"Action":"fail","Package":"p"}
`
	p := &proof{Lab: &lab.Lab{Log: io.Discard}}
	tb := lab.NewTable("package", "test", "result", "seconds")
	printed := p.results([]byte(out), tb)
	want := [][]string{{"p", "TestA/x", "fail", "1.0"}, {"p", "TestA", "fail", "2.0"}, {"p", "TestB", "skip", "0.0"}, {"p", "TestC", "pass", "3.0"}}
	if d := cmp.Diff(want, tb.Rows); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	if printed != "why\n" || len(p.Faults) != 3 {
		t.Errorf("printed %q, faults %q", printed, p.Faults)
	}
}

package main

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const head = "package p\n\nimport \"testing\"\n\n"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	root := fstest.MapFS{
		"a/x_test.go":          file(head + "func FuzzOne(f *testing.F) {}\nfunc FuzzHelper(t *testing.T) {}\nfunc TestX(*testing.T) {}\n"),
		"a/b/x_test.go":        file(head + "type t struct{}\n\nfunc (t) FuzzMethod(f *testing.F) {}\nfunc FuzzTwo(f *testing.F) {}\nfunc FuzzThree(*testing.F) {}\n"),
		"a/x.go":               file(head + "func FuzzNoTest(f *testing.F) {}\n"),
		"a/testdata/x_test.go": file("no Go at all"),
		".git/x_test.go":       file("no Go at all"),
		"z/other_test.go":      file("//go:build ignore\n\n" + head + "func FuzzIgnored(f *testing.F) {}\n"),
		"z/x_plan9_test.go":    file(head + "func FuzzElsewhere(f *testing.F) {}\n"),
	}
	got, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []target{{"a/b", "FuzzTwo"}, {"a/b", "FuzzThree"}, {"a", "FuzzOne"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(target{})); d != "" {
		t.Errorf("find (-want +got):\n%s", d)
	}
}

func TestFindReportsBrokenSources(t *testing.T) {
	t.Parallel()
	if _, err := find(fstest.MapFS{"x_test.go": {Data: []byte("package")}}); err == nil {
		t.Error("find of a broken file: no error")
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	const out = "fuzz: elapsed: 0s, execs: 1 (0/sec), new interesting: 0 (total: 9)\n" +
		"fuzz: elapsed: 3s, execs: 70412 (23470/sec), new interesting: 4 (total: 13)\nPASS\n"
	if got, want := summary(out), "ok      70412 execs     4 new of 13 interesting"; got != want {
		t.Errorf("summary = %q, want %q", got, want)
	}
	if got := summary("PASS"); got != "ok" {
		t.Errorf("summary of no progress = %q", got)
	}
}

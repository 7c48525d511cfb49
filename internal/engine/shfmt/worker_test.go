package shfmt

import (
	"context"
	"testing"

	"poly/internal/engine"
)

func formatWith(t *testing.T, w engine.Worker, path, text string, verdict bool) string {
	t.Helper()
	out, err := w.Format(t.Context(), engine.Source{Path: path, Text: []byte(text), Verdict: verdict})
	if err != nil {
		t.Fatalf("Format(%q) = %v", text, err)
	}
	return string(out)
}

func open(t *testing.T) engine.Worker {
	t.Helper()
	b, err := bind(t.Context(), engine.Env{Globals: engine.Globals{FinalNewline: true}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := b.Open(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWorkerKeepsNothing: a worker that has formatted one file formats the next
// as a new one does, and its guard sees what the one without a memory sees.
func TestWorkerKeepsNothing(t *testing.T) {
	t.Parallel()
	texts := []string{
		"#!/bin/bash\ndeclare -A m\nm[foo-bar]=1;  m[a/b]=2\n",
		"f() {\n  cat <<-E\n\ta \\\n\tb\n\tE\n}\n",
		"if a ; then b ; fi\n",
		"#!/bin/sh\ncat <<E\n x\nE\necho  `a`\n",
		"#!/bin/zsh\na &>! b &!\n",
	}
	old := open(t)
	for _, text := range texts {
		got := formatWith(t, old, "a.sh", text, false)
		if want := formatWith(t, open(t), "a.sh", text, false); got != want {
			t.Errorf("Format(%q) = %q, but %q by a new worker", text, got, want)
		}
		same := old.(engine.Judge).Same
		if err := same([]byte(text), []byte(got)); err != nil {
			t.Errorf("Same(%q, %q) = %v", text, got, err)
		}
		for _, bad := range []string{got + "x\n", "x\n" + got, "", text[:len(text)-2] + "\n"} {
			if same([]byte(text), []byte(bad)) == nil {
				t.Errorf("Same(%q, %q) = nil after Format", text, bad)
			}
		}
	}
}

// TestVerdict: the first result is not settled, which a verdict does not mind.
func TestVerdict(t *testing.T) {
	t.Parallel()
	const text = "a  b\n"
	w := open(t)
	if got := formatWith(t, w, "a.sh", text, true); got != "a b\n" {
		t.Errorf("Format = %q", got)
	}
	if err := w.(engine.Judge).Same([]byte(text), []byte("a c\n")); err == nil {
		t.Error("Same = nil for another word")
	}
}

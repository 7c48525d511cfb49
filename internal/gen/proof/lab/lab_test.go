package lab

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPage(t *testing.T) {
	t.Parallel()
	var p Page
	tb := NewTable("a", "b")
	tb.Row("x|y", 2)
	p.Table(tb)
	p.List("Empty", nil)
	want := "# Proof\n\nNo faults.\n\n| a | b |\n|---|---|\n| x\\|y | 2 |\n"
	if d := cmp.Diff(want, string(p.Bytes())); d != "" {
		t.Errorf("page (-want +got):\n%s", d)
	}
	p.Heading("One")
	p.Faults([]string{"f", "g"})
	if got := string(p.Bytes()); !strings.Contains(got, "**2 faults.**") || !strings.HasSuffix(got, "\n## One\n\nFaults:\n\n- f\n- g\n") {
		t.Errorf("a page with faults = %q", got)
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	var old Page
	old.Line("old head")
	for _, title := range []string{"A", "C"} {
		old.Heading(title)
		old.Line("old %s", title)
		old.Faults([]string{"old fault of " + title, "another"})
	}
	var p Page
	p.Line("head")
	for _, title := range []string{"B", "A"} {
		p.Heading(title)
		p.Line("new %s", title)
		p.Faults(nil)
	}
	p.Keep(old.Bytes(), []string{"A", "B", "C"})
	want := "# Proof\n\n**2 faults.**\n\nhead\n\n## A\n\nnew A\n\n## B\n\nnew B\n\n## C\n\nold C\n\nFaults:\n\n- old fault of C\n- another\n"
	if d := cmp.Diff(want, string(p.Bytes())); d != "" {
		t.Errorf("page (-want +got):\n%s", d)
	}
	p.Keep(nil, []string{"A", "B", "C"})
	if d := cmp.Diff(want, string(p.Bytes())); d != "" {
		t.Errorf("without an earlier page (-want +got):\n%s", d)
	}
}

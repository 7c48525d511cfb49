package peers

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"poly/internal/gen/proof/lab"
)

func TestMatchFile(t *testing.T) {
	t.Parallel()
	k, err := readCauses([]byte("p\tB\tcommand: .*second\tknown\n"))
	if err != nil {
		t.Fatal(err)
	}
	mine := []finding{{code: "A", line: 1}, {code: "A", line: 1}, {code: "B", line: 2, column: 4}, {code: "C", line: 3}}
	yours := []finding{{code: "A", line: 1}, {code: "B", line: 2, column: 5}, {code: "C", line: 3}, {code: "B", line: 4, words: "second"}}
	m := &match{codes: map[string]*score{}}
	m.file(k, &linter{name: "p"}, "a\nb\nc\nd\n", mine, yours)
	want := map[string]*score{"A": {1, 1, 0}, "B": {1, 0, 1}, "C": {1, 0, 0}}
	if d := cmp.Diff(want, m.codes, cmp.AllowUnexported(score{})); d != "" {
		t.Errorf("scores (-want +got):\n%s", d)
	}
	if len(m.apart) != 2 || m.apart[1].cause != "known" || m.apart[1].where != "command: second: d" || m.apart[0].cause != "" || !m.apart[0].ours {
		t.Errorf("apart = %+v", m.apart)
	}
	m = &match{codes: map[string]*score{}}
	m.file(k, &linter{name: "p", column: true}, "", mine[2:3], yours[1:2])
	if got := *m.codes["B"]; got != (score{0, 1, 1}) {
		t.Errorf("with columns: %+v", got)
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	m := &match{codes: map[string]*score{}}
	mine := []finding{{code: "A", line: 5, column: 2, words: "Property x: It is not there"}, {code: "A", line: 1, column: 1, words: "y"}}
	yours := []finding{{code: "A", line: 4, column: 9, words: `property "x"`}, {code: "A", line: 2, column: 1, words: "y"}}
	m.file(nil, &linter{name: "p", column: true}, "", mine, yours)
	if got := *m.codes["A"]; got != (score{1, 1, 1}) || m.moved != 1 {
		t.Errorf("score %+v, moved %d", got, m.moved)
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	s := score{98, 2, 10}
	if p, r := percent(s.precision()), percent(s.recall()); p != "98.0 %" || r != "90.7 %" {
		t.Errorf("precision %s, recall %s", p, r)
	}
	if got := (score{}).recall(); got != 1 {
		t.Errorf("recall of nothing = %v", got)
	}
}

func TestMeet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, n := range []string{"a", "b", "c", "d"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := &bench{lab: &lab.Lab{Log: io.Discard}}
	l := &linter{name: "p", engine: "shell", prefix: "SC"}
	m := &match{codes: map[string]*score{}}
	ours := &said{
		findings: []finding{{path: "a", line: 1, code: "SC2086"}, {path: "a", line: 1, code: "own"}, {path: "b", line: 1, code: "SC2086"}},
		syntax:   map[string]string{"d": "line 1: no"}, skipped: map[string]string{"c": "template"},
	}
	theirs := &heard{findings: []finding{{path: "a", line: 1, code: "SC2086"}, {path: "c", line: 1, code: "SC2"}}, unread: map[string]bool{"b": true}}
	if err := b.meet(l, m, tree{dir, []string{"a", "b", "c", "d"}}, ours, theirs); err != nil {
		t.Fatal(err)
	}
	if m.files != 1 || m.skipped != 1 || m.unread != 2 || len(m.codes) != 1 || *m.codes["SC2086"] != (score{1, 0, 0}) {
		t.Errorf("match = %+v", m)
	}
	if len(b.lab.Faults) != 1 || !strings.Contains(b.lab.Faults[0], ": d: an error of syntax") {
		t.Errorf("faults = %q, want one about d", b.lab.Faults)
	}
}

func TestInstruction(t *testing.T) {
	t.Parallel()
	text := "FROM a\n\n# c\nRUN x \\\n # c\n  && y\nCOPY <<E /f\nRUN no\nE\nUSER u\n"
	first := instruction(text)
	for line, want := range map[int]int{1: 1, 4: 4, 5: 4, 6: 4, 7: 7, 8: 7, 9: 7, 10: 10, 0: 0, 99: 99} {
		if got := first(line); got != want {
			t.Errorf("line %d belongs to %d, want %d", line, got, want)
		}
	}
	first = instruction("# escape=`\nRUN x `\n  y\nRUN a \\\nRUN b\n")
	for line, want := range map[int]int{3: 2, 5: 5} {
		if got := first(line); got != want {
			t.Errorf("with another escape: line %d belongs to %d, want %d", line, got, want)
		}
	}
}

func TestMarkdownLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"a b.md:3 MD022/blanks-around-headings Headings should":      {"a b.md", "3", "", "MD022", "Headings should"},
		"a.md:3:7 error MD034/no-bare-urls Bare URL used [x: \"y\"]": {"a.md", "3", "7", "MD034", "Bare URL used [x: \"y\"]"},
		"Summary: 3 error(s)": nil,
	} {
		m := markdownLine.FindStringSubmatch(line)
		if len(m) > 0 {
			m = m[1:]
		}
		if d := cmp.Diff(want, m); d != "" {
			t.Errorf("%s (-want +got):\n%s", line, d)
		}
	}
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		got  []string
		want []string
	}{
		{"yamllint", yamllintLine.FindStringSubmatch("a/b.yml:3:7: [error] truthy value (x) should (truthy)"), []string{"a/b.yml", "3", "7", "truthy value (x) should", "truthy"}},
		{"dotenv-linter", dotenvLine.FindStringSubmatch("./a.env:2 LowercaseKey: The x"), []string{"a.env", "2", "LowercaseKey", "The x"}},
		{"editorconfig-checker", editorconfigLine.FindStringSubmatch("a/b:4:0: error: Trailing whitespace"), []string{"a/b", "4", "Trailing whitespace"}},
		{"tflint", unloaded.FindStringSubmatch("Failed to run in a/b; exit status 1"), []string{"a/b"}},
	}
	for _, tc := range tests {
		if len(tc.got) == 0 {
			t.Errorf("%s: no match", tc.line)
			continue
		}
		if d := cmp.Diff(tc.want, tc.got[1:]); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.line, d)
		}
	}
}

// What a named work-around changes does not count for a wrapped library.
func TestAlone(t *testing.T) {
	t.Parallel()
	m := &match{codes: map[string]*score{}}
	meant := disagreement{finding: finding{code: "C"}, cause: workAround + "x"}
	m.alone(meant, true)
	m.alone(meant, false)
	m.alone(disagreement{finding: finding{code: "C"}, ours: true}, true)
	if m.mended != 1 || *m.codes["C"] != (score{0, 1, 1}) || len(m.apart) != 3 {
		t.Errorf("mended %d, score %v, %d apart", m.mended, *m.codes["C"], len(m.apart))
	}
}

func TestWorkflow(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		".github/workflows/a.yml": true, ".github/actions/a/action.yaml": true, "ci/go.yml": true, "ci/x/go.yml": false, "x/a.yml": false, ".github/a.md": false,
	} {
		if got := workflow(p); got != want {
			t.Errorf("workflow(%q) = %v", p, got)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	all, err := credentials("../../../../testdata/secrets/rules")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, p := range all {
		kinds[p.code] = true
		if p.text == "" || p.ending == "" || strings.HasPrefix(p.text, `"`) {
			t.Errorf("%s: %q in a file %q", p.code, p.text, p.ending)
		}
	}
	if len(kinds) < 40 {
		t.Errorf("%d kinds of credentials, want 40", len(kinds))
	}
	if got, err := unquote("\"a\"\n\"b\\n\"\n"); got != "ab\n" || err != nil {
		t.Errorf("unquote = %q, %v", got, err)
	}
	if _, err := unquote("a\n"); err == nil {
		t.Error("unquote takes what is not quoted")
	}
	if got, want := string(middle([]byte("1\n2\n3"), "x")), "1\nx\n2\n3"; got != want {
		t.Errorf("middle = %q, want %q", got, want)
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		`a.proto:1:1: Import "b.proto" was not found or had errors.`:           true,
		`a.proto:9:3: "X" is not defined.`:                                     true,
		`a.proto:9:3: Option "(x)" unknown. Ensure that your proto imports it`: true,
		`a.proto:9:3: "test" is already defined in "p".`:                       false,
		`a.proto:9:3: Expected ";".`:                                           false,
		`a.proto:9:3: Expected top-level statement (e.g. "message").`:          false,
	} {
		if got := elsewhere.MatchString(line); got != want {
			t.Errorf("elsewhere(%q) = %v", line, got)
		}
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	in := "include a.mk\n -include b $(C)\ninclude := 1\nincluded: x\n"
	want := "-include /nonexistent/x # a.mk\n -include /nonexistent/x # b $(C)\ninclude := 1\nincluded: x\n"
	if d := cmp.Diff(want, string(includes.ReplaceAll([]byte(in), []byte("$1-include /nonexistent/x #$3")))); d != "" {
		t.Errorf("includes (-want +got):\n%s", d)
	}
	for line, want := range map[string]bool{
		"M.mk:3: *** missing separator.  Stop.": true, "M.mk:3: *** first argument to 'word'": false, "make: *** No rule": false,
	} {
		if got := stop.MatchString(line); got != want {
			t.Errorf("stop(%q) = %v", line, got)
		}
	}
}

func TestRemembered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := &bench{lab: &lab.Lab{Dir: dir, Log: io.Discard}}
	in, log := filepath.Join(dir, "in"), filepath.Join(dir, "log")
	run := func(text string) string {
		if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, late, err := b.remembered(t.Context(), dir, []string{"sh", "-c", "cat in; echo x >>log", "sh", "in"})
		if err != nil || late {
			t.Fatalf("remembered: late %v, %v", late, err)
		}
		return string(r.Out)
	}
	for _, text := range []string{"a", "a", "b", "a"} {
		if got := run(text); got != text {
			t.Errorf("said %q of %q", got, text)
		}
	}
	runs, err := os.ReadFile(log)
	if err != nil || len(runs) != 4 {
		t.Errorf("ran %d times, want 2 (%v)", len(runs)/2, err)
	}
}

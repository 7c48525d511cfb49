package config

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func everyText(tb testing.TB) string {
	tb.Helper()
	text, err := os.ReadFile("testdata/every.toml")
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func everyOptions(tb testing.TB) Options {
	tb.Helper()
	o := options(map[string]string{
		"poly.toml": everyText(tb), "base.toml": "", "cfg/other.toml": "",
		"poly-config.lock": "version = 1\n[[sources]]\ngit = 'https://example.org/base.git'\nfile = 'poly.toml'\nrevision = 'main'\nlocked = '" + oidA + "'\n",
	})
	o.Fetch = func(context.Context, string, string) (fs.FS, error) {
		return fstest.MapFS{"poly.toml": file("")}, nil
	}
	return o
}

// A poly.toml with every key loads, and the file names every key there is:
// what is missing from it, or left out of the shapes, is seen.
func TestEveryKey(t *testing.T) {
	t.Parallel()
	o := everyOptions(t)
	s, err := Load(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	n, p := parse("poly.toml", []byte(everyText(t)))
	if p != nil {
		t.Fatal(p)
	}
	used := map[string]bool{}
	collect(n, newIndex(&o.Schema).top, "", used)
	var missing []string
	for _, k := range newIndex(&o.Schema).top.keys {
		unusedKeys(k.shape, k.name, used, map[string]bool{}, &missing)
	}
	for _, m := range missing {
		t.Errorf("testdata/every.toml does not use %s", m)
	}
	for _, want := range []string{
		": follow has no effect", ": fail_on_changes has no effect", ": sources has no effect",
		": hook_preferences has no effect", ": force_exclude has no effect",
		"[lint.uncomment] has no effect", "[fmt.toml.taplo] has no effect", "[lint.sql.sqruff] has no effect",
	} {
		if n := len(slices.DeleteFunc(slices.Clone(s.Notes()), func(s string) bool { return !strings.Contains(s, want) })); n != 1 {
			t.Errorf("%d notes say %q, want one; all:\n%s", n, want, strings.Join(s.Notes(), "\n"))
		}
	}
	hooks := s.Root().Section("hooks")
	stage, _ := hooks["pre-commit"].(map[string]any)
	if stage == nil || hooks["commit"] != nil || stage["piped"] != true {
		t.Errorf("the alias commit of pre-commit is not resolved: %v", hooks)
	}
	if got, _ := stage["before"].([]any); len(got) != 1 {
		t.Errorf("before = %#v, want a list", stage["before"])
	}
	if _, ok := stage["exclude_mode"]; ok {
		t.Error("the directive exclude_mode is still there")
	}
	if got := s.Root().Discovery.MaxFileSize; got != 5<<20 {
		t.Errorf("max_file_size = %d", got)
	}
}

// collect notes the shapes' keys that a document uses; stage tables share a shape.
func collect(n *node, s *shape, at string, used map[string]bool) {
	if s == nil || s.free {
		return
	}
	if n.kind == kindArray && s.elem != nil {
		at += "[]"
		if s.elem.ref != "" {
			at = "<" + s.elem.ref + ">"
			used[at] = true
		}
		for _, it := range n.items {
			collect(it, s.elem, at, used)
		}
	}
	for k, c := range n.table {
		name := at + "." + k
		for _, sk := range s.keys {
			if sk.name == k {
				name = keyName(at, sk)
			}
		}
		used[name] = true
		collect(c, s.find(k), name, used)
	}
}

// keyName is the path of a key; shapes that recur have one path.
func keyName(at string, k key) string {
	if k.ref != "" {
		return "<" + k.ref + ">"
	}
	return strings.TrimPrefix(at+"."+k.name, ".")
}

func unusedKeys(s *shape, at string, used, seen map[string]bool, missing *[]string) {
	if seen[at] {
		return
	}
	seen[at] = true
	if !used[at] && !strings.HasSuffix(at, "[]") {
		*missing = append(*missing, at)
		return
	}
	if s.elem != nil && len(s.elem.keys) > 0 {
		at += "[]"
		if s.elem.ref != "" {
			at = "<" + s.elem.ref + ">"
		}
		unusedKeys(s.elem, at, used, seen, missing)
		return
	}
	for _, k := range s.keys {
		unusedKeys(k.shape, keyName(at, k), used, seen, missing)
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{
		"poly.toml": "[defaults]\nline_length = 100\n[discovery]\nexclude = ['a', 'b']\n[lint.typos]\nextend_ignore_words = 'x'\n" +
			"[lint.go.typos]\nextend_ignore_words = 'y'\n[hooks.push]\nparallel = true\n[[hooks.push.jobs]]\nrun = 'make'\n[lint.python.pylint.rules.E501]\nlevel = 'warn'\n",
		"poly.local.toml": "[discovery]\nexclude = 'c'\n",
		"pkg/poly.toml":   "[per-file-ignores]\n'*.py' = 'E'\n[lint.text.typos]\nselect = 'a'\n",
	})
	got := flatten(s.For("pkg").Show(true), "")
	for _, want := range []string{
		"defaults.line_length = 100 (poly.toml:2)",
		"defaults.line_ending = lf (default)",
		"defaults.final_newline = true (default)",
		"discovery.exclude = [a b c] (poly.toml:4, poly.local.toml:2)",
		"discovery.max_file_size = 10485760 (default)",
		"workspace.root = false (default)",
		"rules.dirs = [.poly/rules] (default)",
		"per-file-ignores.pkg/*.py = [E] (pkg/poly.toml:2)",
		"lint.workspace = true (default)",
		"lint.typos.enabled = true (default)",
		"lint.typos.extend_ignore_words = [x] (poly.toml:6)",
		"lint.go.typos.extend_ignore_words = [x y] (poly.toml:6, poly.toml:8)",
		"lint.go.gofumpt.enabled = true (default)",
		"lint.text.enabled = true (default)",
		"lint.text.typos.select = [a] (pkg/poly.toml:4)",
		"lint.lua.free.enabled = false (default)",
		"lint.python.pylint.depth = 3 (default)",
		"lint.python.pylint.rules.E501.level = warning (poly.toml:14)",
		"lint.python.pylint.rules.E501.max = 80 (default)",
		"fmt.python.pylint.quotes = double (default)",
		"cache.enabled = true (default)",
		"cache.results.hooks = safe (default)",
		"cache.sccache.bin = sccache (default)",
		"commit.preset = conventional (default)",
		"hooks.pre-push.parallel = true (poly.toml:10)",
		"hooks.pre-push.jobs = [[{run make poly.toml:12}]] (poly.toml:11)",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("Show lacks %s\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, l := range flatten(s.Root().Show(false), "") {
		if !strings.HasSuffix(l, " ()") {
			t.Errorf("Show(false) has an origin: %s", l)
		}
	}
}

func flatten(entries []Entry, at string) []string {
	var out []string
	for _, e := range entries {
		if sub, ok := e.Value.([]Entry); ok && e.Origin == "" {
			out = append(out, flatten(sub, at+e.Key+".")...)
			continue
		}
		out = append(out, at+e.Key+" = "+fmt.Sprint(e.Value)+" ("+e.Origin+")")
	}
	return out
}

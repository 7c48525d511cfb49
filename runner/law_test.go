package runner_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/runner"
	"poly/store"
)

// TestLaw walks a repository at random and holds the runner to its law after
// each step: a run answered by memo and cache reports what a run reports that
// knows nothing, for any number of workers. POLY_LAW_STEPS makes the walks
// longer, POLY_LAW_SEED repeats one.
func TestLaw(t *testing.T) {
	t.Parallel()
	steps, seeds := 80, []uint64{1, 2}
	if n, err := strconv.Atoi(os.Getenv("POLY_LAW_STEPS")); err == nil {
		steps = n
		seeds = []uint64{rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()}
	}
	if n, err := strconv.ParseUint(os.Getenv("POLY_LAW_SEED"), 10, 64); err == nil {
		seeds = []uint64{n}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := &walk{place: newPlace(t, revealing()...), rand: rand.New(rand.NewPCG(seed, 0)), seed: seed}
			w.start()
			for range steps {
				w.step()
				w.check()
			}
			if w.compared < steps {
				t.Errorf("%d comparisons in %d steps: the walk is too often lost", w.compared, steps)
			}
		})
	}
}

// walk is a repository and what was done to it.
type walk struct {
	*place
	rand     *rand.Rand
	seed     uint64
	done     []string
	compared int
}

func (w *walk) fatalf(format string, args ...any) {
	w.tb.Helper()
	last := w.done[max(0, len(w.done)-12):]
	w.tb.Fatalf("POLY_LAW_SEED=%d step %d: %s\nlast steps:\n  %s\ngit status:\n%s", w.seed, len(w.done), fmt.Sprintf(format, args...),
		strings.Join(last, "\n  "), w.Git("status", "--short", "--ignored"))
}

func (w *walk) log(format string, args ...any) { w.done = append(w.done, fmt.Sprintf(format, args...)) }

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// check holds both verbs to the law, on everything and on some path.
func (w *walk) check() {
	w.tb.Helper()
	for _, verb := range []engine.Verb{engine.Lint, engine.Format} {
		w.compare(verb, func(*runner.Request) {})
		w.compare(verb, w.narrow())
	}
}

// narrow limits a request in some way.
func (w *walk) narrow() func(*runner.Request) {
	paths := []string{pick(w.rand, w.files())}
	if w.rand.IntN(2) == 0 {
		paths[0] = path.Dir(paths[0])
	}
	if w.rand.IntN(4) == 0 {
		paths = append(paths, pick(w.rand, w.files()))
	}
	var exclude []string
	if w.rand.IntN(3) == 0 {
		exclude = []string{pick(w.rand, []string{"*.yaml", "/a", "a/b/", "!doc.md", "*.go"})}
	}
	include := w.rand.IntN(4) == 0
	return func(q *runner.Request) { q.Paths, q.Exclude, q.IncludeExcluded = paths, exclude, include }
}

func (w *walk) compare(verb engine.Verb, narrow func(*runner.Request)) {
	w.tb.Helper()
	var q runner.Request
	narrow(&q)
	run := func(cached bool, jobs int) (diag.Report, string) {
		rep, err := w.try(w.tb.Context(), verb, cached, func(q *runner.Request) { narrow(q); q.Jobs = jobs })
		if err != nil {
			return rep, err.Error()
		}
		return rep, ""
	}
	want, failed := run(false, 1)
	for i, r := range []struct {
		cached bool
		jobs   int
	}{{true, 5}, {true, 1}, {false, 5}} {
		got, err := run(r.cached, r.jobs)
		if err != failed {
			w.fatalf("%v %v, run %d: error %q, want %q", verb, q.Paths, i, err, failed)
		}
		if d := differ(want, got); d != "" {
			w.fatalf("%v %v exclude %v include %v, run %d (cached %v, %d jobs) differs (-want +got):\n%s",
				verb, q.Paths, q.Exclude, q.IncludeExcluded, i, r.cached, r.jobs, d)
		}
	}
	if failed != "" {
		return
	}
	w.compared++
	if len(q.Paths) > 0 {
		w.limit(verb, narrow, want)
	}
}

// limit compares with runs over a tree that was limited to what was asked for.
func (w *walk) limit(verb engine.Verb, narrow func(*runner.Request), want diag.Report) {
	w.tb.Helper()
	var q runner.Request
	narrow(&q)
	for _, cache := range []*store.Cache{nil, w.cache} {
		var got diag.Report
		var err error
		if cache == nil {
			got, err = w.limited(w.tb.Context(), verb, nil, nil, q.Paths, narrow)
		} else {
			got, err = w.limited(w.tb.Context(), verb, cache, cache, q.Paths, narrow)
		}
		if err != nil {
			w.fatalf("%v limited to %v: %v", verb, q.Paths, err)
		}
		d := cmp.Diff(byFile(want), byFile(got), cmpopts.EquateEmpty())
		if d != "" || want.Summary != got.Summary {
			w.fatalf("%v limited to %v exclude %v include %v (cached %v) differs: %+v, want %+v (-want +got):\n%s",
				verb, q.Paths, q.Exclude, q.IncludeExcluded, cache != nil, got.Summary, want.Summary, d)
		}
	}
}

// start makes the first commit and two branches.
func (w *walk) start() {
	for range 25 {
		w.Write(w.name(), w.text())
	}
	w.Write("poly.toml", pick(w.rand, configs))
	w.Commit("first")
	w.Git("branch", "other")
	w.log("start")
	w.check()
}

// files are the files there are, without links and git's own.
func (w *walk) files() []string {
	var out []string
	for p := range strings.SplitSeq(strings.TrimRight(w.Git("ls-files", "-z", "-c", "-o", "--exclude-standard", "--deduplicate"), "\x00"), "\x00") {
		if fi, err := os.Lstat(w.Path(p)); err == nil && fi.Mode().IsRegular() {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		w.Write("a/main.go", "package a // X\n")
		return []string{"a/main.go"}
	}
	return out
}

var (
	dirs  = []string{"", "a/", "a/b/", "c/", "c/templates/", "vendor/", "d e/"}
	bases = []string{
		"main.go", "x.yaml", "y.yml", "doc.md", "run.sh", "tool", "prog.zig", "data.txt", "blob.qqq", "cfg.txt",
		"package-lock.json", "go.sum", "z.gen.yaml", "LICENSE",
	}
	contents = []string{
		"", "X\n", "package a // X Y\n", "a: X\nb: TODO\n", "W: 1\n", "a:  b   \n", "word W\r\nX\r\n", "no newline X",
		"# TODO X\n", "DECLINE X TODO\n", "W GUARD\n", "a: {{ .Values.x }} X TODO\n", "{% if x %}\nX: 1\n{% endif %}\n", "{{ x }}\n",
		"// Code generated by t. DO NOT EDIT.\n\npackage a // X  Y\n", "# @generated\na: X W\n", "# hash: sha256:0123456789abcdef0123456789abcdef\na: X\n",
		"#!/bin/sh\necho X  TODO\n", "#!/usr/bin/env python3\nX = 1\n", "#!/usr/bin/nothing\nX\n", "<?xml version='1.0'?>\n<X/>\n",
		"\xff\xfeX\x00\n\x00", "a\x00X\n", "caf\xe9 X\n", "\xef\xbb\xbfa: X W\n",
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
		strings.Repeat("a: X W\n", 60), strings.Repeat("a: TODO\n", 600),
	}
	configs = []string{
		"", "[defaults]\nline_length = 70\n", "[lint.yaml.optional]\nword = \"b\"\n", "[lint.yaml.xs]\nenabled = false\n",
		"[fmt.yaml.yamlfmt]\nenabled = false\n", "[lint.go.xs]\nignore = [\"X1\"]\n", "[lint.go.xs]\nselect = [\"Y1\"]\n",
		"[lint.yaml.xs.rules.X1]\nlevel = \"error\"\n", "[per-file-ignores]\n\"*.yaml\" = [\"X1\"]\n\"/a/**\" = [\"T1\", \"P\"]\n",
		"[discovery]\nexclude = [\"c/\", \"*.md\"]\n", "[discovery]\nmax_file_size = 300\n", "[lint.markdown.optin]\nenabled = true\n",
		"[lint.cross]\nignore = [\"T1\"]\n", "[defaults]\nline_ending = \"crlf\"\n", "[discovery]\nexclude = [\"!a/b/doc.md\", \"/b\"]\n[workspace]\nroot = true\n",
	}
	ignoreTexts = []string{"", "*.qqq\n", "/c/\n", "x.yaml\n!a/x.yaml\n", "a/b\n", "*.md\n!doc.md\n", "cfg.txt\n"}
	attrTexts   = []string{
		"", "*.go linguist-generated\n", "*.yaml linguist-generated=true\n", "main.go -linguist-generated\n", "*.txt text eol=crlf\n",
		"* text=auto\n", "*.md ident\n", "*.yml working-tree-encoding=UTF-16\n", "*.sh filter=nothing\n",
	}
)

func (w *walk) name() string { return pick(w.rand, dirs) + pick(w.rand, bases) }

func (w *walk) text() string {
	if w.rand.IntN(4) > 0 {
		return pick(w.rand, contents)
	}
	var b strings.Builder
	for range w.rand.IntN(5) {
		b.WriteString(pick(w.rand, []string{"X", "Y", "TODO", "W", "a  b", "word", "# X   "}) + "\n")
	}
	return b.String()
}

// step does one random thing.
func (w *walk) step() {
	type action struct {
		weight int
		do     func()
	}
	actions := []action{
		{12, w.write},
		{8, w.sameSize},
		{6, w.remove},
		{6, w.copy},
		{4, w.chmod},
		{3, w.touch},
		{3, w.link},
		{8, w.gitAdd},
		{6, w.gitCommit},
		{4, w.gitReset},
		{4, w.gitStash},
		{5, w.gitSwitch},
		{3, w.gitMerge},
		{6, w.gitFlags},
		{10, w.control},
		{2, w.nested},
		{2, w.setting},
	}
	total := 0
	for _, a := range actions {
		total += a.weight
	}
	n := w.rand.IntN(total)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			a.do()
			return
		}
	}
}

// put writes a file unless something is in the way.
func (w *walk) put(name, text string) bool {
	if fi, err := os.Lstat(w.Path(name)); err == nil && !fi.Mode().IsRegular() {
		return false
	}
	if os.MkdirAll(w.Path(path.Dir(name)), 0o777) != nil {
		return false
	}
	return os.WriteFile(w.Path(name), []byte(text), 0o666) == nil
}

func (w *walk) write() {
	name, text := w.name(), w.text()
	if w.rand.IntN(2) == 0 {
		name = pick(w.rand, w.files())
	}
	if path.Base(name) == "poly.toml" {
		text = pick(w.rand, configs)
	}
	w.log("write %s %.40q: %v", name, text, w.put(name, text))
}

// sameSize changes bytes but neither size nor time of a file.
func (w *walk) sameSize() {
	name := pick(w.rand, w.files())
	if path.Base(name) == "poly.toml" {
		return
	}
	fi, err := os.Stat(w.Path(name))
	if err != nil {
		w.tb.Fatal(err)
	}
	text := w.Read(name)
	swapped := strings.NewReplacer("X", "Z", "Z", "X", "TODO", "ODOT", "ODOT", "TODO", "W", "V", "V", "W", "hash", "shah").Replace(text)
	w.Write(name, swapped)
	if err := os.Chtimes(w.Path(name), fi.ModTime(), fi.ModTime()); err != nil {
		w.tb.Fatal(err)
	}
	w.log("same size, same time %s: %v", name, text != swapped)
}

func (w *walk) remove() {
	name := pick(w.rand, w.files())
	if w.rand.IntN(4) == 0 && path.Dir(name) != "." {
		name = path.Dir(name)
	}
	w.log("remove %s: %v", name, os.RemoveAll(w.Path(name)))
}

// copy puts known bytes under another name; half the time it moves them.
func (w *walk) copy() {
	from, to := pick(w.rand, w.files()), w.name()
	if path.Base(from) == "poly.toml" || from == to {
		return
	}
	ok := w.put(to, w.Read(from))
	if ok && w.rand.IntN(2) == 0 {
		_ = os.Remove(w.Path(from))
	}
	w.log("copy %s to %s: %v", from, to, ok)
}

func (w *walk) chmod() {
	name, mode := pick(w.rand, w.files()), pick(w.rand, []os.FileMode{0o644, 0o755, 0o600})
	w.log("chmod %s %o: %v", name, mode, os.Chmod(w.Path(name), mode))
}

func (w *walk) touch() {
	for _, name := range w.files() {
		fi, err := os.Stat(w.Path(name))
		if err != nil {
			continue
		}
		_ = os.Chtimes(w.Path(name), fi.ModTime(), fi.ModTime().Add(-1e9))
	}
	w.log("touch everything")
}

func (w *walk) link() {
	name, to := w.name()+".link", pick(w.rand, []string{"main.go", "a", "nowhere", "../out"})
	if w.rand.IntN(3) == 0 {
		name = pick(w.rand, w.files())
		if path.Base(name) == "poly.toml" {
			return
		}
	}
	_ = os.Remove(w.Path(name))
	w.log("link %s to %s: %v", name, to, os.Symlink(to, w.Path(name)))
}

func (w *walk) git(args ...string) {
	out, err := w.TryGit(args...)
	if err == nil {
		out = ""
	}
	w.log("git %s: %v %.60q", strings.Join(args, " "), err, out)
}

func (w *walk) gitAdd() {
	switch w.rand.IntN(4) {
	case 0:
		w.git("add", "-A")
	case 1:
		w.git("add", "-N", pick(w.rand, w.files()))
	case 2:
		w.git("rm", "-q", "--cached", "-f", pick(w.rand, w.files()))
	default:
		w.git("add", "-f", pick(w.rand, w.files()))
	}
}

func (w *walk) gitCommit() {
	switch w.rand.IntN(3) {
	case 0:
		w.git("commit", "-q", "-m", "staged")
	case 1:
		w.git("commit", "-qam", "tracked")
	default:
		w.git("add", "-A")
		w.git("commit", "-qm", "all")
	}
}

func (w *walk) gitReset() {
	w.git(pick(w.rand, [][]string{
		{"reset", "-q"},
		{"reset", "-q", "--hard"},
		{"reset", "-q", "--soft", "HEAD~1"},
		{"reset", "-q", "HEAD~1"},
		{"checkout", "-q", "-f"},
		{"clean", "-qfd"},
		{"update-index", "-q", "--refresh"},
	})...)
}

func (w *walk) gitStash() {
	w.git(pick(w.rand, [][]string{{"stash", "-q"}, {"stash", "-q", "-u"}, {"stash", "pop", "-q"}, {"stash", "apply", "-q"}, {"stash", "drop", "-q"}})...)
}

func (w *walk) gitSwitch() {
	w.git("switch", "-q", "--discard-changes", pick(w.rand, []string{"main", "other"}))
}

func (w *walk) gitMerge() {
	w.git("merge", "-q", "-m", "merged", pick(w.rand, []string{"main", "other"}))
	switch w.rand.IntN(4) {
	case 0:
		w.git("merge", "--abort")
	case 1:
		w.git("checkout", "-q", "--ours", ".")
	}
	// A conflict in poly.toml would end every run until it is resolved.
	w.git("checkout", "-q", "--theirs", "--", "poly.toml")
}

func (w *walk) gitFlags() {
	name := pick(w.rand, w.files())
	w.git("update-index", pick(w.rand, []string{"--skip-worktree", "--no-skip-worktree", "--assume-unchanged", "--no-assume-unchanged"}), name)
}

// control changes a file that changes what is said about others.
func (w *walk) control() {
	dir := pick(w.rand, dirs)
	c := pick(w.rand, []struct {
		name  string
		texts []string
	}{
		{dir + "poly.toml", configs},
		{"poly.toml", configs},
		{"poly.local.toml", []string{"", "[defaults]\nline_length = 33\n", "[lint.go.xs]\nenabled = false\n"}},
		{dir + "cfg.txt", []string{"one", "two", "3"}},
		{"cfg.txt", []string{"one", "two"}},
		{"conf/tool.cfg", []string{"hard", "soft"}},
		{"rules/r1", []string{"one", "two"}},
		{"rules/deep/r2", []string{"one", "two"}},
		{".gitignore", ignoreTexts},
		{dir + ".gitignore", ignoreTexts},
		{".git/info/exclude", ignoreTexts},
		{".gitattributes", attrTexts},
		{dir + ".gitattributes", attrTexts},
		{".git/info/attributes", attrTexts},
	})
	if w.rand.IntN(4) == 0 {
		w.log("remove control %s: %v", c.name, os.Remove(w.Path(c.name)))
		return
	}
	text := pick(w.rand, c.texts)
	w.log("control %s %q: %v", c.name, text, w.put(c.name, text))
}

// nested makes a repository inside, or removes one.
func (w *walk) nested() {
	dir := pick(w.rand, []string{"c/inner", "a/b", "sub"})
	if os.RemoveAll(w.Path(dir+"/.git")) == nil && w.rand.IntN(2) == 0 {
		w.log("no repository %s", dir)
		return
	}
	w.put(dir+"/main.go", "package inner // X\n")
	w.git("init", "-q", dir)
}

func (w *walk) setting() {
	w.git(pick(w.rand, [][]string{
		{"config", "core.autocrlf", "true"},
		{"config", "core.autocrlf", "input"},
		{"config", "--unset", "core.autocrlf"},
		{"config", "core.fileMode", "false"},
		{"config", "core.fileMode", "true"},
		{"config", "core.trustctime", "true"},
	})...)
}

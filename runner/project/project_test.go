package project

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/config"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/proc"
	"poly/internal/report"
	"poly/runner/job"
	"poly/store"
)

// site is a directory with a project in it.
type site struct {
	t     *testing.T
	dir   string
	start func(context.Context, proc.Cmd) proc.Result
	cache *memory
}

func newSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := proc.New()
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &site{t: t, dir: dir, start: o.Run, cache: &memory{rows: map[string][]byte{}}}
	for name, text := range files {
		s.write(name, text)
	}
	return s
}

func (s *site) write(name, text string) {
	s.t.Helper()
	p := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// tree opens the directory. Build output is not part of it, as with a
// .gitignore.
func (s *site) tree(ctx context.Context) (gitstate.Tree, error) {
	return gitstate.Plain(ctx, s.dir, gitstate.WorktreeOptions{})
}

// phase plans the phase of the directory.
func (s *site) phase() (*Phase, gitstate.Tree) {
	s.t.Helper()
	tree, err := s.tree(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = tree.Close() })
	set, err := config.Load(s.t.Context(), config.Options{Tree: os.DirFS(s.dir), Root: s.dir, Dirs: []string{"."}})
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := Plan(set, tree)
	if err != nil {
		s.t.Fatal(err)
	}
	return p, tree
}

func (s *site) run(ctx context.Context, more func(*Request)) *Report {
	s.t.Helper()
	p, tree := s.phase()
	q := Request{Start: s.start, Root: s.dir, Env: os.Environ(), Tree: tree, Cache: s.cache, Build: "1", Reopen: s.tree}
	if more != nil {
		more(&q)
	}
	return p.Run(ctx, q)
}

// outcomes are the tools and what became of them.
func outcomes(r *Report) string {
	var b strings.Builder
	for _, t := range r.Tools {
		b.WriteString(t.Job.ID + " " + t.Outcome.String())
		if t.Cached {
			b.WriteString(" cached")
		}
		b.WriteString("\n")
	}
	return b.String()
}

type memory struct {
	mu   sync.Mutex
	rows map[string][]byte
}

func (m *memory) Lookup(_ context.Context, cfgs []store.Cfg, keys []store.Key) (store.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.rows[string(cfgs[0].Hash[:])+keys[0].OID]; ok {
		return store.Result{Values: []store.Value{{Data: v}}}, nil
	}
	return store.Result{Missing: []int{0}}, nil
}

func (m *memory) Save(_ context.Context, b store.Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[string(b.Cfgs[0].Hash[:])+b.Rows[0].OID] = b.Rows[0].Value
	return nil
}

// TestPlan: which tools a configuration has.
func TestPlan(t *testing.T) {
	t.Parallel()
	cargo := "cargo-clippy cargo-sort cargo-machete cargo-deny"
	for _, tc := range []struct {
		name, conf, files, want string
	}{
		{"no hooks", "", "Cargo.toml go.mod", ""},
		{"hooks and a manifest", "[hooks]\n", "Cargo.toml go.mod", cargo},
		{"hooks, no manifest at the root", "[hooks]\n", "a/Cargo.toml", ""},
		{"cargo off", "[hooks.builtin]\ncargo = false\n", "Cargo.toml", ""},
		{"cargo, some", "[hooks.builtin.cargo]\nsort = false\ndeny = false\n", "Cargo.toml", "cargo-clippy cargo-machete"},
		{"cargo, not for lint", "[hooks.builtin.cargo]\nlint = false\n", "Cargo.toml", ""},
		{"cargo below", "[hooks.builtin.cargo]\nsort = false\ndeny = false\nmachete = false\n", "b/Cargo.toml b/x/Cargo.toml a/Cargo.toml vendor/v/Cargo.toml", "cargo-clippy (a) cargo-clippy (b)"},
		{"cargo at another stage", "[hooks.builtin.cargo]\nstages = [\"pre-push\"]\n", "Cargo.toml", cargo},
		{"go", "[hooks.builtin]\ngo = true\n", "go.mod", "go-vet staticcheck golangci-lint"},
		{"go, one", "[hooks.builtin.go]\nvet = true\n", "go.mod tools/go.mod testdata/go.mod", "go-vet" + " go-vet (tools)"},
		{"go, a table that names none on", "[hooks.builtin.go]\nvet = false\n", "go.mod", ""},
		{"inline", "[[hooks.pre-commit.jobs]]\nname = \"a\"\nrun = \"x\"\nworkspace = true\n[hooks.pre-commit.commands.b]\nrun = \"y\"\n[hooks.pre-push.commands.c]\nrun = \"z\"\nworkspace = true\n[hooks.always.commands.d]\nrun = \"z\"\nworkspace = true\n", "x", "a d"},
	} {
		files := map[string]string{"poly.toml": tc.conf}
		for f := range strings.FieldsSeq(tc.files) {
			files[f] = ""
		}
		p, _ := newSite(t, files).phase()
		var got []string
		if p != nil {
			for _, j := range p.stage.Jobs {
				got = append(got, j.ID)
			}
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

const badGo = "package x\n\nimport \"fmt\"\n\n// F prints.\nfunc F() { fmt.Printf(\"%d\\n\", \"x\") }\n"

// TestGoVet: go vet for real: it finds, is cached when it finds nothing, and
// runs again when a file changes.
func TestGoVet(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"poly.toml": "[hooks.builtin.go]\nvet = true\n", "go.mod": "module x\n\ngo 1.24\n", "sub/a.go": badGo})
	rep := s.run(t.Context(), nil)
	if rep.Exit() != 1 || rep.Passed() || outcomes(rep) != "go-vet failed\n" {
		t.Fatalf("exit %d, %s%s", rep.Exit(), outcomes(rep), rep.Append(nil, false, false))
	}
	// Another checkout of the same package: go vet may answer with its paths.
	other := newSite(t, map[string]string{"poly.toml": "[hooks.builtin.go]\nvet = true\n", "go.mod": "module x\n\ngo 1.24\n", "sub/a.go": badGo})
	if again := other.run(t.Context(), nil); again.Tools[0].Findings[0].Path != "sub/a.go" || !strings.HasPrefix(again.Tools[0].Output, "sub/a.go:6:") {
		t.Errorf("another checkout: %+v", again.Tools[0])
	}
	found := rep.Tools[0].Findings
	if len(found) != 1 || found[0].Path != "sub/a.go" || found[0].Code != "printf" || found[0].Span.StartLine != 6 {
		t.Errorf("findings %+v", found)
	}
	s.write("sub/a.go", strings.Replace(badGo, `"x"`, "1", 1))
	for _, want := range []string{"go-vet passed\n", "go-vet passed cached\n"} {
		if rep := s.run(t.Context(), nil); rep.Exit() != 0 || outcomes(rep) != want {
			t.Errorf("exit %d, %s, want %s", rep.Exit(), outcomes(rep), want)
		}
	}
	s.write("sub/b.go", "package x\n\nfunc g() int { return \"\" }\n")
	if rep := s.run(t.Context(), nil); rep.Exit() != 1 || !strings.Contains(rep.Tools[0].Output, "cannot use") {
		t.Errorf("code that does not compile: exit %d, %s", rep.Exit(), rep.Append(nil, false, false))
	}
}

// TestClippy: cargo clippy for real, and its fix form.
func TestClippy(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("cargo-clippy"); err != nil {
		t.Logf("there is no clippy: its tool is absent")
	}
	s := newSite(t, map[string]string{
		"poly.toml":  "[hooks.builtin.cargo]\nsort = false\nmachete = false\ndeny = false\n[discovery]\nexclude = [\"target/\"]\n",
		"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "Cargo.lock": "version = 4\n\n[[package]]\nname = \"x\"\nversion = \"0.1.0\"\n",
		"src/main.rs": "fn main() {\n    return ();\n}\n",
	})
	env := append(os.Environ(), "CARGO_TARGET_DIR="+t.TempDir(), "CARGO_NET_OFFLINE=true")
	with := func(fix bool) func(*Request) {
		return func(q *Request) { q.Env, q.Fix = env, fix }
	}
	rep := s.run(t.Context(), with(false))
	if _, err := exec.LookPath("cargo-clippy"); err != nil {
		if outcomes(rep) != "cargo-clippy absent\n" || rep.Exit() != 0 {
			t.Errorf("without clippy: %d, %s", rep.Exit(), outcomes(rep))
		}
		return
	}
	var codes []string
	for _, f := range rep.Tools[0].Findings {
		codes = append(codes, f.Path+" "+f.Code)
	}
	if rep.Exit() != 1 || !slices.Contains(codes, "src/main.rs clippy::needless_return") || len(slices.Compact(slices.Sorted(slices.Values(codes)))) != len(codes) {
		t.Fatalf("exit %d, %q, %s", rep.Exit(), codes, rep.Append(nil, false, false))
	}
	rep = s.run(t.Context(), with(true))
	text, err := os.ReadFile(filepath.Join(s.dir, "src/main.rs"))
	if err != nil || strings.Contains(string(text), "return") || !rep.Fix {
		t.Errorf("fix mode left %q, %v: %s", text, err, rep.Append(nil, false, false))
	}
	s.write("src/main.rs", "fn main() {}\n")
	for _, want := range []string{"cargo-clippy passed\n", "cargo-clippy passed cached\n"} {
		if rep := s.run(t.Context(), with(false)); outcomes(rep) != want {
			t.Errorf("%s, want %s: %s", outcomes(rep), want, rep.Append(nil, false, false))
		}
	}
}

// TestCovers: a language is covered by a tool that is installed only.
func TestCovers(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"poly.toml": "[hooks.builtin]\ngo = true\ncargo = true\n", "go.mod": "", "Cargo.toml": "", "bin/go": ""})
	if err := os.Chmod(filepath.Join(s.dir, "bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, _ := s.phase()
	if got := p.Covers([]string{"PATH=" + s.dir + "/bin"}, s.dir); !slices.Equal(got, []lang.ID{lang.Go}) {
		t.Errorf("Covers = %q", got)
	}
	var none *Phase
	if none.Len() != 0 || none.Covers(nil, "") != nil {
		t.Error("no phase covers something")
	}
}

// TestCancelLeavesNothing: a failing, a hanging and a forking tool, cancelled
// half way: no process is left and the worktree is as it was.
func TestCancelLeavesNothing(t *testing.T) {
	t.Parallel()
	word := "98765." + filepath.Base(t.TempDir()) // no other test sleeps so long
	word = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return -1
	}, word) + strings.Repeat("7", os.Getpid()%7+1)
	s := newSite(t, map[string]string{"a.txt": "a", "poly.toml": `
[[hooks.pre-commit.jobs]]
name = "fails"
run = "exit 1"
workspace = true
[[hooks.pre-commit.jobs]]
name = "hangs"
run = "trap '' TERM; echo ready; sleep ` + word + `; sleep ` + word + `"
workspace = true
[[hooks.pre-commit.jobs]]
name = "forks"
run = "(setsid sh -c '(sleep ` + word + ` &) &' </dev/null >/dev/null 2>&1); echo ready; sleep ` + word + `"
workspace = true
`})
	ctx, cancel := context.WithCancel(t.Context())
	ready := 0
	started := time.Now()
	rep := s.run(ctx, func(q *Request) {
		q.Jobs = 3
		q.Event = func(e job.Event) {
			if e.Kind == job.Said && e.Text == "ready" {
				if ready++; ready == 2 {
					started = time.Now()
					cancel()
				}
			}
		}
	})
	if got := outcomes(rep); got != "fails failed\nhangs cancelled\nforks cancelled\n" || rep.Exit() != 2 {
		t.Errorf("exit %d, %s", rep.Exit(), got)
	}
	t.Logf("ended after %s", time.Since(started))
	out, err := exec.CommandContext(t.Context(), "ps", "-axo", "stat=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "sleep "+word) && !strings.HasPrefix(line, "Z") {
			t.Errorf("left: %s", line)
		}
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

// TestDocument: every key of the document, for each outcome.
func TestDocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"poly.toml": `
[hooks.builtin.go]
staticcheck = true
[[hooks.pre-commit.jobs]]
name = "colours"
run = 'printf "\033[31mred\033[0m\rthen\n"; exit 4'
workspace = true
[[hooks.pre-commit.jobs]]
name = "left out"
run = "x"
skip = true
workspace = true
[[hooks.pre-commit.jobs]]
name = "late"
run = "sleep 1000"
timeout = "100ms"
workspace = true
`})
	rep := s.run(t.Context(), func(q *Request) { q.Env = []string{"PATH=/usr/bin:/bin"} })
	for i := range rep.Tools {
		rep.Tools[i].Duration = 7 * time.Millisecond
	}
	doc, err := report.AppendObject(nil, rep.Object())
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(doc, &got); err != nil {
		t.Fatal(err)
	}
	tool := func(id, outcome, reason, exit, output string) string {
		return `{"id":"` + id + `","outcome":"` + outcome + `","reason":"` + reason + `","cached":false,"duration_ms":7,"exit_code":` + exit + `,"output":"` + output + `","output_truncated":false,"diagnostics":[]}`
	}
	text := `{"passed":false,"fixed":false,"tools":[` + strings.Join([]string{
		tool("staticcheck", "absent", "staticcheck is not installed, or not in PATH", "null", ""),
		tool("colours", "failed", "exit code 4", "4", `red\nthen\n`),
		tool("left out", "skipped", "skip: always", "null", ""),
		tool("late", "timed_out", "timed out: it did not end within 100ms", "143", ""),
	}, ",") + `]}`
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rep.Exit() != 2 {
		t.Errorf("exit %d", rep.Exit())
	}
}

// TestNoCommands: nothing is started, and nothing has passed.
func TestNoCommands(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"poly.toml": "[hooks.builtin]\ngo = true\n", "go.mod": ""})
	rep := s.run(t.Context(), func(q *Request) {
		q.NoCommands = "--no-commands"
		q.Start = func(_ context.Context, c proc.Cmd) proc.Result {
			t.Errorf("started %q", c.Args)
			return proc.Result{}
		}
	})
	if got := outcomes(rep); got != "go-vet skipped\nstaticcheck skipped\ngolangci-lint skipped\n" || rep.Exit() != 0 {
		t.Error(rep.Exit(), got)
	}
}

// TestGitVariablesStayOut: a tool of a run inside of a hook does not work in
// the hook's repository.
func TestGitVariablesStayOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"poly.toml": "[[hooks.pre-commit.jobs]]\nrun = 'echo \"$GIT_DIR $GIT_INDEX_FILE $GIT_AUTHOR_NAME\"; exit 1'\nworkspace = true\n" +
		"[[hooks.pre-commit.jobs]]\ngit_env = true\nrun = 'echo \"$GIT_DIR $GIT_AUTHOR_NAME\"; exit 1'\nworkspace = true\n"})
	rep := s.run(t.Context(), func(q *Request) {
		q.Env = []string{"PATH=/usr/bin:/bin", "GIT_DIR=/x/.git", "GIT_INDEX_FILE=/x/i", "GIT_AUTHOR_NAME=me"}
	})
	if a, b := rep.Tools[0].Output, rep.Tools[1].Output; a != "  me\n" || b != "/x/.git me\n" {
		t.Errorf("%q, %q", a, b)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain ü\n\tx": "plain ü\n\tx", "\x1b[1;31mred\x1b[0m": "red", "\x1b]8;;http://x\x07link\x1b]8;;\x1b\\": "link", "a\r\nb": "a\nb", "10%\r20%\n": "10%\n20%\n",
		"\x1b": "", "a\x1b[": "a", "a\x00\x08b": "ab", "\x1b(Bx": "Bx", "\x1b[31\nx": "\nx",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

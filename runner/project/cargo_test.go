package project

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"poly/internal/testutil"
	"poly/runner/job"
)

// TestCargoTools: sort, machete and deny for real, where they are installed: CI
// installs them. They find, they fix, and find nothing any more.
func TestCargoTools(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"poly.toml":   "[hooks.builtin.cargo]\nclippy = false\n[discovery]\nexclude = [\"target/\"]\n",
		"Cargo.toml":  "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"Zlib\"\n\n[dependencies]\nzeta = { path = \"zeta\" }\nalpha = { path = \"alpha\" }\n\n[workspace]\n",
		"src/main.rs": "fn main() {\n    zeta::f();\n}\n", "deny.toml": "[advisories]\ndb-path = \"DB\"\ndb-urls = [\"https://advisories.invalid/db\"]\ngit-fetch-with-cli = true\n[licenses]\nallow = [\"MIT\"]\n",
		"Cargo.lock": "version = 3\n\n[[package]]\nname = \"alpha\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"x\"\nversion = \"0.1.0\"\ndependencies = [\"alpha\", \"zeta\"]\n\n[[package]]\nname = \"zeta\"\nversion = \"0.1.0\"\n",
	})
	for _, dep := range []string{"zeta", "alpha"} {
		s.write(dep+"/Cargo.toml", "[package]\nname = \""+dep+"\"\nversion = \"0.1.0\"\nedition = \"2021\"\nlicense = \"MIT\"\n")
		s.write(dep+"/src/lib.rs", "pub fn f() {}\n")
	}
	db := testutil.NewRepo(t)
	db.Write("crates/foo/RUSTSEC-2020-0001.md", "```toml\n[advisory]\nid = \"RUSTSEC-2020-0001\"\npackage = \"foo\"\ndate = \"2020-01-01\"\n\n[versions]\npatched = []\n```\n\n# A title\n\nA text.\n")
	db.Commit("c")
	side := t.TempDir()
	deny, err := os.ReadFile(filepath.Join(s.dir, "deny.toml"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("deny.toml", strings.Replace(string(deny), "DB", filepath.Join(side, "db"), 1))
	config := filepath.Join(side, "gitconfig")
	text := fmt.Sprintf("[url \"file://%s\"]\n\tinsteadOf = https://advisories.invalid/db\n[protocol \"file\"]\n\tallow = always\n", db.Dir)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(fix bool) *Report {
		return s.run(t.Context(), func(q *Request) {
			q.Fix, q.Env = fix, append(os.Environ(), "GIT_CONFIG_GLOBAL="+config, "CARGO_TARGET_DIR="+side, "POLY_HOOK_WORKSPACE_TIMEOUT=2m")
		})
	}
	want := func(rep *Report, what map[string]string) {
		t.Helper()
		for i := range rep.Tools {
			tool := &rep.Tools[i]
			outcome := what[tool.Job.ID]
			if _, err := exec.LookPath(tool.Job.Probe); err != nil {
				outcome = "absent"
			}
			if outcome != "" && tool.Outcome.String() != outcome {
				t.Errorf("%s %s, want %s: %s\n%s", tool.Job.ID, tool.Outcome, outcome, tool.Reason, tool.Output)
			}
		}
	}
	first := run(false)
	want(first, map[string]string{"cargo-sort": "failed", "cargo-machete": "failed", "cargo-deny": "failed"})
	for i, word := range []string{"not sorted", "alpha", "Zlib"} {
		if tool := &first.Tools[i]; tool.Outcome != job.Absent && !strings.Contains(tool.Output, word) {
			t.Errorf("%s does not speak of %s: %s", tool.Job.ID, word, tool.Output)
		}
	}
	run(true) // machete says no although it mended what it found
	s.write("deny.toml", strings.Replace(strings.Replace(string(deny), "DB", filepath.Join(side, "db"), 1), `["MIT"]`, `["MIT", "Zlib"]`, 1))
	want(run(false), map[string]string{"cargo-sort": "passed", "cargo-machete": "passed", "cargo-deny": "passed"})
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain runs the test binary as poly when it is called by that name. A copy
// of it lies first on PATH, where any user may run it.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "poly" {
		main()
		return
	}
	os.Exit(withPoly(m.Run))
}

func withPoly(tests func() int) int {
	bin, err := os.MkdirTemp("", "poly-test-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(bin) }()
	exe, err := os.Executable()
	if err == nil {
		err = errors.Join(os.Chmod(bin, 0o755), copyExecutable(exe, filepath.Join(bin, "poly")))
	}
	if err == nil {
		err = os.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		panic(err)
	}
	return tests()
}

func copyExecutable(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// TestScripts runs the scripts of testdata/script. Each poly lint or poly fmt
// of a script that writes nothing is also a test of the laws: a cold cache, a
// warm one and none give the same answer, and so does any number of workers.
func TestScripts(t *testing.T) {
	t.Parallel()
	update := slices.Contains(os.Args, "-update")
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("..", "..", "testdata", "script"),
		UpdateScripts:      update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			home := t.TempDir() // not in the work directory, which may be a repository
			env.Setenv("HOME", home)
			env.Setenv("POLY_CACHE_HOME", filepath.Join(home, "cache"))
			env.Setenv("POLY_STATE_HOME", filepath.Join(home, "state"))
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
			env.Setenv("NO_COLOR", "1")
			poly, err := exec.LookPath("poly")
			if err != nil {
				return err
			}
			env.Setenv("POLY", poly)
			if err := shareModules(filepath.Join(home, "cache")); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(home, "gitconfig"), []byte("[user]\n\tname = t\n\temail = t@example.invalid\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"poly": poly, "repo": repo, "fixture": fixture},
	})
}

// shareModules makes compiled modules in the cache those of all tests: they
// take seconds to compile.
func shareModules(cache string) error {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil //nolint:nilerr // then each test compiles its own
	}
	shared := filepath.Join(user, "poly-tests", "wasm")
	return errors.Join(os.MkdirAll(shared, 0o755), os.MkdirAll(cache, 0o700), os.Symlink(shared, filepath.Join(cache, "wasm")))
}

// repo makes the current directory a repository with everything committed.
func repo(ts *testscript.TestScript, _ bool, _ []string) {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "c"}} {
		ts.Check(ts.Exec("git", args...))
	}
}

// poly runs poly. With the exit code as first argument, that code is wanted:
// poly 1 lint . wants 1; without, 0.
func poly(ts *testscript.TestScript, neg bool, args []string) {
	want := "0"
	if len(args) > 0 && len(args[0]) <= 3 && strings.Trim(args[0], "0123456789") == "" {
		want, args = args[0], args[1:]
	}
	if neg {
		ts.Fatalf("write the exit code instead: poly 1 lint .")
	}
	out := run1(ts, want, args)
	if len(args) > 0 && (args[0] == "lint" || args[0] == "fmt") && !writes(args) {
		for _, more := range [][]string{nil, {"--no-cache"}, {"-j", "1"}, {"-j", "7"}} {
			if got := run1(ts, want, slices.Insert(slices.Clone(args), 1, more...)); got != out {
				ts.Fatalf("poly %v with %v gives another answer:\n%s\nagainst\n%s", args, more, got, out)
			}
		}
	}
}

func writes(args []string) bool {
	for _, a := range args {
		switch a {
		case "--fix", "--debug", "--help", "-h", "--stdin-filename", "--no-cache", "-j":
			return true
		}
		if strings.HasPrefix(a, "--stdin-filename=") {
			return true
		}
	}
	return false
}

// run1 runs poly once and returns what it printed, without times. A JSON
// document is looked at on the way.
func run1(ts *testscript.TestScript, want string, args []string) string {
	err := ts.Exec("poly", args...)
	code := "0"
	if err != nil {
		code = strings.TrimPrefix(err.Error(), "exit status ")
	}
	out, notes := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if code != want {
		ts.Fatalf("poly %v: %s, want exit code %s\n%s\n%s", args, code, want, out, notes)
	}
	if i := slices.Index(args, "--format"); i >= 0 && out != "" && args[i+1] == "json" {
		ts.Check(checkDocument(out))
	}
	return times.ReplaceAllString(out, "") + "\x00" + notes
}

// checkDocument reports what is wrong with the JSON document of an answer: it
// is one line, and the counts of a run are those of its records.
func checkDocument(text string) error {
	var doc struct {
		Results         []struct{ Error, Skipped *string }
		Errors, Skipped []struct{ Path string }
		Summary         *struct{ Checked, Skipped, Errored int }
	}
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "}\n") {
		return errors.New("not one line of JSON: " + text)
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if doc.Summary == nil {
		return nil
	}
	skipped, errored := 0, 0
	for _, r := range doc.Results {
		switch {
		case r.Error != nil:
			errored++
		case r.Skipped != nil:
			skipped++
		}
	}
	if doc.Summary.Skipped != skipped || len(doc.Skipped) != skipped || doc.Summary.Errored != errored || len(doc.Errors) != errored {
		return fmt.Errorf("the counts do not add up: %d skipped and %d errored records in %s", skipped, errored, text)
	}
	return nil
}

var times = regexp.MustCompile(`(?m),? in [0-9.]+ m?s.*$`)

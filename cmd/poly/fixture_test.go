package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// The three repositories that scripts are run on, in testdata/<name>.txtar.
var fixtures = map[string]func(dir string, env []string) error{
	"service":  func(dir string, _ []string) error { return os.Chmod(filepath.Join(dir, "scripts/run"), 0o755) },
	"config":   func(string, []string) error { return nil },
	"polyglot": polyglot,
}

// fixture makes one of the three repositories, with everything committed, in
// the directory of its name and enters it. A second argument names another
// directory.
func fixture(ts *testscript.TestScript, _ bool, args []string) {
	name := args[0]
	dir := ts.MkAbs(args[len(args)-1])
	env := append(os.Environ(), "HOME="+ts.Getenv("HOME"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+ts.Getenv("GIT_CONFIG_GLOBAL"))
	ts.Check(makeFixture(name, dir, env))
	ts.Check(ts.Chdir(args[len(args)-1]))
}

func makeFixture(name, dir string, env []string) error {
	a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		return err
	}
	for _, f := range a.Files {
		if err := put(dir, f.Name, f.Data); err != nil {
			return err
		}
	}
	if err := gitIn(dir, env, "init", "-q"); err != nil {
		return err
	}
	return errors.Join(gitIn(dir, env, "add", "-A"), fixtures[name](dir, env), gitIn(dir, env, "commit", "-q", "-a", "-m", "c"))
}

func put(dir, name string, text []byte) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

func gitIn(dir string, env []string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New("git " + strings.Join(args, " ") + ": " + string(out))
	}
	return nil
}

// polyglot adds what a txtar cannot hold.
func polyglot(dir string, env []string) error {
	files := map[string]string{
		"win.bat":                 "@echo off\r\necho hi\r\n",
		"crlf.go":                 "package tool\r\n\r\nfunc Crlf() {}\r\n",
		"crlf.yaml":               "a: 1\r\nb: 2\r\n",
		"bom.yaml":                "\xef\xbb\xbfa: 1\n",
		"bom.json":                "\xef\xbb\xbf{\"a\": 1}\n",
		"logo.png":                "\x89PNG\r\n\x1a\n\x00\x00",
		"binary.yaml":             "a: \x00\x01\n",
		"latin1.yaml":             "a: caf\xe9\n",
		"utf16.json":              "\xff\xfe{\x00}\x00",
		"lfs.json":                "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 3\n",
		"empty.yaml":              "",
		"large.json":              "[" + strings.Repeat("1,", 6<<20) + "1]\n",
		"odd/with blank.yaml":     "a: 1\na: 2\n",
		"odd/quo\"te'.yaml":       "a: 1\na: 2\n",
		"odd/-dash.yaml":          "a: 1\na: 2\n",
		"odd/новый 文件 é.yaml":     "a: 1\na: 2\n",
		"odd/tab\tnew\nline.yaml": "a: 1\na: 2\n",
		"odd/[x]*?.yaml":          "a: 1\na: 2\n",
		"odd/$HOME;`x`.yaml":      "a: 1\na: 2\n",
		"deep/" + strings.Repeat("d/", 40) + "x.yaml": "a: 1\na: 2\n",
	}
	if runtime.GOOS != "darwin" { // which has no such names
		files["odd/latin\xe9.yaml"] = "a: 1\na: 2\n"
	}
	for name, text := range files {
		if err := put(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	sub := dir + "-submodule"
	err := errors.Join(put(sub, "sub.yaml", []byte("a: 1\na: 2\n")), gitIn(sub, env, "init", "-q"), gitIn(sub, env, "add", "-A"), gitIn(sub, env, "commit", "-q", "-m", "c"))
	return errors.Join(err,
		os.Chmod(filepath.Join(dir, "run"), 0o755),
		os.Symlink("conf.yaml", filepath.Join(dir, "link.yaml")),
		os.Symlink("app", filepath.Join(dir, "linkdir")),
		os.Symlink("nowhere", filepath.Join(dir, "dangling.yaml")),
		os.Symlink("/etc/hostname", filepath.Join(dir, "outside.yaml")),
		gitIn(dir, env, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "sub"),
		gitIn(dir, env, "add", "-A"),
		os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte("/excluded.yaml\n"), 0o644),
		put(dir, "excluded.yaml", bytes.Repeat([]byte("a: 1\n"), 2)),
		put(dir, "nested/inner.yaml", bytes.Repeat([]byte("a: 1\n"), 2)),
		gitIn(filepath.Join(dir, "nested"), env, "init", "-q"),
	)
}

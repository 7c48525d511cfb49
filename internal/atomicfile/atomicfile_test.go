package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

// names returns what is in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestWriteModes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		old  fs.FileMode // 0: there is no file
		opt  Options
		want fs.FileMode
	}{
		{"new", 0, Options{}, 0o644},
		{"new with a mode", 0, Options{Mode: 0o777}, 0o777}, // whatever the umask is
		{"kept", 0o640, Options{}, 0o640},
		{"kept, executable", 0o755, Options{Sync: true}, 0o755},
		{"kept, odd", 0o606 | fs.ModeSetuid, Options{}, 0o606 | fs.ModeSetuid},
		{"replaced", 0o600, Options{Mode: 0o444}, 0o444},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			if tc.old != 0 {
				if err := os.WriteFile(path, []byte("old and longer"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(path, tc.old); err != nil {
					t.Fatal(err)
				}
			}
			if err := Write(path, []byte("new\r\n\xff"), tc.opt); err != nil {
				t.Fatal(err)
			}
			fi, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := fi.Mode(); got != tc.want {
				t.Errorf("mode = %v, want %v", got, tc.want)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != "new\r\n\xff" {
				t.Errorf("content = %q, %v", b, err)
			}
			if got := names(t, dir); got != "f" {
				t.Errorf("directory holds %s", got)
			}
		})
	}
}

func TestWriteKeepsTheOwner(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 4321, 8765
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o640|fs.ModeSetgid); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x"), Options{}); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	st, ok := after.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) != uid || int(st.Gid) != gid || after.Mode() != before.Mode() {
		t.Errorf("owner %d:%d mode %v, want %d:%d %v", st.Uid, st.Gid, after.Mode(), uid, gid, before.Mode())
	}
}

// TestHardLinksAreBroken is the documented behaviour: other names keep the old content.
func TestHardLinksAreBroken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "g")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("new"), Options{}); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(path)
	b, _ := os.ReadFile(other)
	if string(a) != "new" || string(b) != "old" {
		t.Errorf("%q and %q, want new and old", a, b)
	}
}

func TestWriteRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(path string) error{
		"symlink":   func(p string) error { return os.Symlink("target", p) },
		"dangling":  func(p string) error { return os.Symlink("nowhere", p) },
		"directory": func(p string) error { return os.Mkdir(p, 0o755) },
		"pipe":      func(p string) error { return syscall.Mkfifo(p, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "target"), []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "f")
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := Write(path, []byte("new"), Options{}); !errors.Is(err, ErrNotRegular) {
				t.Errorf("Write = %v, want ErrNotRegular", err)
			}
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("it was replaced (%v)", err)
			}
			if b, _ := os.ReadFile(filepath.Join(dir, "target")); string(b) != "old" {
				t.Errorf("the target holds %q", b)
			}
			if got := names(t, dir); got != "f target" {
				t.Errorf("directory holds %s", got)
			}
		})
	}
}

// TestCommitLooksAgain: what becomes a symlink after Prepare is not replaced,
// a check that fails stops everything, and no temporary file is left.
func TestCommitLooksAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	p, err := Prepare(root, "f", TempName("f"), []byte("new"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("Commit = %v, want the check's error", err)
	}
	if got := names(t, dir); got != "f" {
		t.Errorf("directory holds %s", got)
	}
	if p, err = Prepare(root, "f", TempName("f"), []byte("new"), Options{}); err != nil {
		t.Fatal(err)
	}
	swap := func() error { return errors.Join(os.Remove(path), os.Symlink("g", path)) }
	if err := p.Commit(swap); !errors.Is(err, ErrNotRegular) {
		t.Errorf("Commit = %v, want ErrNotRegular", err)
	}
	if got := names(t, dir); got != "f" {
		t.Errorf("directory holds %s", got)
	}
}

func TestTempNameIsTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	if err := os.Symlink("victim", filepath.Join(dir, "tmp")); err != nil {
		t.Fatal(err)
	}
	if _, err := Prepare(root, "f", "tmp", []byte("new"), Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Prepare = %v, want ErrExist", err)
	}
	if got := names(t, dir); got != "tmp" {
		t.Errorf("directory holds %s", got)
	}
}

func TestTempNameFits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"a", "a\nb", strings.Repeat("x", 255), strings.Repeat("é", 127), "x" + strings.Repeat("日", 84), strings.Repeat("\x80", 255),
	} {
		tmp := TempName(name)
		if len(tmp) > 255 || !strings.HasPrefix(tmp, ".") || !strings.HasSuffix(tmp, TempSuffix) || tmp == TempName(name) {
			t.Errorf("TempName(%q) = %q", name, tmp)
		}
		if utf8.ValidString(name) && !utf8.ValidString(tmp) {
			t.Errorf("TempName(%q) = %q is not UTF-8", name, tmp)
		}
		if !utf8.ValidString(name) && os.PathSeparator == '/' && !strings.Contains(tmp, "\x80") {
			t.Errorf("TempName(%q) = %q", name, tmp)
		}
		if utf8.ValidString(name) {
			if err := Write(filepath.Join(dir, name), []byte("x"), Options{}); err != nil {
				t.Errorf("Write(%q): %v", name, err)
			}
		}
	}
}

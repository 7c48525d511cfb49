package worktree

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"poly/internal/usererr"
)

// snapshot returns everything below dir: content and mode, or what a link says.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		fi, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case fi.Mode().IsRegular():
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(b)
		case fi.Mode()&fs.ModeSymlink != 0:
			if content, err = os.Readlink(path); err != nil {
				return err
			}
		}
		all[name] = fi.Mode().String() + " " + content
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// make writes files, with their directories, into a new directory.
func makeTree(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func openWriter(t *testing.T, opt Options) *Writer {
	t.Helper()
	if opt.StateDir == "" {
		opt.StateDir = filepath.Join(t.TempDir(), "state")
	}
	w, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestWriteChangesNothingElse(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.go": "package a\n", "sub/deep/b": "b", "crlf": "x\r\ny\r\n", "bom": "\ufeffx", "empty": "", "keep": "keep",
		"new\nline": "1", "not\xffutf8": "1", strings.Repeat("n", 255): "1", "exec": "#!/bin/sh\n",
	}
	root := makeTree(t, files)
	if err := os.Chmod(filepath.Join(root, "exec"), 0o751); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "sub/deep/b"), 0o600); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "a", "state")
	w := openWriter(t, Options{Root: root, StateDir: state})
	want := snapshot(t, root)
	after := map[string]string{
		"a.go": "package a // no final newline", "sub/deep/b": "", "crlf": "\r\n\r\r\n", "bom": "\ufeff\x00", "empty": "\n\n",
		"new\nline": "2", "not\xffutf8": "2\xff", strings.Repeat("n", 255): "2", "exec": "#!/bin/bash\n", "keep": "keep",
	}
	var changes []Change
	for name, content := range after {
		changes = append(changes, Change{Path: name, Before: []byte(files[name]), After: []byte(content)})
		want[name] = strings.TrimSuffix(want[name], files[name]) + content
	}
	for i, err := range w.WriteAll(t.Context(), changes) {
		if err != nil {
			t.Errorf("%q: %v", changes[i].Path, err)
		}
	}
	if diff := cmp.Diff(want, snapshot(t, root)); diff != "" {
		t.Errorf("worktree (-want +got):\n%s", diff)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name := range snapshot(t, state) {
		if !strings.HasSuffix(name, ".lock") {
			t.Errorf("%s is left in the state directory", name)
		}
	}
	if fi, err := os.Stat(state); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("state directory: %v, %v", fi.Mode(), err)
	}
}

func TestUnchangedFileIsNotTouched(t *testing.T) {
	t.Parallel()
	root := makeTree(t, map[string]string{"a": "x"})
	before, _ := os.Stat(filepath.Join(root, "a"))
	w := openWriter(t, Options{Root: root})
	if err := w.Write(t.Context(), Change{Path: "a", Before: []byte("x"), After: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(filepath.Join(root, "a"))
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the file was written")
	}
	err := w.Write(t.Context(), Change{Path: "a", Before: []byte("y"), After: []byte("y")})
	if !errors.Is(err, ErrPreimage) {
		t.Errorf("Write = %v, want ErrPreimage", err)
	}
}

// TestRefused: each of these leaves the tree, and what is outside, as it was.
func TestRefused(t *testing.T) {
	t.Parallel()
	outside := makeTree(t, map[string]string{"f": "old", "d/f": "old"})
	for _, tc := range []struct {
		name, path string
		prepare    func(root string) error
		want       error
	}{
		{"edited", "f", func(r string) error { return os.WriteFile(filepath.Join(r, "f"), []byte("OLD"), 0o644) }, ErrPreimage},
		{"longer", "f", func(r string) error { return os.WriteFile(filepath.Join(r, "f"), []byte("older"), 0o644) }, ErrPreimage},
		{"emptied", "f", func(r string) error { return os.Truncate(filepath.Join(r, "f"), 0) }, ErrPreimage},
		{"deleted", "f", func(r string) error { return os.Remove(filepath.Join(r, "f")) }, ErrPreimage},
		{"deleted directory", "d/f", func(r string) error { return os.RemoveAll(filepath.Join(r, "d")) }, ErrPreimage},
		{"symlink", "l", func(r string) error { return os.Symlink("f", filepath.Join(r, "l")) }, ErrNotRegular},
		{"symlink outside", "l", func(r string) error { return os.Symlink(filepath.Join(outside, "f"), filepath.Join(r, "l")) }, ErrNotRegular},
		{"symlinked directory", "l/f", func(r string) error { return os.Symlink("d", filepath.Join(r, "l")) }, ErrNotRegular},
		{"symlinked directory outside", "l/d/f", func(r string) error { return os.Symlink(outside, filepath.Join(r, "l")) }, ErrNotRegular},
		{"directory", "d", nil, ErrNotRegular},
		{"pipe", "p", func(r string) error { return syscall.Mkfifo(filepath.Join(r, "p"), 0o644) }, ErrNotRegular},
		{"below a file", "f/x", nil, ErrNotRegular},
		{"no path", "", nil, ErrPath},
		{"root", ".", nil, ErrPath},
		{"up", "../" + filepath.Base(outside) + "/f", nil, ErrPath},
		{"up inside", "d/../f", nil, ErrPath},
		{"absolute", filepath.Join(outside, "f"), nil, ErrPath},
		{"double slash", "d//f", nil, ErrPath},
		{"trailing slash", "f/", nil, ErrPath},
		{"nul", "f\x00", nil, ErrPath},
		{"git directory", ".git/config", nil, ErrPath},
		{"nested git directory", "d/.GIT/config", nil, ErrPath},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			root := makeTree(t, map[string]string{"f": "old", "d/f": "old", ".git/config": "old", "d/.GIT/config": "old"})
			if tc.prepare != nil {
				if err := tc.prepare(root); err != nil {
					t.Fatal(err)
				}
			}
			before := snapshot(t, root)
			w := openWriter(t, Options{Root: root})
			errs := w.WriteAll(t.Context(), []Change{
				{Path: tc.path, Before: []byte("old"), After: []byte("new")},
				{Path: "d/f", Before: []byte("old"), After: []byte("newer")},
			})
			if !errors.Is(errs[0], tc.want) || !strings.Contains(errs[0].Error(), tc.path) {
				t.Errorf("Write = %v, want %v", errs[0], tc.want)
			}
			if tc.name != "deleted directory" {
				if errs[1] != nil {
					t.Errorf("the run does not go on: %v", errs[1])
				}
				before["d/f"] = strings.Replace(before["d/f"], "old", "newer", 1)
			}
			if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
				t.Errorf("worktree (-want +got):\n%s", diff)
			}
		})
	}
	t.Cleanup(func() {
		if b, _ := os.ReadFile(filepath.Join(outside, "d/f")); string(b) != "old" {
			t.Errorf("a file outside holds %q", b)
		}
	})
}

// TestEditDuringWrite: what happens to the file between the first look and the
// rename wins.
func TestEditDuringWrite(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(path string) error{
		"in place": func(p string) error { return os.WriteFile(p, []byte("OLD"), 0o644) },
		"replaced": func(p string) error {
			return errors.Join(os.WriteFile(p+"~", []byte("old"), 0o644), os.Rename(p+"~", p))
		},
		"touched":     func(p string) error { return os.Chtimes(p, time.Time{}, time.Unix(1, 0)) },
		"mode":        func(p string) error { return os.Chmod(p, 0o755) },
		"symlinked":   func(p string) error { return errors.Join(os.Remove(p), os.Symlink("other", p)) },
		"deleted":     os.Remove,
		"parent gone": func(p string) error { return os.Rename(filepath.Dir(p), filepath.Dir(p)+"2") },
		"parent swapped": func(p string) error {
			d := filepath.Dir(p)
			return errors.Join(os.Rename(d, d+"2"), os.Symlink(d+"2", d))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := makeTree(t, map[string]string{"d/f": "old"})
			w := openWriter(t, Options{Root: root})
			dir, base, err := w.parent("d/f")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = dir.Close() }()
			f, old, err := openRegular(dir, base, os.O_RDWR)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			c := Change{Path: "d/f", Before: []byte("old"), After: []byte("new")}
			if err := w.unchanged(c, dir, base, f, old); err != nil {
				t.Fatalf("before the edit: %v", err)
			}
			if err := edit(filepath.Join(root, "d/f")); err != nil {
				t.Fatal(err)
			}
			if err := w.unchanged(c, dir, base, f, old); !errors.Is(err, ErrPreimage) && !errors.Is(err, ErrNotRegular) {
				t.Errorf("unchanged = %v, want an error", err)
			}
		})
	}
}

func TestCancelledBatch(t *testing.T) {
	t.Parallel()
	root := makeTree(t, map[string]string{"a": "old"})
	w := openWriter(t, Options{Root: root})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Write(ctx, Change{Path: "a", Before: []byte("old"), After: []byte("new")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want context.Canceled", err)
	}
	if b, _ := os.ReadFile(filepath.Join(root, "a")); string(b) != "old" {
		t.Errorf("the file holds %q", b)
	}
}

func TestLockNamesTheHolder(t *testing.T) {
	t.Parallel()
	root, state := makeTree(t, nil), t.TempDir()
	first := openWriter(t, Options{Root: root, StateDir: state})
	_, err := Open(t.Context(), Options{Root: root + "/.", StateDir: state, Wait: 30 * time.Millisecond})
	var ue *usererr.Error
	if !errors.As(err, &ue) || ue.Code != "worktree-locked" || !strings.Contains(ue.Msg, strconv.Itoa(os.Getpid())) || ue.Hint == "" {
		t.Fatalf("Open = %v, want an error that names process %d", err, os.Getpid())
	}
	// Another worktree of the repository is another lock.
	other := openWriter(t, Options{Root: makeTree(t, nil), StateDir: state, Wait: 30 * time.Millisecond})
	_ = other.Close()
	// A child of the holder works under its lock, and does not end it.
	lent := openWriter(t, Options{Root: root, StateDir: state, Wait: 30 * time.Millisecond, Borrow: first.Token()})
	if lent.Token() != first.Token() {
		t.Error("a borrower's children cannot borrow")
	}
	if err := lent.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Root: root, StateDir: state, Wait: 30 * time.Millisecond}); err == nil {
		t.Error("closing a borrowed writer ended the lock")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	openWriter(t, Options{Root: root, StateDir: state, Wait: 30 * time.Millisecond, Borrow: first.Token()})
}

func TestNoState(t *testing.T) {
	t.Parallel()
	root := makeTree(t, map[string]string{"file": ""})
	_, err := Open(t.Context(), Options{Root: root, StateDir: filepath.Join(root, "file", "state")})
	if usererr.Hint(err) == "" {
		t.Errorf("Open = %v, want an error with a hint", err)
	}
}

// TestRecoverRemovesOnlyWhatTheJournalNames writes a journal by hand.
func TestRecoverRemovesOnlyWhatTheJournalNames(t *testing.T) {
	t.Parallel()
	outside := makeTree(t, map[string]string{".x.1-a.poly.tmp": "theirs"})
	root := makeTree(t, map[string]string{
		"a": "new", "d/b": "old", "c": "edited", ".a.1-a.poly.tmp": "half", "d/.b.1-a.poly.tmp": "", ".other.1-a.poly.tmp": "theirs", "user.tmp": "theirs",
	})
	if err := os.Symlink(outside, filepath.Join(root, "l")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("user.tmp", filepath.Join(root, ".l.1-a.poly.tmp")); err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	j, err := newJournal(filepath.Join(state, "worktree-"+key(root)))
	if err != nil {
		t.Fatal(err)
	}
	change := func(path, before, after string) Change {
		return Change{Path: path, Before: []byte(before), After: []byte(after)}
	}
	err = j.begin([]Change{
		change("a", "old", "new"), change("d/b", "old", "new"), change("c", "old", "new"), change("gone/x", "", "new"), change("l/x", "", "new"),
		change("a", "old", "new"), change("user.tmp", "", ""), change("../"+filepath.Base(outside)+"/x", "", ""), change("l2", "", ""),
	}, []string{
		".a.1-a.poly.tmp", ".b.1-a.poly.tmp", ".c.1-a.poly.tmp", ".x.1-a.poly.tmp", ".x.1-a.poly.tmp",
		"d/.b.1-a.poly.tmp", "user.tmp", ".x.1-a.poly.tmp", ".l.1-a.poly.tmp",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.f.WriteAt([]byte(`{"path":"dXNlci50bXA=","te`), j.size); err != nil {
		t.Fatal(err)
	}
	_ = j.f.Close()
	want := snapshot(t, root)
	delete(want, ".a.1-a.poly.tmp")
	delete(want, "d/.b.1-a.poly.tmp")
	w := openWriter(t, Options{Root: root, StateDir: state})
	if diff := cmp.Diff(want, snapshot(t, root)); diff != "" {
		t.Errorf("worktree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{".x.1-a.poly.tmp": "-rw-r--r-- theirs"}, snapshot(t, outside)); diff != "" {
		t.Errorf("outside (-want +got):\n%s", diff)
	}
	written := map[string]bool{}
	for _, i := range w.Interrupted() {
		written[i.Path] = i.Written
	}
	if diff := cmp.Diff(map[string]bool{"a": true, "d/b": false, "c": false, "gone/x": false, "l/x": false, "l2": false}, written); diff != "" {
		t.Errorf("Interrupted (-want +got):\n%s", diff)
	}
	_ = w.Close()
	if left := snapshot(t, state); len(left) != 1 {
		t.Errorf("the state directory holds %v", left)
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	big := bytes.Repeat([]byte("0123456789abcdef"), 10_000)
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, big, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	last := bytes.Clone(big)
	last[len(last)-1]++
	for name, want := range map[string]struct {
		b  []byte
		ok bool
	}{"same": {big, true}, "shorter": {big[1:], false}, "cut": {big[:len(big)-1], false}, "longer": {append(bytes.Clone(big), 'x'), false}, "last byte": {last, false}, "empty": {nil, false}} {
		if got, err := holds(f, want.b); got != want.ok || err != nil {
			t.Errorf("%s: holds = %v, %v", name, got, err)
		}
	}
}

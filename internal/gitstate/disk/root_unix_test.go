//go:build unix

package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRoot looks at one name of every kind.
func TestRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := bytes.Repeat([]byte("text\n"), 3000)
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "file"), text, 0o666),
		os.Mkdir(filepath.Join(dir, "dir"), 0o777),
		os.Symlink("file", filepath.Join(dir, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	names, after, err := r.ReadDir("")
	if diff := cmp.Diff([]Name{{"dir", KindDir}, {"file", KindFile}, {"link", KindLink}}, names); diff != "" || err != nil {
		t.Errorf("ReadDir: %v (-want +got):\n%s", err, diff)
	}
	var st Stat
	if err := r.LstatPath("", &st); err != nil || !st.IsDir() || !st.Same(&after) || st.Stamp() != after.Stamp() {
		t.Errorf("LstatPath of the root = %+v, %v, want %+v", st, err, after)
	}
	b, before, now, err := r.ReadFile("file")
	if err != nil || !bytes.Equal(b, text) || !before.Same(&now) || before.Size != int64(len(text)) {
		t.Errorf("ReadFile = %d bytes, %+v, %v", len(b), before, err)
	}
	if err := r.LstatPath("link", &st); err != nil || !st.IsSymlink() {
		t.Errorf("LstatPath(link) = %+v, %v", st, err)
	}
	if target, err := r.ReadLink("link"); err != nil || string(target) != "file" {
		t.Errorf("ReadLink = %q, %v", target, err)
	}
	for _, name := range []string{"link", "dir"} {
		if _, _, _, err := r.ReadFile(name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("ReadFile(%s): %v, want ErrNotRegular", name, err)
		}
	}
	if _, _, _, err := r.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile(none): %v", err)
	}
	for _, name := range []string{"none", "file/x"} {
		if err := r.LstatPath(name, &st); err == nil || !Absent(err) {
			t.Errorf("LstatPath(%s): %v, want that nothing is there", name, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestWorkingDirectory: a root that is the working directory is seen as any
// other, also once it has another name.
func TestWorkingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wd")
	for _, err := range []error{os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o666)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	away, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	here, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	if away.at != away.fd || here.at == here.fd {
		t.Errorf("looks from %d and %d, descriptors %d and %d", away.at, here.at, away.fd, here.fd)
	}
	for range 2 {
		for _, name := range []string{"", "file", "none"} {
			var a, b Stat
			if errA, errB := away.LstatPath(name, &a), here.LstatPath(name, &b); !errors.Is(errB, errA) || !a.Same(&b) {
				t.Errorf("%q: %+v, %v and %+v, %v", name, a, errA, b, errB)
			}
		}
		if err := os.Rename(dir, dir+"2"); err != nil {
			t.Fatal(err)
		}
		dir += "2"
	}
	for _, r := range []*Root{away, here} {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

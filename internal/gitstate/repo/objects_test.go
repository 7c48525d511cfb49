package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"poly/internal/gitstate/entry"
	"poly/internal/testutil"
	"poly/internal/usererr"
)

func TestObjectsConcurrently(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	ids := make([]entry.ID, 50)
	for i := range ids {
		text := strings.Repeat(fmt.Sprintf("line %d\n", i), i*i*10)
		id, ok := entry.ParseID(strings.TrimSpace(g.Input(text, "hash-object", "-w", "--stdin")))
		if !ok {
			t.Fatal("hash-object")
		}
		ids[i] = id
	}
	o := open(t, g).Objects()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, id := range ids {
				typ, b, err := o.Contents(t.Context(), id)
				if want := strings.Repeat(fmt.Sprintf("line %d\n", i), i*i*10); err != nil || typ != "blob" || string(b) != want {
					t.Errorf("Contents(%d) = %s, %d bytes, %v, want %d bytes", i, typ, len(b), err, len(want))
				}
				info, err := o.Info(t.Context(), id.String())
				if err != nil || info.Size != int64(len(b)) || info.ID != id {
					t.Errorf("Info(%d) = %+v, %v", i, info, err)
				}
			}
		})
	}
	wg.Wait()
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	// A request after Close starts a new child.
	if _, _, err := o.Contents(t.Context(), ids[1]); err != nil {
		t.Errorf("Contents after Close: %v", err)
	}
}

// TestObjectsWritten: objects made after the child was started are found.
func TestObjectsWritten(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	r := open(t, g)
	if _, err := r.Objects().Info(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	first := r.Objects().child
	id, _ := entry.ParseID(strings.TrimSpace(g.Input("new", "hash-object", "-w", "--stdin")))
	g.Git("repack", "-a", "-d", "-q")
	if _, b, err := r.Objects().Contents(t.Context(), id); err != nil || string(b) != "new" {
		t.Errorf("Contents = %q, %v", b, err)
	}
	missing := entry.ID(strings.Repeat("\x01", 20))
	_, _, err := r.Objects().Contents(t.Context(), missing)
	if !errors.Is(err, ErrMissing) || usererr.Hint(err) == "" {
		t.Errorf("Contents of a missing object: %v, want ErrMissing and a hint", err)
	}
	if r.Objects().child == first {
		t.Error("a missing object was not looked for in a new child")
	}
	if _, _, err := r.Objects().Contents(t.Context(), id); err != nil {
		t.Errorf("Contents after a miss: %v", err)
	}
}

// TestObjectsCorrupt: a broken object is an error that says so, and the next
// request works.
func TestObjectsCorrupt(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	hex := strings.TrimSpace(g.Input("to be broken", "hash-object", "-w", "--stdin"))
	file := g.Path(filepath.Join(".git/objects", hex[:2], hex[2:]))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("garbage"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := open(t, g).Objects()
	id, _ := entry.ParseID(hex)
	if typ, b, err := o.Contents(t.Context(), id); err == nil {
		t.Errorf("Contents of a broken object = %s %q, want an error", typ, b)
	}
	if _, err := o.Info(t.Context(), "HEAD"); err != nil {
		t.Errorf("Info after a broken object: %v", err)
	}
}

// TestObjectsCancel: cancelling ends a request that hangs, and the child.
func TestObjectsCancel(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	started := g.Path("started")
	hangs := g.FakeGit("mkfifo '" + g.Path("fifo") + "'\n: > '" + started + "'\nexec cat '" + g.Path("fifo") + "'\n")
	r := open(t, hangs)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := r.Objects().Info(ctx, "HEAD")
		done <- err
	}()
	for range 1000 {
		if _, err := os.Stat(g.Path("fifo")); err == nil {
			break
		}
		g.Git("--version") // takes a few milliseconds
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Info = %v, want context.Canceled", err)
	}
	if r.Objects().child != nil {
		t.Error("the child was not ended")
	}
	if _, err := r.Objects().Info(ctx, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("Info with a cancelled context = %v", err)
	}
}

// TestObjectsOldGit: git before 2.36 has --batch only.
func TestObjectsOldGit(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	program := strings.TrimSpace(g.Git("--exec-path")) + "/git"
	old := g.FakeGit(`case "$*" in *--batch-command*) echo "error: unknown option" >&2; echo "usage: git cat-file" >&2; exit 129;; esac
exec '` + program + `' "$@"`)
	r := open(t, old)
	info, err := r.Objects().Info(t.Context(), "HEAD:a")
	if err != nil || info.Type != "blob" || info.Size != int64(len("content of a\n")) {
		t.Fatalf("Info = %+v, %v", info, err)
	}
	if _, b, err := r.Objects().Contents(t.Context(), info.ID); err != nil || string(b) != "content of a\n" {
		t.Errorf("Contents = %q, %v", b, err)
	}
	if _, err := r.Objects().Info(t.Context(), "nothing like it"); !errors.Is(err, ErrMissing) {
		t.Errorf("Info of nothing: %v, want ErrMissing", err)
	}
}

// TestNoGit: without git, what needs it says so.
func TestNoGit(t *testing.T) {
	t.Parallel()
	g := testutil.NewRepo(t)
	g.Fill()
	none := g.FakeGit("")
	testutil.Program(t, g.Path("../bin/git"), strings.NewReader("#!/nowhere/sh\n"))
	_, err := open(t, none).Objects().Info(t.Context(), "HEAD")
	if usererr.Hint(err) == "" {
		t.Errorf("Info = %v, want an error with a hint", err)
	}
}

func BenchmarkContents(b *testing.B) {
	g := testutil.NewRepo(b)
	id, _ := entry.ParseID(strings.TrimSpace(g.Input(strings.Repeat("some text\n", 150), "hash-object", "-w", "--stdin")))
	o := open(b, g).Objects()
	for b.Loop() {
		if _, _, err := o.Contents(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
}

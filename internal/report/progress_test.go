package report

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// clock is a time that only moves when it is told to.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func TestProgressOnTerminal(t *testing.T) {
	t.Parallel()
	screen, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = screen.Close() }()
	c := &clock{t: time.Unix(1000, 0)}
	p := NewProgress(tty, "linting", c.now)
	p.Set(1, 30) // too early
	p.Clear()    // nothing to erase
	c.advance(progressDelay)
	p.Set(2, 30)
	p.Set(3, 30) // too soon after
	c.advance(progressEvery - 1)
	p.Set(4, 30)
	c.advance(1)
	p.Set(5, 30)
	p.Clear()
	p.Clear()
	c.advance(progressEvery)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { p.Set(30, 30) })
	}
	wg.Wait()
	p.Clear()
	want := "\r\x1b[Klinting 2/30\r\x1b[Klinting 5/30\r\x1b[K\r\x1b[Klinting 30/30\r\x1b[K"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(screen, got); err != nil || string(got) != want {
		t.Errorf("the terminal got %q, %v, want %q", got, err, want)
	}
	// Nothing else was written: the next bytes are ours.
	if _, err := io.WriteString(tty, "end"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(screen, got[:3]); err != nil || string(got[:3]) != "end" {
		t.Errorf("after it the terminal got %q, %v", got[:3], err)
	}
	_ = tty.Close()
}

func TestProgressElsewhere(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Unix(1000, 0)}
	var buf bytes.Buffer
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.Writer{&buf, file} {
		p := NewProgress(w, "linting", c.now)
		c.advance(time.Hour)
		p.Set(1, 2)
		p.Clear()
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil || len(text)+buf.Len() > 0 {
		t.Errorf("no terminal, but %q and %q were written (%v)", text, buf.String(), err)
	}
	if strings.Count(eraseLine, "\n") > 0 {
		t.Error("erasing leaves the line")
	}
}

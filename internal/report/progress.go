package report

import (
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"
)

const (
	progressDelay = 300 * time.Millisecond // a run that ends sooner shows none
	progressEvery = 100 * time.Millisecond
)

// Progress shows on one line of a terminal how far a run is, such as "linting
// 1234/25000", and erases it. On anything but a terminal it writes nothing.
// Its methods may be called from any goroutine, also on a nil Progress.
type Progress struct {
	w    io.Writer
	verb string
	now  func() time.Time

	mu    sync.Mutex // guards what follows, and writes to w
	next  time.Time
	shown bool
}

// NewProgress returns a Progress that writes to w, usually stderr, if that is a
// terminal, else nil, which shows nothing. verb is what the run does, such as
// "linting"; now is the clock.
func NewProgress(w io.Writer, verb string, now func() time.Time) *Progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &Progress{w: w, verb: verb, now: now, next: now().Add(progressDelay)}
}

// Set tells how many files are done; the line changes ten times a second at most.
func (p *Progress) Set(done, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.now()
	if t.Before(p.next) {
		return
	}
	p.next = t.Add(progressEvery)
	line := append([]byte(eraseLine), p.verb...)
	line = strconv.AppendInt(append(line, ' '), int64(done), 10)
	line = strconv.AppendInt(append(line, '/'), int64(total), 10)
	p.shown = true
	_, _ = p.w.Write(line) // a lost status line is no failure
}

// Say writes a line of its own, which stays.
func (p *Progress) Say(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	line := text + "\n"
	if p.shown {
		p.shown = false
		line = eraseLine + line
	}
	_, _ = io.WriteString(p.w, line)
}

// Clear erases the line. It must be called before anything else is written to
// the terminal; Set may show it again.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.shown = false
		_, _ = io.WriteString(p.w, eraseLine)
	}
}

const eraseLine = "\r\x1b[K"

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"poly/internal/proc"
	"poly/runner/job"
)

// ends are the signals that end a hook besides those that end any run; one that
// is ignored, as by nohup, stays so.
func ends() []os.Signal {
	return slices.DeleteFunc([]os.Signal{syscall.SIGQUIT, syscall.SIGHUP}, signal.Ignored)
}

// hurry ends children without their grace at the second signal; the first one
// cancels the run. The function it returns ends that.
func hurry(owner *proc.Owner) (stop func()) {
	signals := make(chan os.Signal, 4)
	done := make(chan struct{})
	signal.Notify(signals, append(ends(), os.Interrupt, syscall.SIGTERM)...)
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-signals:
				if n > 0 {
					owner.Hurry()
				}
			}
		}
	})
	return func() {
		signal.Stop(signals)
		close(done)
		wg.Wait()
	}
}

// terminal is the user's terminal for interactive jobs: git gives hooks no
// standard input, so it is opened by its name. nil: there is none.
func (a *app) terminal() *os.File {
	if !isTerminal(a.stderr) {
		return nil
	}
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	return f
}

// live shows on one line of a terminal which jobs run. On anything else it
// tells only of jobs that take long.
type live struct {
	w     io.Writer
	tty   bool
	width int
	stage string
	now   func() time.Time

	mu      sync.Mutex
	running []string
	ended   int
	last    string // line that a job said
	shown   bool
	drawn   time.Time
	still   bool // an interactive job has the terminal
}

func newLive(a *app, stage string) *live {
	return &live{w: a.stderr, tty: isTerminal(a.stderr) && a.getenv("TERM") != "dumb", width: width(a.stderr), stage: stage, now: a.now}
}

func (l *live) event(e job.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case job.Began:
		l.running = append(l.running, e.Job.ID)
		if e.Job.Interactive {
			l.erase()
			l.still = true
		}
	case job.Said:
		l.last = e.Text
	case job.Waits:
		l.erase()
		fmt.Fprintf(l.w, "poly: %s: %s: %s\n", l.stage, e.Job.ID, e.Text)
	case job.Ended:
		l.ended++
		if i := slices.Index(l.running, e.Job.ID); i >= 0 {
			l.running = slices.Delete(l.running, i, i+1)
		}
		l.still, l.last = false, ""
	}
	l.draw(e.Kind == job.Said)
}

// draw shows the line; lines of jobs change it ten times a second at most.
func (l *live) draw(said bool) {
	if !l.tty || l.still || len(l.running) == 0 || said && l.now().Sub(l.drawn) < 100*time.Millisecond {
		return
	}
	text := fmt.Sprintf("%s: %s", l.stage, strings.Join(l.running, ", "))
	if l.last != "" {
		text += ": " + l.last
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if n := max(20, l.width-1); len([]rune(text)) > n {
		text = string([]rune(text)[:n])
	}
	fmt.Fprintf(l.w, "\r\x1b[K%s", text)
	l.shown, l.drawn = true, l.now()
}

func (l *live) erase() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown = false
	}
}

func (l *live) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
}

// judgeMessage runs poly commit over a file and returns what it printed.
func (a *app) judgeMessage(ctx context.Context, file string) (code int, output []byte, err error) {
	var out bytes.Buffer
	in := *a
	in.stdout, in.stderr = &out, &out
	f := &commitFlags{set: pflag.NewFlagSet("commit", pflag.ContinueOnError)}
	f.add(f.set)
	f.color = "never"
	err = in.commit(ctx, f, []string{file})
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit.code, out.Bytes(), nil
	}
	return 0, out.Bytes(), err
}

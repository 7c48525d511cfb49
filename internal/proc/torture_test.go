//go:build unix

package proc

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

// TestTorture: children that end, hang, fork away, talk much and read nothing,
// cancelled, limited and closed at random: no process, goroutine or descriptor
// is left.
func TestTorture(t *testing.T) {
	before, files := runtime.NumGoroutine(), descriptors()
	for seed := range uint64(6) {
		torture(t, seed)
	}
	for range 200 {
		if runtime.NumGoroutine() <= before && descriptors() <= files {
			return
		}
		wait(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines and %d descriptors before, %d and %d after\n%s", before, files, runtime.NumGoroutine(), descriptors(), buf[:runtime.Stack(buf, true)])
}

// descriptors counts what this process has open; 0 where nobody tells.
func descriptors() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

func torture(t *testing.T, seed uint64) {
	t.Helper()
	o := New()
	word := odd(t)
	lines := []string{
		"exit 3", "sleep " + word, "trap '' TERM; sleep " + word, "yes | head -c 3000000", "cat", "sleep " + word + " & exit 0", "kill -9 $$",
		"(setsid sh -c '(sleep " + word + " &) &' </dev/null >/dev/null 2>&1); sleep " + word, "exec no-such-thing", "exec >&- 2>&-; sleep " + word,
	}
	var wg sync.WaitGroup
	for g := range uint64(6) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for range 5 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(400))*time.Millisecond)
				c := shell(t, lines[r.IntN(len(lines))])
				if r.IntN(3) == 0 {
					c.Stdin = make([]byte, r.IntN(200_000))
				}
				if r.IntN(3) == 0 {
					c.Limit = time.Duration(1+r.IntN(200)) * time.Millisecond
				}
				if res := o.Run(ctx, c); res.Status == Exited && res.Code < 0 || res.OK() && res.Err != nil {
					t.Errorf("%+v", res)
				}
				cancel()
			}
		})
	}
	if seed%3 == 0 {
		wait(200 * time.Millisecond)
		o.Hurry()
	}
	if seed%2 == 1 {
		wait(300 * time.Millisecond)
		if err := o.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	wg.Wait()
	if err := o.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if left := alive(t, "sleep "+word); len(left) > 0 {
		t.Errorf("seed %d: left: %q", seed, left)
	}
}

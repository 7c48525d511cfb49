package runner

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// toy is a worker on integers: it hangs on 13, and on any batch that holds 7
// unless it works solo.
type toy struct {
	solo   bool
	closed *atomic.Int32
}

func (w *toy) do(ctx context.Context, items []int, done func(int)) {
	if !w.solo && slices.Contains(items, 7) {
		<-ctx.Done()
		return
	}
	for _, n := range items {
		if n == 13 {
			<-ctx.Done()
			return
		}
		done(n * 10)
	}
}

func (w *toy) close() { w.closed.Add(1) }

func runToy(ctx context.Context, items []int, workers, size int) (got []int, closed *atomic.Int32) {
	closed = &atomic.Int32{}
	p := pool[int, int]{
		n: workers, limit: time.Second,
		open:    func(solo bool) poolWorker[int, int] { return &toy{solo, closed} },
		batches: func([]int) bool { return true },
		onHang:  func(n int) int { return -n },
		collect: func(n int) { got = append(got, n) },
	}
	var jobs []job[int]
	for c := range slices.Chunk(items, size) {
		jobs = append(jobs, job[int]{c})
	}
	p.run(ctx, jobs)
	slices.Sort(got)
	return got, closed
}

func TestPoolAnswersEveryItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		items := make([]int, 100)
		want := make([]int, 100)
		for i := range items {
			items[i], want[i] = i, i*10
		}
		want[13] = -13
		slices.Sort(want)
		for _, workers := range []int{1, 2, 7} {
			got, closed := runToy(t.Context(), items, workers, 10)
			if !slices.Equal(got, want) {
				t.Errorf("%d workers: %v, want %v", workers, got, want)
			}
			synctest.Wait()
			if closed.Load() == 0 {
				t.Error("no worker was closed")
			}
		}
	})
}

func TestPoolStopsOnCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	n := 0
	p := pool[int, int]{
		n: 2, limit: time.Minute,
		open:    func(bool) poolWorker[int, int] { return &toy{true, &atomic.Int32{}} },
		batches: func([]int) bool { return false },
		onHang:  func(n int) int { return n },
		collect: func(int) { n++; once.Do(cancel) },
	}
	jobs := make([]job[int], 10000)
	for i := range jobs {
		jobs[i] = job[int]{[]int{1}}
	}
	p.run(ctx, jobs)
	if n == len(jobs) {
		t.Error("cancelling did not stop the pool")
	}
}

// deaf is a worker that listens to nothing.
type deaf struct{ release chan struct{} }

func (w deaf) do(_ context.Context, items []int, done func(int)) {
	<-w.release
	for _, n := range items {
		done(n)
	}
}

func (deaf) close() {}

// TestPoolLeavesDeafWorkers: whoever cancels does not wait for a worker that
// does not listen, and hears nothing of what it says later.
func TestPoolLeavesDeafWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		release := make(chan struct{})
		var got []int
		p := pool[int, int]{
			n: 2, limit: time.Hour,
			open:    func(bool) poolWorker[int, int] { return deaf{release} },
			batches: func([]int) bool { return false },
			onHang:  func(n int) int { return -n },
			collect: func(n int) { got = append(got, n) },
		}
		start := time.Now()
		p.run(ctx, []job[int]{{[]int{1, 2}}, {[]int{3, 4}}, {[]int{5}}})
		if took := time.Since(start); took != 3*time.Second+grace {
			t.Errorf("it took %v", took)
		}
		close(release)
		synctest.Wait()
		slices.Sort(got)
		if !slices.Equal(got, []int{-3, -1}) {
			t.Errorf("results %v, want those of the two items in hand", got)
		}
	})
}

// TestPoolWaitsForWorkers: after run every worker is closed.
func TestPoolWaitsForWorkers(t *testing.T) {
	t.Parallel()
	for range 20 {
		if _, closed := runToy(t.Context(), []int{1, 2, 3, 4, 5, 6}, 1, 2); closed.Load() != 1 {
			t.Fatalf("%d workers are closed, want 1", closed.Load())
		}
	}
}

// late answers after some time.
type late struct{ after time.Duration }

func (w late) do(_ context.Context, items []int, done func(int)) {
	for _, n := range items {
		<-time.After(w.after)
		done(n)
	}
}

func (late) close() {}

// TestPoolWaitsWhileBusy: what waits for a module to be compiled is no hang.
func TestPoolWaitsWhileBusy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		busy time.Duration // for so long
		want []int
	}{{0, []int{-1}}, {2 * time.Second, []int{-1}}, {4200 * time.Millisecond, []int{1}}} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var got []int
			p := pool[int, int]{
				n: 1, limit: time.Second,
				busy:    func() bool { return time.Since(start) < tc.busy },
				open:    func(bool) poolWorker[int, int] { return late{4500 * time.Millisecond} },
				batches: func([]int) bool { return false },
				onHang:  func(n int) int { return -n },
				collect: func(n int) { got = append(got, n) },
			}
			p.run(t.Context(), []job[int]{{[]int{1}}})
			if !slices.Equal(got, tc.want) {
				t.Errorf("busy for %v: results %v, want %v", tc.busy, got, tc.want)
			}
			<-time.After(time.Minute)
		})
	}
}

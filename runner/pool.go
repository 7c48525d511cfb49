package runner

import (
	"context"
	"sync"
	"time"

	"poly/internal/wasm"
)

// job is a run of at most chunk items that one worker takes in order.
type job[T any] struct{ items []T }

// worker does items one after the other on one goroutine. do must call done
// exactly once an item, in order.
type poolWorker[T, R any] interface {
	do(ctx context.Context, items []T, done func(R))
	close()
}

// pool runs jobs on n goroutines. A worker that does not finish an item within
// limit is abandoned with its goroutine: onHang makes the result of the item it
// hangs on, and a fresh worker takes the rest. A worker that works on many
// items at once is first replaced by one that works solo, to find the item.
// While busy says so the limit does not run out.
// Results arrive in any order; collect is called by one goroutine at a time.
type pool[T, R any] struct {
	n       int
	limit   time.Duration
	busy    func() bool // nil: never
	open    func(solo bool) poolWorker[T, R]
	batches func(items []T) bool // may a worker do all items at once?
	onHang  func(T) R
	collect func(R)
}

// grace is how long a worker may take to notice that the run was cancelled.
const grace = time.Second

// run returns when every item has its result, or ctx is done; the items not
// begun by then have no result. All goroutines but abandoned ones have ended.
func (p *pool[T, R]) run(ctx context.Context, jobs []job[T]) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex // guards collect
		next = make(chan job[T])
	)
	for range min(p.n, len(jobs)) {
		wg.Go(func() {
			s := slot[T, R]{pool: p, collect: func(r R) {
				mu.Lock()
				defer mu.Unlock()
				p.collect(r)
			}}
			defer s.stop()
			for j := range next {
				s.run(ctx, j.items)
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case next <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
}

// slot owns one inner goroutine at a time and watches it.
type slot[T, R any] struct {
	pool    *pool[T, R]
	collect func(R)
	inner   *inner[T, R]
	solo    bool
}

// inner is the goroutine that owns a worker. Its channels are buffered so that
// an abandoned goroutine never blocks on its way out.
type inner[T, R any] struct {
	in     chan []T
	out    chan R
	done   chan struct{} // closed at its end
	cancel context.CancelCauseFunc
}

const chunk = 32

func (s *slot[T, R]) start(ctx context.Context) *inner[T, R] {
	ctx, cancel := context.WithCancelCause(ctx)
	in := &inner[T, R]{in: make(chan []T, 1), out: make(chan R, chunk), done: make(chan struct{}), cancel: cancel}
	solo := s.solo
	go func() { // outlives a hang; abandon cancels it
		defer close(in.done)
		w := s.pool.open(solo)
		defer w.close()
		for items := range in.in {
			w.do(ctx, items, func(r R) { in.out <- r })
		}
	}()
	return in
}

func (s *slot[T, R]) run(ctx context.Context, items []T) {
	timer := time.NewTimer(s.pool.limit)
	defer timer.Stop()
	for len(items) > 0 && ctx.Err() == nil {
		if s.inner == nil {
			s.inner = s.start(ctx)
		}
		s.inner.in <- items
		items = s.wait(ctx, items, timer)
	}
}

// wait collects the results of items and returns those that are left when the
// worker hung: they need another worker.
func (s *slot[T, R]) wait(ctx context.Context, items []T, timer *time.Timer) []T {
	cancelled, limit := ctx.Done(), s.pool.limit
	timer.Reset(limit)
	for len(items) > 0 {
		select {
		case r := <-s.inner.out:
			s.collect(r)
			items = items[1:]
			timer.Reset(limit)
		case <-cancelled:
			cancelled, limit = nil, min(limit, grace)
			timer.Reset(limit)
		case <-timer.C:
			if s.pool.busy != nil && s.pool.busy() && ctx.Err() == nil {
				timer.Reset(limit)
				continue
			}
			s.abandon()
			if !s.solo && s.pool.batches(items) {
				s.solo = true
				return items
			}
			s.collect(s.pool.onHang(items[0]))
			return items[1:]
		}
	}
	return nil
}

func (s *slot[T, R]) abandon() {
	close(s.inner.in)
	s.inner.cancel(wasm.ErrAbandoned)
	s.inner = nil
}

// stop ends the worker, and waits for it as long as for an item.
func (s *slot[T, R]) stop() {
	in := s.inner
	if in == nil {
		return
	}
	s.abandon()
	select {
	case <-in.done:
	case <-time.After(s.pool.limit):
	}
}

package task

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

type key struct{}

func TestStartKeepsValuesDropsCancellation(t *testing.T) {
	t.Parallel()
	tr := New(Options{})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "v"))
	begun, go_ := make(chan struct{}), make(chan struct{})
	id := tr.Start(ctx, "n", func(ctx context.Context, status func(string)) (any, error) {
		status("half way\n")
		close(begun)
		<-go_
		return ctx.Value(key{}), ctx.Err()
	})
	<-begun
	cancel()
	if got, ok := tr.Get(id); !ok || got.State != Working || got.Status != "half way" || !got.Ended.IsZero() || len(id) != 26 {
		t.Errorf("Get = %+v, %v", got, ok)
	}
	if got, err := tr.Wait(ctx, id); !errors.Is(err, context.Canceled) || got.State != Working {
		t.Errorf("Wait with a done context = %+v, %v", got, err)
	}
	close(go_)
	got, err := tr.Wait(t.Context(), id)
	if err != nil || got.State != Done || got.Result != "v" || got.Err != nil || got.Ended.IsZero() {
		t.Errorf("Wait = %+v, %v", got, err)
	}
	if tr.Cancel(id) {
		t.Error("Cancel of a task that ended = true")
	}
	if _, err := tr.Wait(t.Context(), "nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("Wait for nobody: %v", err)
	}
	if err := tr.Close(t.Context()); err != nil {
		t.Error(err)
	}
	late := tr.Start(t.Context(), "late", func(context.Context, func(string)) (any, error) { panic("never called") })
	if got, err := tr.Wait(t.Context(), late); err != nil || got.State != Cancelled || !errors.Is(got.Err, ErrClosed) {
		t.Errorf("after Close: %+v, %v", got, err)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad")
	for _, tc := range []struct {
		name   string
		fn     Func
		cancel bool
		want   State
		err    string
	}{
		{"done", func(context.Context, func(string)) (any, error) { return 1, nil }, false, Done, ""},
		{"failed", func(context.Context, func(string)) (any, error) { return 1, bad }, false, Failed, "bad"},
		{"panics", func(context.Context, func(string)) (any, error) { panic("ouch") }, false, Failed, "panic: ouch"},
		{"cancelled", func(ctx context.Context, _ func(string)) (any, error) { <-ctx.Done(); return 2, ctx.Err() }, true, Cancelled, "cancelled"},
		{"panics when cancelled", func(ctx context.Context, _ func(string)) (any, error) { <-ctx.Done(); panic("ouch") }, true, Failed, "panic: ouch"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var recorded []State
			tr := New(Options{Record: func(_ context.Context, k Task) { recorded = append(recorded, k.State) }})
			begun := make(chan struct{})
			id := tr.Start(t.Context(), tc.name, func(ctx context.Context, status func(string)) (any, error) {
				close(begun)
				return tc.fn(ctx, status)
			})
			if <-begun; tc.cancel {
				tr.Cancel(id)
			}
			got, err := tr.Wait(t.Context(), id)
			text := ""
			if got.Err != nil {
				text = got.Err.Error()
			}
			if err != nil || got.State != tc.want || text != tc.err || (got.Stack != "") != strings.HasPrefix(tc.err, "panic") {
				t.Errorf("%+v, %v, want %v, %q", got, err, tc.want, tc.err)
			}
			if want := []State{Working, tc.want}; !slices.Equal(recorded, want) {
				t.Errorf("recorded %v, want %v", recorded, want)
			}
		})
	}
}

// TestCloseNamesWhatHangs: a task that does not listen is named, and is the
// only one.
func TestCloseNamesWhatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr := New(Options{})
		free := make(chan struct{})
		tr.Start(t.Context(), "deaf", func(context.Context, func(string)) (any, error) { <-free; return nil, nil })
		synctest.Wait()
		tr.Start(t.Context(), "good", func(ctx context.Context, _ func(string)) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := tr.Close(ctx); err == nil || !strings.HasSuffix(err.Error(), "still at work: deaf") {
			t.Errorf("Close = %v", err)
		}
		close(free)
		if err := tr.Close(t.Context()); err != nil {
			t.Errorf("second Close = %v", err)
		}
	})
}

// TestTorture: starts, waits, cancels and closes at random; every task ends in
// one of the states, is recorded twice, and no goroutine is left.
func TestTorture(t *testing.T) {
	before := runtime.NumGoroutine()
	for seed := range uint64(20) {
		torture(t, seed)
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

func torture(t *testing.T, seed uint64) {
	t.Helper()
	var starts, ends, alive atomic.Int64
	tr := New(Options{Record: func(_ context.Context, k Task) {
		if k.State == Working {
			starts.Add(1)
		} else {
			ends.Add(1)
		}
	}})
	work := func(ctx context.Context, status func(string)) (any, error) {
		alive.Add(1)
		defer alive.Add(-1)
		for i := range 20 {
			status(strings.Repeat("x", i))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			runtime.Gosched()
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var wg sync.WaitGroup
	ids := make(chan string, 1000)
	for g := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, g))
			for range 60 {
				switch r.IntN(5) {
				case 0, 1:
					id := tr.Start(t.Context(), "w", work)
					ids <- id
				case 2:
					id := tr.Start(t.Context(), "p", func(context.Context, func(string)) (any, error) { panic("ouch") })
					ids <- id
				case 3:
					select {
					case id := <-ids:
						tr.Cancel(id)
						if k, err := tr.Wait(t.Context(), id); err != nil || k.State == Working {
							t.Errorf("cancelled and waited for: %+v, %v", k, err)
						}
					default:
					}
				case 4:
					tr.List()
				}
			}
		})
	}
	if seed%2 == 0 { // closes while others start
		if err := tr.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if err := tr.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if n := alive.Load(); n != 0 {
		t.Errorf("%d tasks are at work after Close", n)
	}
	if starts.Load() != ends.Load() {
		t.Errorf("%d starts and %d ends were recorded", starts.Load(), ends.Load())
	}
	for _, k := range tr.List() {
		if k.State == Working || k.Ended.IsZero() {
			t.Errorf("after Close: %+v", k)
		}
	}
}

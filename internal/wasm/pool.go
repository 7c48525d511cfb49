package wasm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// Instance is a module with a memory of its own. One goroutine uses it at a time.
type Instance interface {
	// Size returns the size of the linear memory in bytes.
	Size() uint32
	// Close frees the memory.
	Close(ctx context.Context) error
}

// maxGrowth is how far the memory of an instance may grow beyond what it had
// at its start, in bytes. Memory never shrinks: beyond that a new instance, a
// matter of milliseconds, is cheaper than to keep what one large file took.
const maxGrowth = 64 << 20

// fullAt is when an instance that broke off is taken to have used up its memory,
// in bytes: a list that grows doubles, so that half of the bound may be left.
const fullAt = maxPages * 1 << 16 / 4

// maxHung is how many calls of a module may hang. Each costs a goroutine that
// cannot be stopped.
const maxHung = 2

// Pool keeps the sound instances of one module under one configuration for the
// next call. Its methods may be called concurrently.
type Pool[I Instance] struct {
	module *Module
	create func(context.Context) (I, error)

	mu   sync.Mutex // guards free
	free []idle[I]
}

type idle[I Instance] struct {
	instance I
	start    uint32 // size at the start
}

// NewPool returns an empty pool. create makes an instance of m.
func NewPool[I Instance](m *Module, create func(context.Context) (I, error)) *Pool[I] {
	return &Pool[I]{module: m, create: create}
}

// HungError means that a module is not used any more: see [Pool.Do].
type HungError struct{ Module string }

func (e *HungError) Error() string { return e.Module + " hung twice" }

// Do calls f with an instance that nobody else uses. The instance is not used
// again if f panics, which is returned as an error, or returns a [Trap], or if
// its memory has grown much. A call whose context is cancelled for
// [ErrAbandoned] hung; after two of a module every Do fails at once.
func (p *Pool[I]) Do(ctx context.Context, f func(context.Context, I) error) error {
	if p.module.hung.Load() >= maxHung {
		return &HungError{p.module.Name}
	}
	ctx, done := p.module.watch(ctx)
	defer done()
	i, err := p.take(ctx)
	if err != nil {
		return err
	}
	sound := false
	defer func() {
		if sound && i.instance.Size() <= i.start+min(maxGrowth, ^uint32(0)-i.start) {
			p.put(ctx, i)
		} else {
			_ = i.instance.Close(ctx)
		}
	}()
	err = p.call(ctx, i.instance, f)
	trap, trapped := errors.AsType[*Trap](err)
	if trapped && trap.Reason == "unreachable" && i.instance.Size() > fullAt {
		trap.Full = true
	}
	sound = !trapped && ctx.Err() == nil
	return err
}

// call turns a panic of f, such as one of a host function, into a trap.
func (p *Pool[I]) call(ctx context.Context, i I, f func(context.Context, I) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Trap{Module: p.module.Name, Reason: fmt.Sprintf("panic: %v", v)}
		}
	}()
	return f(ctx, i)
}

func (p *Pool[I]) take(ctx context.Context) (idle[I], error) {
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return i, nil
	}
	p.mu.Unlock()
	i, err := p.create(ctx)
	if err != nil {
		return idle[I]{}, err
	}
	return idle[I]{i, i.Size()}, nil
}

func (p *Pool[I]) put(ctx context.Context, i idle[I]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) >= runtime.GOMAXPROCS(0) {
		_ = i.instance.Close(ctx)
		return
	}
	p.free = append(p.free, i)
}

// callKey finds the innermost call in a context.
type callKey struct{}

// call is one Do at work.
type call struct {
	module *Module
	outer  *call // that waits for this one; nil: none does

	mu      sync.Mutex // guards what follows
	waiting int        // calls this one waits for
	excused bool       // it waited for one that hung
	hung    bool       // it is counted
}

// watch counts the call as hung if ctx is abandoned before done is called. A
// call that waits for one of another module, as Markdown does for the code in
// it, does not count.
func (m *Module) watch(ctx context.Context) (_ context.Context, done func()) {
	c := &call{module: m}
	c.outer, _ = ctx.Value(callKey{}).(*call)
	if c.outer != nil {
		c.outer.wait(1, false)
	}
	stop := context.AfterFunc(ctx, func() { c.judge(ctx) })
	return context.WithValue(ctx, callKey{}, c), func() {
		stop()
		c.judge(ctx) // before the outer call is judged
		if c.outer != nil {
			c.outer.wait(-1, ctx.Err() != nil)
		}
	}
}

func (c *call) wait(n int, hung bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting += n
	c.excused = c.excused || hung
}

// judge counts the call, once, if it was abandoned and did not wait itself.
func (c *call) judge(ctx context.Context) {
	if !errors.Is(context.Cause(ctx), ErrAbandoned) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hung && !c.excused && c.waiting == 0 {
		c.hung = true
		c.module.hung.Add(1)
	}
}

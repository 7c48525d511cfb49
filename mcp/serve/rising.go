package serve

import "sync"

// rising makes numbers that only grow out of counts that may stand still.
type rising struct {
	mu    sync.Mutex // guards what follows, and the order of what is sent
	count int
	at    float64
	any   bool
}

func newRising() *rising { return &rising{} }

// next calls send with a number that is greater than all before: done itself
// where that is, else one between it and the next count.
func (r *rising) next(done int, send func(float64)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch at := float64(done); {
	case !r.any || at > r.at:
		r.count, r.at, r.any = done, at, true
	default:
		r.at += (float64(r.count+1) - r.at) / 2
	}
	send(r.at)
}

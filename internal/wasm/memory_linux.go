//go:build amd64 || arm64

package wasm

import (
	"context"
	"sync"

	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// memories are the linear memories of instances. Each has its addresses
// reserved up to the bound, so that it grows in place: memory of Go would be
// copied, and the old half stay until it is collected.
//
// Addresses are never given back: an instance that is used after its end, which
// is a mistake, then reads zeros and not what is not there. They serve the next.
type memories struct {
	mu   sync.Mutex // guards free
	free []*memory
}

// memory is one linear memory.
type memory struct {
	owner *memories
	all   []byte // the reserved addresses
	open  uint64 // bytes of them that may be used, from the start
}

const pageSize = 1 << 16

// in returns a context in which instances get their memory here.
func (m *memories) in(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(m.allocate))
}

func (m *memories) allocate(_, _ uint64) experimental.LinearMemory {
	if last := m.last(); last != nil {
		return last
	}
	all, err := unix.Mmap(-1, 0, maxPages*pageSize, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil { // addresses are limited here
		return &slice{}
	}
	return &memory{owner: m, all: all}
}

// last takes the memory that was freed last; nil if there is none.
func (m *memories) last() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.free)
	if n == 0 {
		return nil
	}
	last := m.free[n-1]
	m.free = m.free[:n-1]
	return last
}

// Reallocate returns the first size bytes, nil if there are not as many.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	if size > m.open {
		if err := unix.Mprotect(m.all[m.open:size], unix.PROT_READ|unix.PROT_WRITE); err != nil {
			return nil
		}
		m.open = size
	}
	return m.all[:size:size]
}

// Free gives the memory back, and keeps the addresses.
func (m *memory) Free() {
	if m.open > 0 && unix.Madvise(m.all[:m.open], unix.MADV_DONTNEED) != nil {
		return // it may not be clean
	}
	m.owner.mu.Lock()
	defer m.owner.mu.Unlock()
	m.owner.free = append(m.owner.free, m)
}

// slice is a linear memory of Go.
type slice struct{ bytes []byte }

// Reallocate returns size bytes that start as the last ones did.
func (s *slice) Reallocate(size uint64) []byte {
	if n := uint64(len(s.bytes)); size > n {
		s.bytes = append(s.bytes, make([]byte, size-n)...)
	}
	return s.bytes[:size]
}

// Free lets the memory be collected.
func (s *slice) Free() { s.bytes = nil }

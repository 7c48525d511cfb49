// Package wasmtest lends tests the modules that are built in. It is never
// linked into the binary.
package wasmtest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"poly/internal/wasm"
	"poly/internal/wasm/pack"
)

// Host returns the host of all tests of the process, and ends the test if no
// module is built in. What it compiles is kept in the cache directory of the
// user, since it takes seconds.
func Host(tb testing.TB) *wasm.Host {
	tb.Helper()
	if len(pack.Names()) == 0 {
		tb.Fatal("no Wasm module is built in: run make engines")
	}
	return host()
}

var host = sync.OnceValue(func() *wasm.Host {
	dir, err := os.UserCacheDir()
	if err != nil {
		return &wasm.Host{}
	}
	return &wasm.Host{CacheDir: filepath.Join(dir, "poly-tests", "wasm")}
})

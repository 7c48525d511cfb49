// Package wasmtest lends tests the modules that are built in. It is never
// linked into the binary.
package wasmtest

import (
	"crypto/sha256"
	"encoding/hex"
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

// Packed returns a module of the given text as if it were built in.
func Packed(tb testing.TB, name string, text []byte) pack.Module {
	tb.Helper()
	packed, err := pack.Pack(text)
	if err != nil {
		tb.Fatal(err)
	}
	sum := sha256.Sum256(text)
	m := pack.Module{Name: name, Version: "1", Licence: "MIT", Sum: hex.EncodeToString(sum[:]), Size: len(text)}
	return m.With(packed, nil)
}

// HostOf returns a host that has these modules alone, and keeps what it
// compiles in dir; "": nowhere.
func HostOf(dir string, modules ...pack.Module) *wasm.Host {
	return &wasm.Host{CacheDir: dir, Find: func(name string) (pack.Module, bool) {
		for _, m := range modules {
			if m.Name == name {
				return m, true
			}
		}
		return pack.Module{}, false
	}}
}

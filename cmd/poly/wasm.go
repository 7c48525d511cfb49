package main

import (
	"path/filepath"
	"sync"

	"poly/internal/report"
	"poly/internal/wasm"
)

// host runs the Wasm modules of engines. It opens nothing before the first
// file that needs one; if that has to be compiled, progress says so once.
func (s *session) host(progress *report.Progress) *wasm.Host {
	var once sync.Once
	return &wasm.Host{CacheDir: s.modules(), Compiling: func(string) {
		once.Do(func() { progress.Say("poly: compiling engines, which takes seconds, once; poly warm does so ahead") })
	}}
}

// modules is the directory of compiled modules, which all repositories of a
// user share; "" if there is no place for poly's files.
func (s *session) modules() string {
	if s.homeless != nil {
		return ""
	}
	return filepath.Join(s.dirs.CacheHome, "wasm")
}

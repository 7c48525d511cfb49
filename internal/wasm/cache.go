package wasm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"

	"poly/internal/atomicfile"
	"poly/internal/filelock"
)

// A compiled module has a folder in the cache directory, named after the
// module, its sum, the runtime and the processor, so that it can be carried
// elsewhere ([tag]):
//
//	module.wasm                    the text, so that it need not be unpacked
//	wazero-<version>-<arch>-<os>/  what the runtime compiled; it names the files
//	check                          sizes and sums of both
//	lock                           held while one process compiles
//
// What check does not vouch for is not used: the runtime maps the code it finds
// into the process.
const (
	textFile  = "module.wasm"
	checkFile = "check"
	lockFile  = "lock"
)

// lockWait is how long a process waits for another that compiles the module
// before it does so itself.
const lockWait = 2 * time.Minute

// dir returns the folder of m.
func (h *Host) dir(m *Module) string {
	return filepath.Join(h.CacheDir, m.Name+"-"+m.Sum[:min(16, len(m.Sum))]+"-"+tag())
}

// compileKept makes m ready with what is kept, and keeps what it compiles. On
// an error that is no [moduleError] m may be ready all the same.
func (h *Host) compileKept(ctx context.Context, m *Module) error {
	dir := h.dir(m)
	if text := kept(m, dir); text != nil {
		return load(ctx, m, dir, text)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cause(err)
	}
	lock, err := filelock.Acquire(ctx, filepath.Join(dir, lockFile), filelock.Options{Wait: lockWait})
	if err != nil {
		if _, held := errors.AsType[*filelock.HeldError](err); !held {
			return cause(err)
		}
	} else {
		defer func() { _ = lock.Close() }()
	}
	if text := kept(m, dir); text != nil { // another process was faster
		return load(ctx, m, dir, text)
	}
	text, err := unpack(m)
	if err != nil {
		return err
	}
	defer h.begin(m)()
	sweep(dir)
	h.removeUnused()
	if err := atomicfile.Write(filepath.Join(dir, textFile), text, atomicfile.Options{Mode: 0o600}); err != nil {
		return cause(err)
	}
	if err := load(ctx, m, dir, text); err != nil {
		return err
	}
	check, err := checkText(dir)
	if err != nil {
		return cause(err)
	}
	return cause(atomicfile.Write(filepath.Join(dir, checkFile), check, atomicfile.Options{Mode: 0o600}))
}

// load compiles text with the cache in dir.
func load(ctx context.Context, m *Module, dir string, text []byte) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return cause(err)
	}
	m.Runtime = wazero.NewRuntimeWithConfig(ctx, config().WithCompilationCache(cache))
	m.Compiled, err = m.Runtime.CompileModule(ctx, text)
	if err == nil {
		return nil
	}
	// It may have been compiled and not be kept: then it is in memory now.
	again, second := m.Runtime.CompileModule(ctx, text)
	if second != nil {
		return err
	}
	m.Compiled = again
	return cause(err)
}

// cause is err without the path it names, so that one disk is one reason.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// sweep removes what a process that was killed left behind, and what is
// damaged. The lock is held.
func sweep(dir string) {
	_ = os.Remove(filepath.Join(dir, checkFile))
	names, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil {
		return
	}
	for _, name := range names {
		_ = os.Remove(name)
	}
}

// kept returns the text of m if dir holds it and what was compiled from it,
// both as they were written; else nil.
func kept(m *Module, dir string) []byte {
	check, err := os.ReadFile(filepath.Join(dir, checkFile))
	if err != nil {
		return nil
	}
	compiled := false
	for line := range strings.Lines(string(check)) {
		var name string
		var size, sum uint32
		if n, err := fmt.Sscan(line, &name, &size, &sum); err != nil || n != 3 || !filepath.IsLocal(name) {
			return nil
		}
		compiled = compiled || name != textFile
		if name != textFile && !sums(filepath.Join(dir, filepath.FromSlash(name)), int64(size), sum) {
			return nil
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, textFile))
	if err != nil || !compiled || len(text) != m.Size || !listed(check, text) {
		return nil
	}
	used(dir)
	return text
}

// Folders of modules are told apart by when they were last used: the time of
// their check, which is set once a day. Those of other versions of poly go
// when a module is compiled and they were not used for long.
const (
	useEvery = 24 * time.Hour
	unused   = 30 * 24 * time.Hour
)

// used notes that the folder dir is used. Where that cannot be written, it is
// not needed.
func used(dir string) {
	name, now := filepath.Join(dir, checkFile), time.Now()
	if fi, err := os.Stat(name); err == nil && now.Sub(fi.ModTime()) > useEvery {
		_ = os.Chtimes(name, now, now)
	}
}

// removeUnused removes the folders of modules that were not used for long.
func (h *Host) removeUnused() {
	names, err := filepath.Glob(filepath.Join(h.CacheDir, "*", checkFile))
	if err != nil {
		return
	}
	for _, name := range names {
		if fi, err := os.Stat(name); err == nil && time.Since(fi.ModTime()) > unused {
			_ = os.RemoveAll(filepath.Dir(name))
		}
	}
}

// sums reports whether a file has a size and a sum. It reads by parts, since
// a file that was compiled is large.
func sums(name string, size int64, sum uint32) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, make([]byte, 64<<10))
	return err == nil && n == size && h.Sum32() == sum
}

// listed reports whether check vouches for the text of the module.
func listed(check, text []byte) bool {
	return bytes.Contains(check, checkLine(nil, textFile, text))
}

func checkLine(b []byte, name string, text []byte) []byte {
	return fmt.Appendln(b, name, len(text), crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

// checkText returns the check file of what dir holds.
func checkText(dir string) ([]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil {
		return nil, err
	}
	var b []byte
	for _, name := range append(names, filepath.Join(dir, textFile)) {
		if strings.HasSuffix(name, ".tmp") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return nil, err
		}
		b = checkLine(b, filepath.ToSlash(rel), text)
	}
	return b, nil
}

package serve

import (
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"poly/mcp/tool"
)

// Watch knows the executable that serves, and notices when it is another file
// or gone. Its methods may be called concurrently.
type Watch struct {
	Started time.Time
	path    string // "" if it is not known: then it is taken for current
	first   fs.FileInfo
	seed    maphash.Seed
	sum     func() (uint64, bool) // of the content at the start

	mu   sync.Mutex // guards last
	last int64      // change time of the content that was compared
}

// NewWatch looks at the file at path, which is absolute; "" watches nothing. It
// reads the file in the background once, so that a later look need not guess.
func NewWatch(path string, now time.Time) *Watch {
	w := &Watch{Started: now, seed: maphash.MakeSeed()}
	if p, err := filepath.EvalSymlinks(path); err == nil && path != "" {
		if fi, err := os.Stat(p); err == nil {
			w.path, w.first, w.last = p, fi, changeTime(p)
		}
	}
	read, began := make(chan struct{}), w.last
	var sum uint64
	var ok bool
	go func() {
		defer close(read)
		sum, ok = w.hash()
		ok = ok && changeTime(w.path) == began // else it may be another content already
	}()
	w.sum = func() (uint64, bool) { <-read; return sum, ok }
	return w
}

// Path returns the executable, without symbolic links; "" if it is not known.
func (w *Watch) Path() string { return w.path }

// What became of the executable.
const (
	current  = "current"
	replaced = "replaced"
	deleted  = "deleted"
)

// State looks at the file. Whatever a file system tells about a file that is
// the same file is compared; what differs but for its change time is another
// file, and if only that differs the content decides: it may have been linked.
func (w *Watch) State() string {
	if w.first == nil {
		return current
	}
	fi, err := os.Stat(w.path)
	if err != nil {
		return deleted
	}
	if !os.SameFile(fi, w.first) || fi.Size() != w.first.Size() || !fi.ModTime().Equal(w.first.ModTime()) {
		return replaced
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := changeTime(w.path)
	if changed == w.last {
		return current
	}
	want, ok := w.sum()
	got, read := w.hash()
	if !ok || !read || got != want {
		return replaced
	}
	w.last = changed
	return current
}

// changeTime is when the file at path, or what is known of it, was last
// changed; no program can set it. 0: not known.
func changeTime(path string) int64 {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return 0
	}
	return st.Ctim.Nano()
}

// Settle waits until the file was read for the first time.
func (w *Watch) Settle() { w.sum() }

func (w *Watch) hash() (uint64, bool) {
	if w.first == nil {
		return 0, false
	}
	f, err := os.Open(w.path)
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	var h maphash.Hash
	h.SetSeed(w.seed)
	_, err = io.Copy(&h, f)
	return h.Sum64(), err == nil
}

// Status says for people what State found.
func (w *Watch) Status(state, version string) string {
	if state == current {
		return "the executable that serves this session is still the file on disk"
	}
	return "the executable that serves this session was " + state + " on disk: this server (pid " + strconv.Itoa(os.Getpid()) +
		") still runs poly " + version + ". Restart the MCP server"
}

// refuse returns the error of every tool but version while the executable is
// not current, else nil.
func (w *Watch) refuse(version string) *tool.Error {
	switch state := w.State(); state {
	case current:
		return nil
	default:
		return tool.NewError("executable_"+state, w.Status(state, version), "Restart the MCP server")
	}
}

// Current reports whether a state is that of the file that serves.
func (w *Watch) Current(state string) bool { return state == current }

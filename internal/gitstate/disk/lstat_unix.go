//go:build unix && !(linux && (amd64 || arm64))

package disk

import (
	"time"

	"golang.org/x/sys/unix"
)

// Lstat looks at a NUL-terminated path.
func (r *Root) Lstat(cpath *byte, s *Stat) error {
	path := unix.BytePtrToString(cpath)
	var st unix.Stat_t
	if _, err := retryEINTR(func() (int, error) {
		return 0, unix.Fstatat(r.at, path, &st, unix.AT_SYMLINK_NOFOLLOW)
	}); err != nil {
		return err
	}
	s.set(&st)
	return nil
}

// CoarseNow is the clock that stamps files, less a tick of the slowest kernel.
func CoarseNow() int64 { return time.Now().Add(-10 * time.Millisecond).UnixNano() }

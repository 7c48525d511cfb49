//go:build unix && !(linux && (amd64 || arm64))

package gitstate

import (
	"time"

	"golang.org/x/sys/unix"
)

// lstat looks at a NUL-terminated path.
func (r *rootDir) lstat(cpath *byte, s *fileStat) error {
	path := unix.BytePtrToString(cpath)
	var st unix.Stat_t
	if _, err := retryEINTR(func() (int, error) {
		return 0, unix.Fstatat(r.fd, path, &st, unix.AT_SYMLINK_NOFOLLOW)
	}); err != nil {
		return err
	}
	s.set(&st)
	return nil
}

// coarseNow is the clock that stamps files, less a tick of the slowest kernel.
func coarseNow() int64 { return time.Now().Add(-10 * time.Millisecond).UnixNano() }

//go:build linux && (amd64 || arm64)

package disk

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Lstat looks at a NUL-terminated path without copying it. The raw call saves
// a tenth of the time of a scan; it lasts microseconds, so that the scheduler
// need not know.
func (r *Root) Lstat(cpath *byte, s *Stat) error {
	var st unix.Stat_t
	for {
		_, _, errno := syscall.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(r.at), uintptr(unsafe.Pointer(cpath)),
			uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		switch errno {
		case 0:
			s.set(&st)
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

// CoarseNow is the clock that stamps files: it moves in steps, and a file
// changed twice within one step has one time.
func CoarseNow() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &ts); err != nil {
		return 0 // nothing is older than that: nothing is remembered
	}
	return ts.Nano()
}

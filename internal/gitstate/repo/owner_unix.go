//go:build unix

package repo

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// owners returns who owns path itself and who runs this process.
func owners(path string) (owner, user uint64, ok bool) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return 0, 0, false
	}
	return uint64(st.Uid), uint64(os.Geteuid()), true
}

// deviceOf names the file system that holds a directory.
func deviceOf(dir string) (uint64, error) {
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return 0, fmt.Errorf("stat %s: %w", dir, err)
	}
	return uint64(st.Dev), nil //nolint:unconvert // an int32 on macOS
}

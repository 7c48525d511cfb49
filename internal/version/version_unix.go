//go:build unix

package version

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileID tells two files of the same size and time apart.
func fileID(fi fs.FileInfo) string {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("/%d/%d", st.Dev, st.Ino)
}

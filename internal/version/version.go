// Package version tells which build of poly this is.
package version

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
)

// Set by the linker for releases: -X poly/internal/version.release=1.2.3.
var release, buildID string

// Version is the version of this source tree; releases carry the same one.
const Version = "0.1.0"

// Channel returns "release" for a release build and "dev" for any other.
func Channel() string {
	if release != "" {
		return "release"
	}
	return "dev"
}

// BuildID names the build for people: the linker's stamp, else the commit it
// was built from, else "unknown".
var BuildID = sync.OnceValue(func() string {
	if buildID != "" {
		return buildID
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if len(rev) >= 12 {
		return rev[:12] + dirty
	}
	return "unknown"
})

// Identity is part of every cache key: the version for releases; for any other
// build also the executable's device, inode, size and times, so that a rebuilt
// poly never answers with another build's results.
var Identity = sync.OnceValue(func() string {
	if release != "" {
		return "release/" + release
	}
	exe, err := os.Executable()
	if err != nil {
		return "dev/unknown/" + strconv.Itoa(os.Getpid())
	}
	fi, err := os.Stat(exe)
	if err != nil {
		return "dev/unknown/" + strconv.Itoa(os.Getpid())
	}
	return fmt.Sprintf("dev/%s/%d/%d", Version, fi.Size(), fi.ModTime().UnixNano()) + fileID(fi)
})

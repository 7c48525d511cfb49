//go:build unix

package worktree

import "golang.org/x/sys/unix"

// nonblock keeps the opening of a pipe that took a file's place from hanging.
const nonblock = unix.O_NONBLOCK

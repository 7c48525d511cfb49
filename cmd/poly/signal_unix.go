//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreSizeLimit makes a write past a file-size limit an error of that write,
// which is reported or survived, instead of the end of the process.
func ignoreSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }

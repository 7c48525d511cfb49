// Command poly lints and formats every language of a repository.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	keepModest()
	ignoreSizeLimit()
	// gofumpt's library reads it, and no key would know.
	_ = os.Unsetenv("GOFUMPT_SPLIT_LONG_LINES")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends poly at once
	code := run(ctx, system())
	stop()
	os.Exit(code)
}

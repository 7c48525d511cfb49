// Command grammars lays down the sources of the grammars that no Go module has:
// it has cargo fetch the crates that internal/syntax/fetched/Cargo.toml names,
// joins each source with its headers, because a Go package sees no folder below
// it, checks the result against grammars.sum, and writes it where cgo compiles
// it. It does nothing where nothing has changed.
//
// It runs at the root of the module:
//
//	go run ./internal/gen/grammars             part of make engines
//	go run ./internal/gen/grammars -optional   the same; without cargo it only says so
//	go run ./internal/gen/grammars -update     write grammars.sum anew
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	update := flag.Bool("update", false, "write the sums anew instead of checking them")
	optional := flag.Bool("optional", false, "succeed without cargo, and without the grammars")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	f := &fetcher{dir: filepath.Join("internal", "syntax", "fetched"), log: os.Stderr}
	err := f.run(ctx, *update)
	if errors.Is(err, errNoCargo) && *optional {
		fmt.Fprintln(os.Stderr, "grammars: cargo is not installed: poly is built without the grammars that it would fetch")
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "grammars:", err)
		os.Exit(1)
	}
}

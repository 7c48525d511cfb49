//go:build !linux || !(amd64 || arm64)

package wasm

import "context"

// memories are the linear memories of instances: those of the runtime.
type memories struct{}

// in returns ctx.
func (*memories) in(ctx context.Context) context.Context { return ctx }

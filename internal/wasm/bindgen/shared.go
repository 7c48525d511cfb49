package bindgen

import (
	"context"
	"fmt"

	"poly/internal/wasm"
)

// Shared returns the pool of a module's instances that all callers share: an
// instance knows of no configuration but what wrap adds to it. The first call
// compiles the module. A module has one type of I. A nil host has no modules.
func Shared[I wasm.Instance](ctx context.Context, host *wasm.Host, name string, wrap func(*Instance) I) (*wasm.Pool[I], error) {
	if host == nil {
		return nil, &wasm.MissingError{Module: name}
	}
	of, err := host.Module(ctx, name)
	if err != nil {
		return nil, err
	}
	kept, err := of.Keep(func() (any, error) {
		m, err := New(ctx, of)
		if err != nil {
			return nil, err
		}
		return wasm.NewPool(of, func(ctx context.Context) (I, error) {
			i, err := m.Open(ctx)
			if err != nil {
				var none I
				return none, err
			}
			return wrap(i), nil
		}), nil
	})
	if err != nil {
		return nil, err
	}
	pool, ok := kept.(*wasm.Pool[I])
	if !ok {
		return nil, fmt.Errorf("%s has instances of another type", name)
	}
	return pool, nil
}

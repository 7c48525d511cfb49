package bindgen_test

import (
	"context"
	"errors"
	"testing"

	"poly/internal/wasm"
	"poly/internal/wasm/bindgen"
	"poly/internal/wasm/wasmtest"
)

// bare is another type of instance.
type bare struct{ *bindgen.Instance }

// TestShared: whoever asks for a module gets the same instances, whatever the
// configuration, since each holds some megabytes.
func TestShared(t *testing.T) {
	t.Parallel()
	ctx, host, same := t.Context(), wasmtest.Host(t), func(i *bindgen.Instance) *bindgen.Instance { return i }
	a, err := bindgen.Shared(ctx, host, "sql_fmt", same)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bindgen.Shared(ctx, host, "sql_fmt", same)
	if err != nil || a != b {
		t.Fatalf("a second pool, %v", err)
	}
	var first *bindgen.Instance
	for _, pool := range []*wasm.Pool[*bindgen.Instance]{a, b} {
		err := pool.Do(ctx, func(ctx context.Context, i *bindgen.Instance) error {
			if first != nil && i != first {
				t.Error("another instance")
			}
			first = i
			text, err := i.Text(ctx, "format", "select 1", nil)
			if err == nil && len(text) == 0 {
				t.Error("no text")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bindgen.Shared(ctx, host, "sql_fmt", func(i *bindgen.Instance) bare { return bare{i} }); err == nil {
		t.Error("a pool of another type")
	}
	if _, err := bindgen.Shared(ctx, nil, "sql_fmt", same); !missing(err) {
		t.Errorf("without a host: %v", err)
	}
}

func missing(err error) bool {
	_, ok := errors.AsType[*wasm.MissingError](err)
	return ok
}

package dprint

import (
	"context"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"poly/internal/wasm"
)

// instanceKey finds in the context of a call the instance that makes it.
type instanceKey struct{}

func (i *instance) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, instanceKey{}, i)
}

func of(ctx context.Context) *instance { return ctx.Value(instanceKey{}).(*instance) }

// defineImports makes what the schema says a plugin may import, if m imports it.
func defineImports(ctx context.Context, m *wasm.Module) error {
	const name = "dprint"
	if !slices.ContainsFunc(m.Compiled.ImportedFunctions(), func(f api.FunctionDefinition) bool {
		module, _, _ := f.Import()
		return module == name
	}) {
		return nil
	}
	return m.Imports(ctx, name, func(b wazero.HostModuleBuilder) {
		for export, f := range map[string]any{
			"host_has_cancelled":      hasCancelled,
			"host_write_buffer":       writeBuffer,
			"host_format":             hostFormat,
			"host_get_formatted_text": func(ctx context.Context) uint32 { return of(ctx).share(of(ctx).formatted) },
			"host_get_error_text":     func(ctx context.Context) uint32 { return of(ctx).share(of(ctx).err) },
		} {
			b.NewFunctionBuilder().WithFunc(f).Export(export)
		}
	})
}

// share makes b what host_write_buffer writes, and returns its length.
func (i *instance) share(b []byte) uint32 {
	i.shared = b
	return uint32(len(b))
}

func hasCancelled(ctx context.Context) uint32 {
	if ctx.Err() != nil {
		return 1
	}
	return 0
}

// writeBuffer panics, which is a trap, if the plugin wants the text outside of
// its memory.
func writeBuffer(ctx context.Context, m api.Module, at uint32) {
	i := of(ctx)
	if !m.Memory().Write(at, i.shared) {
		panic(i.broken("a buffer outside its memory"))
	}
}

// What host_format answers.
const (
	embedSame uint32 = iota
	embedChanged
	embedFailed
)

// hostFormat formats code of another language. The range and the configuration
// the plugin passes on are not used: it is the caller who knows how that
// language is formatted.
func hostFormat(ctx context.Context, m api.Module, path, pathLen, _, _, _, _, text, textLen uint32) uint32 {
	i := of(ctx)
	p, ok := m.Memory().Read(path, pathLen)
	t, alsoOK := m.Memory().Read(text, textLen)
	if !ok || !alsoOK {
		panic(i.broken("a buffer outside its memory"))
	}
	if i.embedded == nil {
		return embedSame
	}
	before := slices.Clone(t)
	after, err := i.embedded(ctx, string(p), slices.Clone(t))
	switch {
	case err != nil:
		i.err = []byte(err.Error())
		return embedFailed
	case slices.Equal(before, after):
		return embedSame
	}
	i.formatted = after
	return embedChanged
}

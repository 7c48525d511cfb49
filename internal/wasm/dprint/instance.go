package dprint

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"poly/internal/wasm"
)

// configID names the only configuration an instance has.
const configID = 1

// versionExport is there in plugins of schema version 4.
const versionExport = "dprint_plugin_version_4"

// instance is a plugin with a memory of its own, and a configuration.
type instance struct {
	module    *wasm.Module
	guest     api.Module
	calls     map[string]api.Function
	embedded  func(ctx context.Context, path string, text []byte) ([]byte, error)
	shared    []byte // what host_write_buffer writes
	formatted []byte // by the last host_format
	err       []byte // of the last host_format
}

// newInstance makes an instance of m and gives it its configuration.
func newInstance(ctx context.Context, m *wasm.Module, config []byte, embedded func(context.Context, string, []byte) ([]byte, error)) (*instance, error) {
	if m.Compiled.ExportedFunctions()[versionExport] == nil {
		return nil, fmt.Errorf("%s is not a dprint plugin of schema version 4", m.Name)
	}
	if m.Compiled.ExportedMemories()["memory"] == nil {
		return nil, fmt.Errorf("%s exports no memory", m.Name)
	}
	i := &instance{module: m, calls: map[string]api.Function{}, embedded: embedded}
	guest, err := m.Instantiate(i.in(ctx), "_initialize")
	if err != nil {
		return nil, wasm.NewTrap(m.Name, err)
	}
	i.guest = guest
	if err = i.send(ctx, config); err == nil {
		_, err = i.call(ctx, "register_config", configID)
	}
	if err != nil {
		return nil, errors.Join(err, i.Close(ctx))
	}
	return i, nil
}

// Size returns the size of the linear memory.
func (i *instance) Size() uint32 { return i.guest.Memory().Size() }

// Close frees the instance.
func (i *instance) Close(ctx context.Context) error { return i.guest.Close(ctx) }

func (i *instance) format(ctx context.Context, path string, text []byte) (out []byte, changed bool, err error) {
	if err := i.send(ctx, []byte(path)); err != nil {
		return nil, false, err
	}
	if _, err := i.call(ctx, "set_file_path"); err != nil {
		return nil, false, err
	}
	if err := i.send(ctx, text); err != nil {
		return nil, false, err
	}
	code, err := i.call(ctx, "format", configID)
	if err != nil {
		return nil, false, err
	}
	switch code {
	case 0:
		return text, false, nil
	case 1:
		n, err := i.call(ctx, "get_formatted_text")
		if err != nil {
			return nil, false, err
		}
		out, err = i.receive(ctx, n)
		return out, true, err
	case 2:
		message, err := i.text(ctx, "get_error_text")
		if err != nil {
			return nil, false, err
		}
		return nil, false, &FormatError{strings.TrimSpace(message)}
	}
	return nil, false, i.broken(fmt.Sprintf("format answers %d", code))
}

// broken is a trap: a plugin that does not keep to the schema is not asked again.
func (i *instance) broken(what string) error {
	return wasm.NewTrap(i.module.Name, errors.New(what))
}

// call calls an export that returns a number, or nothing.
func (i *instance) call(ctx context.Context, name string, args ...uint64) (uint32, error) {
	f := i.calls[name]
	if f == nil {
		if f = i.guest.ExportedFunction(name); f == nil {
			return 0, i.broken("no export " + name)
		}
		if n := len(f.Definition().ParamTypes()); n != len(args) {
			return 0, i.broken(fmt.Sprintf("export %s takes %d parameters", name, n))
		}
		i.calls[name] = f
	}
	r, err := f.Call(i.in(ctx), args...)
	if err != nil {
		return 0, wasm.NewTrap(i.module.Name, err)
	}
	if len(r) == 0 {
		return 0, nil
	}
	return uint32(r[0]), nil
}

// send puts b into the shared buffer.
func (i *instance) send(ctx context.Context, b []byte) error {
	if int64(len(b)) > int64(^uint32(0)) {
		return i.broken("a text of more than 4 GiB")
	}
	at, err := i.call(ctx, "clear_shared_bytes", uint64(len(b)))
	if err != nil {
		return err
	}
	if !i.guest.Memory().Write(at, b) {
		return i.broken("a buffer outside its memory")
	}
	return nil
}

// receive returns a copy of n bytes of the shared buffer.
func (i *instance) receive(ctx context.Context, n uint32) ([]byte, error) {
	at, err := i.call(ctx, "get_shared_bytes_ptr")
	if err != nil {
		return nil, err
	}
	b, ok := i.guest.Memory().Read(at, n)
	if !ok {
		return nil, i.broken("a buffer outside its memory")
	}
	return append(make([]byte, 0, n), b...), nil
}

// text returns the text an export puts into the shared buffer.
func (i *instance) text(ctx context.Context, name string, args ...uint64) (string, error) {
	n, err := i.call(ctx, name, args...)
	if err != nil {
		return "", err
	}
	b, err := i.receive(ctx, n)
	return string(b), err
}

package dprint_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"poly/internal/gen/tick"
	"poly/internal/wasm"
	"poly/internal/wasm/asm"
	"poly/internal/wasm/dprint"
	"poly/internal/wasm/wasmtest"
)

// at is where a fake plugin has its shared buffer. It holds "[]", which is no
// diagnostics.
const at = 1024

// answers are the functions of a fake plugin and what they do.
type answers map[string][]byte

// fake returns a plugin that answers a call of format by "[]", but for what
// change says.
func fake(tb testing.TB, change answers, imports ...asm.Import) []byte {
	tb.Helper()
	m := asm.Module{Pages: 1, Imports: imports}
	for _, f := range []asm.Func{
		{Name: "dprint_plugin_version_4"},
		{Name: "clear_shared_bytes", Params: 1, Results: 1, Code: asm.Const(2 * at)},
		{Name: "get_shared_bytes_ptr", Results: 1, Code: asm.Const(at)},
		{Name: "register_config", Params: 1, Code: asm.Code(asm.Const(at), asm.Const('['|']'<<8), asm.Store, 2, 0)},
		{Name: "get_config_diagnostics", Params: 1, Results: 1, Code: asm.Const(2)},
		{Name: "set_file_path"},
		{Name: "format", Params: 1, Results: 1, Code: asm.Const(1)},
		{Name: "get_formatted_text", Results: 1, Code: asm.Const(2)},
		{Name: "get_error_text", Results: 1, Code: asm.Const(2)},
		{Name: "get_license_text", Results: 1, Code: asm.Const(2)},
	} {
		code, changed := change[f.Name]
		if changed && code == nil {
			continue // it does not exist
		}
		if changed {
			f.Code = code
		}
		m.Funcs = append(m.Funcs, f)
	}
	module, err := tick.Insert(asm.Assemble(m))
	if err != nil {
		tb.Fatal(err)
	}
	return module
}

func plugin(tb testing.TB, module []byte, o dprint.Options) *dprint.Plugin {
	tb.Helper()
	return dprint.New(wasmtest.HostOf("", wasmtest.Packed(tb, "fake", module)), "fake", o)
}

// TestHostile: whatever a plugin answers, the call ends, with an error that
// says what was wrong.
func TestHostile(t *testing.T) {
	t.Parallel()
	trap, far := []byte{asm.Unreachable}, asm.Const(1<<31)
	outside := "fake broke off: a buffer outside its memory"
	for _, tc := range []struct {
		name   string
		change answers
		want   string // "": no error
	}{
		{"sound", nil, ""},
		{"refuses", answers{"format": asm.Const(2)}, "[]"},
		{"formatted", answers{"format": asm.Const(0)}, ""},
		{"unknown answer", answers{"format": asm.Const(7)}, "fake broke off: format answers 7"},
		{"negative answer", answers{"format": asm.Const(1<<32 - 1)}, "fake broke off: format answers 4294967295"},
		{"buffer to write outside", answers{"clear_shared_bytes": far}, outside},
		{"buffer to write at the end", answers{"clear_shared_bytes": asm.Const(1<<16 - 1)}, outside},
		{"buffer to read outside", answers{"get_shared_bytes_ptr": far}, outside},
		{"text too long", answers{"get_formatted_text": asm.Const(1<<32 - 1)}, outside},
		{"text up to the end", answers{"get_formatted_text": asm.Const(1<<16 - at)}, ""},
		{"text behind the end", answers{"get_formatted_text": asm.Const(1<<16 - at + 1)}, outside},
		{"error too long", answers{"format": asm.Const(2), "get_error_text": far}, outside},
		{"trap", answers{"format": trap}, "fake broke off: unreachable"},
		{"trap in the configuration", answers{"register_config": trap}, "fake broke off: unreachable"},
		{"trap in the error", answers{"format": asm.Const(2), "get_error_text": trap}, "fake broke off: unreachable"},
		{"diagnostics that are no JSON", answers{"get_config_diagnostics": asm.Const(1)}, "fake: answer about its configuration: unexpected end of JSON input"},
		{"another version", answers{"dprint_plugin_version_4": nil}, "fake is not a dprint plugin of schema version 4"},
		{"no format", answers{"format": nil}, "fake broke off: no export format"},
		{"much memory", answers{"format": asm.Code(asm.Const(1000), asm.MemoryGrow, 0, asm.Drop, asm.Const(1))}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := plugin(t, fake(t, tc.change), dprint.Options{})
			for range 2 { // the second meets a new instance, or the same
				_, _, err := p.Format(t.Context(), "a", []byte("text"))
				got := ""
				if err != nil {
					got = err.Error()
				}
				if got != tc.want {
					t.Errorf("Format: %q, want %q", got, tc.want)
				}
			}
		})
	}
}

// TestLoop: a plugin that never answers is broken off when nobody waits.
func TestLoop(t *testing.T) {
	t.Parallel()
	p := plugin(t, fake(t, answers{"format": asm.Code(asm.Loop, asm.Void, asm.Br, 0, asm.End, asm.Unreachable)}), dprint.Options{})
	if err := p.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := time.AfterFunc(time.Millisecond, func() { cancel(wasm.ErrAbandoned) })
		_, _, err := p.Format(ctx, "a", nil)
		stop.Stop()
		if err == nil || err.Error() != "fake broke off: cancelled" {
			t.Errorf("Format: %v", err)
		}
	}
	if _, _, err := p.Format(t.Context(), "a", nil); err == nil || err.Error() != "fake hung twice" {
		t.Errorf("Format after two hangs: %v", err)
	}
}

// hostFormat is the import by which a plugin has embedded code formatted.
var hostFormat = asm.Import{Module: "dprint", Name: "host_format", Params: 8, Results: 1}

// calls returns the code of a call of the first import.
func calls(args ...uint32) []byte {
	var out []byte
	for _, a := range args {
		out = append(out, asm.Const(a)...)
	}
	return append(out, asm.Call, 0)
}

// TestImports: what a plugin asks of its host is answered, or ends the call.
func TestImports(t *testing.T) {
	t.Parallel()
	outside := "fake broke off: a buffer outside its memory"
	write := asm.Import{Module: "dprint", Name: "host_write_buffer", Params: 1}
	for _, tc := range []struct {
		name   string
		imp    asm.Import
		format []byte
		want   string
	}{
		{"embedded", hostFormat, calls(at, 2, 0, 0, 0, 0, at, 2), ""},
		{"path outside", hostFormat, calls(1<<31, 1, 0, 0, 0, 0, at, 2), outside},
		{"path too long", hostFormat, calls(at, 1<<31, 0, 0, 0, 0, at, 2), outside},
		{"text outside", hostFormat, calls(at, 2, 0, 0, 0, 0, 1<<32-1, 2), outside},
		{"text too long", hostFormat, calls(at, 2, 0, 0, 0, 0, at, 1<<32-1), outside},
		{"configuration outside is not read", hostFormat, calls(at, 2, 0, 0, 1<<31, 1<<31, at, 2), ""},
		{"buffer outside", write, append(calls(1<<17), asm.Const(1)...), outside},
		{"buffer", write, append(calls(at), asm.Const(1)...), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			asked := ""
			p := plugin(t, fake(t, answers{"format": tc.format}, tc.imp), dprint.Options{
				Embedded: func(_ context.Context, path string, text []byte) ([]byte, error) {
					asked = path + string(text)
					return []byte("other"), nil
				},
			})
			_, _, err := p.Format(t.Context(), "a", nil)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != tc.want || asked != "" && asked != "[][]" {
				t.Errorf("Format: %q, want %q; asked for %q", got, tc.want, asked)
			}
		})
	}
}

// TestEmbeddedErrors: an error of the code inside is told to the plugin, which
// decides; a panic ends the call.
func TestEmbeddedErrors(t *testing.T) {
	t.Parallel()
	module := fake(t, answers{"format": calls(at, 2, 0, 0, 0, 0, at, 2)}, hostFormat)
	p := plugin(t, module, dprint.Options{Embedded: func(context.Context, string, []byte) ([]byte, error) {
		return nil, errors.New("not mine")
	}})
	_, _, err := p.Format(t.Context(), "a", nil)
	if e, ok := errors.AsType[*dprint.FormatError](err); !ok || e.Message != "[]" { // host_format answered 2
		t.Errorf("an error inside: %v", err)
	}
	p = plugin(t, module, dprint.Options{Embedded: func(context.Context, string, []byte) ([]byte, error) { panic("inside") }})
	if _, _, err := p.Format(t.Context(), "a", nil); err == nil || !strings.Contains(err.Error(), "inside") {
		t.Errorf("a panic inside: %v", err)
	}
}

// FuzzPlugin: no answer of a plugin makes the process panic, or a call last.
func FuzzPlugin(f *testing.F) {
	f.Add(uint32(2*at), uint32(at), uint32(2), uint32(1), uint32(2), uint32(2), uint8(0), "a.json", []byte("{}"))
	f.Add(uint32(1<<16-1), uint32(1<<31), uint32(0), uint32(2), uint32(1<<16), uint32(7), uint8(1), "", []byte(nil))
	f.Add(uint32(0), uint32(0), uint32(1<<32-1), uint32(0), uint32(0), uint32(0), uint8(2), "\x00", []byte("\xff"))
	f.Fuzz(func(t *testing.T, clear, ptr, diagnostics, format, formatted, failed uint32, kind uint8, path string, text []byte) {
		change := answers{
			"clear_shared_bytes": asm.Const(clear), "get_shared_bytes_ptr": asm.Const(ptr), "get_config_diagnostics": asm.Const(diagnostics),
			"format": asm.Const(format), "get_formatted_text": asm.Const(formatted), "get_error_text": asm.Const(failed), "get_license_text": asm.Const(failed),
		}
		var imports []asm.Import
		switch kind % 4 {
		case 1:
			change["format"] = calls(clear, ptr, diagnostics, format, formatted, failed, ptr, clear)
			imports = append(imports, hostFormat)
		case 2:
			change["format"] = asm.Code(asm.Const(format), asm.MemoryGrow, 0)
		case 3:
			change["get_formatted_text"] = []byte{asm.Unreachable}
		}
		p := plugin(t, fake(t, change, imports...), dprint.Options{Embedded: func(_ context.Context, _ string, text []byte) ([]byte, error) {
			return append(text, 'x'), nil
		}})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		out, changed, err := p.Format(ctx, path, text)
		if err == nil && !changed && string(out) != string(text) {
			t.Errorf("unchanged and not the text itself: %q", out)
		}
		_, _ = p.LicenceText(ctx)
		if ctx.Err() != nil {
			t.Error("a call lasted")
		}
	})
}

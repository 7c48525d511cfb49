package dprint_test

import (
	"context"
	"errors"
	"testing"

	"poly/internal/wasm"
	"poly/internal/wasm/dprint"
	"poly/internal/wasm/wasmtest"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	host := wasmtest.Host(t)
	for _, tc := range []struct {
		name, module, path, text, want string
		options                        dprint.Options
	}{
		{"changed", "dprint-json", "a.json", `{"a":1, "b" : [1,2]}`, "{ \"a\": 1, \"b\": [1, 2] }\n", dprint.Options{}},
		{"same", "dprint-json", "a.json", "{ \"a\": 1 }\n", "{ \"a\": 1 }\n", dprint.Options{}},
		{
			"options", "dprint-json", "a.json", "{\n\"a\":1}", "{\n    \"a\": 1\n}\n",
			dprint.Options{Global: map[string]any{"indentWidth": 4}},
		},
		{"toml", "dprint-toml", "a.toml", "a=1\n", "a = 1\n", dprint.Options{}},
		{
			"embedded", "dprint-markdown", "a.md", "```json\n{}\n```\n", "```json\n{\"path\": \"file.json\"}\n```\n",
			dprint.Options{Embedded: func(_ context.Context, path string, _ []byte) ([]byte, error) {
				return []byte(`{"path": "` + path + `"}`), nil
			}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := dprint.New(host, tc.module, tc.options)
			got, changed, err := p.Format(t.Context(), tc.path, []byte(tc.text))
			if err != nil || string(got) != tc.want || changed != (tc.text != tc.want) {
				t.Errorf("Format(%q) = %q, %v, %v, want %q", tc.text, got, changed, err, tc.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	host := wasmtest.Host(t)
	_, _, err := dprint.New(host, "dprint-json", dprint.Options{}).Format(t.Context(), "a.json", []byte("{"))
	if e, ok := errors.AsType[*dprint.FormatError](err); !ok || e.Message == "" {
		t.Errorf("Format of what is no JSON: %v, want what the plugin says", err)
	}
	err = dprint.New(host, "dprint-json", dprint.Options{Plugin: map[string]any{"lineWidht": 3}}).Open(t.Context())
	if e, ok := errors.AsType[*dprint.ConfigError](err); !ok || e.Key != "lineWidht" {
		t.Errorf("Open with a key that does not exist: %v, want it named", err)
	}
	_, _, err = dprint.New(host, "dprint-nothing", dprint.Options{}).Format(t.Context(), "a", nil)
	if e, ok := errors.AsType[*wasm.MissingError](err); !ok || e.Module != "dprint-nothing" {
		t.Errorf("Format by a module that is not built in: %v", err)
	}
}

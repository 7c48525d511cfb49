package ruff

import (
	"bytes"
	"fmt"
	"testing"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
	"poly/internal/wasm/wasmtest"
)

// benchmarkText is a program of some 100 KB with findings and odd layout.
func benchmarkText() []byte {
	b := bytes.NewBufferString("import os\nfrom typing import Dict, List\n\n")
	for i := range 800 {
		fmt.Fprintf(b, "def name_%d(value: List[int], *, other: Dict[str, int] = {}) -> str:\n", i)
		fmt.Fprintf(b, "    if value == None :\n        return 'nothing %d'\n    return \", \".join(str(v + %d) for v in value if v in other)\n\n", i, i)
	}
	return b.Bytes()
}

func benchmark(b *testing.B, run func(engine.Worker, engine.Source) error) {
	b.Helper()
	sel, err := engine.NewSelection(&Engine.Spec, engine.Picks{})
	if err != nil {
		b.Fatal(err)
	}
	bound, err := Engine.Bind(b.Context(), engine.Env{
		Lang: lang.Python, Rules: sel, Wasm: wasmtest.Host(b), Options: config.Values{},
		Globals: engine.Globals{LineLength: 120, IndentWidth: 4, FinalNewline: true},
	})
	if err != nil {
		b.Fatal(err)
	}
	w, err := bound.Open(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	src := engine.Source{Path: "a.py", Lang: lang.Python, Text: benchmarkText()}
	if err := run(w, src); err != nil { // the module is loaded
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src.Text)))
	for b.Loop() {
		if err := run(w, src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLint(b *testing.B) {
	benchmark(b, func(w engine.Worker, src engine.Source) error {
		_, err := w.Lint(b.Context(), src)
		return err
	})
}

func BenchmarkFormat(b *testing.B) {
	benchmark(b, func(w engine.Worker, src engine.Source) error {
		_, err := w.Format(b.Context(), src)
		return err
	})
}

package astgrep_test

import (
	"fmt"
	"testing"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/engine/astgrep"
	"poly/internal/lang"
	"poly/internal/rules"
)

// TestNothingCompiled: binding for all languages and telling the classes of
// paths compiles no rule; a text of one language compiles at most that language's.
func TestNothingCompiled(t *testing.T) {
	t.Parallel()
	shared := map[string]any{}
	env := func(l lang.ID) engine.Env {
		return engine.Env{Lang: l, RuleSources: config.Rules{}, Once: func(key string, make func() any) any {
			if shared[key] == nil {
				shared[key] = make()
			}
			return shared[key]
		}}
	}
	e := env("go")
	lib := astgrep.LibraryOf(&e)
	bound := map[lang.ID]engine.Bound{}
	for _, l := range astgrep.Engine.Langs {
		b, err := astgrep.Engine.Bind(t.Context(), env(l))
		if err != nil {
			t.Fatal(err)
		}
		bound[l] = b
		for i := range 100 {
			b.PathClass(fmt.Sprintf("a/%d/b", i))
		}
	}
	if n := lib.Compiled(); n != 0 {
		t.Errorf("%d rules are compiled before any text is looked at", n)
	}
	w, err := bound["go"].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := w.Lint(t.Context(), engine.Source{Path: "a.go", Lang: "go", Text: []byte("package a\n\nfunc f() { mu.Lock(); defer mu.Lock() }\n")}); err != nil {
		t.Fatal(err)
	}
	all, err := rules.NewLibrary(nil, nil).Set("go")
	if err != nil {
		t.Fatal(err)
	}
	if n := lib.Compiled(); n == 0 || n > len(all.Rules) {
		t.Errorf("%d rules are compiled for one text of Go, of %d", n, len(all.Rules))
	}
}

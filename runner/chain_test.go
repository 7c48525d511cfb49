package runner_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"poly/internal/engine"
	"poly/internal/lang"
)

// signer appends its name to a text that lacks it. Its guard refuses texts in
// which the name refused appears.
func signer(name, refused string) engine.Engine {
	e := formatter(name, nil, lang.Go)
	e.Bind = func(context.Context, engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Same: func(_, after []byte) error {
				if refused != "" && bytes.Contains(after, []byte(refused)) {
					return errors.New("refused")
				}
				return nil
			},
			Open: engine.Stateless(engine.Funcs{FormatFunc: func(_ context.Context, src engine.Source) ([]byte, error) {
				if bytes.Contains(src.Text, []byte(name)) {
					return src.Text, nil
				}
				return append(bytes.TrimSuffix(bytes.Clone(src.Text), []byte("\n")), " "+name+"\n"...), nil
			}}),
		}, nil
	}
	return e
}

// TestChain: the default formatter of a language is the last of its chain, and
// its guard is the one that judges the whole.
func TestChain(t *testing.T) {
	t.Parallel()
	p := newPlace(t, signer("aaa", "gofumpt"), signer("gofumpt", ""), signer("zzz", ""))
	p.Write("a.go", "package a //\n")
	p.fix(engine.Format, nil)
	if got, want := p.Read("a.go"), "package a // aaa zzz gofumpt\n"; got != want {
		t.Errorf("formatted: %q, want %q", got, want)
	}
	p = newPlace(t, signer("aaa", ""), signer("gofumpt", "aaa"))
	p.Write("a.go", "package a //\n")
	p.fix(engine.Format, nil)
	if got, want := p.Read("a.go"), "package a //\n"; got != want {
		t.Errorf("refused: %q, want %q", got, want)
	}
}

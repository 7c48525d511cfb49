package yamlfmt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/engine"
)

// formatter is one bound configuration. It is not changed after bind.
type formatter struct {
	settings
	globals engine.Globals
	files   bool // settings may come from a file of the yamlfmt command
}

// format formats one file. Line ends, a byte order mark and the end of the
// file are handled here: the library sees text with "\n" only.
func (f *formatter) format(ctx context.Context, src engine.Source) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.files && len(src.Inputs) > 0 {
		var err error
		if f, err = f.native(src.Inputs[0]); err != nil {
			return nil, err
		}
	}
	s, err := survey(ctx, src.Text)
	if err != nil {
		return nil, err
	}
	out := s.body
	if !s.nothing {
		if out, err = f.settle(ctx, s.body); err != nil {
			return nil, err
		}
	}
	out = s.restore(out, f.globals)
	if bytes.Equal(out, src.Text) {
		return src.Text, nil
	}
	return out, nil
}

// settle formats text until nothing changes. The library loses and reorders
// comments near blank lines that it removes, in the first pass or a later one;
// with blank lines kept it does not, so that is tried where the result would be
// refused.
func (f *formatter) settle(ctx context.Context, text []byte) ([]byte, error) {
	out, err := f.passes(ctx, text)
	_, skipped := engine.SkipReason(err)
	if f.retain || err != nil && !skipped || err == nil && (bytes.Equal(text, out) || Same(text, out) == nil) {
		return out, err
	}
	kept := *f
	kept.retain, kept.retainSingle = true, false
	second, fault := kept.passes(ctx, text)
	if _, skipped := engine.SkipReason(fault); fault != nil && !skipped {
		return nil, fault
	} else if skipped || Same(text, second) != nil {
		return out, err
	}
	return second, nil
}

// maxPasses is how often a text is formatted at most.
const maxPasses = 5

// passes formats text until nothing changes; the result may still do so.
func (f *formatter) passes(ctx context.Context, text []byte) ([]byte, error) {
	for range maxPasses {
		out, err := f.library(ctx, text)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(out, text) {
			out = mend(text, out)
		}
		if bytes.Equal(out, text) {
			return out, nil
		}
		text = out
	}
	return text, nil
}

// library runs yamlfmt on text.
func (f *formatter) library(ctx context.Context, text []byte) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, engine.Skip(fmt.Sprintf("yamlfmt cannot format it: %v", r))
		}
	}()
	for _, ours := range []string{blank, beside} {
		if bytes.Contains(text, []byte(ours)) {
			return nil, engine.Skip("it has the comment " + ours)
		}
	}
	docs, err := f.decode(ctx, f.before(detach(text)))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := f.encoder(&b)
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.Encode(&docs[i]); err != nil {
			return nil, refuse(err)
		}
	}
	return f.attach(f.after(b.Bytes())), nil
}

func refuse(err error) error { return engine.Skip("yamlfmt cannot format it: " + err.Error()) }

func (f *formatter) decode(ctx context.Context, text []byte) ([]upstream.Node, error) {
	d := upstream.NewDecoder(bytes.NewReader(text))
	d.SetScanBlockScalarAsLiteral(f.foldedLiteral)
	var docs []upstream.Node
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var n upstream.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, refuse(err)
		}
		if err := f.prepare(&n); err != nil {
			return nil, err
		}
		docs = append(docs, n)
	}
}

package js

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// minified is the judge of these tests: what esbuild makes of a text, which
// tells code apart, but neither comments nor types.
func minified(text []byte, d Dialect) (string, bool) {
	loader := map[Dialect]api.Loader{JavaScript: api.LoaderJSX, TypeScript: api.LoaderTS, TSX: api.LoaderTSX}[d]
	r := api.Transform(string(text), api.TransformOptions{
		Loader: loader, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone, JSX: api.JSXTransform, LogLevel: api.LogLevelSilent, Target: api.ESNext,
		TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true,"verbatimModuleSyntax":true}}`,
	})
	code := strings.TrimLeft(string(r.Code), ";")
	for _, empty := range []string{";;", "};", "{;", ";}"} { // empty statements, which layout may drop
		for strings.Contains(code, empty) {
			code = strings.ReplaceAll(code, empty, strings.Replace(empty, ";", "", 1))
		}
	}
	return code, len(r.Errors) == 0
}

// cuts are the offsets where tokens of a text start and end, roughly.
func cuts(text []byte) [][2]int {
	var out [][2]int
	for i := 0; i < len(text); {
		j := i + 1
		if isWord(text[i]) {
			for j < len(text) && isWord(text[j]) {
				j++
			}
		}
		if !isBlank(text[i]) || text[i] == '\n' {
			out = append(out, [2]int{i, j})
		}
		i = j
	}
	return out
}

// inserts are put between tokens.
var inserts = []string{
	";", "\n", ",", "(", ")", "{", "}", "[", "]", " ", "+", "-", "++", "!", "a", "0", "'use strict';", "return ", "async ", "await ", "?.", ".", "=", "=>", "*", ":", "?", "<", ">", "/",
	"...", "`", "\"", "new ", "static ", "get ", "let ", "if(a)", "else ", "\\",
}

// mutate changes a text at random.
func mutate(text []byte, r *rand.Rand) []byte {
	all := cuts(text)
	a := all[r.IntN(len(all))]
	var out []byte
	switch r.IntN(5) {
	case 0: // drop
		return append(append(out, text[:a[0]]...), text[a[1]:]...)
	case 1: // repeat
		return append(append(append(out, text[:a[1]]...), text[a[0]:a[1]]...), text[a[1]:]...)
	case 2: // swap with the next
		i := r.IntN(len(all) - 1)
		x, y := all[i], all[i+1]
		out = append(append(out, text[:x[0]]...), text[y[0]:y[1]]...)
		out = append(append(out, text[x[1]:y[0]]...), text[x[0]:x[1]]...)
		return append(out, text[y[1]:]...)
	case 3: // another token
		b := all[r.IntN(len(all))]
		return append(append(append(out, text[:a[0]]...), text[b[0]:b[1]]...), text[a[1]:]...)
	default:
		s := inserts[r.IntN(len(inserts))]
		return append(append(append(out, text[:a[0]]...), s...), text[a[0]:]...)
	}
}

func TestMutationsAreSeen(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for name, text := range samples(t) {
		d := dialectOf(name)
		want, ok := minified(text, d)
		if !ok {
			t.Fatalf("%s: the judge does not read it", name)
		}
		seen, other := 0, 0
		for range 600 {
			changed := mutate(text, r)
			got, ok := minified(changed, d)
			err := Same(text, changed, d)
			if ok && got != want && err == nil {
				t.Errorf("%s: a change is not seen:\n%s", name, around(text, changed))
			}
			if ok && got != want {
				seen++
			} else if err == nil {
				other++
			}
		}
		if seen < 30 || other < 12 {
			t.Errorf("%s: %d changes and %d others: the mutations are too weak", name, seen, other)
		}
	}
}

// around shows where two texts differ.
func around(a, b []byte) []byte {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s []byte) []byte { return s[max(0, i-40):min(len(s), i+40)] }
	return bytes.Join([][]byte{cut(a), cut(b)}, []byte("\n--- became\n"))
}

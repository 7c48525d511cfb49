package python

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// oracle asks the reference implementation about texts. It returns the minor
// version of that, and for each text a digest of its syntax, "-" if it is none.
func oracle(t *testing.T, texts [][]byte) (minor uint8, digests []string) {
	t.Helper()
	var in bytes.Buffer
	for _, text := range texts {
		fmt.Fprintf(&in, "%d\n", len(text))
		in.Write(text)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "testdata/oracle.py")
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(texts)+1 {
		t.Fatalf("%d lines for %d texts", len(lines), len(texts))
	}
	v, err := strconv.Atoi(strings.TrimPrefix(lines[0], "3."))
	if err != nil {
		t.Fatal(err)
	}
	return uint8(v), lines[1:]
}

// library returns the files of the library of the reference implementation, at
// most about as many as wanted.
func library(t *testing.T, wanted int) [][]byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(out))
	var names []string
	for _, pattern := range []string{"*.py", "*/*.py", "*/*/*.py"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 300 {
		t.Fatalf("%d files in %s: no library", len(names), dir)
	}
	var texts [][]byte
	for i := 0; i < len(names); i += 1 + len(names)/wanted {
		text, err := os.ReadFile(names[i])
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestLibrary compares what is Python with the reference implementation's view.
func TestLibrary(t *testing.T) {
	t.Parallel()
	texts := library(t, 150)
	minor, digests := oracle(t, texts)
	for i, text := range texts {
		tree, bad := read(text)
		switch {
		case bad != nil && digests[i] != "-" && readable(text):
			t.Errorf("text %d, line %d: %s; CPython takes it\n%.300s", i, bad.line(text), bad.why, text)
		case bad == nil && digests[i] == "-" && tree.needs <= minor:
			t.Errorf("text %d: CPython does not take it\n%.300s", i, text)
		}
	}
}

// piecesOf cuts texts where a line starts with a name, and keeps what is Python
// and short.
func piecesOf(texts [][]byte) [][]byte {
	var out [][]byte
	for _, text := range texts {
		var piece []byte
		for line := range bytes.Lines(text) {
			if len(piece) > 150 && classes[line[0]] == cWord {
				if _, bad := read(piece); bad == nil && len(piece) < 1500 {
					out = append(out, piece)
				}
				piece = nil
			}
			piece = append(piece, line...)
		}
	}
	return out
}

// extra is Python that the library has little of. What CPython is too old for is
// left out.
var extra = []string{
	"match a, b:\n    case [x, (y), *_] | {'k': -1 + 2j, **r} if z:\n        f(x)\n    case A.B(c, d=e) as g:\n        return\n    case _: pass\n",
	"with (open(a) as b, c): del (d, [e]), f[1, 2]\nwith (a, b): pass\nwith (a), b as (c, d): pass\n",
	"async def f(a, /, b: int = 1, *c, d=2, **e) -> (x):\n    async for i in await g(): yield i\n    async with h as j: pass\n    return [k async for k in l if m if n]\n",
	"x = f'a{b!r:>{c}}d{{e}}' 'f' f\"{g=:}{h['i']}\"\ny = rb'\\x' b'\\x41\\101'\nz = '\\N{EM DASH}\\u0041\\\n'\n",
	"try:\n    a\nexcept* (b, c) as d:\n    raise e from f\nelse:\n    pass\nfinally:\n    lambda *g, h=1, **i: (yield)\n",
	"a: int = 1\n(b): str\nc.d: list[int] = *e, f\ng = h = *i, j = k\nl @= m\nn = o if p else q if r else s\nif (t := u): v[w:=1, x:y:z, ::]\n",
	"x = not a in b is not c not in d < e != f\ny = -a ** -b ** c // ~d\nz = (a for b in c), [*d, e], {*f}, {**g, 'h': i}, {j: k for l in m}\nassert (a, b), c\n",
	"from . import a\nfrom ...b.c import (d as e, f,)\nimport g.h as i, j\nfrom k import *\nglobal l, m\n",
	"@a.b(c)\n@d\nclass E(F, *g, metaclass=H, **i):\n    '''doc\n      string\n    '''\n    def j(self): 'doc'; return 0x_Ff, 1_0.5e-3j, 0o17, 00, 1if k else 2\n",
	"type X[T: int = str, *U = *V, **W = []] = T | U\ntype = 1\ntype(x)\ndef f[T](a: T, *b: *c) -> T: pass\nclass G[H](I): pass\n",
	"try: a\nexcept b, c: d\nexcept e as f: g\n",
	"x = f'{a['b']}{f'{c!r:{d}}'}{ # e\n f}'\nz = f'{\"\\n\".join(k)}' f'''{\nl:\nm}'''\n",
	"x = rf'\\{c}\\d' f'\\N{EM DASH}{{}}' f'{(lambda: e)}' f'{a!s:{b}c{d}}'\n",
	"with (a, b as c): pass\nwith (d, e): pass\nwith (f), g as h: pass\nwith (a := b): pass\n",
	"match a:\n  case b.c: c\n  case -1: d\n  case {**e}: f\n  case {1: g, **h}: i\n  case J(): k\n  case (l | m) as n: o\n  case (*p,): q\n  case (): r\n",
	"f(a, *b, c=d, **e)\nf(*a, b)\nf(a for b in c)\nf(a := b)\nf(**a, b=c)\nclass A(b, *c, d=e, **f): ...\n",
	"def f(a, b=1, /, c=2, *, d, e=3, **g): pass\ndef f(*, a): pass\ndef f(*a, b): pass\nlambda a, /, *b, c, **d: e\nlambda: f\nlambda *, a: b\n",
	"(a): b\na.b: c = d\na[b]: c\n(a) += b\n[a, b] = c\n(a, *b) = c\nfor a, *b in *c, d: e\ndel a, (b), [c, d]\n*a, = b\n",
	"def f():\n\tif a:\n\t\treturn\n\telif b: pass\n\telse:\n\t\tfor c, in d: continue\n\twhile 1: break\n",
}

// spare is what comes into a text.
var spare = []string{
	"(", ")", "[", "]", "{", "}", ",", ":", ";", "=", ":=", "==", "*", "**", ".", "->", "@", "+", "-", "~", "<", "not", "in", "is", "if", "else",
	"for", "lambda", "yield", "await", "async", "pass", "del", "as", "None", "x", "_", "1", "1.0", "'a'", "b'a'", "f'{x}'", "...", "\n", "\n    ", "\\\n", "#c\n",
}

// mutate changes a text somewhere.
func mutate(r *rand.Rand, text []byte) []byte {
	l := lexer{src: text}
	l.run()
	toks := slices.DeleteFunc(slices.Clone(l.toks), func(t token) bool { return t.start == t.end })
	if len(toks) < 2 {
		return text
	}
	i := r.IntN(len(toks) - 1)
	t, next := toks[i], toks[i+1]
	put := func(from, to uint32, with string) []byte {
		return slices.Concat(text[:from], []byte(with), text[to:])
	}
	own := string(text[t.start:t.end])
	switch r.IntN(12) {
	case 0:
		return put(t.start, t.end, "")
	case 1:
		return put(t.start, t.end, own+" "+own)
	case 2:
		return put(t.start, next.end, string(text[next.start:next.end])+string(text[t.end:next.start])+own)
	case 3:
		other := toks[r.IntN(len(toks))]
		return put(t.start, t.end, string(text[other.start:other.end]))
	case 4:
		return put(t.start, t.end, spare[r.IntN(len(spare))])
	case 5:
		return put(t.start, t.start, spare[r.IntN(len(spare))]+" ")
	case 6:
		return put(t.start, t.end, "("+own+")")
	case 7:
		return put(t.start, t.end, own+",")
	case 8:
		at := t.start + uint32(r.IntN(len(own)))
		return put(at, at+1, string("a0 '\"\\{}_\n"[r.IntN(10)]))
	case 9:
		return moveLine(r, text)
	case 10:
		return put(t.end, next.start, [...]string{" ", "", "\n", "\\\n", "\t", " # c\n", "\r\n", "\f"}[r.IntN(8)])
	}
	return indentLine(r, text)
}

func indentLine(r *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i := r.IntN(len(lines))
	switch n := r.IntN(4); n {
	case 0:
		lines[i] = append([]byte("    "), lines[i]...)
	case 1:
		lines[i] = append([]byte("\t"), lines[i]...)
	default:
		lines[i] = bytes.TrimPrefix(lines[i], []byte("    "))
	}
	return bytes.Join(lines, nil)
}

func moveLine(r *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	lines[i], lines[j] = lines[j], lines[i]
	return bytes.Join(lines, nil)
}

// TestMutations changes texts at random and compares the verdict on every change
// with the reference implementation's.
func TestMutations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := piecesOf(library(t, 60))
	if len(pieces) > 120 {
		r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		pieces = pieces[:120]
	}
	minor, _ := oracle(t, nil)
	for _, text := range extra {
		if tree, bad := read([]byte(text)); bad != nil || tree.needs <= minor {
			pieces = append(pieces, []byte(text))
		}
	}
	const each = 40
	var texts [][]byte
	for _, piece := range pieces {
		texts = append(texts, piece)
		for range each {
			texts = append(texts, mutate(r, piece))
		}
	}
	_, digests := oracle(t, texts)
	equal, unequal, none := 0, 0, 0
	for i := 0; i < len(texts); i += each + 1 {
		a, bad := read(texts[i])
		if bad != nil || digests[i] == "-" {
			t.Errorf("%q: %v, CPython says %s", texts[i], bad, digests[i])
			continue
		}
		for j := i + 1; j <= i+each; j++ {
			b, bad := read(texts[j])
			switch want := digests[j]; {
			case bad != nil && want == "-":
				none++
			case bad != nil:
				t.Errorf("%d: %q became\n%q, which CPython takes: line %d: %s", j, texts[i], texts[j], bad.line(texts[j]), bad.why)
			case want == "-":
				if b.needs <= minor {
					t.Errorf("%d: %q became\n%q, which CPython does not take", j, texts[i], texts[j])
				}
			default:
				d := sameSyntax(a, b, false)
				if d == nil {
					equal++
				} else {
					unequal++
				}
				if (d == nil) != (want == digests[i]) {
					t.Errorf("%d: %q became\n%q: %v; CPython says otherwise", j, texts[i], texts[j], d)
				}
			}
		}
	}
	if equal < 300 || unequal < 300 || none < 300 {
		t.Errorf("%d equal, %d unequal, %d no Python: too few of one kind", equal, unequal, none)
	}
	t.Logf("%d equal, %d unequal, %d no Python", equal, unequal, none)
}

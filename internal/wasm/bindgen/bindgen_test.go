package bindgen

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"poly/internal/wasm"
)

// good is a puppet that keeps the rules: malloc gives the second half of the
// memory, run returns the text of seven bytes at 16.
func good(externref bool) *puppet {
	return &puppet{externref: externref, malloc: 1 << 15, slot: 5, stack: 1 << 12, results: [4]uint32{16, 7}}
}

func both(t *testing.T, f func(t *testing.T, externref bool)) {
	t.Helper()
	for _, externref := range []bool{false, true} {
		t.Run(map[bool]string{false: "heap", true: "externref"}[externref], func(t *testing.T) {
			t.Parallel()
			f(t, externref)
		})
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, externref bool) {
		t.Helper()
		i := good(externref).open(t)
		i.write(16, []byte("grüße"))
		got, err := i.Text(t.Context(), "text", "in", nil)
		if err != nil || string(got) != "grüße" {
			t.Errorf("Text = %q, %v, want grüße", got, err)
		}
		if in := string(i.view(1<<15, 2)); in != "in" {
			t.Errorf("the argument lies in memory as %q", in)
		}
		if err := i.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestLongText: a long text that comes again is kept once, and another of its
// size is not taken for it.
func TestLongText(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, externref bool) {
		t.Helper()
		i := good(externref).open(t)
		const at = 1 << 14
		source := strings.Repeat("a", longText)
		i.write(at, []byte(source))
		first, again := i.text(at, longText), i.text(at, longText)
		if unsafe.StringData(first) != unsafe.StringData(again) || first != source {
			t.Error("a long text that comes twice is kept twice")
		}
		i.write(at+7, []byte("b"))
		if got := i.text(at, longText); got == source || got[7] != 'b' || first != source {
			t.Errorf("text = %.9q, want the one in memory", got)
		}
	})
}

func TestThrownErrors(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, externref bool) {
		t.Helper()
		p := good(externref)
		p.results = [4]uint32{0, 0, 5, 1}
		i := p.open(t)
		i.heap.values = append(i.heap.values, &errorValue{"expected `;`"})
		if externref {
			i.refs.put(t.Context(), 5, uint64(len(i.heap.values)-1))
		} else {
			i.heap.values[5] = i.heap.values[len(i.heap.values)-1]
		}
		_, err := i.Call(t.Context(), "text", "in", nil)
		thrown, ok := errors.AsType[*ThrownError](err)
		if !ok || thrown.Message != "expected `;`" {
			t.Errorf("Call = %v, want the message that was thrown", err)
		}
		if i.Broken() {
			t.Error("an error of the module broke the instance")
		}
	})
}

// TestBroken has modules that break the rules, each in one way.
func TestBroken(t *testing.T) {
	t.Parallel()
	const far = 1 << 30
	cases := map[string]func(p *puppet){
		"trap":                   func(p *puppet) { p.traps = true },
		"text beyond memory":     func(p *puppet) { p.results = [4]uint32{far, 10} },
		"length beyond memory":   func(p *puppet) { p.results = [4]uint32{0, far} },
		"length of all":          func(p *puppet) { p.results = [4]uint32{1, 0xffffffff} },
		"memory beyond memory":   func(p *puppet) { p.malloc = far },
		"exception out of range": func(p *puppet) { p.results = [4]uint32{0, 0, far, 1} },
		"value out of range":     func(p *puppet) { p.steps = []doing{{op: "setMap", operands: []uint32{far, far, far}}} },
		"text of an error":       func(p *puppet) { p.steps = []doing{{op: "throw", operands: []uint32{far, 9}}} },
		"text of a panic":        func(p *puppet) { p.steps = []doing{{op: "complainText", operands: []uint32{far, 9}}} },
		"answer beyond memory":   func(p *puppet) { p.steps = []doing{{op: "string", operands: []uint32{far, 0}}} },
		"number beyond memory":   func(p *puppet) { p.steps = []doing{{op: "number?", operands: []uint32{far, 0}}} },
		"step of no iterator":    func(p *puppet) { p.steps = []doing{{op: "step"}} },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, externref bool) {
				t.Helper()
				p := good(externref)
				change(p)
				i := p.open(t)
				_, err := i.Call(t.Context(), "text", "in", nil)
				if _, ok := errors.AsType[*wasm.Trap](err); !ok || !i.Broken() {
					t.Errorf("Call = %v, broken = %v, want a Trap and a broken instance", err, i.Broken())
				}
				if _, err := i.Call(t.Context(), "text", "in", nil); err == nil {
					t.Error("a broken instance takes calls")
				}
			})
		})
	}
}

// TestComplaint: what a panic says before it traps is the reason.
func TestComplaint(t *testing.T) {
	t.Parallel()
	p := good(true)
	p.steps = []doing{{op: "complainText", operands: []uint32{64, 30}}}
	p.traps = true
	i := p.open(t)
	i.write(64, []byte("panicked at a.rs:\nindex 1 beyond 0"))
	_, err := i.Call(t.Context(), "text", "in", nil)
	if err == nil || !strings.Contains(err.Error(), "panicked at a.rs") {
		t.Errorf("Call = %v, want what the module said", err)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	i := good(true).open(t)
	for name, args := range map[string][]any{
		"too few":   {"in"},
		"no text":   {7, nil},
		"not UTF-8": {"\xff", nil},
		"no value":  {"in", struct{}{}},
	} {
		if _, err := i.Call(t.Context(), "text", args...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := i.Call(t.Context(), "nothing"); err == nil {
		t.Error("an unknown export: no error")
	}
	if i.Broken() {
		t.Error("wrong arguments broke the instance")
	}
}

// TestSweep: what the module no longer holds is forgotten, what it holds stays.
func TestSweep(t *testing.T) {
	t.Parallel()
	i := good(true).open(t)
	kept := i.heap.add("kept")
	i.refs.put(t.Context(), 7, kept)
	for range 3 * sweepAt {
		i.heap.add(&objectValue{})
	}
	if _, err := i.Call(t.Context(), "text", "in", nil); err != nil {
		t.Fatal(err)
	}
	if held := i.heap.held(); held > sweepAt {
		t.Errorf("%d values are held after a sweep", held)
	}
	if got := i.heap.get(i.refs.at(t.Context(), 7)); got != "kept" {
		t.Errorf("slot 7 holds %v, want kept", got)
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	o := &objectValue{}
	o.set("self", o)
	if _, err := toGo(o); err == nil {
		t.Error("toGo of an object that holds itself: no error")
	}
	a := &arrayValue{}
	a.items = []any{a, a, a}
	if got := describe(a); got != "[[...], [...], [...]]" {
		t.Errorf("describe = %s", got)
	}
}

func FuzzHostile(f *testing.F) {
	f.Add(true, []byte("\x00\x10\x20"), uint32(1<<15), uint32(1), uint32(4096), uint32(16), uint32(7), uint32(0), uint32(0))
	f.Add(false, []byte("\x05\xff\xff\xff"), uint32(1<<31), uint32(1<<31), uint32(0), uint32(1<<31), uint32(1<<31), uint32(1), uint32(1))
	names := opNames()
	f.Fuzz(func(t *testing.T, externref bool, script []byte, malloc, slot, stack, r0, r1, r2, r3 uint32) {
		p := &puppet{externref: externref, catches: true, malloc: malloc, slot: slot, stack: stack, results: [4]uint32{r0, r1, r2, r3}}
		for len(script) >= 5 && len(p.steps) < 64 {
			s := doing{op: names[int(script[0])%len(names)], keep: uint32(script[4])}
			for _, b := range script[1:4] {
				v := uint32(b)
				if b >= 0xf0 {
					v <<= 24
				} else if b >= 0xe0 {
					v <<= 8
				}
				s.operands = append(s.operands, v)
			}
			p.steps = append(p.steps, s)
			script = script[5:]
		}
		i := p.open(t)
		for range 2 {
			_, err := i.Call(t.Context(), "text", "grüße", map[string]any{"a": []any{1.5, true, nil, "x"}})
			if _, trap := errors.AsType[*wasm.Trap](err); i.Broken() && !trap {
				t.Fatalf("broken by %v", err)
			}
		}
		if err := i.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

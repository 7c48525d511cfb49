package graphql

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

const sample = "# a\nquery q($b: [Int!]! = [1, -2.5e3], $c: S = \"d\\\"\") @e(f: {g: ENUM}) {\n  h: i(j: $b) { ...k ... on L { m } }\n}\n" +
	"\"\"\"\nn\n  o\n\"\"\"\ntype P implements Q & R { s(t: U = null): V! } # w\nunion X = Y | Z\nextend schema @z\n"

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"blanks", "query q{a,b}", "query q {\n  a\n  b\n}\n"},
		{"first bar", "union A=B|C", "union A =\n  | B\n  | C"},
		{"first ampersand", "type A implements & B & C", "type A implements B & C"},
		{"locations", "directive @a on | B | C", "directive @a on B | C"},
		{"block strings", "\"\"\"a\n    b\"\"\" type C", "\"\"\"\na\nb\n\"\"\"\ntype C"},
		{"comments", "#a\ntype B", "# a\ntype B"},
		{"CRLF", "\"\"\"\r\na\r\nb\r\n\"\"\" type C", "\"\"\"\na\nb\n\"\"\"\ntype C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(c.before), []byte(c.after)); err != nil {
				t.Error(err)
			}
			if err := Same([]byte(c.after), []byte(c.before)); err != nil {
				t.Errorf("the other way: %v", err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"a comment goes", "type A # b", "type A"},
		{"a comment moves", "# a\ntype B", "type\n# a\nB"},
		{"a string", `query(a: "b  c")`, `query(a: "b c")`},
		{"an escape", `query(a: "\u0041")`, `query(a: "A")`},
		{"a block string", "\"\"\"\na\n b\n\"\"\" type C", "\"\"\"\na\nb\n\"\"\" type C"},
		{"a block string of a line", "\"\"\"a\"\"\" type C", "\"a\" type C"},
		{"words become one", "query a b", "query ab"},
		{"the order", "{ a b }", "{ b a }"},
		{"a spread", "{ ...a }", "{ a }"},
		{"a mark", "type A { b: C! }", "type A { b: C }"},
		{"an end", "{ a } { b }", "{ a }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if Same([]byte(c.before), []byte(c.after)) == nil || Same([]byte(c.after), []byte(c.before)) == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", "}", "{ a )", `"a`, `"""a`, "a ? b", "a\xff", "${a}`"} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte(text), []byte("{ a }"))); !ok {
			t.Errorf("judged: %q", text)
		}
		if _, ok := errors.AsType[*guard.Broken](Same([]byte("{ a }"), []byte(text))); !ok {
			t.Errorf("not broken: %q", text)
		}
	}
}

// TestMutations takes a character away, doubles it or puts another in its place:
// the guard must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	if err := Same([]byte(sample), []byte(sample+"\n")); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		i := r.IntN(len(sample))
		if strings.IndexByte(" \n,", sample[i]) >= 0 {
			continue
		}
		got := sample[:i] + sample[i+1:]
		switch r.IntN(3) {
		case 0:
			got = sample[:i] + string(sample[i]) + sample[i:]
		case 1:
			got = sample[:i] + "_" + sample[i+1:]
		}
		if Same([]byte(sample), []byte(got)) == nil || Same([]byte(got), []byte(sample)) == nil {
			t.Fatalf("offset %d: accepted:\n%s", i, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, "{ a }")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after))
		if _, ok := errors.AsType[*guard.Difference](Same([]byte(before), []byte(before+"\n"))); ok {
			t.Error("a line ending at the end is a difference")
		}
	})
}

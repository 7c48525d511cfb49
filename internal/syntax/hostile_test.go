//go:build cgo && !notreesitter

package syntax

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile are texts that parsers fall over. Nobody says what their tree is, only
// that there is one, or the error that it takes too long.
func hostile() map[string]string {
	const many = 1 << 11
	return map[string]string{
		"empty":             "",
		"NUL":               "a\x00b = \x00\x00\n",
		"BOM":               "\ufeffa = 1\n",
		"CRLF":              "a = (\r\n 1\r\n)\r\n",
		"lone CR":           "a\rb\r",
		"no UTF-8":          "\xff\xfe\x80a = \xc3(\"\xe2\x82\")",
		"one newline":       "\n",
		"blanks":            strings.Repeat(" ", many),
		"lines":             strings.Repeat("\n", many),
		"open brackets":     strings.Repeat("(", many),
		"open braces":       strings.Repeat("{", many),
		"open squares":      strings.Repeat("[", many),
		"more brackets":     strings.Repeat("(", 100_000),
		"more braces":       strings.Repeat("{", 100_000),
		"more squares":      strings.Repeat("[", 100_000),
		"closed":            strings.Repeat("(", many) + strings.Repeat(")", many),
		"closing":           strings.Repeat(")]}", many),
		"quotes":            strings.Repeat("\"", many),
		"backticks":         strings.Repeat("`${", many),
		"angles":            strings.Repeat("a<", many),
		"tags":              strings.Repeat("<a>", many),
		"other tags":        differentTags(600),
		"operators":         strings.Repeat("-", many),
		"minus one":         strings.Repeat("- 1 ", many),
		"else if":           strings.Repeat("if (a) {} else ", many),
		"deeper and deeper": indented(600),
		"here documents":    strings.Repeat("<<A <<-'B' ", 1000),
		"quote levels":      strings.Repeat("> - # ``` ", 1000),
		"raw strings":       "r" + strings.Repeat("#", 300) + "\"" + "R\"" + strings.Repeat("x", 2000) + "(" + "[" + strings.Repeat("=", 2000) + "[",
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String()
}

func differentTags(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<" + strings.Repeat("x", i%400+1) + ">")
	}
	return b.String()
}

func TestHostile(t *testing.T) {
	t.Parallel()
	texts := hostile()
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			p := new(Parser)
			defer p.Close()
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				tree, err := p.Parse(l, []byte(texts[name]))
				if errors.Is(err, ErrLimit) {
					t.Logf("%s: %v", name, err)
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				sound(t, tree)
			}
		})
	}
}

// TestDeep: a million brackets are a tree, and one that takes no stack to walk.
func TestDeep(t *testing.T) {
	t.Parallel()
	const n = 1 << 20
	tree := parse(t, "go", "package p; var _ = "+strings.Repeat("(", n)+"1"+strings.Repeat(")", n))
	if len(tree.Nodes) < 3*n {
		t.Errorf("%d nodes", len(tree.Nodes))
	}
}

// TestLimit: a parse that is stopped, wherever it is, leaves no trace in the
// next one. The runtime resumes what was stopped, even for another text.
func TestLimit(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("x = [1, (2, 3), {4: 5}]\n", 4000))
	python, _ := ByName("python")
	p := &Parser{limit: 1}
	defer p.Close()
	stopped := 0
	for {
		tree, err := p.Parse(python, text)
		if err == nil {
			sound(t, tree)
			break
		}
		if !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		stopped++
		limit := p.limit
		p.limit = time.Minute
		tree, err = p.Parse(python, []byte("f(1)"))
		if err != nil || len(tree.Nodes) != 8 {
			t.Fatalf("after %v: %v", limit, err)
		}
		p.limit = limit*5/4 + 1000
	}
	if stopped == 0 {
		t.Error("nothing was stopped")
	}
}

func TestTooBig(t *testing.T) {
	t.Parallel()
	l, _ := ByName("go")
	var p Parser
	if _, err := p.Parse(l, make([]byte, MaxText+1)); !errors.Is(err, ErrTooBig) {
		t.Errorf("err = %v", err)
	}
}

package buildifier

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"poly/internal/engine"
)

// Same reports whether two texts are the same program with the same comments,
// but for what buildifier is meant to change: the order of loads, of named
// arguments and of lists of strings that are arguments or marked to be sorted,
// where equal strings become one; redundant parts of labels; blanks in the
// docstring of a function. It uses another parser than the formatter.
func Same(before, after []byte) error {
	one, ends := engine.Plain(before)
	two, _ := engine.Plain(after)
	if ends.Mixed {
		one, two = before, after
	}
	a, err := read(string(one))
	if err != nil {
		return fmt.Errorf("the guard cannot read the original: %w", err)
	}
	b, err := read(string(two))
	if err != nil {
		return fmt.Errorf("the guard cannot read the result: %w", err)
	}
	for i := range min(len(a.statements), len(b.statements)) {
		x, y := a.statements[i], b.statements[i]
		if s, t := x.String(), y.String(); s != t {
			s, t = around(s, t)
			return fmt.Errorf("the statement at line %d is %q, in the result at line %d %q", x.line, s, y.line, t)
		}
	}
	if n, m := len(a.statements), len(b.statements); n != m {
		return fmt.Errorf("there are %d statements, %d in the result", n, m)
	}
	if !slices.Equal(a.loads, b.loads) {
		return fmt.Errorf("the loads differ: %q, in the result %q", a.loads, b.loads)
	}
	return sameComments(a.comments, b.comments)
}

func sameComments(a, b []string) error {
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(b) || i < len(a) && a[i] < b[i]:
			return fmt.Errorf("comment %q was lost", a[i])
		case i == len(a) || a[i] > b[i]:
			return fmt.Errorf("comment %q was added", b[i])
		}
	}
	return nil
}

// around cuts two texts to where they start to differ.
func around(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	start := max(0, i-20)
	return a[start:min(len(a), i+40)], b[start:min(len(b), i+40)]
}

// program is all that two texts are compared by.
type program struct {
	statements []*node
	loads      []string // sorted
	comments   []string // sorted
}

func read(text string) (program, error) {
	all, comments, err := parseAll(text)
	if err != nil {
		return program{}, err
	}
	slices.Sort(comments)
	p := program{comments: comments}
	c := canon{sorted: slices.ContainsFunc(comments, func(c string) bool { return strings.Contains(strings.ToLower(c), "keep sorted") })}
	for _, s := range all {
		if symbols, ok := loaded(s); ok {
			p.loads = append(p.loads, symbols...)
			continue
		}
		c.node(s)
		p.statements = append(p.statements, s)
	}
	slices.Sort(p.loads)
	p.loads = slices.Compact(p.loads)
	return p, nil
}

// loaded returns what a load statement says, symbol by symbol.
func loaded(s *node) ([]string, bool) {
	if s.op != "call" || s.kids[0].op != "name" || s.kids[0].text != "load" || len(s.kids) < 2 || s.kids[1].op != "string" {
		return nil, false
	}
	module := s.kids[1].text
	out := []string{module}
	for _, a := range s.kids[2:] {
		switch {
		case a.op == "string":
			out = append(out, module+" "+a.text+"="+a.text)
		case a.op == "named" && a.kids[0].op == "string":
			out = append(out, module+" "+a.text+"="+a.kids[0].text)
		default:
			return nil, false
		}
	}
	return out, true
}

// canon brings nodes into the form that all texts buildifier takes for equal have.
type canon struct {
	sorted bool // a comment asks for sorted lists
}

func (c canon) node(n *node) {
	for _, k := range n.kids {
		c.node(k)
	}
	switch n.op {
	case "doc":
		n.text = dedented(n.text)
	case "list":
		if c.sorted {
			sortStrings(n, 0)
		}
	case "call":
		c.call(n)
	}
}

// call brings the arguments of a call into order: those without a name as they
// are, the others by name.
func (c canon) call(n *node) {
	args := n.kids[1:]
	slices.SortStableFunc(args, func(a, b *node) int {
		if x, y := a.op == "named", b.op == "named"; !x || !y {
			return cmp.Compare(weight(x), weight(y))
		}
		return strings.Compare(a.text, b.text)
	})
	for _, a := range args {
		if a.op == "named" {
			c.value(a.kids[0])
		}
	}
	if f := n.kids[0]; f.op == "name" {
		switch f.text {
		case "use_repo":
			sortStrings(n, 2)
		case "visibility":
			for _, a := range args {
				c.value(a)
			}
		}
	}
}

func weight(named bool) int {
	if named {
		return 1
	}
	return 0
}

// value sorts the lists in the value of an argument, and shortens its labels.
func (c canon) value(n *node) {
	switch n.op {
	case "string":
		n.text = label(n.text)
	case "list":
		for _, k := range n.kids {
			if k.op == "string" {
				k.text = label(k.text)
			}
		}
		sortStrings(n, 0)
	case "+":
		c.value(n.kids[0])
		c.value(n.kids[1])
	case "call":
		if n.kids[0].text != "select" || len(n.kids) < 2 || n.kids[1].op != "dict" {
			return
		}
		for _, pair := range n.kids[1].kids {
			if pair.op == "pair" {
				c.value(pair.kids[1])
			}
		}
	}
}

// sortStrings sorts the strings among the parts of n from one on, and drops
// those that are equal to others. The other parts keep their order, and come first.
func sortStrings(n *node, from int) {
	if len(n.kids) < from {
		return
	}
	kids := n.kids[from:]
	slices.SortStableFunc(kids, func(a, b *node) int {
		if x, y := a.op == "string", b.op == "string"; !x || !y {
			return cmp.Compare(weight(x), weight(y))
		}
		return strings.Compare(a.text, b.text)
	})
	kids = slices.CompactFunc(kids, func(a, b *node) bool { return a.op == "string" && b.op == "string" && a.text == b.text })
	n.kids = n.kids[:from+len(kids)]
}

// label drops from a label what it says twice.
func label(s string) string {
	head, target, ok := strings.Cut(s, ":")
	repository, pkg, absolute := strings.Cut(head, "//")
	if !ok || !absolute || strings.Contains(target, ":") {
		return s
	}
	repository = strings.TrimPrefix(repository, "@")
	switch {
	case pkg[strings.LastIndexByte(pkg, '/')+1:] == target:
		return head
	case pkg == "" && repository == target:
		return "@" + repository
	}
	return s
}

// dedented drops the blanks around the lines of a docstring.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.Trim(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// number returns what a number is, whatever it is written like.
func number(s string) string {
	if len(s) > 1 && s[0] == '0' && digit(s[1]) && !strings.ContainsAny(s, ".eE") {
		s = "0o" + s[1:]
	}
	if i, ok := new(big.Int).SetString(s, 0); ok {
		return i.String()
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return "float " + strconv.FormatFloat(f, 'g', -1, 64)
	}
	return s
}

// String writes a node so that different ones are written differently.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.op {
	case "string", "docstring":
		b.WriteString(strconv.Quote(n.text))
	case "doc":
		b.WriteString("doc" + strconv.Quote(n.text))
	default:
		b.WriteString(n.op + " " + n.text)
	}
	if len(n.kids) == 0 {
		return
	}
	b.WriteByte('(')
	for i, k := range n.kids {
		if i > 0 {
			b.WriteString(", ")
		}
		k.write(b)
	}
	b.WriteByte(')')
}

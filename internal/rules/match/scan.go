package match

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// Scanner looks for the matches of rules of one language. It is immutable.
type Scanner struct {
	rules  []*Rule
	byKind [][]int32 // indexes into rules, by kind
	errors []int32   // of rules that match nodes that did not parse
}

// NewScanner returns a scanner for rules of one language: those without a fix
// first, by id.
func NewScanner(rules []*Rule) *Scanner {
	s := &Scanner{rules: slices.Clone(rules)}
	slices.SortStableFunc(s.rules, func(a, b *Rule) int {
		if a.fixable != b.fixable {
			if a.fixable {
				return 1
			}
			return -1
		}
		return strings.Compare(a.ID, b.ID)
	})
	for i, r := range s.rules {
		for _, k := range r.core.known.all() {
			if k == errorKind {
				s.errors = append(s.errors, int32(i))
				continue
			}
			for len(s.byKind) <= int(k) {
				s.byKind = append(s.byKind, nil)
			}
			s.byKind[k] = append(s.byKind[k], int32(i))
		}
	}
	return s
}

// Rules returns the rules in the order in which they are tried.
func (s *Scanner) Rules() []*Rule { return s.rules }

// Match is where a rule matches.
type Match struct {
	Rule *Rule
	Node Node
	env  *env
}

// Result is what a scan found, in the order of the nodes, then of the rules.
type Result struct {
	Matches []Match
	// Unused are comments that suppress something that is not there.
	Unused []Node
}

// possible reports whether a rule may match somewhere in a text.
func (r *Rule) possible(text []byte) bool {
	if r.needs == nil {
		return true
	}
	for _, n := range r.needs {
		if bytes.Contains(text, n) {
			return true
		}
	}
	return false
}

// Possible reports whether any of the rules that apply may match in a text, so
// that it is worth parsing.
func (s *Scanner) Possible(text []byte, applies func(*Rule) bool) bool {
	for _, r := range s.rules {
		if (applies == nil || applies(r)) && r.possible(text) {
			return true
		}
	}
	return false
}

// Scan looks for matches of the rules that apply; nil: all do. Comments with
// ast-grep-ignore suppress some. The error is [ErrBudget], or that
// of the context.
func (m *Matcher) Scan(ctx context.Context, d *Doc, s *Scanner, applies func(*Rule) bool) (res Result, err error) {
	m.start(ctx, d)
	active := make([]bool, len(s.rules))
	any := false
	for i, r := range s.rules {
		active[i] = (applies == nil || applies(r)) && r.possible(d.Source)
		any = any || active[i]
	}
	var sup *suppressions
	if bytes.Contains(d.Source, []byte(Ignore)) {
		sup = d.suppressions()
	}
	if sup != nil && sup.file != nil && sup.file.ids == nil || !any && sup == nil {
		return res, nil
	}
	err = m.guard(ctx, func() { m.scan(&res, s.activated(active), s, sup) })
	if sup != nil {
		res.Unused = sup.unused()
	}
	return res, err
}

// activated returns the index by kind, of the rules that are active.
func (s *Scanner) activated(active []bool) [][]int32 {
	out := make([][]int32, len(s.byKind)+1)
	keep := func(list []int32) []int32 {
		n := 0
		for _, i := range list {
			if active[i] {
				n++
			}
		}
		if n == len(list) || n == 0 {
			return list[:n]
		}
		kept := make([]int32, 0, n)
		for _, i := range list {
			if active[i] {
				kept = append(kept, i)
			}
		}
		return kept
	}
	for k, list := range s.byKind {
		out[k] = keep(list)
	}
	out[len(s.byKind)] = keep(s.errors)
	return out
}

// scan tries the rules at each node. The last entry of byKind is for errors.
func (m *Matcher) scan(res *Result, byKind [][]int32, s *Scanner, sup *suppressions) {
	d := m.doc
	for i := range d.nodes {
		k := int(d.nodes[i].Kind)
		if k >= len(byKind)-1 {
			if d.nodes[i].Kind != errorKind {
				continue
			}
			k = len(byKind) - 1
		}
		for _, at := range byKind[k] {
			r := s.rules[at]
			m.step()
			m.env.undo(mark{})
			m.env.made = m.env.made[:0]
			found := r.core.match(m, Node(i), nil)
			if found == None || sup != nil && sup.suppress(r.ID, d.line(int(d.nodes[i].Start))) {
				continue
			}
			res.Matches = append(res.Matches, Match{r, found, m.env.snapshot()})
		}
	}
}

// Matches reports whether a rule matches anywhere in a text, whatever its
// comments and the rule's globs say.
func (m *Matcher) Matches(ctx context.Context, d *Doc, r *Rule) (found []Match, err error) {
	m.start(ctx, d)
	err = m.guard(ctx, func() {
		for i := range d.nodes {
			m.env.undo(mark{})
			m.env.made = m.env.made[:0]
			if n := r.core.match(m, Node(i), nil); n != None {
				found = append(found, Match{r, n, m.env.snapshot()})
			}
		}
	})
	return found, err
}

// Ignore is what a comment holds that suppresses matches.
const Ignore = "ast-grep-ignore"

// suppression is a comment that suppresses matches.
type suppression struct {
	node Node
	ids  []string // nil: of all rules
	used bool
}

// suppressions are the comments of a text that suppress matches.
type suppressions struct {
	file  *suppression
	lines map[int]*suppression // by the line of the match
	all   []*suppression
}

func (d *Doc) suppressions() *suppressions {
	s := &suppressions{lines: map[int]*suppression{}}
	comment := map[int]bool{}
	for i := range d.nodes {
		k := int(d.nodes[i].Kind)
		is, seen := comment[k]
		if !seen {
			is = strings.Contains(d.Kind(Node(i)), "comment")
			comment[k] = is
		}
		if !is || !bytes.Contains(d.Text(Node(i)), []byte(Ignore)) {
			continue
		}
		if s.add(d, Node(i)) {
			break
		}
	}
	return s
}

// add takes a comment up and reports whether it suppresses everything.
func (s *suppressions) add(d *Doc, n Node) bool {
	sup := &suppression{node: n, ids: ignored(string(d.Text(n)))}
	s.all = append(s.all, sup)
	start, _ := d.Range(n)
	line := d.line(start)
	key := line + 1
	before := d.before(n)
	if before != None {
		if _, end := d.Range(before); d.line(end) == line {
			from, _ := d.Range(before)
			s.lines[d.line(from)] = sup
			return false
		}
	}
	if line == 0 {
		next := d.next(n)
		if next == None {
			s.file = sup
			return sup.ids == nil
		}
		if from, _ := d.Range(next); d.line(from) >= 2 {
			s.file = sup
			return sup.ids == nil
		}
	}
	s.lines[key] = sup
	return false
}

// ignored reads the ids in a comment; nil: all.
func ignored(text string) []string {
	_, after, _ := strings.Cut(strings.TrimSpace(text), Ignore)
	_, list, ok := strings.Cut(strings.TrimSpace(after), ":")
	if !ok {
		return nil
	}
	ids := []string{}
	for id := range strings.SplitSeq(list, ",") {
		id, _, _ = strings.Cut(strings.TrimLeft(id, " \t\n\r"), " ")
		ids = append(ids, id)
	}
	return ids
}

// suppress reports whether a match of a rule on a line is suppressed.
func (s *suppressions) suppress(id string, line int) bool {
	for _, sup := range [...]*suppression{s.file, s.lines[line]} {
		if sup != nil && (sup.ids == nil || slices.Contains(sup.ids, id)) {
			sup.used = true
			return true
		}
	}
	return false
}

func (s *suppressions) unused() []Node {
	var out []Node
	for _, sup := range s.all {
		if !sup.used {
			out = append(out, sup.node)
		}
	}
	return out
}

package match

import (
	"poly/internal/rules/rustre"
	"poly/internal/syntax"
)

// rule tells whether a node matches. It is immutable.
type rule interface {
	// match returns the node that was found, which for a relation is the
	// related one; [None] if n does not match.
	match(m *Matcher, n Node) Node
	// kinds returns the kinds a match may have; nil: any.
	kinds() *kindSet
	// vars hands on the names that a match may bind.
	vars(add func(string))
	// check reports the first reference to a utility that is none.
	check(seen map[string]bool) error
	// refers reports whether matching needs the utility id at the same node.
	refers(id string) bool
	// needs returns texts of which every match contains one; nil: none is known.
	needs() [][]byte
	// pure reports whether the rule neither binds nor looks at bindings, so
	// that its answer for a node is always the same.
	pure() bool
}

// leaf has the answers of a rule that refers to no other one.
type leaf struct{}

func (leaf) kinds() *kindSet             { return nil }
func (leaf) vars(func(string))           {}
func (leaf) check(map[string]bool) error { return nil }
func (leaf) refers(string) bool          { return false }
func (leaf) needs() [][]byte             { return nil }
func (leaf) pure() bool                  { return true }

func (p *pattern) check(map[string]bool) error { return nil }
func (p *pattern) refers(string) bool          { return false }
func (p *pattern) pure() bool                  { return !p.root.binds() }

func (p *pattern) needs() [][]byte {
	if p.strict == signature {
		return nil
	}
	if lit := p.root.literal(); lit != "" {
		return [][]byte{[]byte(lit)}
	}
	return nil
}

// kindSet is a set of kinds.
type kindSet struct {
	bits  []uint64
	err   bool   // the kind of errors, which is far from the others
	below uint64 // as [kindBit]
}

func newKindSet(kinds ...syntax.Kind) *kindSet {
	s := &kindSet{}
	for _, k := range kinds {
		s.add(k)
	}
	return s
}

func (s *kindSet) add(k syntax.Kind) {
	s.below |= kindBit(k)
	if k == errorKind {
		s.err = true
		return
	}
	for len(s.bits) <= int(k>>6) {
		s.bits = append(s.bits, 0)
	}
	s.bits[k>>6] |= 1 << (k & 63)
}

func (s *kindSet) has(k syntax.Kind) bool {
	if k == errorKind {
		return s.err
	}
	return int(k>>6) < len(s.bits) && s.bits[k>>6]&(1<<(k&63)) != 0
}

// all lists the kinds.
func (s *kindSet) all() []syntax.Kind {
	var out []syntax.Kind
	for i := range len(s.bits) * 64 {
		if s.has(syntax.Kind(i)) {
			out = append(out, syntax.Kind(i))
		}
	}
	if s.err {
		out = append(out, errorKind)
	}
	return out
}

// kindRule is the rule kind with the name of one.
type kindRule struct {
	leaf
	kind syntax.Kind
}

func (r *kindRule) kinds() *kindSet { return newKindSet(r.kind) }

func (r *kindRule) match(m *Matcher, n Node) Node {
	if m.doc.nodes[n].Kind == r.kind {
		return n
	}
	return None
}

// regexRule is the rule regex.
type regexRule struct {
	leaf
	re *rustre.Regexp
}

func (r *regexRule) needs() [][]byte { return r.re.Literals() }

func (r *regexRule) match(m *Matcher, n Node) Node {
	if r.re.Match(m.doc.Text(n)) {
		return n
	}
	return None
}

// rangeRule is the rule range: lines and columns from 0, columns in characters,
// -1 for any.
type rangeRule struct {
	leaf
	startLine, startCol, endLine, endCol int
}

func (r *rangeRule) match(m *Matcher, n Node) Node {
	start, end := m.doc.Range(n)
	line, col := m.doc.Pos(start)
	if line != r.startLine || r.startCol >= 0 && col != r.startCol {
		return None
	}
	line, col = m.doc.Pos(end)
	if line != r.endLine || r.endCol >= 0 && col != r.endCol {
		return None
	}
	return n
}

// allRule is the rule all, and several keys of one rule.
type allRule struct {
	rules []rule
	known *kindSet
}

func newAll(rules []rule) *allRule {
	a := &allRule{rules: rules}
	for _, r := range rules {
		k := r.kinds()
		switch {
		case k == nil:
		case a.known == nil:
			a.known = k
		default:
			both := &kindSet{}
			for _, kind := range k.all() {
				if a.known.has(kind) {
					both.add(kind)
				}
			}
			a.known = both
		}
	}
	return a
}

func (r *allRule) kinds() *kindSet { return r.known }

func (r *allRule) match(m *Matcher, n Node) Node {
	if r.known != nil && !r.known.has(m.doc.nodes[n].Kind) {
		return None
	}
	mk := m.env.mark()
	for _, sub := range r.rules {
		if sub.match(m, n) == None {
			m.env.undo(mk)
			return None
		}
	}
	return n
}

func (r *allRule) vars(add func(string)) { eachVars(r.rules, add) }

func (r *allRule) check(seen map[string]bool) error { return eachCheck(r.rules, seen) }

func (r *allRule) refers(id string) bool { return anyRefers(r.rules, id) }

func (r *allRule) pure() bool { return allPure(r.rules) }

func (r *allRule) needs() [][]byte {
	var best [][]byte
	for _, sub := range r.rules {
		if n := sub.needs(); n != nil && (best == nil || shortest(n) > shortest(best)) {
			best = n
		}
	}
	return best
}

func shortest(texts [][]byte) int {
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}

func eachVars(rules []rule, add func(string)) {
	for _, sub := range rules {
		sub.vars(add)
	}
}

func eachCheck(rules []rule, seen map[string]bool) error {
	for _, sub := range rules {
		if err := sub.check(seen); err != nil {
			return err
		}
	}
	return nil
}

func anyRefers(rules []rule, id string) bool {
	for _, sub := range rules {
		if sub.refers(id) {
			return true
		}
	}
	return false
}

func allPure(rules []rule) bool {
	for _, sub := range rules {
		if !sub.pure() {
			return false
		}
	}
	return true
}

// anyRule is the rule any.
type anyRule struct {
	rules []rule
	known *kindSet
}

func newAny(rules []rule) *anyRule {
	a := &anyRule{rules: rules, known: &kindSet{}}
	for _, r := range rules {
		k := r.kinds()
		if k == nil {
			a.known = nil
			break
		}
		for _, kind := range k.all() {
			a.known.add(kind)
		}
	}
	return a
}

func (r *anyRule) kinds() *kindSet { return r.known }

func (r *anyRule) match(m *Matcher, n Node) Node {
	if r.known != nil && !r.known.has(m.doc.nodes[n].Kind) {
		return None
	}
	mk := m.env.mark()
	for _, sub := range r.rules {
		if sub.match(m, n) != None {
			return n
		}
		m.env.undo(mk)
	}
	return None
}

func (r *anyRule) vars(add func(string)) { eachVars(r.rules, add) }

func (r *anyRule) check(seen map[string]bool) error { return eachCheck(r.rules, seen) }

func (r *anyRule) refers(id string) bool { return anyRefers(r.rules, id) }

func (r *anyRule) pure() bool { return allPure(r.rules) }

func (r *anyRule) needs() [][]byte {
	var out [][]byte
	for _, sub := range r.rules {
		n := sub.needs()
		if n == nil {
			return nil
		}
		out = append(out, n...)
	}
	return out
}

// notRule is the rule not.
type notRule struct{ inner rule }

func (r *notRule) kinds() *kindSet { return nil }

func (r *notRule) match(m *Matcher, n Node) Node {
	mk := m.env.mark()
	found := r.inner.match(m, n)
	m.env.undo(mk)
	if found == None {
		return n
	}
	return None
}

func (r *notRule) vars(add func(string)) { r.inner.vars(add) }

func (r *notRule) check(seen map[string]bool) error { return r.inner.check(seen) }

func (r *notRule) refers(id string) bool { return r.inner.refers(id) }

func (r *notRule) needs() [][]byte { return nil }

func (r *notRule) pure() bool { return r.inner.pure() }

// nthRule is the rule nthChild.
type nthRule struct {
	step, offset int
	of           rule // nil: any named sibling counts
	reverse      bool
}

func (r *nthRule) kinds() *kindSet {
	if r.of == nil {
		return nil
	}
	return r.of.kinds()
}

func (r *nthRule) match(m *Matcher, n Node) Node {
	up := m.doc.parent(n)
	if up == None {
		return None
	}
	index, count, at := -1, 0, 0
	for c := m.doc.first(up); c != None; c = m.doc.next(c) {
		if !m.doc.named(c) {
			continue
		}
		found := c
		if r.of != nil {
			m.step()
			mk := m.env.mark()
			found = r.of.match(m, c)
			m.env.undo(mk)
			if found == None {
				continue
			}
		}
		if found == n && (index < 0 || r.reverse) {
			index = at
		}
		at++
	}
	if count = at; index < 0 {
		return None
	}
	if r.reverse {
		index = count - 1 - index
	}
	if r.of != nil {
		r.of.match(m, n)
	}
	if r.at(index + 1) {
		return n
	}
	return None
}

// at reports whether the place, from 1, is one that counts.
func (r *nthRule) at(place int) bool {
	if r.step == 0 {
		return place == r.offset
	}
	d := place - r.offset
	return d/r.step >= 0 && d%r.step == 0
}

func (r *nthRule) vars(add func(string)) {
	if r.of != nil {
		r.of.vars(add)
	}
}

func (r *nthRule) check(seen map[string]bool) error {
	if r.of == nil {
		return nil
	}
	return r.of.check(seen)
}

func (r *nthRule) refers(string) bool { return false }

func (r *nthRule) needs() [][]byte {
	if r.of == nil {
		return nil
	}
	return r.of.needs()
}

func (r *nthRule) pure() bool { return r.of == nil || r.of.pure() }

package match

import (
	"fmt"
	"slices"

	"poly/internal/syntax"
)

// direction is where a relation looks.
type direction uint8

const (
	inside direction = iota
	has
	follows
	precedes
)

// reach tells how far a relation looks.
type reach uint8

const (
	neighbor reach = iota
	toEnd
	toRule
)

// relation is one of the rules inside, has, follows and precedes.
type relation struct {
	dir   direction
	inner rule
	reach reach
	stop  rule         // with toRule
	field syntax.Field // 0: none
	below uint64       // kinds that a match of inner has, as [kindBit]; 0: any
}

func (r *relation) kinds() *kindSet { return nil }

func (r *relation) vars(add func(string)) {
	r.inner.vars(add)
	if r.stop != nil {
		r.stop.vars(add)
	}
}

func (r *relation) check(seen map[string]bool) error {
	if err := r.inner.check(seen); err != nil || r.stop == nil {
		return err
	}
	return r.stop.check(seen)
}

func (r *relation) refers(string) bool { return false }

// needs is what the related node needs: it is part of the same text.
func (r *relation) needs() [][]byte { return r.inner.needs() }

// pure is false: a relation leaves a label.
func (r *relation) pure() bool { return false }

// seal is called when everything the relation refers to is compiled.
func (r *relation) seal() {
	if k := r.inner.kinds(); k != nil {
		r.below = k.below
	}
}

func (r *relation) match(m *Matcher, n Node) Node {
	m.enter()
	var found Node
	switch r.dir {
	case inside:
		found = r.inside(m, n)
	case has:
		found = r.has(m, n)
	case follows:
		found = r.walk(m, n, m.doc.before)
	default:
		found = r.after(m, n)
	}
	m.leave()
	if found != None {
		m.env.labels = append(m.env.labels, found)
	}
	return found
}

// stops reports whether n is the last one to look at. A rule to stop by knows
// no bindings and leaves none.
func (r *relation) stops(m *Matcher, n Node) bool {
	if r.reach != toRule {
		return r.reach == neighbor
	}
	outer := m.fresh()
	matched := r.stop.match(m, n) != None
	m.back(outer)
	return matched
}

// after walks over the siblings after n. The root has none, and ast-grep takes its
// children but the first for them, unless only the neighbor counts.
func (r *relation) after(m *Matcher, n Node) Node {
	if n == 0 && r.reach != neighbor {
		if n = m.doc.first(n); n == None {
			return None
		}
	}
	return r.walk(m, n, m.doc.next)
}

func (r *relation) walk(m *Matcher, n Node, next func(Node) Node) Node {
	for at := next(n); at != None; at = next(at) {
		m.step()
		if found := r.inner.match(m, at); found != None || r.stops(m, at) {
			return found
		}
	}
	return None
}

func (r *relation) inside(m *Matcher, n Node) Node {
	if r.field == 0 {
		return r.walk(m, n, m.doc.parent)
	}
	child := n
	for up := m.doc.parent(n); up != None; up = m.doc.parent(up) {
		m.step()
		if m.doc.child(up, r.field) == child {
			if found := r.inner.match(m, up); found != None {
				return found
			}
		}
		if r.stops(m, up) {
			return None
		}
		child = up
	}
	return None
}

func (r *relation) has(m *Matcher, n Node) Node {
	if r.field != 0 {
		return r.hasField(m, m.doc.child(n, r.field))
	}
	switch r.reach {
	case neighbor:
		return r.among(m, n)
	case toEnd:
		return r.within(m, n, n+1)
	}
	return r.until(m, n)
}

func (r *relation) hasField(m *Matcher, c Node) Node {
	switch {
	case c == None:
		return None
	case r.reach == neighbor:
		return r.inner.match(m, c)
	case r.reach == toEnd:
		return r.within(m, c, c)
	}
	if found := r.inner.match(m, c); found != None || r.stops(m, c) {
		return found
	}
	return r.among(m, c)
}

// among matches the children of n.
func (r *relation) among(m *Matcher, n Node) Node {
	for c := m.doc.first(n); c != None; c = m.doc.next(c) {
		m.step()
		if found := r.inner.match(m, c); found != None {
			return found
		}
	}
	return None
}

// within matches the nodes from a first one to the last one below n, in
// preorder, without looking where the kinds are not to be found.
func (r *relation) within(m *Matcher, n, first Node) Node {
	end := Node(m.doc.nodes[n].Next)
	if r.below == 0 || end-n < minPruned {
		for at := first; at < end; at++ {
			m.step()
			if found := r.inner.match(m, at); found != None {
				return found
			}
		}
		return None
	}
	for at := first; at < end; {
		m.step()
		if m.doc.mask(at)&r.below == 0 {
			at = Node(m.doc.nodes[at].Next)
			continue
		}
		if kindBit(m.doc.nodes[at].Kind)&r.below != 0 {
			if found := r.inner.match(m, at); found != None {
				return found
			}
		}
		at++
	}
	return None
}

// minPruned is how many nodes are worth a look at the kinds below.
const minPruned = 8

// until matches what is below n, but not below what the rule to stop by matches.
func (r *relation) until(m *Matcher, n Node) Node {
	m.enter()
	defer m.leave()
	for c := m.doc.first(n); c != None; c = m.doc.next(c) {
		m.step()
		if found := r.inner.match(m, c); found != None {
			return found
		}
		if r.stops(m, c) {
			continue
		}
		if found := r.until(m, c); found != None {
			return found
		}
	}
	return None
}

// scope holds what the rules of one document of YAML can refer to.
type scope struct {
	lang    *Language
	local   map[string]rule
	globals *Globals
	params  []string // of a global utility
	global  bool     // the document is a global utility
	// rewriters of the document, by id.
	rewriters map[string]*rewriter
}

// Globals are utilities that every rule of a set may refer to. After loading
// they are immutable.
type Globals struct {
	rules map[string]*global
}

type global struct {
	params []string
	core   *core
}

// ref is the rule matches with the id of a utility.
type ref struct {
	scope *scope
	id    string
	busy  bool // only while compiling: its answer is being asked for
}

// resolve returns what the id means: a local utility, or a global one.
func (r *ref) resolve() (rule, *core) {
	if local := r.scope.local[r.id]; local != nil {
		return local, nil
	}
	if g := r.scope.globals.find(r.id); g != nil && len(g.params) == 0 {
		return nil, g.core
	}
	return nil, nil
}

func (g *Globals) find(id string) *global {
	if g == nil {
		return nil
	}
	return g.rules[id]
}

func (r *ref) kinds() *kindSet {
	if r.busy {
		return nil
	}
	r.busy = true
	defer func() { r.busy = false }()
	local, global := r.resolve()
	switch {
	case local != nil:
		return local.kinds()
	case global != nil:
		return global.known
	}
	return nil
}

func (r *ref) match(m *Matcher, n Node) Node {
	m.enter()
	defer m.leave()
	local, global := r.resolve()
	switch {
	case local != nil:
		return local.match(m, n)
	case global != nil:
		return m.matchGlobal(global, n)
	}
	return None
}

func (r *ref) vars(func(string)) {}

func (r *ref) check(map[string]bool) error {
	if local, global := r.resolve(); local != nil || global != nil {
		return nil
	}
	if r.scope.globals.find(r.id) != nil {
		return fmt.Errorf("utility %s needs arguments", r.id)
	}
	return fmt.Errorf("utility %s is not defined", r.id)
}

func (r *ref) refers(id string) bool { return r.id == id }

func (r *ref) needs() [][]byte {
	if r.busy {
		return nil
	}
	r.busy = true
	defer func() { r.busy = false }()
	local, global := r.resolve()
	switch {
	case local != nil:
		return local.needs()
	case global != nil:
		return global.rule.needs()
	}
	return nil
}

func (r *ref) pure() bool { return false }

// param is the rule matches with the name of an argument.
type param struct {
	leaf
	name string
}

func (p *param) pure() bool { return false }

func (p *param) match(m *Matcher, n Node) Node {
	f := m.frame
	if f == nil {
		return None
	}
	arg := f.args[p.name]
	if arg == nil {
		return None
	}
	m.enter()
	defer m.leave()
	outer, env := m.frame, m.env
	m.frame = f.up
	if len(m.exports) > 0 {
		m.env = m.exports[len(m.exports)-1]
	}
	mk := m.env.mark()
	found := arg.match(m, n)
	if found == None {
		m.env.undo(mk)
	}
	m.frame, m.env = outer, env
	return found
}

// frame binds the parameters of a utility to the rules of a call.
type frame struct {
	args map[string]rule
	up   *frame
}

// call is the rule matches with arguments.
type call struct {
	scope *scope
	id    string
	args  map[string]rule
	names []string // that the arguments may bind
}

func (c *call) kinds() *kindSet {
	if g := c.scope.globals.find(c.id); g != nil {
		return g.core.known
	}
	return nil
}

func (c *call) match(m *Matcher, n Node) Node {
	g := c.scope.globals.find(c.id)
	if g == nil {
		return None
	}
	m.enter()
	defer m.leave()
	f, out := m.frame, m.borrow()
	m.frame = &frame{c.args, f}
	m.exports = append(m.exports, out)
	found := m.matchGlobal(g.core, n)
	m.exports = m.exports[:len(m.exports)-1]
	m.frame = f
	if found != None && !c.export(m, out) {
		found = None
	}
	m.giveBack(out)
	return found
}

// export binds in the environment of the call what the arguments bound.
func (c *call) export(m *Matcher, out *env) bool {
	for _, name := range c.names {
		if n := out.get(name); n != None {
			if !m.bind(m.env, name, n) {
				return false
			}
			continue
		}
		if nodes, ok := out.list(name); ok && len(nodes) > 0 && !m.bindList(m.env, name, nodes) {
			return false
		}
	}
	return true
}

func (c *call) vars(add func(string)) {
	for _, name := range c.names {
		add(name)
	}
}

func (c *call) check(seen map[string]bool) error {
	if seen[c.id] {
		return nil
	}
	seen[c.id] = true
	defer delete(seen, c.id)
	for _, name := range sortedKeys(c.args) {
		if err := c.args[name].check(seen); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) refers(id string) bool {
	if c.id == id {
		return true
	}
	for _, a := range c.args {
		if a.refers(id) {
			return true
		}
	}
	return false
}

func (c *call) needs() [][]byte { return nil }
func (c *call) pure() bool      { return false }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

package match

import (
	"context"
	"errors"
	"slices"
	"time"
)

// ErrBudget ends a text that a rule takes too long for.
var ErrBudget = errors.New("a rule takes too long")

// Matcher runs rules over texts, one after the other, on one goroutine.
type Matcher struct {
	doc     *Doc
	env     *env
	frame   *frame
	exports []*env
	spare   []*env
	depth   int
	steps   int
	// until is when the text is given up; done is closed when nobody waits any more.
	until time.Time
	done  <-chan struct{}
}

// Limit is how long the rules may take for one text.
const Limit = 2 * time.Second

// maxDepth bounds how deep rules call each other.
const maxDepth = 20000

// start makes the matcher ready for a text.
func (m *Matcher) start(ctx context.Context, d *Doc) {
	m.doc, m.frame, m.exports, m.depth = d, nil, nil, 0
	if m.env == nil {
		m.env = &env{}
	}
	m.env.undo(mark{})
	m.env.made = m.env.made[:0]
	m.steps, m.until, m.done = 0, time.Now().Add(Limit), ctx.Done()
}

// stepsPerLook is how many steps pass between looks at the clock.
const stepsPerLook = 1 << 16

// step counts work, and gives up when there was too much.
func (m *Matcher) step() {
	if m.steps++; m.steps%stepsPerLook == 0 {
		m.look()
	}
}

// look gives up if the time is over or nobody waits any more.
func (m *Matcher) look() {
	select {
	case <-m.done:
		panic(errCancelled)
	default:
	}
	if time.Now().After(m.until) {
		panic(ErrBudget)
	}
}

func (m *Matcher) enter() {
	if m.depth++; m.depth > maxDepth {
		panic(ErrBudget)
	}
}

func (m *Matcher) leave() { m.depth-- }

// errCancelled ends a text that nobody waits for.
var errCancelled = errors.New("cancelled")

// guard calls f and returns why it was given up, if it was.
func (m *Matcher) guard(ctx context.Context, f func()) (err error) {
	defer func() {
		switch v := recover(); v { //nolint:err113 // it is these very values
		case nil:
		case ErrBudget:
			err, m.env = ErrBudget, nil
		case errCancelled:
			err, m.env = ctx.Err(), nil
		default:
			panic(v)
		}
	}()
	f()
	return nil
}

// borrow returns an empty environment, which is given back.
func (m *Matcher) borrow() *env {
	if n := len(m.spare); n > 0 {
		e := m.spare[n-1]
		m.spare = m.spare[:n-1]
		return e
	}
	return &env{}
}

func (m *Matcher) giveBack(e *env) {
	e.undo(mark{})
	e.made = e.made[:0]
	m.spare = append(m.spare, e)
}

// fresh makes an empty environment the one that counts, until back.
func (m *Matcher) fresh() (outer *env) {
	outer, m.env = m.env, m.borrow()
	return outer
}

func (m *Matcher) back(outer *env) {
	m.giveBack(m.env)
	m.env = outer
}

// matchGlobal matches a rule that sees no bindings and leaves none.
func (m *Matcher) matchGlobal(c *core, n Node) Node {
	outer := m.fresh()
	found := c.match(m, n, nil)
	m.back(outer)
	return found
}

// core is a rule with its constraints and transforms.
type core struct {
	rule        rule
	known       *kindSet // kinds of a match; nil: any
	constraints []constraint
	transforms  []transform
	scope       *scope
}

type constraint struct {
	name string
	rule rule
}

// match matches a node. enclosing is what rewriters start from; nil: what the
// rule itself has bound.
func (c *core) match(m *Matcher, n Node, enclosing *env) Node {
	if c.known != nil && !c.known.has(m.doc.nodes[n].Kind) {
		return None
	}
	found := c.rule.match(m, n)
	if found == None || !c.constrained(m) {
		return None
	}
	if len(c.transforms) > 0 {
		if enclosing == nil {
			enclosing = m.env.snapshot()
		}
		for i := range c.transforms {
			m.apply(&c.transforms[i], c.scope, enclosing)
		}
	}
	return found
}

// constrained reports whether the nodes that are bound fulfil the constraints.
func (c *core) constrained(m *Matcher) bool {
	if len(c.constraints) == 0 {
		return true
	}
	mk := m.env.mark()
	// What a constraint binds is not constrained itself.
	nodes := make([]Node, len(c.constraints))
	for i := range c.constraints {
		nodes[i] = m.env.get(c.constraints[i].name)
	}
	for i, n := range nodes {
		if n != None && c.constraints[i].rule.match(m, n) == None {
			m.env.undo(mk)
			return false
		}
	}
	return true
}

func (c *core) vars(add func(string)) {
	c.rule.vars(add)
	for _, r := range c.scope.local {
		r.vars(add)
	}
	for i := range c.constraints {
		c.constraints[i].rule.vars(add)
	}
}

// env holds what metavariables are bound to. Lists only grow while a rule
// matches; a failure takes back what was added since a mark, so nothing is
// copied. The last entry of a name is the one that counts.
type env struct {
	single []binding
	multi  []bindings
	labels []Node // nodes that relations found
	made   []transformed
}

type binding struct {
	name string
	node Node
}

type bindings struct {
	name  string
	nodes []Node
}

type transformed struct {
	name string
	text string
}

type mark struct{ single, multi, labels int }

func (e *env) mark() mark { return mark{len(e.single), len(e.multi), len(e.labels)} }

func (e *env) undo(m mark) {
	e.single, e.multi, e.labels = e.single[:m.single], e.multi[:m.multi], e.labels[:m.labels]
}

func (e *env) get(name string) Node {
	for _, b := range slices.Backward(e.single) {
		if b.name == name {
			return b.node
		}
	}
	return None
}

func (e *env) list(name string) ([]Node, bool) {
	for _, b := range slices.Backward(e.multi) {
		if b.name == name {
			return b.nodes, true
		}
	}
	return nil, false
}

func (e *env) transformed(name string) (string, bool) {
	for _, t := range slices.Backward(e.made) {
		if t.name == name {
			return t.text, true
		}
	}
	return "", false
}

// snapshot returns a copy that stays as it is.
func (e *env) snapshot() *env {
	return &env{
		single: append([]binding(nil), e.single...), multi: append([]bindings(nil), e.multi...),
		labels: append([]Node(nil), e.labels...), made: append([]transformed(nil), e.made...),
	}
}

// bind binds a name to a node, unless it is bound to another structure.
func (m *Matcher) bind(e *env, name string, n Node) bool {
	if old := e.get(name); old != None && !m.equal(old, n) {
		return false
	}
	e.single = append(e.single, binding{name, n})
	return true
}

// bindList binds a name to nodes, unless it is bound to others.
func (m *Matcher) bindList(e *env, name string, nodes []Node) bool {
	if old, ok := e.list(name); ok && !m.equalLists(old, nodes) {
		return false
	}
	e.multi = append(e.multi, bindings{name, nodes})
	return true
}

// equalLists compares the named nodes of two lists.
func (m *Matcher) equalLists(a, b []Node) bool {
	for {
		a, b = m.skipUnnamed(a), m.skipUnnamed(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if !m.equal(a[0], b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func (m *Matcher) skipUnnamed(nodes []Node) []Node {
	for len(nodes) > 0 && !m.doc.named(nodes[0]) {
		nodes = nodes[1:]
	}
	return nodes
}

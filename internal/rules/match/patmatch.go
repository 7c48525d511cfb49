package match

// verdict is what comparing a goal with a candidate says.
type verdict uint8

const (
	different verdict = iota
	same
	skipGoal
	skipCandidate
	skipBoth
)

func (m *Matcher) matchRoot(g *goal, n Node, s strictness) bool {
	if g.shape == variable && s == smart {
		return m.matchVar(&g.meta, n)
	}
	return m.compare(g, n, s) == same
}

func (m *Matcher) matchVar(v *metavar, n Node) bool {
	switch {
	case v.list:
		return v.name == "" || m.bindList(m.env, v.name, []Node{n})
	case v.named && !m.doc.named(n):
		return false
	}
	return v.name == "" || m.bind(m.env, v.name, n)
}

func (m *Matcher) compare(g *goal, n Node, s strictness) verdict {
	switch g.shape {
	case terminal:
		return m.compareTerminal(g, n, s)
	case variable:
		if s.ignoresExtras() && m.doc.extra(n) {
			return skipCandidate
		}
		if m.matchVar(&g.meta, n) {
			return same
		}
		return different
	}
	if kind := m.doc.nodes[n].Kind; s != template && g.kind != kind && g.kind != errorKind {
		return different
	}
	m.step()
	if m.compareLists(g.kids, m.doc.first(n), s) {
		return same
	}
	return different
}

func (m *Matcher) compareTerminal(g *goal, n Node, s strictness) verdict {
	node := &m.doc.nodes[n]
	kind := g.kind == node.Kind || g.kind == errorKind
	sameText := func() bool { return int(node.End-node.Start) == len(g.text) && string(m.doc.Text(n)) == g.text }
	if kind && (!g.named || sameText()) {
		return same
	}
	if s.ignoresExtras() && m.doc.extra(n) {
		return skipCandidate
	}
	if s == signature && kind || s == template && sameText() {
		return same
	}
	return pass(!g.named && s.ignoresPunctuation(), s != cst && !m.doc.named(n))
}

// pass tells what to go on with if the goal, the candidate, or both may be passed over.
func pass(passGoal, passCandidate bool) verdict {
	switch {
	case passGoal && passCandidate:
		return skipBoth
	case passGoal:
		return skipGoal
	case passCandidate:
		return skipCandidate
	}
	return different
}

// lists is the state of comparing the children of a goal with candidates.
type lists struct {
	goals []goal
	at    Node // the next candidate
}

// outcome of a step of [Matcher.compareLists].
type outcome uint8

const (
	failed outcome = iota
	done
	again
	through
)

func (m *Matcher) compareLists(goals []goal, first Node, s strictness) bool {
	if first == None {
		return false
	}
	l := lists{goals, first}
	for {
		switch m.ellipsis(&l, s) {
		case failed:
			return false
		case done:
			return true
		case again:
			continue
		}
		if !m.compareOne(&l, s) {
			return false
		}
		if len(l.goals) > 0 {
			l.goals = l.goals[1:]
			if l.at != None {
				l.at = m.doc.next(l.at)
			}
		}
		if len(l.goals) == 0 {
			return m.trailing(l.at, s)
		}
		if l.at == None {
			return false
		}
	}
}

// ellipsis matches a list variable that stands first, as far as it reaches.
func (m *Matcher) ellipsis(l *lists, s strictness) outcome {
	if len(l.goals) == 0 {
		return done
	}
	if !l.goals[0].list() {
		return through
	}
	name := l.goals[0].meta.name
	l.goals = l.goals[1:]
	skipped := 0
	for len(l.goals) > 0 && l.goals[0].trivial() {
		l.goals = l.goals[1:]
		skipped++
	}
	if len(l.goals) == 0 {
		var nodes []Node
		for c := l.at; name != "" && c != None; c = m.doc.next(c) {
			nodes = append(nodes, c)
		}
		return m.bound(name, nodes, skipped, done)
	}
	if l.goals[0].list() {
		nodes := []Node{l.at}
		if l.at = m.doc.next(l.at); l.at == None {
			return failed
		}
		return m.bound(name, nodes, skipped, again)
	}
	var nodes []Node
	for {
		m.step()
		mk := m.env.mark()
		v := m.compare(&l.goals[0], l.at, s)
		m.env.undo(mk)
		if v == same {
			return m.bound(name, nodes, skipped, through)
		}
		if name != "" {
			nodes = append(nodes, l.at)
		}
		if l.at = m.doc.next(l.at); l.at == None {
			return failed
		}
	}
}

// bound binds a list but for the last skipped ones; o is the outcome if it can.
func (m *Matcher) bound(name string, nodes []Node, skipped int, o outcome) outcome {
	if name != "" && !m.bindList(m.env, name, nodes[:max(0, len(nodes)-skipped)]) {
		return failed
	}
	return o
}

// compareOne matches the first goal, passing over what may be.
func (m *Matcher) compareOne(l *lists, s strictness) bool {
	for {
		if l.at == None {
			for len(l.goals) > 0 && skippable(&l.goals[0], s) {
				l.goals = l.goals[1:]
			}
			return len(l.goals) == 0
		}
		switch m.compare(&l.goals[0], l.at, s) {
		case different:
			return false
		case same:
			return true
		case skipGoal:
			l.goals = l.goals[1:]
		case skipCandidate:
			l.at = m.doc.next(l.at)
		case skipBoth:
			l.goals, l.at = l.goals[1:], m.doc.next(l.at)
		}
		if len(l.goals) == 0 {
			return true
		}
	}
}

// skippable reports whether a goal may lack a candidate.
func skippable(g *goal, s strictness) bool {
	switch s {
	case cst:
		return false
	case smart, template:
		return g.list()
	}
	switch g.shape {
	case variable:
		return g.meta.list || !g.meta.named
	case terminal:
		return !g.named
	}
	return false
}

// trailing reports whether the candidates from n on may lack a goal.
func (m *Matcher) trailing(n Node, s strictness) bool {
	if s == smart {
		return true
	}
	for ; n != None; n = m.doc.next(n) {
		named, extra := m.doc.named(n), m.doc.extra(n)
		ok := false
		switch s {
		case ast:
			ok = !named
		case relaxed, signature:
			ok = !named || extra
		case template:
			ok = extra
		}
		if !ok {
			return false
		}
	}
	return true
}

package lua

// function is one function being read.
type function struct {
	vararg bool
	jumps  []jump
}

type jump struct {
	label string
	at    token
	from  *scope
}

// scope is one block being read.
type scope struct {
	outer  *scope
	fn     *function
	loop   bool
	locals map[string]bool // by name: whether it is constant
	labels map[string]bool
}

func (p *parser) open(loop bool) { p.scope = &scope{outer: p.scope, fn: p.fn, loop: loop} }
func (p *parser) close()         { p.scope = p.scope.outer }

func (p *parser) declare(t token, constant bool) {
	if p.scope.locals == nil {
		p.scope.locals = map[string]bool{}
	}
	p.scope.locals[p.text(t)] = constant
}

// isConstant reports whether a name is that of a constant local.
func (p *parser) isConstant(t token) bool {
	name := p.text(t)
	for s := p.scope; s != nil; s = s.outer {
		if constant, ok := s.locals[name]; ok {
			return constant
		}
	}
	return false
}

func (p *parser) inLoop() bool {
	for s := p.scope; s != nil && s.fn == p.fn; s = s.outer {
		if s.loop {
			return true
		}
	}
	return false
}

func (p *parser) label(t token) {
	name := p.text(t)
	if p.scope.labels[name] {
		panic(&fault{start: t.start, end: t.end, title: "Label " + quote(p.src[t.start:t.end]) + " stands twice in its block"})
	}
	if p.scope.labels == nil {
		p.scope.labels = map[string]bool{}
	}
	p.scope.labels[name] = true
}

func (p *parser) jump(t token) {
	p.fn.jumps = append(p.fn.jumps, jump{p.text(t), t, p.scope})
}

// gotos checks the jumps of a function that has been read: their labels are in
// their block or in one around it.
func (p *parser) gotos() {
	for _, j := range p.fn.jumps {
		found := false
		for s := j.from; s != nil && s.fn == p.fn && !found; s = s.outer {
			found = s.labels[j.label]
		}
		if !found {
			panic(&fault{start: j.at.start, end: j.at.end, title: "No visible label " + quote(p.src[j.at.start:j.at.end]) + " for goto"})
		}
	}
}

package js

import "slices"

// declKind is what a statement means to the order of imports and exports.
type declKind uint8

const (
	declNone       declKind = iota
	declImport              // may change places with its neighbours
	declSideEffect          // an import of nothing: a fence
	declExport              // from another module: may change places
)

// declared is a range of digests that one declaration wrote.
type declared struct{ from, to int }

// moduleItems reads statements up to the bracket. Imports next to each other
// are written in an order of their own, and so are exports.
func (p *parser) moduleItems(end op) {
	var (
		run      []declared
		kind     declKind
		comments int
	)
	flush := func() {
		if len(run) > 1 {
			p.sortDeclared(run)
			p.sortComments(comments)
		}
		run = run[:0]
	}
	for !p.over(end) {
		if p.take(';') {
			continue
		}
		from, gap := len(p.hashes), p.blankBefore()
		first := p.commentsSince(p.prevEnd)
		p.decl = declNone
		p.statement()
		decl := p.decl
		p.decl = declNone
		if decl != kind || gap {
			flushed := len(run) > 1 && decl == kind && decl != declNone
			flush()
			if flushed {
				first = len(p.comments)
			}
		}
		kind = decl
		if decl == declImport || decl == declExport {
			if len(run) == 0 {
				comments = first
			}
			run = append(run, declared{from, len(p.hashes)})
		}
	}
	flush()
}

// commentsSince returns the index of the first comment at or behind the offset.
func (p *parser) commentsSince(offset int) int {
	i := len(p.comments)
	for i > 0 && p.comments[i-1].start >= offset && p.comments[i-1].leaf >= 0 {
		i--
	}
	return i
}

// blankBefore reports whether an empty line stands before the current token.
func (p *parser) blankBefore() bool {
	lines := 0
	for _, c := range p.src[p.prevEnd:min(p.tok.start, len(p.src))] {
		switch c {
		case '\n':
			if lines++; lines > 1 {
				return true
			}
		case ' ', '\t', '\r', '\f', '\v':
		default:
			lines = 0
		}
	}
	return false
}

// sortDeclared brings the neighbouring ranges into the order of their digests.
func (p *parser) sortDeclared(ranges []declared) {
	if len(ranges) < 2 {
		return
	}
	from, to := ranges[0].from, ranges[len(ranges)-1].to
	hashes, at := slices.Clone(p.hashes[from:to]), slices.Clone(p.at[from:to])
	sorted := slices.Clone(ranges)
	slices.SortStableFunc(sorted, func(a, b declared) int {
		return slices.Compare(hashes[a.from-from:a.to-from], hashes[b.from-from:b.to-from])
	})
	i := from
	for _, r := range sorted {
		i += copy(p.hashes[i:], hashes[r.from-from:r.to-from])
		copy(p.at[i-(r.to-r.from):], at[r.from-from:r.to-from])
	}
}

func (p *parser) importDeclaration() {
	p.emit(nodeImport)
	p.next()
	if p.tok.kind == kindString {
		p.source()
		p.decl = declSideEffect
		return
	}
	if p.importPhase() {
		p.modifier()
	}
	if p.tok.kind == kindWord {
		p.name()
		if p.dialect.types() && p.take('=') {
			p.expression()
			p.emit(nodeAssign)
			p.semicolon()
			return
		}
		p.take(',')
	}
	switch {
	case p.take('*'):
		p.emit(nodeSpread)
		p.expectWord("as")
		p.name()
	case p.is('{'):
		p.specifiers()
	}
	p.expectWord("from")
	p.source()
	p.decl = declImport
}

// importPhase reports whether the word is no name but says how to import.
func (p *parser) importPhase() bool {
	if !p.word("type") && !p.word("defer") && !p.word("source") {
		return false
	}
	return p.ahead(func() bool {
		return p.is('{') || p.is('*') || p.tok.kind == kindWord && (!p.word("from") || p.ahead(func() bool { return p.word("from") || p.is('=') }))
	})
}

// source reads a module's name, its attributes and the end of the declaration.
func (p *parser) source() {
	if p.tok.kind != kindString {
		p.fail("the name of a module is missing")
		return
	}
	p.leaf()
	if p.word("with") || p.word("assert") && !p.tok.newline {
		p.modifier()
		p.object()
	}
	p.emit(nodeModuleEnd)
	p.semicolon()
}

// specifiers reads names in braces and writes them in an order of their own.
func (p *parser) specifiers() {
	p.emit(nodeSpecifiers)
	p.expect('{')
	var all []declared
	comments := p.commentsSince(p.prevEnd)
	for !p.over('}') {
		from := len(p.hashes)
		p.emit(nodeSpecifier)
		for !p.over('}') && !p.is(',') {
			if p.tok.kind == kindString {
				p.leaf()
			} else {
				p.anyName()
			}
		}
		all = append(all, declared{from, len(p.hashes)})
		if !p.take(',') {
			break
		}
	}
	p.sortDeclared(all)
	if len(all) > 1 {
		p.sortComments(comments)
	}
	p.emit(nodeSpecifiersEnd)
	p.expect('}')
}

func (p *parser) exportDeclaration() {
	p.emit(nodeExport)
	p.next()
	if p.dialect.types() && p.word("type") && p.ahead(func() bool { return p.is('{') || p.is('*') }) {
		p.modifier()
	}
	switch {
	case p.is('{'):
		p.specifiers()
		p.exportSource()
	case p.take('*'):
		p.emit(nodeSpread)
		if p.takeWord("as") {
			if p.tok.kind == kindString {
				p.leaf()
			} else {
				p.anyName()
			}
		}
		p.exportSource()
	case p.word("default"):
		p.modifier()
		p.exportDefault()
	case p.dialect.types() && p.take('='):
		p.expression()
		p.emit(nodeAssign)
		p.semicolon()
	case p.dialect.types() && p.word("as"):
		p.modifier()
		p.modifier()
		p.name()
		p.semicolon()
	default:
		p.statement()
	}
}

func (p *parser) exportSource() {
	if !p.takeWord("from") {
		p.emit(nodeModuleEnd)
		p.semicolon()
		return
	}
	p.source()
	p.decl = declExport
}

func (p *parser) exportDefault() {
	switch {
	case p.word("function"), p.word("class"), p.is('@'),
		p.word("async") && p.ahead(func() bool { return p.word("function") && !p.tok.newline }),
		p.dialect.types() && (p.word("abstract") || p.word("interface")) && p.ahead(func() bool { return p.tok.kind == kindWord && !p.tok.newline }):
		p.statement()
	default:
		p.assignment()
		p.emit(nodeExpression)
		p.semicolon()
	}
}

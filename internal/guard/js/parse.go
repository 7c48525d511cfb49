package js

import (
	"bytes"

	"poly/internal/guard"
)

// maxDepth is how deep constructs may nest before a text is not judged.
const maxDepth = 1500

// workPerByte bounds how often a token is read anew where the grammar needs
// to look ahead.
const workPerByte = 6

// parser reads one text and writes its tree as digests.
type parser struct {
	src     []byte
	dialect Dialect
	pos     int // behind tok
	tok     token
	prevEnd int // where the token before tok ends
	depth   int
	work    int // tokens that may yet be read
	spent   bool
	context context

	bad   string // what could not be read, or ""
	badAt int

	hashes   []uint64
	at       []int32 // where each digest comes from
	leaves   int     // names and literals among them
	fences   int     // braces that layout neither adds nor takes away
	comments []comment

	refused map[int]struct{} // positions where no arrow function starts
	decl    declKind         // of the last statement
	jsxText []byte
}

// context is what the meaning of a token depends on.
type context struct {
	async, generator bool
	noIn             bool // in the head of a for statement
	consequent       bool // between ? and : of a conditional expression
	noConditional    bool // in the type after extends
}

// node is a digest that stands for a construct.
type node uint64

const (
	_ node = iota
	nodeSequence
	nodeAssign
	nodeConditional
	nodeBinary
	nodeUnary
	nodePostfix
	nodeAs
	nodeSatisfies
	nodeAssert
	nodeNonNull
	nodeMember
	nodeIndex
	nodeOptional
	nodeChainEnd
	nodeCall
	nodeCallEnd
	nodeNew
	nodeTagged
	nodeTemplate
	nodeTemplateEnd
	nodeArray
	nodeArrayEnd
	nodeHole
	nodeElement
	nodeSpread
	nodeObject
	nodeObjectEnd
	nodeProperty
	nodeShorthand
	nodeDefault
	nodeComputed
	nodeMethod
	nodeModifier
	nodeArrow
	nodeArrowEnd
	nodeFunction
	nodeGenerator
	nodeAsync
	nodeParams
	nodeParam
	nodeParamsEnd
	nodeNoBody
	nodeYield
	nodeYieldAll
	nodeClass
	nodeClassBody
	nodeClassEnd
	nodeField
	nodeStaticBlock
	nodeDecorator
	nodeBlock
	nodeBlockEnd
	nodeBody
	nodeBodyEnd
	nodeDirective
	nodeExpression
	nodeDeclaration
	nodeDeclarationEnd
	nodeBinding
	nodeIf
	nodeElse
	nodeFor
	nodeForPart
	nodeStatement
	nodeStatementEnd
	nodeLabel
	nodeCase
	nodeCaseEnd
	nodeCatch
	nodeFinally
	nodeImport
	nodeExport
	nodeSpecifiers
	nodeSpecifier
	nodeSpecifiersEnd
	nodeModuleEnd
	nodeEnum
	nodeEnumMember
	nodeEnumEnd
	nodeTypeMark
	nodeTypeParams
	nodeTypeParam
	nodeTypeParamsEnd
	nodeTypeArgs
	nodeTypeArgsEnd
	nodeUnion
	nodeIntersection
	nodeTypeArray
	nodeTypeIndex
	nodeTypeOperator
	nodeTypeConditional
	nodeTuple
	nodeTupleElement
	nodeTupleEnd
	nodeTypeObject
	nodeTypeMember
	nodeTypeObjectEnd
	nodeIndexSignature
	nodeMapped
	nodePredicate
	nodeFunctionType
	nodeTypeQuery
	nodeElementStart
	nodeAttribute
	nodeAttributesEnd
	nodeChildren
	nodeText
	nodeContainer
	nodeContainerEnd
	nodeElementEnd
)

func parse(src []byte, d Dialect) *parser {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	p := &parser{
		src: src, dialect: d, work: 1000 + workPerByte*len(src), context: context{async: true},
		hashes: make([]uint64, 0, len(src)/4+16), at: make([]int32, 0, len(src)/4+16),
	}
	p.next()
	p.directives()
	p.moduleItems(0)
	if p.tok.kind != kindEOF {
		p.fail("a bracket too many")
	}
	return p
}

// fail notes the first thing that cannot be read. All that follows is the end.
func (p *parser) fail(what string) {
	if p.bad == "" {
		p.bad, p.badAt = what, p.tok.start
	}
	p.pos = len(p.src)
	p.tok = token{kind: kindEOF, newline: true, start: p.pos, end: p.pos}
}

// mark is a place to return to.
type mark struct {
	pos, prevEnd, depth, events, leaves, fences, comments int
	tok                                                   token
	context                                               context
}

func (p *parser) mark() mark {
	return mark{p.pos, p.prevEnd, p.depth, len(p.hashes), p.leaves, p.fences, len(p.comments), p.tok, p.context}
}

// reset returns to m as if nothing had been read since, failures included.
func (p *parser) reset(m mark) {
	if p.spent {
		return
	}
	p.pos, p.prevEnd, p.depth, p.leaves, p.tok, p.context = m.pos, m.prevEnd, m.depth, m.leaves, m.tok, m.context
	p.hashes, p.at, p.comments, p.fences = p.hashes[:m.events], p.at[:m.events], p.comments[:m.comments], m.fences
	p.bad = ""
}

// enter goes one level down; false at the deepest one.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.spent = true
		p.fail("the code nests too deeply")
		return false
	}
	return true
}

// within runs f in another context.
func (p *parser) within(c context, f func()) {
	saved := p.context
	p.context = c
	f()
	p.context = saved
}

// inner is the context inside brackets.
func (p *parser) inner() context {
	c := p.context
	c.noIn, c.consequent, c.noConditional = false, false, false
	return c
}

func (p *parser) push(h uint64, at int) {
	p.hashes = append(p.hashes, h)
	p.at = append(p.at, int32(at))
}

func (p *parser) emit(n node) { p.push(uint64(n), p.tok.start) }

// fence writes a brace of a construct that always has it. The comments before
// it stay before it.
func (p *parser) fence(n node) {
	p.fences++
	p.emit(n)
}

// emitWith writes a construct together with a count or an operator.
func (p *parser) emitWith(n node, with uint64) { p.push(uint64(n)|(with+1)<<8, p.tok.start) }

// leaf writes the current name or literal and goes on.
func (p *parser) leaf() {
	text := p.text()
	h := uint64(p.tok.kind) << 56
	if p.tok.kind == kindString {
		h = mixString(h, text[1:max(1, len(text)-1)])
	} else {
		h = guard.Mix(h, text)
	}
	p.push(h, p.tok.start)
	p.leaves++
	p.next()
}

// mixString digests the inside of a string without the escapes that its quotes
// need.
func mixString(h uint64, text []byte) uint64 {
	if bytes.IndexByte(text, '\\') >= 0 {
		text = unescapeQuotes(text)
	}
	return guard.Mix(h, text)
}

func unescapeQuotes(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			if c := text[i]; c != '\'' && c != '"' {
				out = append(out, '\\')
			}
		}
		out = append(out, text[i])
	}
	return out
}

// is reports whether the current token is the punctuator.
func (p *parser) is(o op) bool { return p.tok.kind == kindPunct && p.tok.op == o }

// word reports whether the current token is the word, without escapes.
func (p *parser) word(s string) bool { return p.tok.kind == kindWord && string(p.text()) == s }

// take goes on if the current token is the punctuator.
func (p *parser) take(o op) bool {
	if !p.is(o) {
		return false
	}
	p.next()
	return true
}

// takeWord goes on if the current token is the word.
func (p *parser) takeWord(s string) bool {
	if !p.word(s) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(o op) {
	if !p.take(o) {
		p.fail("a " + o.String() + " is missing")
	}
}

func (p *parser) expectWord(s string) {
	if !p.takeWord(s) {
		p.fail(s + " is missing")
	}
}

// String is the punctuator as it is written.
func (o op) String() string {
	var out []byte
	for shift := 24; shift >= 0; shift -= 8 {
		if c := byte(o >> shift); c != 0 {
			out = append(out, c)
		}
	}
	return string(out)
}

// over reports whether a list ends here.
func (p *parser) over(end op) bool { return p.tok.kind == kindEOF || p.is(end) }

// ahead runs f on what follows the current token and returns to it.
func (p *parser) ahead(f func() bool) bool {
	m := p.mark()
	p.next()
	ok := f() && p.bad == ""
	p.reset(m)
	return ok
}

// name writes a binding name.
func (p *parser) name() {
	if p.tok.kind != kindWord || reserved(p.text()) {
		p.fail("a name is missing")
		return
	}
	p.leaf()
}

// anyName writes a name that may be a keyword.
func (p *parser) anyName() {
	if p.tok.kind != kindWord {
		p.fail("a name is missing")
		return
	}
	p.leaf()
}

// semicolon ends a statement, by a semicolon or where one is inserted.
func (p *parser) semicolon() {
	if p.take(';') || p.is('}') || p.tok.kind == kindEOF || p.tok.newline {
		return
	}
	p.fail("a statement has no end")
}

// reserved reports whether a word is never a name.
func reserved(text []byte) bool {
	if len(text) < 2 || len(text) > 10 || text[0] < 'b' || text[0] > 'w' {
		return false
	}
	switch string(text) {
	case "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export", "extends",
		"false", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "null", "return", "super", "switch", "this", "throw",
		"true", "try", "typeof", "var", "void", "while", "with":
		return true
	}
	return false
}

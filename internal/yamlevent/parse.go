package yamlevent

import (
	"fmt"
	"net/url"
)

// state is what the parser expects next. States of collections that are open
// wait on a stack.
type state uint8

const (
	streamStart state = iota // a document, which needs no `---`
	nextDocument
	documentContent
	documentEnd
	blockNode
	blockNodeOrSequence // also a sequence that is not indented
	flowNode
	sequenceEntry
	flatEntry // of a sequence that is not indented
	mappingKey
	mappingValue
	flowSequenceFirst
	flowSequenceNext
	pairKey
	pairValue
	pairEnd
	flowMappingFirst
	flowMappingNext
	flowMappingValue
	flowMappingNoValue
	finished
)

func (p *Parser) push(s state) { p.states = append(p.states, s) }

func (p *Parser) pop() {
	p.state = p.states[len(p.states)-1]
	p.states = p.states[:len(p.states)-1]
}

// step makes the next event. A state returns ok = false if it made none.
func (p *Parser) step() (Event, *Error) {
	for {
		e, ok, err := p.dispatch()
		if ok || err != nil {
			return e, err
		}
	}
}

func (p *Parser) dispatch() (e Event, ok bool, err *Error) {
	if p.state == finished {
		return Event{Start: len(p.src), End: len(p.src), Head: len(p.src)}, true, nil
	}
	t, err := p.peek()
	if err != nil {
		return Event{}, false, err
	}
	switch p.state {
	case streamStart, nextDocument:
		return p.document1(t)
	case documentContent:
		return p.content1(t)
	case documentEnd:
		return p.end1(t)
	case blockNode, blockNodeOrSequence, flowNode:
		e, err = p.node(t)
		return e, err == nil, err
	case sequenceEntry, flatEntry:
		return p.entry1(t)
	case mappingKey:
		return p.key1(t)
	case mappingValue:
		return p.value1(t)
	case flowSequenceFirst, flowSequenceNext:
		return p.flowEntry(t)
	case pairKey, pairValue, pairEnd:
		return p.pair(t)
	}
	return p.flowMapping(t)
}

// document1 reads directives and the start of a document, or the end of the stream.
func (p *Parser) document1(t *token) (Event, bool, *Error) {
	e := Event{Kind: DocumentStart, Start: t.start, End: t.start, Head: t.start}
	switch t.kind {
	case tokDocEnd:
		p.skip()
		p.state = streamStart
		return e, false, nil
	case tokEnd:
		p.state = finished
		return e, false, nil
	case tokVersion, tokHandle, tokReserved:
		return p.directives(e, t)
	case tokDocStart:
		e.Explicit, e.End = true, t.end
		e.Handles = p.handles
		p.skip()
		p.state = documentContent
		return e, true, nil
	}
	if p.state == nextDocument {
		return e, false, unexpected(t, "Expected the end of the document", "There is more than one value at the top level; put `---` between documents, or mend the indentation.")
	}
	e.Handles = p.handles
	p.push(documentEnd)
	p.state = blockNode
	return e, true, nil
}

// directives reads those of one document. Handles stay in force for later
// documents without directives, as YAML 1.1 has it and Unity relies on.
func (p *Parser) directives(e Event, t *token) (Event, bool, *Error) {
	p.handles = nil
	var err *Error
	for t.kind == tokVersion || t.kind == tokHandle || t.kind == tokReserved {
		switch t.kind {
		case tokHandle:
			for _, h := range p.handles {
				if h.Handle == t.value {
					return e, false, &Error{t.start, t.end, fmt.Sprintf("%%TAG directive for `%s` is given twice", t.value), ""}
				}
			}
			p.handles = append(p.handles, Handle{t.value, t.suffix})
		case tokVersion:
			if e.Version != "" {
				return e, false, &Error{t.start, t.end, "%YAML directive is given twice", ""}
			}
			e.Version = t.value
		}
		p.skip()
		if t, err = p.peek(); err != nil {
			return e, false, err
		}
	}
	if t.kind != tokDocStart {
		return e, false, unexpected(t, "Expected `---` after the directives", "")
	}
	e.Explicit, e.End, e.Handles = true, t.end, p.handles
	p.skip()
	p.state = documentContent
	return e, true, nil
}

func (p *Parser) content1(t *token) (Event, bool, *Error) {
	p.state = documentEnd
	switch t.kind {
	case tokDocStart, tokDocEnd, tokEnd:
		return p.empty(t.start), true, nil
	}
	p.push(documentEnd)
	p.state = blockNode
	return Event{}, false, nil
}

func (p *Parser) end1(t *token) (Event, bool, *Error) {
	e := Event{Kind: DocumentEnd, Start: t.start, End: t.start, Head: t.start}
	p.state = nextDocument
	if t.kind == tokDocEnd {
		e.Explicit, e.End = true, t.end
		p.skip()
		p.state = streamStart
	}
	return e, true, nil
}

func (p *Parser) empty(at int) Event { return Event{Kind: Scalar, Start: at, End: at, Head: at} }

// node reads properties and a node.
func (p *Parser) node(t *token) (Event, *Error) {
	st := p.state
	e := Event{Head: t.start}
	t, end, err := p.properties(&e, t)
	if err != nil {
		return e, err
	}
	bare := end == e.Head
	e.Start, e.End = t.start, t.end
	switch {
	case t.kind == tokAlias:
		if !bare {
			return e, unexpected(t, "An alias has neither anchor nor tag", "")
		}
		e.Kind, e.Anchor = Alias, t.value
		p.skip()
		p.pop()
	case t.kind == tokScalar:
		e.Kind, e.Value, e.Style = Scalar, t.value, t.style
		e.Indent, e.Parent, e.Tail = t.indent, t.parent, t.tail
		p.skip()
		p.pop()
	case !p.collection(&e, t, st):
		if bare {
			return e, unexpected(t, "Expected a value", "")
		}
		e.Kind, e.Start, e.End = Scalar, end, end
		p.pop()
	}
	return e, nil
}

// properties reads the anchor and the tag of a node, if any. It returns the
// token after them and where they end.
func (p *Parser) properties(e *Event, t *token) (next *token, end int, err *Error) {
	end = t.start
	for tagged := false; t.kind == tokAnchor || t.kind == tokTag; {
		switch {
		case t.kind == tokAnchor && e.Anchor != "":
			return t, end, unexpected(t, "A node has one anchor at most", "")
		case t.kind == tokAnchor:
			e.Anchor = t.value
		case tagged:
			return t, end, unexpected(t, "A node has one tag at most", "")
		default:
			tagged = true
			if e.Tag, err = p.resolve(t); err != nil {
				return t, end, err
			}
		}
		end = t.end
		p.skip()
		if t, err = p.peek(); err != nil {
			return nil, end, err
		}
	}
	return t, end, nil
}

// collection starts the collection that t starts, if it does and may in state st.
func (p *Parser) collection(e *Event, t *token, st state) bool {
	e.Style = Flow
	switch {
	case t.kind == tokEntry && st == blockNodeOrSequence:
		e.Kind, e.Style, e.End, p.state = SequenceStart, Block, t.start, flatEntry
		return true // the token is the first entry's
	case t.kind == tokFlowSeqStart:
		e.Kind, p.state = SequenceStart, flowSequenceFirst
	case t.kind == tokFlowMapStart:
		e.Kind, p.state = MappingStart, flowMappingFirst
	case t.kind == tokSeqStart && st != flowNode:
		e.Kind, e.Style, p.state = SequenceStart, Block, sequenceEntry
	case t.kind == tokMapStart && st != flowNode:
		e.Kind, e.Style, p.state = MappingStart, Block, mappingKey
	default:
		e.Style = Plain
		return false
	}
	p.skip()
	return true
}

// resolve makes a tag of its handle and suffix.
func (p *Parser) resolve(t *token) (string, *Error) {
	suffix := t.suffix
	if s, err := url.PathUnescape(suffix); err == nil {
		suffix = s
	}
	for _, h := range p.handles {
		if h.Handle == t.value {
			return h.Prefix + suffix, nil
		}
	}
	switch t.value {
	case "", "!":
		return t.value + suffix, nil
	case "!!":
		return "tag:yaml.org,2002:" + suffix, nil
	}
	return "", unexpected(t, fmt.Sprintf("Tag handle `%s` has no %%TAG directive", t.value), "")
}

// child reads a node, after which the parser is in state next.
func (p *Parser) child(next, node state) (Event, bool, *Error) {
	p.push(next)
	p.state = node
	return Event{}, false, nil
}

// leave ends the innermost collection at t.
func (p *Parser) leave(k Kind, t *token, consume bool) (Event, bool, *Error) {
	e := Event{Kind: k, Start: t.start, End: t.end, Head: t.start}
	if consume {
		p.skip()
	}
	p.pop()
	return e, true, nil
}

func (p *Parser) entry1(t *token) (Event, bool, *Error) {
	st := p.state
	if t.kind == tokEntry {
		at := t.end
		p.skip()
		next, err := p.peek()
		if err != nil {
			return Event{}, false, err
		}
		switch {
		case next.kind == tokEntry, next.kind == tokBlockEnd,
			st == flatEntry && (next.kind == tokKey || next.kind == tokValue):
			return p.empty(at), true, nil
		}
		return p.child(st, blockNode)
	}
	if st == flatEntry {
		return p.leave(SequenceEnd, &token{start: t.start, end: t.start}, false)
	}
	if t.kind != tokBlockEnd {
		return Event{}, false, unexpected(t, "Expected `-` or the end of the sequence", "All entries of a sequence have the same indentation.")
	}
	return p.leave(SequenceEnd, t, true)
}

func (p *Parser) key1(t *token) (Event, bool, *Error) {
	switch t.kind {
	case tokKey:
		at := t.end
		p.skip()
		next, err := p.peek()
		if err != nil {
			return Event{}, false, err
		}
		switch next.kind {
		case tokKey, tokValue, tokBlockEnd:
			p.state = mappingValue
			return p.empty(at), true, nil
		}
		return p.child(mappingValue, blockNodeOrSequence)
	case tokValue:
		p.state = mappingValue
		return p.empty(t.start), true, nil
	case tokBlockEnd:
		return p.leave(MappingEnd, t, true)
	}
	title := "Expected a key"
	switch t.kind {
	case tokMapStart, tokSeqStart:
		title = "Unexpected indentation"
	case tokScalar:
		title = "Unexpected text after a value"
	}
	return Event{}, false, unexpected(t, title, "All keys of a mapping have the same indentation; quote a value that has a special first character.")
}

func (p *Parser) value1(t *token) (Event, bool, *Error) {
	p.state = mappingKey
	if t.kind != tokValue {
		return p.empty(t.start), true, nil
	}
	at := t.end
	p.skip()
	next, err := p.peek()
	if err != nil {
		return Event{}, false, err
	}
	switch next.kind {
	case tokKey, tokValue, tokBlockEnd:
		return p.empty(at), true, nil
	}
	return p.child(mappingKey, blockNodeOrSequence)
}

func unexpected(t *token, title, help string) *Error {
	return &Error{t.start, max(t.end, t.start), title, help}
}

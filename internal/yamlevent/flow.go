package yamlevent

func (p *Parser) flowEntry(t *token) (Event, bool, *Error) {
	first := p.state == flowSequenceFirst
	if t.kind == tokFlowSeqEnd {
		return p.leave(SequenceEnd, t, true)
	}
	if !first {
		if t.kind != tokComma {
			return Event{}, false, unexpected(t, "Expected `,` or `]`", "")
		}
		p.skip()
		var err *Error
		if t, err = p.peek(); err != nil {
			return Event{}, false, err
		}
		if t.kind == tokFlowSeqEnd {
			return p.leave(SequenceEnd, t, true)
		}
	}
	switch t.kind {
	case tokKey:
		p.state = pairKey
		e := Event{Kind: MappingStart, Start: t.start, End: t.end, Head: t.start, Style: Flow}
		p.skip()
		return e, true, nil
	case tokValue:
		p.state = pairKey
		return Event{Kind: MappingStart, Start: t.start, End: t.start, Head: t.start, Style: Flow}, true, nil
	}
	return p.child(flowSequenceNext, flowNode)
}

// pair reads `key: value` among the entries of a flow sequence.
func (p *Parser) pair(t *token) (Event, bool, *Error) {
	closing := t.kind == tokComma || t.kind == tokFlowSeqEnd
	switch p.state {
	case pairEnd:
		p.state = flowSequenceNext
		return Event{Kind: MappingEnd, Start: t.start, End: t.start, Head: t.start}, true, nil
	case pairKey:
		if closing || t.kind == tokValue {
			p.state = pairValue
			return p.empty(t.start), true, nil
		}
		return p.child(pairValue, flowNode)
	}
	p.state = pairEnd
	if t.kind == tokValue {
		p.skip()
		next, err := p.peek()
		if err != nil {
			return Event{}, false, err
		}
		if next.kind != tokComma && next.kind != tokFlowSeqEnd {
			return p.child(pairEnd, flowNode)
		}
		t = next
	}
	return p.empty(t.start), true, nil
}

func (p *Parser) flowMapping(t *token) (Event, bool, *Error) {
	switch p.state {
	case flowMappingNoValue:
		p.state = flowMappingNext
		return p.empty(t.start), true, nil
	case flowMappingValue:
		return p.flowValue(t)
	}
	if t.kind == tokFlowMapEnd {
		return p.leave(MappingEnd, t, true)
	}
	var err *Error
	if p.state == flowMappingNext {
		if t.kind != tokComma {
			return Event{}, false, unexpected(t, "Expected `,` or `}`", "")
		}
		p.skip()
		if t, err = p.peek(); err != nil {
			return Event{}, false, err
		}
	}
	switch t.kind {
	case tokFlowMapEnd:
		return p.leave(MappingEnd, t, true)
	case tokKey:
		p.skip()
		if t, err = p.peek(); err != nil {
			return Event{}, false, err
		}
		switch t.kind {
		case tokValue, tokComma, tokFlowMapEnd:
			p.state = flowMappingValue
			return p.empty(t.start), true, nil
		}
		return p.child(flowMappingValue, flowNode)
	case tokValue:
		p.state = flowMappingValue
		return p.empty(t.start), true, nil
	}
	return p.child(flowMappingNoValue, flowNode)
}

func (p *Parser) flowValue(t *token) (Event, bool, *Error) {
	p.state = flowMappingNext
	if t.kind == tokValue {
		p.skip()
		next, err := p.peek()
		if err != nil {
			return Event{}, false, err
		}
		if next.kind != tokComma && next.kind != tokFlowMapEnd {
			return p.child(flowMappingNext, flowNode)
		}
		t = next
	}
	return p.empty(t.start), true, nil
}

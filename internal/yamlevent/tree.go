package yamlevent

import "errors"

// maxDepth is how deep the collections of a [Node] may be nested.
const maxDepth = 200

// ErrDeep is returned by [Tree] for collections nested too deep.
var ErrDeep = errors.New("nested too deep")

// Node is one node of a document.
type Node struct {
	Event // of a collection its start, with End set to where it ends
	// Items are those of a sequence. Of a mapping they are its keys and values
	// in turn.
	Items []*Node
	// To is what an Alias stands for; nil if its anchor is not known, or not
	// complete.
	To *Node
}

// Tree reads a stream and returns the root of every document. No alias is
// expanded: a walk that follows To may meet a node any number of times. An
// error is an [*Error] or [ErrDeep].
func Tree(text []byte) ([]*Node, error) {
	p := New(text)
	var docs, stack []*Node
	var anchors map[string]*Node
	add := func(n *Node) {
		if len(stack) == 0 {
			docs = append(docs, n)
			return
		}
		top := stack[len(stack)-1]
		top.Items = append(top.Items, n)
	}
	for {
		e, err := p.Next()
		if err != nil {
			return docs, err
		}
		n := &Node{Event: e}
		switch e.Kind {
		case StreamEnd:
			return docs, nil
		case DocumentStart:
			anchors = map[string]*Node{}
		case SequenceStart, MappingStart:
			if len(stack) == maxDepth {
				return docs, ErrDeep
			}
			add(n)
			stack = append(stack, n)
		case SequenceEnd, MappingEnd:
			top := stack[len(stack)-1]
			top.End = max(top.Start, e.End)
			stack = stack[:len(stack)-1]
			if top.Anchor != "" {
				anchors[top.Anchor] = top
			}
		case Scalar:
			if e.Anchor != "" {
				anchors[e.Anchor] = n
			}
			add(n)
		case Alias:
			n.To = anchors[e.Anchor]
			add(n)
		}
	}
}

// Follow returns the node an alias stands for, other nodes themselves; nil for
// an alias without a node.
func (n *Node) Follow() *Node {
	if n != nil && n.Kind == Alias {
		return n.To
	}
	return n
}

package actionlint

import (
	"bytes"

	"poly/internal/yamlevent"
)

// maxNodes is how many nodes a workflow may have once its aliases are
// replaced by what they name.
const maxNodes = 200_000

// readable reports whether a text is YAML to the engine yaml, which reports
// nothing then.
func readable(text []byte) bool {
	p := yamlevent.New(text)
	for {
		e, err := p.Next()
		if err != nil || e.Kind == yamlevent.StreamEnd {
			return err == nil
		}
	}
}

// names reports whether a text may have an anchor or an alias: the mark and a
// name behind what is no part of a word.
func names(text []byte, mark byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], mark)
		if n < 0 {
			return false
		}
		i += n
		if i > 0 && bytes.IndexByte([]byte(" \t\n,[{:-"), text[i-1]) < 0 {
			continue
		}
		if i+1 < len(text) && bytes.IndexByte([]byte(" \t\r\n*&,[]{}/."), text[i+1]) < 0 {
			return true
		}
	}
}

// expands reports whether a text has more than that.
func expands(text []byte) bool {
	p := yamlevent.New(text)
	sizes := map[string]int{} // of what anchors name
	type open struct {
		anchor string
		size   int
	}
	stack := []open{{}}
	add := func(n int) bool {
		top := &stack[len(stack)-1]
		top.size = min(top.size+n, maxNodes+1)
		return top.size > maxNodes
	}
	for {
		e, err := p.Next()
		if err != nil || e.Kind == yamlevent.StreamEnd {
			return false
		}
		n := 1
		switch e.Kind {
		case yamlevent.MappingStart, yamlevent.SequenceStart:
			stack = append(stack, open{anchor: e.Anchor})
			continue
		case yamlevent.MappingEnd, yamlevent.SequenceEnd:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n += top.size
			if top.anchor != "" {
				sizes[top.anchor] = n
			}
		case yamlevent.Alias:
			n = max(1, sizes[e.Anchor])
		case yamlevent.Scalar:
			if e.Anchor != "" {
				sizes[e.Anchor] = 1
			}
		default:
			continue
		}
		if add(n) {
			return true
		}
	}
}

package syntax

import (
	"cmp"
	"slices"
)

// far says which node the runtime finds for a field of a parent, where that is
// not the first child that is known by it: a node below a child, or none.
type far struct {
	parent, node uint32
	field        Field
	_            uint16
}

func (f far) compare(g far) int {
	return cmp.Or(cmp.Compare(f.parent, g.parent), cmp.Compare(f.field, g.field))
}

// ByField returns the node that the runtime finds for a field of node i, as
// ts_node_child_by_field_id does, or [NoParent] if there is none. It is a child
// of the node but for a few kinds that hand fields of their children on.
func (t *Tree) ByField(i uint32, f Field) uint32 {
	n := &t.Nodes[i]
	if n.Kind == KindError {
		return NoParent // it has no fields, whatever its children say
	}
	if len(t.far) > 0 {
		if at, ok := slices.BinarySearchFunc(t.far, far{parent: i, field: f}, far.compare); ok {
			return t.far[at].node
		}
	}
	for c := i + 1; c < n.Next; c = t.Nodes[c].Next {
		if t.Nodes[c].Field == f {
			return c
		}
	}
	return NoParent
}

// inheriting are the kinds of a language whose fields may be those of nodes
// below their children, found by comparing all fields over 4,000 files.
func inheriting(language string) string {
	switch language {
	case "bash":
		return "test_command"
	case "c":
		return "function_definition"
	case "cpp":
		return "function_definition parenthesized_expression"
	case "haskell":
		return "data_constructor exports let record"
	case "lua":
		return "assignment_statement block chunk for_generic_clause variable_declaration"
	case "python":
		return "match_statement"
	case "swift":
		return "array_type function_declaration inheritance_constraint parameter tuple_type_item type_annotation"
	case "tsx", "typescript":
		return "member_expression type_query"
	}
	return ""
}

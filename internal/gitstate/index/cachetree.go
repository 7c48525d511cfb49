package index

import (
	"bytes"
	"fmt"
	"strconv"
)

// TreeNode is a directory of the cache tree (extension TREE).
type TreeNode struct {
	Name     string // last component; "" for the root
	ID       string // raw id of the tree object; "" if invalidated
	Entries  int    // index entries below it; -1 if invalidated
	Children []TreeNode
}

// Tree returns the root of the cache tree: the tree objects that git knows to
// be equal to directories of the index. ok is false if there is none or it is
// malformed; git then computes it anew, and so must the caller.
func (x *Index) Tree() (root TreeNode, ok bool) {
	for _, e := range x.exts {
		if e.sig != "TREE" {
			continue
		}
		t := treeParser{b: x.data[e.off : e.off+e.len], hashLen: x.hashLen}
		if err := t.node(&root, 0); err != nil || len(t.b) != 0 || root.Name != "" {
			return TreeNode{}, false
		}
		return root, true
	}
	return TreeNode{}, false
}

// Root returns the raw id of the tree object that the whole index would be
// written as, if git has recorded it.
func (x *Index) Root() (id string, ok bool) {
	for _, e := range x.exts {
		if e.sig != "TREE" {
			continue
		}
		t := treeParser{b: x.data[e.off : e.off+e.len], hashLen: x.hashLen}
		var n TreeNode
		if _, err := t.header(&n); err != nil || n.Name != "" || n.ID == "" {
			return "", false
		}
		return n.ID, true
	}
	return "", false
}

// maxTreeDepth is more than any path git can check out has components.
const maxTreeDepth = 4096

type treeParser struct {
	b       []byte
	hashLen int
}

func (t *treeParser) node(n *TreeNode, depth int) error {
	if depth > maxTreeDepth {
		return fmt.Errorf("%w: cache tree is too deep", ErrCorrupt)
	}
	children, err := t.header(n)
	if err != nil {
		return err
	}
	if children > len(t.b)/4+1 {
		return errTruncated
	}
	if children > 0 {
		n.Children = make([]TreeNode, children)
	}
	for i := range n.Children {
		if err := t.node(&n.Children[i], depth+1); err != nil {
			return err
		}
	}
	return nil
}

// header reads a node without its children: name NUL entries SP children LF id.
func (t *treeParser) header(n *TreeNode) (children int, err error) {
	name, rest, ok := bytes.Cut(t.b, []byte{0})
	if !ok {
		return 0, errTruncated
	}
	line, rest, ok := bytes.Cut(rest, []byte{'\n'})
	if !ok {
		return 0, errTruncated
	}
	a, b, _ := bytes.Cut(line, []byte{' '})
	n.Name = string(name)
	if n.Entries, err = strconv.Atoi(string(a)); err != nil {
		return 0, fmt.Errorf("%w: cache tree: %w", ErrCorrupt, err)
	}
	if children, err = strconv.Atoi(string(b)); err != nil || children < 0 {
		return 0, fmt.Errorf("%w: cache tree: %q children", ErrCorrupt, b)
	}
	if n.Entries < 0 {
		n.Entries = -1
	} else {
		if len(rest) < t.hashLen {
			return 0, errTruncated
		}
		n.ID = string(rest[:t.hashLen])
		rest = rest[t.hashLen:]
	}
	t.b = rest
	return children, nil
}

package yamlevent

import (
	"errors"
	"strings"
	"testing"
)

func TestTree(t *testing.T) {
	t.Parallel()
	docs, err := Tree([]byte("a: &x [1, {b: c}]\nd: *x\ne: *y\nf: &z [*z]\n---\n- q\n"))
	if err != nil || len(docs) != 2 {
		t.Fatalf("Tree: %d documents, %v", len(docs), err)
	}
	m := docs[0]
	if m.Kind != MappingStart || len(m.Items) != 8 {
		t.Fatalf("first document: kind %v, %d items", m.Kind, len(m.Items))
	}
	if got := m.Items[3].Follow(); got != m.Items[1] || m.Items[1].Items[1].Items[1].Value != "c" {
		t.Errorf("alias stands for %+v", got)
	}
	if m.Items[5].Follow() != nil || m.Items[7].Items[0].Follow() != nil {
		t.Error("an alias without a complete node stands for one")
	}
	if got := docs[1].Items[0].Follow().Value; got != "q" {
		t.Errorf("second document holds %q", got)
	}
}

func TestTreeFails(t *testing.T) {
	t.Parallel()
	if _, err := Tree([]byte(strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1))); !errors.Is(err, ErrDeep) {
		t.Errorf("deep: %v", err)
	}
	if _, err := Tree([]byte("a: b: c")); err == nil || errors.Is(err, ErrDeep) {
		t.Errorf("syntax: %v", err)
	}
}

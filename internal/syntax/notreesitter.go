//go:build !cgo || notreesitter

package syntax

import "fmt"

// Built reports whether tree-sitter is part of this binary.
func Built() bool { return false }

// Parser is what it is with tree-sitter, and can parse nothing.
type Parser struct{}

// Close does nothing.
func (p *Parser) Close() {}

// Parse returns [ErrNotBuilt].
func (p *Parser) Parse(l *Language, _ []byte) (*Tree, error) {
	return nil, fmt.Errorf("%s: %w", l.Name, ErrNotBuilt)
}

// Built reports whether this grammar is part of the binary.
func (l *Language) Built() bool { return false }

type opened struct{ kinds, fields []string }

func (l *Language) open() *opened { return &l.state }

// Kind returns false.
func (l *Language) Kind(string, bool) (Kind, bool) { return 0, false }

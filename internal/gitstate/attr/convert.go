package attr

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/gitconf"
	"poly/internal/gitstate/sum"
)

// eolAction is what git does to line ends of a path.
type eolAction uint8

const (
	eolNone     eolAction = iota // binary, or nothing said
	eolText                      // CRLF becomes LF on the way in
	eolTextCRLF                  // and LF becomes CRLF on the way out
	eolAuto                      // as eolText, for content that looks like text
	eolAutoCRLF                  // as eolTextCRLF, for content that looks like text
)

func (a eolAction) auto() bool { return a == eolAuto || a == eolAutoCRLF }

// Conversion is what git does to the bytes of a path between worktree and blob.
type Conversion struct {
	Filter   string // name of a configured driver
	eol      eolAction
	ident    bool
	encoding string // working-tree-encoding
}

// None reports whether worktree bytes are always blob bytes.
func (c Conversion) None() bool { return c == Conversion{} }

// NeedsGit reports whether only git itself can convert to a blob: by running
// the user's filter, or a character conversion.
func (c Conversion) NeedsGit() bool { return c.Filter != "" || c.encoding != "" || c.ident }

// OnCheckout reports whether a checkout may write other bytes than the blob's.
func (c Conversion) OnCheckout() bool {
	return c.NeedsGit() || c.eol == eolTextCRLF || c.eol == eolAutoCRLF
}

// The classes of blobs that are read in the form a checkout writes.
const (
	classCRLF     entry.Class = "checkout=crlf"
	classAutoCRLF entry.Class = "checkout=auto-crlf"
)

// CheckoutClass names the form in which a checkout writes a blob, where that is
// about line ends alone; "" if it is the blob, or git must be asked.
func (c Conversion) CheckoutClass() entry.Class {
	switch {
	case c.NeedsGit():
		return ""
	case c.eol == eolTextCRLF:
		return classCRLF
	case c.eol == eolAutoCRLF:
		return classAutoCRLF
	}
	return ""
}

// ToCheckout brings a blob into the form of a class of CheckoutClass. b is not
// modified.
func ToCheckout(class entry.Class, b []byte) []byte {
	if class != classCRLF && class != classAutoCRLF || !bytes.Contains(b, []byte{'\n'}) {
		return b
	}
	if class == classAutoCRLF && (bytes.Contains(b, []byte{'\r'}) || looksBinary(b)) {
		return b
	}
	out := make([]byte, 0, len(b)+bytes.Count(b, []byte{'\n'}))
	for i, c := range b {
		if c == '\n' && (i == 0 || b[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}

// IsLFS reports whether LFS alone converts the bytes.
func (c Conversion) IsLFS() bool { return c.Filter == "lfs" && c.encoding == "" && !c.ident }

// Guesses reports whether git decides by the content, and by that of the blob
// the path has in the index.
func (c Conversion) Guesses() bool { return c.eol.auto() }

// Key is a canonical text that differs for different conversions.
func (c Conversion) Key() string {
	ident := ""
	if c.ident {
		ident = "i"
	}
	return strings.Join([]string{string('0' + rune(c.eol)), ident, c.Filter, c.encoding}, "\x00")
}

// convAttrs are the attributes that decide on conversions.
var convAttrs = [...]string{"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}

// Converter tells the conversion of each path. It may be used by many
// goroutines; nil converts nothing.
type Converter struct {
	attrs *Set
	// auto is what core.autocrlf makes of paths without attributes.
	auto eolAction
	// crlf: text that is not said to have LF gets CRLF on the way out.
	crlf bool
	// driver reports whether a filter is configured, and so does anything.
	driver func(name string) bool

	once   sync.Once
	active bool
}

// NewConverter reads the settings of a repository. attrs are the attributes of
// the tree in question.
func NewConverter(conf *gitconf.Config, attrs *Set) (*Converter, error) {
	c := &Converter{attrs: attrs}
	autocrlf := conf.String("core.autocrlf")
	if strings.EqualFold(autocrlf, "input") {
		c.auto = eolAuto
	} else {
		on, err := conf.Bool("core.autocrlf", false)
		if err != nil {
			return nil, err
		}
		if on {
			c.auto, c.crlf = eolAutoCRLF, true
		} else {
			c.crlf = strings.EqualFold(conf.String("core.eol"), "crlf")
		}
	}
	c.driver = func(name string) bool {
		for _, key := range []string{"clean", "smudge", "process"} {
			if conf.String("filter."+name+"."+key) != "" {
				return true
			}
		}
		return false
	}
	return c, nil
}

// Any reports whether any path may have a conversion.
func (c *Converter) Any() bool {
	if c == nil {
		return false
	}
	c.once.Do(func() { c.active = c.auto != eolNone || c.attrs.mentions(convAttrs[:]...) })
	return c.active
}

// Defaults tells what the settings make of paths without attributes.
func (c *Converter) Defaults() string { return fmt.Sprint(c.auto, c.crlf) }

// Digest stands for all that decides on conversions.
func (c *Converter) Digest() uint64 {
	if !c.Any() {
		return 1
	}
	c.attrs.load.Do(c.attrs.loadAll)
	h := sum.Mix(uint64(c.auto), sum.String(strconv.FormatBool(c.crlf)))
	c.attrs.each(func(dir, pattern string, s assignment) {
		if slices.Contains(convAttrs[:], s.name) || len(c.attrs.macros[s.name]) > 0 {
			h = sum.Mix(sum.Mix(sum.Mix(sum.Mix(h, sum.String(dir)), sum.String(pattern)), sum.String(s.name)), sum.String(s.value))
			if s.name == "filter" && c.driver(s.value) {
				h = sum.Mix(h, 1)
			}
		}
	})
	return h
}

// Of returns the conversion of a path.
func (c *Converter) Of(file string) Conversion {
	if !c.Any() {
		return Conversion{}
	}
	var v [len(convAttrs)]string
	c.attrs.query(file, convAttrs[:], v[:])
	text, crlf, eol, ident, filter, encoding := v[0], v[1], v[2], v[3], v[4], v[5]

	var conv Conversion
	conv.ident = ident == set
	if isAttrString(filter) && c.driver(filter) {
		conv.Filter = filter
	}
	if isAttrString(encoding) && !isUTF8Name(encoding) {
		conv.encoding = encoding
	}
	conv.eol = c.eolOf(text, crlf, eol)
	return conv
}

// eolOf decides as git does: text, else crlf, refined by eol, else core.autocrlf.
func (c *Converter) eolOf(text, crlf, eol string) eolAction {
	said := text
	if !saysEOL(text) {
		said = crlf
	}
	action, decided := eolNone, true
	switch said {
	case unset:
		return eolNone
	case set:
		action = eolText
		if c.crlf {
			action = eolTextCRLF
		}
	case "input":
		action = eolText
	case "auto":
		action = eolAuto
		if c.crlf {
			action = eolAutoCRLF
		}
	default:
		decided = false
	}
	switch {
	case eol == "lf" && action.auto():
		return eolAuto
	case eol == "crlf" && action.auto():
		return eolAutoCRLF
	case eol == "lf":
		return eolText
	case eol == "crlf":
		return eolTextCRLF
	case !decided:
		return c.auto
	}
	return action
}

func saysEOL(v string) bool {
	return v == set || v == unset || v == "input" || v == "auto"
}

func isAttrString(v string) bool { return v != "" && v[0] != 0 }

func isUTF8Name(name string) bool {
	return strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8")
}

// ToGit does the line end conversion of git add. staged returns the blob the
// path has in the index; it is asked only where it matters.
func (c Conversion) ToGit(b []byte, staged func() []byte) []byte {
	if c.eol == eolNone || !bytes.Contains(b, []byte("\r\n")) {
		return b
	}
	if !c.eol.auto() {
		return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	if looksBinary(b) {
		return b
	}
	if s := staged(); bytes.Contains(s, []byte("\r\n")) && !looksBinary(s) {
		return b // committed with CRLF: git leaves it alone
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}

// looksBinary is git's guess: a NUL, a carriage return that ends no line, or
// more than one unprintable byte to 128 printable ones.
func looksBinary(b []byte) bool {
	printable, other := 0, 0
	for i, c := range b {
		switch {
		case c == 0:
			return true
		case c == '\r':
			if i+1 == len(b) || b[i+1] != '\n' {
				return true
			}
		case c == '\n':
		case c == '\b', c == '\t', c == 0x1b, c == '\f', c >= 32 && c != 127:
			printable++
		default:
			other++
		}
	}
	if n := len(b); n > 0 && b[n-1] == 0x1a { // an end-of-file mark of DOS
		other--
	}
	return printable>>7 < other
}

// ClassOf describes worktree bytes whose blob is id. Bytes equal to the blob
// have the class "". The class and the id together name the bytes: where the
// conversion does not follow from the blob, a digest of them is in it.
func (c Conversion) ClassOf(b []byte, id entry.ID) entry.Class {
	raw := entry.BlobID(b, len(id))
	if raw == id {
		return ""
	}
	var parts []string
	exact := false
	switch {
	case c.Filter != "":
		parts, exact = append(parts, "filter="+c.Filter), c.Filter == "lfs"
	case c.NeedsGit():
	case onlyCRLF(b) && entry.BlobID(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), len(id)) == id:
		return "crlf"
	}
	if c.encoding != "" {
		parts, exact = append(parts, "encoding="+c.encoding), false
	}
	if c.ident {
		parts, exact = append(parts, "ident"), false
	}
	if !exact {
		parts = append(parts, "raw="+raw.String()[:16])
	}
	return entry.Class(strings.Join(parts, ","))
}

// onlyCRLF reports whether every line of b ends in CRLF.
func onlyCRLF(b []byte) bool {
	return bytes.Count(b, []byte("\n")) == bytes.Count(b, []byte("\r\n"))
}

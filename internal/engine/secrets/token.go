package secrets

import (
	"regexp"
	"strings"
	"sync"

	"poly/internal/diag"
)

// kind is a credential that is known by its form.
type kind struct {
	code, what string
	// literals are strings that each such credential holds, in their exact
	// case. It starts with one unless back is set.
	literals []string
	// names are words of the names it is assigned to, in small letters and
	// without dashes; it is looked for in assignments only.
	names    []string
	pattern  string // RE2, for the whole credential; a group is the secret itself
	back     string // "-": the credential starts before its literal, in a run of letters, digits, _ and -; ".": or . and ~
	entropy  float64
	verify   check
	severity diag.Severity // 0: error
}

// check is a proof beyond the pattern.
type check uint8

const (
	unchecked check = iota
	crc62           // the last six characters are a CRC-32 of what stands between them and the first underscore
	bech32          // the checksum of BIP 173
	header          // the part before the first dot is the header of a JSON web token
)

const (
	maxToken = 2200 // bytes of the longest credential
	maxBack  = 110  // and of what may stand before its literal
)

// patterns are compiled one by one, when a literal was found: most never are.
type patterns [len(kinds)]func() *regexp.Regexp

var compiled = sync.OnceValue(func() *patterns {
	var p patterns
	for i := range kinds {
		p[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + kinds[i].pattern + `)`) })
	}
	return &p
})

// token judges a literal of a kind that ends at an offset.
func (s *scanner) token(l literal, end int) {
	k := &kinds[l.target]
	start := end - len(l.text)
	if string(s.text[start:end]) != l.text || !plausible(k, s.text[end:]) {
		return
	}
	switch {
	case k.back != "":
		start = k.begin(s.text, start)
	case start > 0 && wordByte(l.text[0]) && wordByte(s.text[start-1]) && !escapeBefore(s.text, start):
		return // a fixed beginning in the middle of a word is chance
	}
	rest := s.text[start:min(start+maxToken, len(s.text))]
	m := compiled()[l.target]().FindSubmatchIndex(rest)
	if m == nil || m[1] < len(rest) && wordByte(rest[m[1]]) {
		return
	}
	if len(m) > 2 && m[2] >= 0 {
		m = m[2:]
	}
	s.found(k, start+m[0], start+m[1])
}

// begin returns the start of the run of characters before a literal.
func (k *kind) begin(text []byte, start int) int {
	for n := 0; start > 0 && n < maxBack; n++ {
		if c := text[start-1]; !wordByte(c) && c != '-' && (k.back != "." || c != '.' && c != '~') {
			break
		}
		start--
	}
	return start
}

// plausible looks at the byte behind a literal: a pattern costs a hundred times
// more.
func plausible(k *kind, rest []byte) bool {
	if k.back != "" || k.code == "jwt" {
		return true
	}
	if len(rest) < 8 {
		return false
	}
	if k.code == "twilio-api-key" {
		return hexByte(rest[0]) && hexByte(rest[1]) && hexByte(rest[2])
	}
	for _, c := range rest[:8] {
		if !wordByte(c) && strings.IndexByte("-./+=%", c) < 0 {
			return false
		}
	}
	return true
}

// escapeBefore reports whether the letter before start belongs to an escape
// such as \n.
func escapeBefore(text []byte, start int) bool {
	return start >= 2 && text[start-2] == '\\' && strings.IndexByte("nrt", text[start-1]) >= 0
}

func wordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}

func hexByte(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }

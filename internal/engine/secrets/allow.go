package secrets

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

type langID = lang.ID

// allowed says which secrets are none.
type allowed struct {
	secrets []*regexp.Regexp
	lines   []*regexp.Regexp
	words   []string // in small letters
}

func newAllowed(v config.Values) (allowed, error) {
	var a allowed
	for _, s := range v.Strings(optAllow) {
		re, err := regexp.Compile(s)
		if err != nil {
			return allowed{}, engine.BadRegexp("", optAllow, s, err)
		}
		a.secrets = append(a.secrets, re)
	}
	for _, w := range v.Strings(optStopWords) {
		a.words = append(a.words, strings.ToLower(w))
	}
	return a, nil
}

// with adds what a native configuration allows.
func (a allowed) with(n *native) allowed {
	return allowed{
		secrets: append(slices.Clip(a.secrets), n.secrets...),
		lines:   append(slices.Clip(a.lines), n.lines...),
		words:   append(slices.Clip(a.words), n.words...),
	}
}

// marks are the comments that allow what stands in their line.
var marks = [...]string{"poly:allow-secret", "gitleaks:allow", "pragma: allowlist secret", "pragma:allowlist secret"}

// allows reports whether a secret at [start, end) is allowed by a comment, a
// list or the selection of rules.
func (s *scanner) allows(code string, start, end int) bool {
	if !s.rules.Allows(code) {
		return true
	}
	from, to := s.line(start, end)
	line, secret := s.text[max(from, start-2*maxLine):min(to, end+2*maxLine)], s.text[start:end]
	for _, m := range marks {
		if bytes.Contains(line, []byte(m)) {
			return true
		}
	}
	return s.allowed.matches(secret, line) || s.isIgnored(code, start) || isPublished(secret)
}

// matches reports whether a list allows a secret in a line.
func (a *allowed) matches(secret, line []byte) bool {
	low := strings.ToLower(string(secret))
	return slices.ContainsFunc(a.secrets, func(re *regexp.Regexp) bool { return re.Match(secret) }) ||
		slices.ContainsFunc(a.lines, func(re *regexp.Regexp) bool { return re.Match(line) }) ||
		slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(low, w) })
}

// entropy is Shannon's, in bits a byte.
func entropy(b []byte) float64 {
	var n [256]int
	for _, c := range b {
		n[c]++
	}
	h, total := 0.0, float64(len(b))
	for _, k := range n {
		if k > 0 {
			p := float64(k) / total
			h -= p * math.Log2(p)
		}
	}
	return h
}

// stopWords are in what people write for a secret, and not in one.
var stopWords = [...]string{
	"example", "dummy", "changeme", "change_me", "change-me", "placeholder", "redacted", "xxxxx", "your-", "your_", "yourkey", "yourtoken",
	"notreal", "not-real", "notasecret", "not-a-secret", "fakefake", "samplekey", "sampletoken", "insert-", "insert_", "replace-", "replace_", "replaceme",
	"testtest", "........", "********", "--------", "________", "000000000000", "abcdefghijklmnopqrst",
}

// looseWords are in no value of a variable that is a secret; a credential of a
// fixed form may hold them by chance, or be one that somebody made look nice.
var looseWords = [...]string{
	"sample", "fake", "mock", "test", "foobar", "1234567890", "0123456789", "12345678", "abcdefgh", "deadbeef", "aaaaaaaa", "00000000", "11111111",
}

// stopped reports whether a secret holds a stop word.
func stopped(secret []byte, known bool) bool {
	low := strings.ToLower(string(secret))
	holds := func(w string) bool { return strings.Contains(low, w) }
	return slices.ContainsFunc(stopWords[:], holds) || !known && slices.ContainsFunc(looseWords[:], holds)
}

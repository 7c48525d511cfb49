package secrets

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
)

// worker looks at files on one goroutine.
type worker struct {
	allowed allowed
	paths   *paths
	rules   engine.Selection
	hits    []hit
}

const (
	maxSeen = 200  // a file with more findings is a list of examples
	maxLine = 2000 // a longer line is data, or made by a machine
)

func (w *worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.paths.native().err; err != nil {
		return nil, err
	}
	class, _, _ := strings.Cut(w.paths.class(src.Path), ":")
	if class == classSkip || bytes.IndexByte(src.Text[:min(len(src.Text), 8<<10)], 0) >= 0 {
		return nil, nil
	}
	s := &scanner{text: src.Text, lang: src.Lang, allowed: w.allowed.with(w.paths.native()), test: class == classTest, rules: w.rules}
	s.ignored = w.paths.native().ignored[src.Path]
	a := shared()
	w.hits = a.scan(src.Text, w.hits[:0])
	for _, h := range w.hits {
		s.literal(a.literals[h.literal], h.end)
	}
	s.generic()
	return s.diags, ctx.Err()
}

// scanner is the state of one file.
type scanner struct {
	text    []byte
	lang    langID
	allowed allowed
	rules   engine.Selection
	test    bool // a file of a test: its keys and passwords are its own
	ignored []ignoredLine
	diags   []diag.Diagnostic
	maybe   []candidate // assignments without a known form
	last    int         // start of the last name looked at
}

// candidate is a finding that counts if nothing more certain overlaps it.
type candidate struct {
	code, title string
	start, end  int
}

// literal handles a literal that ends at an offset.
func (s *scanner) literal(l literal, end int) {
	if len(s.diags) >= maxSeen {
		return
	}
	switch l.target {
	case toAssignment:
		s.assignment(end-len(l.text), end)
	case toPrivateKey:
		s.privateKey(end - len(l.text))
	case toEncodedKey:
		if start := end - len(l.text); string(s.text[start:end]) == l.text {
			s.encodedKey(start)
		}
	case toPuTTY:
		s.putty(end - len(l.text))
	case toURL:
		s.url(end)
	default:
		s.token(l, end)
	}
}

// found judges a credential of a known form that stands at [start, end).
func (s *scanner) found(k *kind, start, end int) {
	secret := s.text[start:end]
	if entropy(secret) < k.entropy || s.allows(k.code, start, end) || stopped(secret, true) {
		return
	}
	severity := k.severity
	if severity == diag.SeverityUnset {
		severity = diag.Error
	}
	title := fmt.Sprintf("%s %s (%d characters)", k.what, redact(k, secret), len(secret))
	switch verified, certain := k.verify.holds(secret); {
	case certain && !verified:
		return
	case !verified:
		severity = diag.Warning
		title += ", whose checksum is wrong"
	}
	if k.verify == header && s.test {
		return
	}
	s.report(k.code, severity, start, end, title)
}

// redact shows the fixed beginning of a credential, at most eight characters.
func redact(k *kind, secret []byte) string {
	for _, l := range k.literals {
		if k.back == "" && bytes.HasPrefix(secret, []byte(l)) {
			return l[:min(len(l), 8)] + "..."
		}
	}
	return "..."
}

// report keeps one finding for one place: the first, which is the longest of
// those that start there.
func (s *scanner) report(code string, severity diag.Severity, start, end int, title string) {
	for i := len(s.diags) - 1; i >= 0 && i >= len(s.diags)-4; i-- {
		if d := s.diags[i].Span; d.Start < end && start < d.End {
			return
		}
	}
	s.diags = append(s.diags, diag.Diagnostic{
		Engine: engineName, Code: code, Severity: severity, Title: title, Span: &diag.Span{Start: start, End: end},
	})
}

// generic reports the candidates that no known form explains.
func (s *scanner) generic() {
	for _, c := range s.maybe {
		if from, to := s.line(c.start, c.end); to-from > maxLine {
			continue
		}
		overlaps := func(d diag.Diagnostic) bool { return d.Span.Start < c.end && c.start < d.Span.End }
		if len(s.diags) < maxSeen && !slices.ContainsFunc(s.diags, overlaps) {
			s.report(c.code, diag.Warning, c.start, c.end, c.title)
		}
	}
}

// line returns the bounds of the lines that hold [start, end).
func (s *scanner) line(start, end int) (from, to int) {
	from = bytes.LastIndexByte(s.text[:start], '\n') + 1
	if n := bytes.IndexByte(s.text[end:], '\n'); n >= 0 {
		return from, end + n
	}
	return from, len(s.text)
}

package report

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"poly/internal/diag"
)

// AppendJSON appends the document of a lint or fmt run: compact JSON in a fixed
// key order, without a newline. Strings that are not UTF-8 get U+FFFD for each
// wrong byte; a path then has its bytes beside it, in base64. A severity that is
// not set is written as warning, which does not fail a run either.
func AppendJSON(dst []byte, r *diag.Report, o Options) []byte {
	dst = slices.Grow(dst, size(r))
	record := appendLintRecord
	if r.Verb == "fmt" {
		record = appendFmtRecord
	}
	dst = append(dst, `{"results":[`...)
	mark := len(dst)
	shown := r.Files
	if r.Truncated != nil {
		shown = shown[:r.Truncated.Files]
	}
	for i := range shown {
		dst = record(dst, mark, r, &shown[i], o)
	}
	dst = append(dst, `],"errors":[`...)
	dst = appendOutcomes(dst, r.Files, diag.Errored, `,"error":`, o)
	dst = append(dst, `],"skipped":[`...)
	dst = appendOutcomes(dst, shown, diag.Skipped, `,"reason":`, o)
	dst = append(dst, `],"summary":{"checked":`...)
	dst = strconv.AppendInt(dst, int64(r.Summary.Checked), 10)
	dst = appendInt(dst, `,"skipped":`, r.Summary.Skipped)
	dst = appendInt(dst, `,"errored":`, r.Summary.Errored)
	dst = append(dst, `},"configs":[`...)
	for i, hash := range r.Configs {
		dst = comma(dst, i > 0)
		dst = appendString(append(dst, `{"hash":`...), hash)
		dst = append(dst, '}')
	}
	dst = append(dst, ']')
	if d := r.Delta; d != nil {
		dst = appendString(append(dst, `,"delta":{"base":`...), d.Base)
		dst = appendInt(dst, `,"new":`, d.New)
		dst = appendInt(dst, `,"old":`, d.Old)
		dst = appendInt(dst, `,"moved":`, d.Moved)
		dst = appendInt(dst, `,"gone":`, d.Gone)
		dst = append(dst, '}')
	}
	dst = appendTruncated(dst, r.Truncated)
	return append(dst, '}')
}

func appendTruncated(dst []byte, t *diag.Truncated) []byte {
	if t == nil {
		return dst
	}
	dst = appendInt(append(dst, `,"truncated":{`...), `"shown_records":`, t.ShownRecords)
	dst = appendInt(dst, `,"total_records":`, t.TotalRecords)
	dst = appendInt(dst, `,"shown_diagnostics":`, t.ShownDiagnostics)
	dst = appendInt(dst, `,"total_diagnostics":`, t.TotalDiagnostics)
	dst = append(dst, `,"next":{"paths":[`...)
	for i, p := range t.Next {
		dst = appendString(comma(dst, i > 0), p)
	}
	return append(dst, `]}}`...)
}

// AppendRecord appends what a file adds to a document: its record, and what
// errors or skipped say of it. A file that has no record adds nothing.
func AppendRecord(dst []byte, r *diag.Report, f *diag.FileReport, o Options) []byte {
	mark := len(dst)
	if r.Verb == "fmt" {
		dst = appendFmtRecord(dst, mark, r, f, o)
	} else {
		dst = appendLintRecord(dst, mark, r, f, o)
	}
	switch one := []diag.FileReport{*f}; f.Outcome {
	case diag.Errored:
		dst = appendOutcomes(dst, one, diag.Errored, `,"error":`, o)
	case diag.Skipped:
		dst = appendOutcomes(dst, one, diag.Skipped, `,"reason":`, o)
	case diag.Checked:
	}
	return dst
}

// size estimates the length of a document, so that it is rarely moved.
func size(r *diag.Report) int {
	n := 256
	for i := range r.Files {
		f := &r.Files[i]
		n += 128 + 2*(len(f.Path)+len(f.Reason)) + 320*len(f.Diagnostics)
	}
	return n
}

func appendOutcomes(dst []byte, files []diag.FileReport, which diag.Outcome, key string, o Options) []byte {
	more := false
	for i := range files {
		f := &files[i]
		if f.Outcome != which {
			continue
		}
		dst = comma(dst, more)
		more = true
		dst = appendPath(append(dst, '{'), Relative(o.Prefix, f.Path))
		dst = appendString(append(dst, key...), f.Reason)
		dst = append(dst, '}')
	}
	return dst
}

// silent reports whether a file has nothing to say, and so no record.
func silent(r *diag.Report, f *diag.FileReport) bool {
	if f.Outcome != diag.Checked || f.FixWithheld {
		return false
	}
	if r.Verb == "fmt" {
		return !f.Changed
	}
	return len(f.Diagnostics) == 0 && f.Fixed == 0 && f.Extras().Total == 0
}

func appendLintRecord(dst []byte, mark int, r *diag.Report, f *diag.FileReport, o Options) []byte {
	if silent(r, f) {
		return dst
	}
	dst = comma(dst, len(dst) > mark)
	dst = appendPath(append(dst, '{'), Relative(o.Prefix, f.Path))
	dst = append(dst, `,"diagnostics":[`...)
	for i := range f.Diagnostics {
		dst = comma(dst, i > 0)
		dst = appendDiagnostic(dst, &f.Diagnostics[i], r.Delta != nil)
	}
	dst = append(dst, ']')
	if n := f.Extras().Total; n > 0 {
		dst = appendInt(dst, `,"diagnostics_total":`, n)
	}
	if f.Config != 0 {
		dst = appendInt(dst, `,"config":`, f.Config)
	}
	if f.Fixed > 0 {
		dst = appendInt(dst, `,"fixed":`, f.Fixed)
	}
	if f.FixWithheld {
		dst = append(dst, `,"fix_withheld_generated":true`...)
	}
	dst = appendReason(dst, f)
	return appendDebug(dst, f, o)
}

func appendFmtRecord(dst []byte, mark int, r *diag.Report, f *diag.FileReport, o Options) []byte {
	if silent(r, f) {
		return dst
	}
	dst = comma(dst, len(dst) > mark)
	dst = appendPath(append(dst, '{'), Relative(o.Prefix, f.Path))
	dst = append(dst, `,"changed":`...)
	dst = strconv.AppendBool(dst, f.Changed)
	if f.FixWithheld {
		dst = append(dst, `,"fix_withheld_generated":true`...)
	}
	dst = appendReason(dst, f)
	if f.Config != 0 {
		dst = appendInt(dst, `,"config":`, f.Config)
	}
	return appendDebug(dst, f, o)
}

func appendReason(dst []byte, f *diag.FileReport) []byte {
	switch f.Outcome {
	case diag.Skipped:
		return appendString(append(dst, `,"skipped":`...), f.Reason)
	case diag.Errored:
		return appendString(append(dst, `,"error":`...), f.Reason)
	default:
		return dst
	}
}

func appendDebug(dst []byte, f *diag.FileReport, o Options) []byte {
	if !o.Debug {
		return append(dst, '}')
	}
	dst = append(dst, `,"debug":{"engines":[`...)
	for i, e := range f.Extras().Engines {
		dst = comma(dst, i > 0)
		dst = appendString(append(dst, `{"engine":`...), e.Engine)
		dst = appendString(append(dst, `,"version":`...), e.Version)
		dst = append(dst, `,"duration_ms":`...)
		dst = strconv.AppendFloat(dst, float64(e.Micros)/1000, 'f', -1, 64)
		dst = append(dst, `,"cache_hit":`...)
		dst = append(strconv.AppendBool(dst, e.CacheHit), '}')
	}
	return append(dst, `]}}`...)
}

// appendDiagnostic writes all keys, null where there is nothing: records of one
// shape stay tables in TOON.
func appendDiagnostic(dst []byte, d *diag.Diagnostic, state bool) []byte {
	dst = appendString(append(dst, `{"engine":`...), d.Engine)
	dst = appendOptional(append(dst, `,"code":`...), d.Code)
	dst = appendString(append(dst, `,"severity":`...), severity(d).String())
	dst = appendString(append(dst, `,"title":`...), d.Title)
	dst = appendOptional(append(dst, `,"description":`...), d.Description)
	dst = append(dst, `,"span":`...)
	if s := d.Span; s == nil {
		dst = append(dst, `null`...)
	} else {
		dst = appendInt(dst, `{"start_line":`, s.StartLine)
		dst = appendInt(dst, `,"start_col":`, s.StartCol)
		dst = appendInt(dst, `,"end_line":`, s.EndLine)
		dst = appendInt(dst, `,"end_col":`, s.EndCol)
		dst = append(dst, '}')
	}
	dst = appendOptional(append(dst, `,"url":`...), d.URL)
	dst = appendFix(append(dst, `,"fix":`...), d.Fix)
	dst = appendMetadata(append(dst, `,"metadata":`...), d.Metadata)
	if state {
		dst = appendOptional(append(dst, `,"state":`...), d.State)
	}
	return append(dst, '}')
}

func appendFix(dst []byte, fix []diag.Edit) []byte {
	if len(fix) == 0 {
		return append(dst, `null`...)
	}
	dst = append(dst, '[')
	for i := range fix {
		dst = comma(dst, i > 0)
		dst = appendInt(dst, `{"start_byte":`, fix[i].Start)
		dst = appendInt(dst, `,"end_byte":`, fix[i].End)
		dst = appendString(append(dst, `,"replacement":`...), fix[i].Replacement)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendMetadata(dst []byte, m map[string]string) []byte {
	if len(m) == 0 {
		return append(dst, `null`...)
	}
	dst = append(dst, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		dst = comma(dst, i > 0)
		dst = append(appendString(dst, k), ':')
		dst = appendString(dst, m[k])
	}
	return append(dst, '}')
}

func severity(d *diag.Diagnostic) diag.Severity {
	if d.Severity == diag.SeverityUnset {
		return diag.Warning
	}
	return d.Severity
}

func comma(dst []byte, more bool) []byte {
	if more {
		return append(dst, ',')
	}
	return dst
}

func appendInt(dst []byte, key string, n int) []byte {
	return strconv.AppendInt(append(dst, key...), int64(n), 10)
}

// appendPath writes the member path and, for names that are not UTF-8, path_bytes.
func appendPath(dst []byte, path string) []byte {
	dst = appendString(append(dst, `"path":`...), path)
	if !utf8.ValidString(path) {
		dst = append(dst, `,"path_bytes":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, []byte(path))
		dst = append(dst, '"')
	}
	return dst
}

func appendOptional(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, `null`...)
	}
	return appendString(dst, s)
}

// appendString writes a JSON string. Only what JSON demands is escaped, and the
// two separators that some readers take for line ends.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[from:i]...)
			dst = appendEscape(dst, c)
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[from:i]...)
			dst = append(dst, "\ufffd"...)
			from = i + 1
		} else if r == '\u2028' || r == '\u2029' {
			dst = append(dst, s[from:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, "89"[r-'\u2028'])
			from = i + n
		}
		i += n
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

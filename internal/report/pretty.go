package report

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"poly/internal/diag"
)

// appendPretty writes a run for people.
func appendPretty(dst []byte, r *diag.Report, o Options) ([]byte, error) {
	if o.Diff {
		return appendPatches(dst, r, o), nil
	}
	findings := 0
	for i := range r.Files {
		findings += len(r.Files[i].Diagnostics)
	}
	dst = slices.Grow(dst, 160*findings) // what most take
	body := len(dst)
	for i := range r.Files {
		if r.Verb == "fmt" {
			dst = appendFormatted(dst, r, &r.Files[i], o)
		} else {
			dst = appendFindings(dst, &r.Files[i], o)
		}
	}
	t := tallyOf(r, o)
	if !o.Quiet {
		if len(dst) > body {
			dst = append(dst, '\n')
		}
		dst = appendSummary(dst, r, t, o)
	}
	return appendNotes(dst, r, t, o), nil
}

func appendPatches(dst []byte, r *diag.Report, o Options) []byte {
	for i := range r.Files {
		patch := r.Files[i].Extras().Diff
		if !o.Color {
			dst = append(dst, patch...)
			continue
		}
		for line := range strings.Lines(patch) {
			line, end := strings.CutSuffix(line, "\n")
			dst = o.paint(dst, patchStyle(line), line)
			if end {
				dst = append(dst, '\n')
			}
		}
	}
	return dst
}

func patchStyle(line string) style {
	switch {
	case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return bold
	case strings.HasPrefix(line, "@@"):
		return blue
	case strings.HasPrefix(line, "-"):
		return crimson
	case strings.HasPrefix(line, "+"):
		return green
	}
	return plain
}

func appendFormatted(dst []byte, r *diag.Report, f *diag.FileReport, o Options) []byte {
	switch {
	case !f.Changed:
	case r.Fix:
		dst = append(append(append(dst, "reformatted "...), o.shown(f.Path)...), '\n')
	default:
		dst = append(append(append(dst, "would reformat "...), o.shown(f.Path)...), '\n')
	}
	return appendEngines(dst, f, o)
}

func appendFindings(dst []byte, f *diag.FileReport, o Options) []byte {
	if len(f.Diagnostics) == 0 && (!o.Debug || len(f.Extras().Engines) == 0) {
		return dst
	}
	dst = append(o.paint(dst, bold, o.shown(f.Path)), '\n')
	var place [2 * 20]byte
	width := 0
	for i := range f.Diagnostics {
		width = max(width, len(appendPlace(place[:0], f.Diagnostics[i].Span)))
	}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		level := severity(d)
		dst = append(dst, ' ', ' ')
		dst = o.paint(dst, colour(level), level.String())
		dst = pad(dst, len("warning")-len(level.String())+2)
		at := len(dst)
		dst = appendPlace(dst, d.Span)
		dst = pad(dst, width-(len(dst)-at))
		if width > 0 {
			dst = append(dst, ' ', ' ')
		}
		dst = o.close(appendRule(o.open(dst, faint), d), faint)
		dst = append(append(dst, ' ', ' '), clean(d.Title)...)
		if d.State != "" && d.State != "new" {
			dst = append(append(append(dst, " ("...), clean(d.State)...), ')')
		}
		dst = append(dst, '\n')
		dst = appendExcerpt(dst, d, o)
		dst = appendDetails(dst, d, o)
	}
	return appendEngines(dst, f, o)
}

func pad(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, ' ')
	}
	return dst
}

func appendPlace(dst []byte, s *diag.Span) []byte {
	if s == nil {
		return dst
	}
	dst = strconv.AppendInt(dst, int64(s.StartLine), 10)
	return strconv.AppendInt(append(dst, ':'), int64(s.StartCol), 10)
}

func appendRule(dst []byte, d *diag.Diagnostic) []byte {
	dst = append(dst, clean(d.Engine)...)
	if d.Code == "" {
		return dst
	}
	return append(append(dst, '/'), clean(d.Code)...)
}

func appendDetails(dst []byte, d *diag.Diagnostic, o Options) []byte {
	if !o.Verbose {
		return dst
	}
	for line := range strings.Lines(d.Description) {
		dst = append(append(append(dst, "      "...), clean(strings.TrimRight(line, "\r\n"))...), '\n')
	}
	if d.URL != "" {
		dst = append(append(append(dst, "      "...), clean(d.URL)...), '\n')
	}
	keys := make([]string, 0, len(d.Metadata))
	for k := range d.Metadata {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		dst = append(append(append(append(append(dst, "      "...), clean(k)...), '='), clean(d.Metadata[k])...), '\n')
	}
	return dst
}

func appendEngines(dst []byte, f *diag.FileReport, o Options) []byte {
	if !o.Debug {
		return dst
	}
	for _, e := range f.Extras().Engines {
		dst = append(append(dst, "  [debug] "...), clean(e.Engine)...)
		if e.Version != "" {
			dst = append(append(dst, " v"...), clean(strings.TrimPrefix(e.Version, "v"))...)
		}
		if e.CacheHit {
			dst = append(dst, "  cache hit\n"...)
			continue
		}
		dst = append(dst, "  ran  "...)
		dst = append(strconv.AppendFloat(dst, float64(e.Micros)/1000, 'f', 2, 64), " ms\n"...)
	}
	return dst
}

// appendPrettyObject writes "key: value" lines; lists of flat objects with the
// same keys become tables.
func appendPrettyObject(dst []byte, v Object, o Options) ([]byte, error) {
	if doc, err := AppendObject(nil, v); err != nil { // the same values are refused everywhere
		return append(dst, doc[:0]...), err
	}
	return appendMembers(dst, v, "", o), nil
}

func appendMembers(dst []byte, v Object, indent string, o Options) []byte {
	for _, m := range v {
		dst = append(dst, indent...)
		dst = o.paint(dst, bold, clean(m.Key))
		dst = append(dst, ':')
		dst = appendBelow(dst, m.Value, indent, o)
	}
	return dst
}

// appendBelow writes a value after its key, on the same line or on those below.
func appendBelow(dst []byte, v any, indent string, o Options) []byte {
	inner := indent + "  "
	var items []any
	switch v := v.(type) {
	case Object:
		if len(v) == 0 {
			return append(dst, " none\n"...)
		}
		return appendMembers(append(dst, '\n'), v, inner, o)
	case []Object:
		for _, x := range v {
			items = append(items, x)
		}
	case []string:
		for _, x := range v {
			items = append(items, x)
		}
	case []any:
		items = v
	default:
		return append(append(append(dst, ' '), scalarText(v)...), '\n')
	}
	if len(items) == 0 {
		return append(dst, " none\n"...)
	}
	dst = append(dst, '\n')
	if rows, ok := tableRows(items); ok {
		return appendTable(dst, rows, inner)
	}
	for _, item := range items {
		dst = append(append(dst, inner...), '-')
		if members, ok := item.(Object); ok && len(members) > 0 {
			lines := appendMembers(nil, members, inner+"  ", o)
			dst = append(append(dst, ' '), lines[len(inner)+2:]...)
			continue
		}
		dst = appendBelow(dst, item, inner, o)
	}
	return dst
}

func scalarText(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		if v == "" {
			return `""`
		}
		return clean(v)
	default:
		text, _ := appendScalar(nil, v) // checked before
		return string(text)
	}
}

// tableRows returns a header and rows if items are objects of one flat shape.
func tableRows(items []any) (rows [][]string, ok bool) {
	var header []string
	for i, item := range items {
		v, isObject := item.(Object)
		if !isObject || len(v) == 0 || (i > 0 && len(v) != len(header)) {
			return nil, false
		}
		row := make([]string, len(v))
		for j, m := range v {
			if i == 0 {
				header = append(header, clean(m.Key))
			} else if header[j] != clean(m.Key) {
				return nil, false
			}
			switch m.Value.(type) {
			case Object, []Object, []string, []any:
				return nil, false
			}
			row[j] = scalarText(m.Value)
		}
		if i == 0 {
			rows = append(rows, header)
		}
		rows = append(rows, row)
	}
	return rows, true
}

func appendTable(dst []byte, rows [][]string, indent string) []byte {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for j, text := range row {
			widths[j] = max(widths[j], textWidth(text))
		}
	}
	for _, row := range rows {
		dst = append(dst, indent...)
		for j, text := range row {
			dst = append(dst, text...)
			if j < len(row)-1 {
				dst = pad(dst, widths[j]-textWidth(text)+2)
			}
		}
		dst = append(dst, '\n')
	}
	return dst
}

func textWidth(s string) int {
	n := 0
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		n += cellWidth(r)
		s = s[size:]
	}
	return n
}

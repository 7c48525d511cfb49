package yamlfmt

import (
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// mend puts the original lines of block scalars back where the library changed
// their value, as it does with blank lines at their start and with deeper
// lines of folded ones (google/yamlfmt#69), indents the lines of quoted scalars,
// removes quotes that stand for nothing, keeps `? key` for the members of a set
// and puts the blank behind an alias that is a key (google/yamlfmt#247). Everything else is left to [Same].
func (r *reader) mend(before, after []byte) []byte {
	a, err := r.read(before)
	if err != nil {
		return after
	}
	b, err := r.read(after)
	if err != nil || len(a.events) != len(b.events) {
		return after
	}
	edits := indentation(b)
	for i := range a.events {
		x, y := &a.events[i], &b.events[i]
		if e, ok := noValue(a, b, i); ok {
			edits = append(edits, []diag.Edit{e})
		}
		if e, ok := noColon(a, b, i); ok {
			edits = append(edits, e)
		}
		if y.Kind == yamlevent.Alias && strings.HasPrefix(b.text[y.End:], ":") {
			edits = append(edits, []diag.Edit{{Start: y.End, End: y.End, Replacement: " "}})
		}
		if !blockScalar(x) || !blockScalar(y) || x.Value == y.Value {
			continue
		}
		t, ok := transplant(a.text, b.text, x, y)
		if !ok {
			return after
		}
		end := y.End
		if strings.HasSuffix(t, "\n") {
			end = y.Tail
		}
		edits = append(edits, []diag.Edit{{Start: y.Start, End: end, Replacement: t}})
	}
	if len(edits) == 0 {
		return after
	}
	out, _ := diag.Apply(after, edits)
	return out
}

// indentation returns edits that indent the lines of quoted scalars which the
// library writes at the start of the line. Blanks there are not part of a value.
func indentation(s *stream) [][]diag.Edit {
	var edits [][]diag.Edit
	for _, l := range s.loose {
		edits = append(edits, []diag.Edit{{Start: l.Line, End: l.Start, Replacement: strings.Repeat(" ", l.Need+1)}})
	}
	return edits
}

// noValue removes the quotes that the library writes for a key in braces
// without a value: `{a}` is null, not text.
func noValue(a, b *stream, i int) (diag.Edit, bool) {
	x, y := &a.events[i], &b.events[i]
	if i == 0 || x.Kind != yamlevent.Scalar || x.Head != x.End || b.text[y.Head:y.End] != "''" {
		return diag.Edit{}, false
	}
	key, start := &b.events[i-1], y.Start
	if !colon(a, x) {
		start = key.End
	}
	return diag.Edit{Start: start, End: y.End}, key.Kind == yamlevent.Scalar && b.text[key.End:y.Head] == ": "
}

// noColon writes `? key` where the library has made `key:` of it, or has added
// an empty value on a line of its own. Readers take all for null, but the first
// is how the members of a set are written.
func noColon(a, b *stream, i int) ([]diag.Edit, bool) {
	x, y := &a.events[i], &b.events[i]
	if i == 0 || x.Kind != yamlevent.Scalar || x.Head != x.End || y.Head != y.End || colon(a, x) || !colon(b, y) {
		return nil, false
	}
	if line := strings.LastIndexByte(b.text[:y.Start], '\n'); line >= 0 && strings.TrimLeft(b.text[line+1:y.Start], " ") == ":" {
		return []diag.Edit{{Start: line, End: y.Start}}, strings.HasPrefix(b.text[y.Start:], "\n")
	}
	key := &b.events[i-1]
	above := b.text[1+strings.LastIndexByte(b.text[:key.Head], '\n') : key.Head]
	if key.Kind != yamlevent.Scalar || key.End+1 != y.Start || strings.Trim(above, " -?") != "" {
		return nil, false
	}
	return []diag.Edit{{Start: key.Head, End: key.Head, Replacement: "? "}, {Start: key.End, End: y.Start}}, true
}

// colon tells that an empty value has an indicator.
func colon(s *stream, e *yamlevent.Event) bool {
	return strings.HasSuffix(strings.TrimRight(s.text[:e.Start], " \t\n"), ":")
}

func blockScalar(e *yamlevent.Event) bool {
	return e.Kind == yamlevent.Scalar && (e.Style == yamlevent.Lit || e.Style == yamlevent.Fold)
}

// transplant writes the scalar x of the text before at the place and with the
// indentation of y in the text after. It ends with a line end if x keeps those
// at its end.
func transplant(before, after string, x, y *yamlevent.Event) (string, bool) {
	header, body, _ := strings.Cut(before[x.Start:x.Tail], "\n")
	header = header[:strings.IndexAny(header+" ", " \t")]
	chomp := strings.Trim(header, "|>123456789")
	if first := x.Tail - len(body); chomp != "+" {
		body = before[first:max(first, x.End)]
	}
	var b strings.Builder
	explicit, text := false, false
	for line := range strings.Lines(body) {
		line, ended := strings.CutSuffix(line, "\n")
		if len(line) > x.Indent || strings.Trim(line, " ") != "" {
			line = line[x.Indent:]
			explicit = explicit || !text && line[0] == ' '
			text = true
			b.WriteString(strings.Repeat(" ", y.Indent))
			b.WriteString(line)
		}
		if ended {
			b.WriteByte('\n')
		}
	}
	out := header[:1]
	if explicit {
		digit := y.Indent - y.Parent
		if digit < 1 || digit > 9 {
			return "", false
		}
		out += strconv.Itoa(digit)
	}
	rest, _, _ := strings.Cut(after[y.Start:], "\n")
	rest = rest[strings.IndexAny(rest+" ", " \t"):]
	return out + chomp + rest + "\n" + b.String(), true
}

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
// removes quotes that stand for nothing and puts the blank behind an alias that
// is a key (google/yamlfmt#247). Everything else is left to [Same].
func mend(before, after []byte) []byte {
	a, err := read(before)
	if err != nil {
		return after
	}
	b, err := read(after)
	if err != nil || len(a.events) != len(b.events) {
		return after
	}
	edits := indentation(b)
	for i, x := range a.events {
		y := b.events[i]
		if e, ok := noValue(a, b, i); ok {
			edits = append(edits, []diag.Edit{e})
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
	out, _ := diag.Apply(after, edits)
	return out
}

// indentation returns edits that indent the lines of quoted scalars which the
// library writes at the start of the line. Blanks there are not part of a value.
func indentation(s stream) [][]diag.Edit {
	var edits [][]diag.Edit
	for _, l := range s.loose {
		edits = append(edits, []diag.Edit{{Start: l.Line, End: l.Start, Replacement: strings.Repeat(" ", l.Need+1)}})
	}
	return edits
}

// noValue removes the quotes that the library writes for a key in braces
// without a value: `{a}` is null, not text.
func noValue(a, b stream, i int) (diag.Edit, bool) {
	x, y := a.events[i], b.events[i]
	if i == 0 || x.Kind != yamlevent.Scalar || x.Head != x.End || b.text[y.Head:y.End] != "''" {
		return diag.Edit{}, false
	}
	key := b.events[i-1]
	return diag.Edit{Start: key.End, End: y.End}, key.Kind == yamlevent.Scalar && b.text[key.End:y.Head] == ": "
}

func blockScalar(e yamlevent.Event) bool {
	return e.Kind == yamlevent.Scalar && (e.Style == yamlevent.Lit || e.Style == yamlevent.Fold)
}

// transplant writes the scalar x of the text before at the place and with the
// indentation of y in the text after. It ends with a line end if x keeps those
// at its end.
func transplant(before, after string, x, y yamlevent.Event) (string, bool) {
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

package rules

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"

	"poly/internal/rules/match"
)

// JSON is a match as ast-grep prints it: the keys and their order are its.
type JSON struct {
	Text               string     `json:"text"`
	Range              jsonRange  `json:"range"`
	File               string     `json:"file"`
	Lines              string     `json:"lines"`
	CharCount          charCount  `json:"charCount"`
	Replacement        *string    `json:"replacement,omitempty"`
	ReplacementOffsets *offsets   `json:"replacementOffsets,omitempty"`
	Language           string     `json:"language"`
	MetaVariables      *variables `json:"metaVariables,omitempty"`
	RuleID             string     `json:"ruleId"`
	Severity           string     `json:"severity"`
	Note               *string    `json:"note"`
	Message            string     `json:"message"`
	Labels             []label    `json:"labels,omitempty"`
	Metadata           any        `json:"metadata,omitempty"`
}

type offsets struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type jsonRange struct {
	ByteOffset offsets  `json:"byteOffset"`
	Start      position `json:"start"`
	End        position `json:"end"`
}

type charCount struct {
	Leading  int `json:"leading"`
	Trailing int `json:"trailing"`
}

type matched struct {
	Text  string    `json:"text"`
	Range jsonRange `json:"range"`
}

type variables struct {
	Single      map[string]matched   `json:"single"`
	Multi       map[string][]matched `json:"multi"`
	Transformed map[string]string    `json:"transformed"`
}

type label struct {
	Text    string    `json:"text"`
	Range   jsonRange `json:"range"`
	Message string    `json:"message,omitempty"`
	Style   string    `json:"style"`
}

// AsJSON returns a match of a text as ast-grep prints it. metadata: that of the
// rule is wanted.
func (f *Found) AsJSON(ctx context.Context, x *match.Match, file string, metadata bool) (JSON, error) {
	d := f.Doc
	j := f.at(x.Node, file)
	j.RuleID, j.Severity, j.Message, j.MetaVariables = x.Rule.ID, x.Rule.Severity, f.Matcher.Message(x), f.variables(x)
	if x.Rule.HasNote {
		j.Note = &x.Rule.Note
	}
	for _, l := range x.Labels(d) {
		j.Labels = append(j.Labels, label{string(d.Source[l.Start:l.End]), f.rangeOf(l.Start, l.End), l.Message, l.Style})
	}
	if metadata && x.Rule.Metadata != nil {
		var m map[string]any
		if err := x.Rule.Metadata.Decode(&m); err != nil {
			return j, err
		}
		j.Metadata = m
	}
	edits, err := f.Matcher.Edits(ctx, x)
	if err == nil && len(edits) > 0 {
		j.Replacement, j.ReplacementOffsets = &edits[0].Text, &offsets{edits[0].Start, edits[0].End}
	}
	return j, err
}

func (f *Found) rangeOf(start, end int) jsonRange {
	line, col := f.Doc.Pos(start)
	toLine, toCol := f.Doc.Pos(end)
	return jsonRange{offsets{start, end}, position{line, col}, position{toLine, toCol}}
}

func (f *Found) node(n match.Node) matched {
	start, end := f.Doc.Range(n)
	return matched{string(f.Doc.Text(n)), f.rangeOf(start, end)}
}

// variables returns what is bound, nil if nothing is.
func (f *Found) variables(x *match.Match) *variables {
	single, multi, made := x.Variables()
	if len(single)+len(multi)+len(made) == 0 {
		return nil
	}
	v := &variables{map[string]matched{}, map[string][]matched{}, made}
	for _, s := range single {
		v.Single[s.Name] = f.node(s.Nodes[0])
	}
	for _, m := range multi {
		list := make([]matched, len(m.Nodes))
		for i, n := range m.Nodes {
			list[i] = f.node(n)
		}
		v.Multi[m.Name] = list
	}
	return v
}

// AppendJSON appends a match as JSON: on one line, or indented.
func AppendJSON(b []byte, j *JSON, indent bool) ([]byte, error) {
	to := appender(b)
	enc := json.NewEncoder(&to)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(j); err != nil {
		return b, err
	}
	return to[:len(to)-1], nil // Encode ends with a newline
}

// appender is a slice that is written to.
type appender []byte

// Write implements io.Writer.
func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// UnusedJSON returns the comments that suppress nothing as ast-grep prints them.
func (f *Found) UnusedJSON(file, severity string) []JSON {
	var out []JSON
	for _, n := range f.Unused {
		start, end := f.Doc.Range(n)
		empty := ""
		j := f.at(n, file)
		j.Replacement, j.ReplacementOffsets = &empty, &offsets{start, end}
		j.RuleID, j.Severity, j.Message = "unused-suppression", severity, "Unused 'ast-grep-ignore' directive."
		j.Labels = []label{{j.Text, j.Range, "", "primary"}}
		out = append(out, j)
	}
	return out
}

// at returns what is said of a node, whatever the rule is.
func (f *Found) at(n match.Node, file string) JSON {
	d := f.Doc
	start, end := d.Range(n)
	j := JSON{Text: string(d.Text(n)), Range: f.rangeOf(start, end), File: file, Language: d.Lang.Display()}
	from := bytes.LastIndexByte(d.Source[:start], '\n') + 1
	to := len(d.Source)
	if i := bytes.IndexByte(d.Source[end:], '\n'); i >= 0 {
		to = end + i
	}
	j.Lines = string(d.Source[from:to])
	j.CharCount = charCount{utf8.RuneCount(d.Source[from:start]), utf8.RuneCount(d.Source[end:to])}
	return j
}

// Package toolout reads what other tools print for machines: cargo's JSON,
// SARIF, go vet's JSON, and lines that a pattern describes. It makes
// diagnostics of it and hands back what is left for people. It starts nothing
// and never fails: what it cannot read is left for people.
package toolout

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"poly/internal/diag"
)

// Finding is a diagnostic that a tool gave for a file, which is relative to the
// directory the tool ran in, or absolute, as the tool wrote it. Spans have lines
// and columns as the tool counts them, and offsets only where it gave both.
type Finding struct {
	Path string
	diag.Diagnostic
}

// span makes a span; a zero end means the start, a zero line means none.
func span(line, col, endLine, endCol int) *diag.Span {
	if line <= 0 {
		return nil
	}
	col = max(col, 1)
	if endLine < line || endLine == line && endCol < col {
		endLine, endCol = line, col
	}
	return &diag.Span{StartLine: line, StartCol: col, EndLine: endLine, EndCol: max(endCol, 1)}
}

// cargoLine is a line of cargo's --message-format=json.
type cargoLine struct {
	Reason  string        `json:"reason"`
	Message *cargoMessage `json:"message"`
}

type cargoMessage struct {
	Level    string         `json:"level"`
	Message  string         `json:"message"`
	Rendered string         `json:"rendered"`
	Code     *cargoCode     `json:"code"`
	Spans    []cargoSpan    `json:"spans"`
	Children []cargoMessage `json:"children"`
}

type cargoCode struct {
	Code string `json:"code"`
}

type cargoSpan struct {
	File    string `json:"file_name"`
	Start   int    `json:"byte_start"`
	End     int    `json:"byte_end"`
	Line    int    `json:"line_start"`
	EndLine int    `json:"line_end"`
	Col     int    `json:"column_start"`
	EndCol  int    `json:"column_end"`
	Primary bool   `json:"is_primary"`
}

// Cargo reads cargo's --message-format=json. What the compiler rendered for
// people is the rest, each message once.
func Cargo(stdout []byte) (found []Finding, rest string) {
	var text strings.Builder
	seen := map[string]bool{}
	for line := range bytes.Lines(stdout) {
		var l cargoLine
		if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &l) != nil {
			text.Write(line)
			continue
		}
		m := l.Message
		if l.Reason != "compiler-message" || m == nil || seen[m.Rendered] {
			continue
		}
		seen[m.Rendered] = true
		text.WriteString(m.Rendered)
		if f, ok := m.finding(); ok {
			found = append(found, f)
		}
	}
	return found, text.String()
}

// finding is false for messages that only count others.
func (m *cargoMessage) finding() (Finding, bool) {
	f := Finding{Diagnostic: diag.Diagnostic{Engine: "rustc", Title: m.Message, Severity: diag.Error}}
	switch m.Level {
	case "warning":
		f.Severity = diag.Warning
	case "note", "help", "failure-note":
		f.Severity = diag.Info
	}
	if m.Code != nil {
		f.Code = m.Code.Code
	}
	if name, ok := strings.CutPrefix(f.Code, "clippy::"); ok {
		f.Engine, f.URL = "clippy", "https://rust-lang.github.io/rust-clippy/master/index.html#"+name
	}
	var more []string
	for _, c := range m.Children {
		more = append(more, c.Level+": "+c.Message)
	}
	f.Description = strings.Join(more, "\n")
	i := slices.IndexFunc(m.Spans, func(s cargoSpan) bool { return s.Primary })
	if i < 0 {
		counts := strings.HasPrefix(m.Message, "aborting due to") || strings.HasSuffix(m.Message, "emitted") || m.Level == "failure-note"
		return f, !counts
	}
	s := m.Spans[i]
	f.Path, f.Span = s.File, span(s.Line, s.Col, s.EndLine, s.EndCol)
	if f.Span != nil {
		f.Span.Start, f.Span.End = s.Start, s.End
	}
	return f, true
}

// vetFinding is what go vet -json tells: {package: {analyzer: [...] or an error}}.
type vetFinding struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

// GoVet reads the output of go vet -json, which says no by its findings and not
// by its exit code. They are not in the rest: [People] writes them.
func GoVet(output []byte) (found []Finding, rest string) {
	var text strings.Builder
	for len(output) > 0 {
		if output[0] != '{' {
			line := output
			if i := bytes.IndexByte(output, '\n'); i >= 0 {
				line = output[:i+1]
			}
			text.Write(line)
			output = output[len(line):]
			continue
		}
		var byPackage map[string]map[string]json.RawMessage
		d := json.NewDecoder(bytes.NewReader(output))
		if d.Decode(&byPackage) != nil {
			text.Write(output)
			break
		}
		output = bytes.TrimLeft(output[d.InputOffset():], "\r\n")
		for _, byAnalyzer := range byPackage {
			for name, raw := range byAnalyzer {
				found = append(found, vetFindings(name, raw)...)
			}
		}
	}
	slices.SortFunc(found, compare)
	return found, text.String()
}

func vetFindings(analyzer string, raw json.RawMessage) (found []Finding) {
	var list []vetFinding
	if json.Unmarshal(raw, &list) != nil {
		return []Finding{{Diagnostic: diag.Diagnostic{Engine: "go vet", Code: analyzer, Severity: diag.Error, Title: "the analyzer failed", Description: string(raw)}}}
	}
	for _, v := range list {
		path, line, col := splitPosition(v.Posn)
		_, endLine, endCol := splitPosition(v.End)
		found = append(found, Finding{path, diag.Diagnostic{
			Engine: "go vet", Code: analyzer, Severity: diag.Error, Title: v.Message, Span: span(line, col, endLine, endCol),
			URL: "https://pkg.go.dev/cmd/vet",
		}})
	}
	return found
}

// splitPosition reads "path:line:col" and "path:line".
func splitPosition(s string) (path string, line, col int) {
	var n [2]int
	k := 0
	for ; k < 2; k++ {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			break
		}
		v, err := strconv.Atoi(s[i+1:])
		if err != nil {
			break
		}
		n[k], s = v, s[:i]
	}
	if k == 2 {
		return s, n[1], n[0]
	}
	return s, n[0], 0
}

func position(s *diag.Span) string {
	if s == nil {
		return ""
	}
	return ":" + strconv.Itoa(s.StartLine) + ":" + strconv.Itoa(s.StartCol)
}

func compare(a, b Finding) int {
	at := func(f Finding) (line, col int) {
		if f.Span != nil {
			return f.Span.StartLine, f.Span.StartCol
		}
		return 0, 0
	}
	al, ac := at(a)
	bl, bc := at(b)
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(al, bl), cmp.Compare(ac, bc), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Title, b.Title))
}

// sarifLog is the part of SARIF 2.1.0 that is read.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Name  string `json:"name"`
				Rules []struct {
					ID      string `json:"id"`
					HelpURI string `json:"helpUri"`
					Config  struct {
						Level string `json:"level"`
					} `json:"defaultConfiguration"`
				} `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []struct {
			RuleID    string `json:"ruleId"`
			RuleIndex *int   `json:"ruleIndex"`
			Level     string `json:"level"`
			Kind      string `json:"kind"`
			Message   struct {
				Text string `json:"text"`
			} `json:"message"`
			Locations []struct {
				Physical struct {
					Artifact struct {
						URI string `json:"uri"`
					} `json:"artifactLocation"`
					Region struct {
						StartLine   int `json:"startLine"`
						StartColumn int `json:"startColumn"`
						EndLine     int `json:"endLine"`
						EndColumn   int `json:"endColumn"`
					} `json:"region"`
				} `json:"physicalLocation"`
			} `json:"locations"`
			Suppressions []json.RawMessage `json:"suppressions"`
		} `json:"results"`
	} `json:"runs"`
}

// SARIF reads a SARIF log. Results that are suppressed, or pass, are none.
func SARIF(stdout []byte) (found []Finding, rest string) {
	var log sarifLog
	d := json.NewDecoder(bytes.NewReader(stdout))
	if d.Decode(&log) != nil {
		return nil, string(stdout)
	}
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if len(r.Suppressions) > 0 || r.Kind != "" && r.Kind != "fail" {
				continue
			}
			f := Finding{Diagnostic: diag.Diagnostic{Engine: run.Tool.Driver.Name, Code: r.RuleID, Title: r.Message.Text}}
			level := r.Level
			for i, rule := range run.Tool.Driver.Rules {
				if r.RuleIndex != nil && *r.RuleIndex == i || rule.ID == r.RuleID {
					f.Code, f.URL = rule.ID, rule.HelpURI
					level = cmp.Or(level, rule.Config.Level)
					break
				}
			}
			f.Severity = map[string]diag.Severity{"error": diag.Error, "note": diag.Info, "none": diag.Hint}[level]
			if f.Severity == diag.SeverityUnset {
				f.Severity = diag.Warning // what SARIF says of a level that is missing
			}
			if len(r.Locations) > 0 {
				p := r.Locations[0].Physical
				f.Path = filePath(p.Artifact.URI)
				f.Span = span(p.Region.StartLine, p.Region.StartColumn, p.Region.EndLine, p.Region.EndColumn)
			}
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, compare)
	return found, People(found) + strings.TrimLeft(string(stdout[d.InputOffset():]), "\r\n")
}

// filePath is the path that a URI stands for.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "" && u.Scheme != "file" {
		return uri
	}
	return u.Path
}

// People writes findings for people, one a line.
func People(found []Finding) string {
	var b strings.Builder
	for _, f := range found {
		b.WriteString(f.Path + position(f.Span) + ": " + f.Title)
		if f.Code != "" {
			b.WriteString(" (" + f.Code + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// colons matches "path:line:col: message" and "path:line: message", with a code
// in brackets at the end.
var colons = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?P<path>[^\s:][^:\n]*[A-Za-z_./][^:\n]*|[A-Za-z_./]):(?P<line>\d+)(?::(?P<col>\d+))?: (?P<title>.*?)(?: \((?P<code>[\w./-]+)\))?$`)
})

// Colons reads lines of the form "path:line:col: message (code)" as errors of
// the tool engine. All lines stay for people.
func Colons(engine string, stdout []byte) (found []Finding, rest string) {
	return Lines(engine, colons(), diag.Error, stdout)
}

// Lines reads lines that match a pattern with groups named path, line, col,
// endline, endcol, title, code and severity, of which only title is needed.
// All lines stay for people.
func Lines(engine string, pattern *regexp.Regexp, def diag.Severity, stdout []byte) (found []Finding, rest string) {
	names := pattern.SubexpNames()
	for line := range strings.Lines(string(stdout)) {
		m := pattern.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		f := Finding{Diagnostic: diag.Diagnostic{Engine: engine, Severity: def}}
		num := map[string]int{}
		for i, v := range m {
			switch names[i] {
			case "path":
				f.Path = v
			case "title":
				f.Title = v
			case "code":
				f.Code = v
			case "severity":
				if s, ok := diag.ParseSeverity(v); ok {
					f.Severity = s
				}
			default:
				num[names[i]], _ = strconv.Atoi(v)
			}
		}
		f.Span = span(num["line"], num["col"], num["endline"], num["endcol"])
		found = append(found, f)
	}
	return found, string(stdout)
}

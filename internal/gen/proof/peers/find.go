package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"poly/internal/gen/proof/lab"
)

func newHeard() *heard { return &heard{unread: map[string]bool{}} }

// unreadable are shellcheck's codes of files that it does not read on.
var unreadable = []int{1071, 1072, 1073, 1088, 1089}

func (b *bench) shellcheck(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 20, h, func(out, _ []byte) error {
		var doc struct {
			Comments []struct {
				File               string
				Line, Column, Code int
				Message            string
			}
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, c := range doc.Comments {
			h.findings = append(h.findings, finding{path: c.File, line: c.Line, column: c.Column, code: fmt.Sprintf("SC%d", c.Code), words: c.Message})
			if slices.Contains(unreadable, c.Code) {
				h.unread[c.File] = true
			}
		}
		return nil
	}, tool, "--norc", "-f", "json1")
}

var markdownLine = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))? (?:error |warning )?(MD\d+)/\S+ (.*)`)

func (b *bench) markdownlint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	literal := tree{dir: t.dir}
	for _, f := range t.files {
		literal.files = append(literal.files, ":"+f) // a name, not a pattern
	}
	return h, b.chunks(ctx, literal, 500, h, func(_, errs []byte) error {
		for line := range strings.Lines(string(errs)) {
			if m := markdownLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				n, _ := strconv.Atoi(m[2])
				h.findings = append(h.findings, finding{path: m[1], line: n, code: m[4], words: m[5]})
			}
		}
		return nil
	}, "node", tool, "--no-globs")
}

func (b *bench) hadolint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 100, h, func(out, _ []byte) error {
		var doc []struct {
			File, Code, Message string
			Line, Column        int
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, c := range doc {
			h.findings = append(h.findings, finding{path: c.File, line: c.Line, column: 0, code: c.Code, words: c.Message})
			if c.Code == "DL1000" {
				h.unread[c.File] = true
			}
		}
		return nil
	}, tool, "--no-fail", "-f", "json")
}

func (b *bench) actionlint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	r, err := b.lab.Start(ctx, t.dir, nil, tool, "-shellcheck=", "-pyflakes=", "-format", "{{json .}}")
	h.cpu = r.CPU
	if err != nil || len(r.Out) == 0 {
		return h, err
	}
	var doc []struct {
		Filepath, Kind, Message string
		Line, Column            int
	}
	if err := json.Unmarshal(r.Out, &doc); err != nil {
		return nil, fmt.Errorf("%w: %s", err, lab.Clean(string(r.Errs)))
	}
	for _, c := range doc {
		h.findings = append(h.findings, finding{path: c.Filepath, line: c.Line, column: c.Column, code: c.Kind, words: c.Message})
	}
	return h, nil
}

func (b *bench) revive(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	r, late, err := b.remembered(ctx, t.dir, []string{tool, "-formatter", "json", "./..."}, t.files...)
	if err != nil || late {
		return nil, fmt.Errorf("revive: late %v: %w", late, err)
	}
	h.cpu = r.CPU
	var doc []struct {
		Failure, RuleName string
		Position          struct {
			Start struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(r.Out, &doc); err != nil && len(r.Out) > 0 {
		return nil, fmt.Errorf("%w: %s", err, lab.Clean(string(r.Errs)))
	}
	for _, c := range doc {
		p := c.Position.Start
		h.findings = append(h.findings, finding{path: path.Clean(p.Filename), line: p.Line, column: 0, code: c.RuleName, words: c.Failure})
	}
	return h, nil
}

// buildifier asks for the warnings that are on by default.
func (b *bench) buildifier(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 100, h, func(out, _ []byte) error {
		var doc struct {
			Files []struct {
				Filename string
				Valid    bool
				Warnings []struct {
					Start             struct{ Line, Column int }
					Category, Message string
				}
			}
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, f := range doc.Files {
			h.unread[f.Filename] = !f.Valid
			for _, w := range f.Warnings {
				h.findings = append(h.findings, finding{path: f.Filename, line: w.Start.Line, code: w.Category, words: w.Message})
			}
		}
		return nil
	}, tool, "-mode=check", "-lint=warn", "-format=json")
}

var (
	yamllintLine = regexp.MustCompile(`^(.*?):(\d+):(\d+): \[\w+\] (.*) \(([\w-]+)\)$`)
	// yamllintCodes are rules that have another name here.
	yamllintCodes = map[string]string{"key-duplicates": "duplicate-key", "octal-values": "octal", "anchors": "unknown-alias"}
)

// yamllint asks for the rules that poly has.
func (b *bench) yamllint(ctx context.Context, tool string, t tree) (*heard, error) {
	const rules = "{rules: {key-duplicates: {forbid-duplicated-merge-keys: true}, truthy: {allowed-values: [\"true\", \"True\", \"TRUE\", \"false\", \"False\", \"FALSE\"]}, octal-values: enable, key-ordering: enable, anchors: {forbid-undeclared-aliases: true}}}"
	h := newHeard()
	return h, b.chunks(ctx, t, 200, h, func(out, _ []byte) error {
		for line := range strings.Lines(string(out)) {
			m := yamllintLine.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				continue
			}
			n, _ := strconv.Atoi(m[2])
			code := m[5]
			if own := yamllintCodes[code]; own != "" {
				code = own
			}
			if code == "syntax" {
				h.unread[m[1]] = true
			}
			h.findings = append(h.findings, finding{path: m[1], line: n, code: code, words: m[4]})
		}
		return nil
	}, "env", "PYTHONPATH="+tool, "python3", "-m", "yamllint", "-f", "parsable", "-d", rules)
}

// unloaded names a directory that tflint cannot load.
var unloaded = regexp.MustCompile(`^Failed to run in (.*?);`)

// tflint looks at every module with all rules. A directory that it cannot load
// is unread.
func (b *bench) tflint(ctx context.Context, tool string, t tree) (*heard, error) {
	config := filepath.Join(b.lab.Dir, "all.hcl")
	if err := writeFile(config, []byte("plugin \"terraform\" {\n  enabled = true\n  preset  = \"all\"\n}\n")); err != nil {
		return nil, err
	}
	h := newHeard()
	r, late, err := b.remembered(ctx, t.dir, []string{tool, "--recursive", "--call-module-type=none", "--config", config, "--format", "json", "--force"}, t.files...)
	if err != nil || late {
		return nil, fmt.Errorf("tflint: late %v: %w", late, err)
	}
	h.cpu = r.CPU
	type place struct {
		Filename string
		Start    struct{ Line int }
	}
	var doc struct {
		Issues []struct {
			Rule    struct{ Name string }
			Message string
			Range   place
		}
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(r.Out, &doc); err != nil {
		return nil, fmt.Errorf("%w: %s", err, lab.Clean(string(r.Errs)))
	}
	for _, i := range doc.Issues {
		h.findings = append(h.findings, finding{path: path.Clean(i.Range.Filename), line: i.Range.Start.Line, code: i.Rule.Name, words: i.Message})
	}
	for _, e := range doc.Errors {
		m := unloaded.FindStringSubmatch(e.Message)
		for _, f := range t.files {
			h.unread[f] = h.unread[f] || m != nil && path.Dir(f) == m[1]
		}
	}
	return h, nil
}

var (
	dotenvLine = regexp.MustCompile(`^(?:\./)?(.*?):(\d+) (\w+): (.*)`)
	capital    = regexp.MustCompile(`\B[A-Z]`)
)

func (b *bench) dotenvLinter(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 200, h, func(out, errs []byte) error {
		for line := range strings.Lines(string(out) + string(errs)) {
			if m := dotenvLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				n, _ := strconv.Atoi(m[2])
				code := strings.ToLower(capital.ReplaceAllString(m[3], "-$0"))
				h.findings = append(h.findings, finding{path: m[1], line: n, code: code, words: m[4]})
			}
		}
		return nil
	}, tool, "check", "--plain", "-q")
}

var (
	editorconfigLine = regexp.MustCompile(`^(.*?):(\d+):\d+: \w+: (.*)`)
	// editorconfigCodes are beginnings of what the command says.
	editorconfigCodes = []struct{ words, code string }{
		{"Wrong indent", "indent-style"},
		{"Wrong amount", "indent-size"},
		{"Trailing whitespace", "trailing-whitespace"},
		{"Line too long", "max-line-length"},
		{"Wrong line endings or no final", "final-newline"},
		{"Final newline", "final-newline"},
		{"Not all lines", "end-of-line"},
	}
)

func (b *bench) editorconfig(ctx context.Context, tool string, t tree) (*heard, error) {
	config := filepath.Join(b.lab.Dir, "editorconfig-checker.json")
	if err := writeFile(config, []byte(`{"SpacesAfterTabs": true}`)); err != nil {
		return nil, err
	}
	h := newHeard()
	r, late, err := b.remembered(ctx, t.dir, []string{tool, "-no-color", "-config", config, "-format", "gcc"}, t.files...)
	if err != nil || late {
		return nil, fmt.Errorf("editorconfig-checker: late %v: %w", late, err)
	}
	h.cpu = r.CPU
	for line := range strings.Lines(string(r.Out) + string(r.Errs)) {
		m := editorconfigLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		for _, c := range editorconfigCodes {
			if strings.HasPrefix(m[3], c.words) {
				h.findings = append(h.findings, finding{path: path.Clean(m[1]), line: n, code: c.code, words: m[3]})
				break
			}
		}
	}
	return h, nil
}

var (
	escape  = regexp.MustCompile("(?i)^\\s*#\\s*escape\\s*=\\s*([\\\\`])")
	heredoc = regexp.MustCompile(`<<-?\s*["']?(\w+)["']?`)
	reader  = regexp.MustCompile(`(?i)^\s*(run|copy|add|onbuild)\b`)
)

// instruction maps each line of a Dockerfile to the first of its instruction:
// the command and poly name different ones.
func instruction(text string) func(int) int {
	lines := strings.Split(text, "\n")
	esc := `\`
	for _, l := range lines[:min(5, len(lines))] {
		if m := escape.FindStringSubmatch(l); m != nil {
			esc = m[1]
		}
	}
	first := make([]int, len(lines)+1)
	for i := range first {
		first[i] = i
	}
	for i := 0; i < len(lines); {
		if blank(lines[i]) {
			i++
			continue
		}
		begin := i
		i = whole(lines, begin, esc)
		for k := begin; k < i; k++ {
			first[k+1] = begin + 1
		}
	}
	return func(line int) int {
		if line < 1 || line >= len(first) {
			return line
		}
		return first[line]
	}
}

func blank(line string) bool {
	l := strings.TrimSpace(line)
	return l == "" || l[0] == '#'
}

// whole returns the index behind the instruction that begins at begin: with
// its continued lines and the documents it reads.
func whole(lines []string, begin int, esc string) int {
	var text strings.Builder
	i := begin
	for more := true; more && i < len(lines); i++ {
		l := strings.TrimRight(lines[i], " \t\r")
		if i > begin && blank(l) {
			continue
		}
		text.WriteString(l)
		more = strings.HasSuffix(l, esc) && !strings.HasSuffix(l, esc+esc)
	}
	if !reader.MatchString(text.String()) {
		return i
	}
	for _, m := range heredoc.FindAllStringSubmatch(strings.ReplaceAll(text.String(), "<<<", ""), -1) {
		for j := i; j < len(lines); j++ {
			if strings.TrimSpace(lines[j]) == m[1] {
				i = j + 1
				break
			}
		}
	}
	return i
}

package migrate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var hkPatterns = sync.OnceValue(func() (p struct{ hook, open, builtin, field, other *regexp.Regexp }) {
	p.hook = regexp.MustCompile(`^\["([\w-]+)"\]\s*\{`)
	p.open = regexp.MustCompile(`^\["([^"]+)"\]\s*(?:=\s*new\s+\w+\s*)?(?:=\s*\(?(Builtins\.\w+)\)?\s*)?\{(.*)`)
	p.builtin = regexp.MustCompile(`^\["([^"]+)"\]\s*=\s*Builtins\.(\w+)\s*$`)
	p.field = regexp.MustCompile(`^(\w+)\s*=\s*(.+?)\s*$`)
	p.other = regexp.MustCompile(`^\.\.\.(\w+)`)
	return p
})

// hkStep is a step of hk.
type hkStep struct {
	name    string
	line    int
	builtin string
	keys    map[string]string
	unread  []string
}

// hk reads hk.pkl line by line. Pkl is a language: what is more than plain
// steps is named and left out.
func (r *reader) hk() error {
	name, text, ok := r.first("hk.pkl", ".config/hk.pkl")
	if !ok {
		return nil
	}
	r.source(name)
	f := &hkFile{reader: r, name: name, lists: map[string][]hkStep{}}
	f.scan(string(text))
	return nil
}

// hkFile is the state of reading one file.
type hkFile struct {
	*reader
	name  string
	lists map[string][]hkStep // local variables that hold steps
	stack []string            // what encloses the line
	step  *hkStep
	hook  string
	fix   bool
	steps []hkStep
}

// scan goes over the lines.
func (f *hkFile) scan(text string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "amends") || strings.HasPrefix(line, "import") {
			continue
		}
		f.line(line, n)
	}
}

func (f *hkFile) top() string {
	if len(f.stack) == 0 {
		return ""
	}
	return f.stack[len(f.stack)-1]
}

func (f *hkFile) line(line string, n int) {
	p := hkPatterns()
	switch {
	case line == "}":
		f.close(n)
	case f.top() == "other":
		f.skip(line)
	case f.step != nil:
		f.field(line)
	case strings.HasPrefix(line, "local ") && strings.HasSuffix(line, "{"):
		f.stack = append(f.stack, "list:"+strings.Fields(line)[1])
	case strings.HasPrefix(line, "hooks") && strings.HasSuffix(line, "{"):
		f.stack = append(f.stack, "hooks")
	case f.top() == "hooks" && p.hook.MatchString(line):
		f.hook, f.fix, f.steps = p.hook.FindStringSubmatch(line)[1], false, nil
		f.stack = append(f.stack, "hook")
		if strings.HasSuffix(line, "}") {
			f.close(n)
		}
	case f.top() == "hook":
		f.inHook(line)
	case f.top() == "steps" || strings.HasPrefix(f.top(), "list:"):
		f.inSteps(line, n)
	case f.skip(line):
		f.note(f.name + ": " + strings.TrimRight(line, " {=") + " was not read")
	}
}

// skip notes that a line opens something that is not read.
func (f *hkFile) skip(line string) bool {
	opens := strings.HasSuffix(line, "{")
	if opens {
		f.stack = append(f.stack, "other")
	}
	return opens
}

func (f *hkFile) inHook(line string) {
	p := hkPatterns()
	if rest, ok := strings.CutPrefix(line, "steps"); ok {
		rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "="))
		switch {
		case strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}"):
			f.inSteps(strings.TrimSpace(strings.Trim(rest, "{}")), 0)
		case strings.HasSuffix(rest, "{"):
			f.stack = append(f.stack, "steps")
		default:
			f.steps = append(f.steps, f.lists[rest]...)
		}
		return
	}
	if m := p.field.FindStringSubmatch(line); m != nil && m[1] == "fix" {
		f.fix = m[2] == "true"
	}
}

func (f *hkFile) inSteps(line string, n int) {
	p := hkPatterns()
	add := func(s hkStep) {
		if list, ok := strings.CutPrefix(f.top(), "list:"); ok {
			f.lists[list] = append(f.lists[list], s)
			return
		}
		f.steps = append(f.steps, s)
	}
	if m := p.other.FindStringSubmatch(line); m != nil {
		for _, s := range f.lists[m[1]] {
			add(s)
		}
		return
	}
	if m := p.builtin.FindStringSubmatch(line); m != nil {
		add(hkStep{name: m[1], line: n, builtin: m[2], keys: map[string]string{}})
		return
	}
	if m := p.open.FindStringSubmatch(line); m != nil {
		f.step = &hkStep{name: m[1], line: n, builtin: strings.TrimPrefix(m[2], "Builtins."), keys: map[string]string{}}
		if rest, ok := strings.CutSuffix(m[3], "}"); ok {
			for part := range strings.SplitSeq(rest, ";") {
				f.field(strings.TrimSpace(part))
			}
			s := *f.step
			f.step = nil
			add(s)
			return
		}
		f.stack = append(f.stack, "step")
		return
	}
	f.note(f.name + ": " + strings.TrimRight(line, " {=") + " was not read")
	if strings.HasSuffix(line, "{") {
		f.stack = append(f.stack, "other")
	}
}

// field reads a line of a step.
func (f *hkFile) field(line string) {
	if line == "" {
		return
	}
	m := hkPatterns().field.FindStringSubmatch(line)
	if m == nil {
		f.step.unread = append(f.step.unread, strings.TrimRight(line, " {=("))
		if strings.HasSuffix(line, "{") {
			f.stack = append(f.stack, "other")
		}
		return
	}
	if strings.HasSuffix(m[2], "{") || m[2] == `"""` || strings.HasSuffix(m[2], "(") {
		f.step.unread = append(f.step.unread, m[1])
		if strings.HasSuffix(m[2], "{") {
			f.stack = append(f.stack, "other")
		}
		return
	}
	f.step.keys[m[1]] = m[2]
}

func (f *hkFile) close(int) {
	if len(f.stack) == 0 {
		return
	}
	top := f.top()
	f.stack = f.stack[:len(f.stack)-1]
	switch top {
	case "step":
		s := *f.step
		f.step = nil
		if list, ok := strings.CutPrefix(f.top(), "list:"); ok {
			f.lists[list] = append(f.lists[list], s)
		} else {
			f.steps = append(f.steps, s)
		}
	case "hook":
		f.write()
	}
}

// hkStages are the hooks of hk that git has.
func (f *hkFile) write() {
	if f.hook == "fix" || f.hook == "check" {
		f.note(f.name + ": hk " + f.hook + " is poly lint and poly fmt")
		return
	}
	if !slices.Contains(knownStages, f.hook) {
		f.add(Hook{File: f.name, ID: f.hook, Outcome: Left, Notes: []string{"poly has no stage " + f.hook}})
		return
	}
	s := f.draft.stage(f.hook)
	for _, st := range f.steps {
		f.carry(s, st)
	}
}

// pklStrings reads a string or a list of strings.
func pklStrings(v string) []string {
	v = strings.TrimSpace(v)
	inner, ok := strings.CutPrefix(v, "List(")
	if ok {
		v = strings.TrimSuffix(inner, ")")
	}
	var out []string
	for v != "" {
		q, err := strconv.QuotedPrefix(v)
		if err != nil {
			return nil
		}
		s, err := strconv.Unquote(q)
		if err != nil {
			return nil
		}
		out = append(out, s)
		v = strings.TrimLeft(strings.TrimPrefix(v, q), ", ")
	}
	return out
}

// hkBuiltins are the builtins of hk that poly has, or whose commands are plain.
var hkBuiltins = map[string]struct{ builtin, engine, run string }{
	"prettier": {run: "npx --no-install prettier --write {files}"}, "eslint": {run: "npx --no-install eslint --fix {files}"}, "shellcheck": {"lint", "shell", ""}, "shfmt": {"fmt", "shfmt", ""},
	"yamllint": {"lint", "yaml", ""}, "actionlint": {"lint", "actionlint", ""}, "typos": {"lint", "typos", ""}, "taplo": {"fmt", "toml", ""}, "taplo_format": {"fmt", "toml", ""},
	"ruff": {"lint", "ruff", "ruff check --fix {files}"}, "ruff_format": {run: "ruff format {files}"}, "black": {run: "black {files}"}, "gofmt": {"fmt", "gofumpt", ""}, "go_fmt": {"fmt", "gofumpt", ""}, "gofumpt": {"fmt", "gofumpt", ""},
	"golangci_lint": {"go", "", ""}, "go_vet": {"go", "", ""}, "cargo_fmt": {run: "cargo fmt"}, "cargo_clippy": {"cargo", "", ""}, "clippy": {"cargo", "", ""}, "cargo_check": {run: "cargo check"}, "rustfmt": {run: "rustfmt {files}"},
	"trailing_whitespace": {"fmt", "", ""}, "newlines": {"fmt", "", ""}, "check_merge_conflict": {"file_safety", "merge_conflict", ""}, "check_case_conflict": {"file_safety", "case_conflict", ""},
	"detect_private_key": {"file_safety", "private_key", ""}, "check_added_large_files": {"file_safety", "added_large_files", ""}, "check_symlinks": {"file_safety", "broken_links", ""},
	"check_executables_have_shebangs": {"file_safety", "executables_have_shebangs", ""}, "hadolint": {"lint", "dockerfile", ""}, "markdown_lint": {"lint", "markdown", ""}, "yq": {"lint", "yaml", ""}, "jq": {"lint", "json", ""},
	"tsc": {run: "npx --no-install tsc --noEmit"}, "mypy": {run: "mypy {files}"}, "isort": {run: "isort {files}"}, "stylelint": {run: "npx --no-install stylelint {files}"}, "check_conventional_commit": {"commit", "", ""},
	"terraform": {"fmt", "hcl", ""}, "pkl": {run: "pkl eval {files}"}, "biome": {run: "npx --no-install biome check {files}"}, "buf": {"lint", "proto", ""}, "swiftlint": {run: "swiftlint {files}"}, "rubocop": {run: "rubocop {files}"},
}

// groupOf are the tools of the builtins go and cargo.
var groupOf = map[string]string{"golangci_lint": "golangci_lint", "go_vet": "vet", "cargo_clippy": "clippy", "clippy": "clippy"}

// carry makes a step a builtin or a job.
func (f *hkFile) carry(s *stage, st hkStep) {
	h := Hook{File: f.name, Line: st.line, ID: f.hook + "/" + st.name}
	for _, u := range st.unread {
		h.Notes = append(h.Notes, u+" was not read")
	}
	known, ok := hkBuiltins[st.builtin]
	switch {
	case st.keys["check"] == "" && st.keys["fix"] == "" && st.builtin != "" && !ok:
		h.Outcome, h.Notes = Left, append(h.Notes, "the builtin "+st.builtin+" of hk is not known here")
	case st.keys["check"] == "" && st.keys["fix"] == "" && known.builtin != "" && (known.builtin == "file_safety" || known.engine == "" || f.has(known.engine)):
		t := f.draft.builtin(known.builtin, f.hook)
		switch known.builtin {
		case "file_safety":
			only(t, known.engine)
		case "go", "cargo":
			groupTool(groupOf[st.builtin])(f.draft, t, nil, &h)
		case "lint", "fmt":
			t.pairs.flag("fix", f.fix)
		}
		h.Outcome, h.To = Mapped, "builtin "+known.builtin
	default:
		f.stepJob(s, st, known.run, &h)
	}
	f.add(h)
}

func (f *hkFile) stepJob(s *stage, st hkStep, run string, h *Hook) {
	one := func(key string) string {
		if v := pklStrings(st.keys[key]); len(v) == 1 {
			return v[0]
		}
		return ""
	}
	check, fix := one("check"), one("fix")
	if fix != "" && (f.fix || check == "") {
		check = fix
	}
	run = or(check, run)
	if run == "" {
		h.Outcome, h.Notes = Left, append(h.Notes, "its command was not read: it is more than a string")
		return
	}
	run = strings.NewReplacer("{{files}}", "{files}", "{{ files }}", "{files}", "{{workspace}}", ".").Replace(run)
	j := entry{}
	j.set("name", quote(st.name))
	j.set("run", quote(run))
	j.list("files", pklStrings(st.keys["glob"]))
	j.list("exclude", pklStrings(st.keys["exclude"]))
	j.text("root", one("dir"))
	j.flag("stage_fixed", f.fix && (fix != "" || st.builtin != ""))
	if !strings.Contains(run, "{files}") {
		j.set("workspace", "true")
	}
	h.Outcome, h.To = Carried, "job "+s.addJob(j)
	f.program(h, run)
	for _, k := range []string{"depends", "batch", "stomp", "exclusive", "check_first", "condition", "profiles", "workspace_indicator", "prefix", "shell", "stage", "check_diff", "check_list_files", "env"} {
		if st.keys[k] != "" && k != "stage" && k != "batch" && k != "check_first" {
			h.Notes = append(h.Notes, k+" is not carried over")
		}
	}
}

// Package migrate turns the hooks of other tools into poly's: pre-commit and
// prek, lefthook, husky, lint-staged and hk. It reads their files from a tree,
// runs nothing, writes nothing, and accounts for every hook it sees: carried as
// a job, mapped to a builtin, or left out for a reason.
package migrate

import (
	"io/fs"
	"slices"
	"strings"

	"poly/internal/usererr"
)

// Outcome is what becomes of a hook.
type Outcome string

// The outcomes: a job of its own, a builtin of poly, or nothing.
const (
	Carried Outcome = "carried"
	Mapped  Outcome = "mapped"
	Left    Outcome = "not"
)

// Hook is one hook of another tool.
type Hook struct {
	File    string // where it is written
	Line    int    // 1-based; 0 if it has none
	ID      string
	Outcome Outcome
	To      string // the job or builtin; "" if it is left out
	// Notes tell what is different, or why it is left out.
	Notes []string
}

// Request says what to migrate.
type Request struct {
	Tree fs.FS // the root of the repository
	// From is one of Tools; "": all that are found.
	From string
	// Existing is poly.toml as it is; nil: there is none.
	Existing []byte
	// Engines are the names of the engines that are built in.
	Engines []string
	// Look reports whether a program is on PATH; nil: nobody knows.
	Look func(program string) bool
}

// Plan is what a migration would do.
type Plan struct {
	Files []string // that were read
	Hooks []Hook
	Notes []string // about settings that belong to no hook
	Text  []byte   // of the new poly.toml
	// Remove are the files that are of no use afterwards. They are not removed.
	Remove []string
	// Personal is what a developer's own file says, for poly.local.toml; nil: nothing.
	Personal []byte
}

// Count returns how many hooks have an outcome.
func (p *Plan) Count(o Outcome) int {
	n := 0
	for i := range p.Hooks {
		if p.Hooks[i].Outcome == o {
			n++
		}
	}
	return n
}

// tools in the order in which they are looked for.
var tools = []struct {
	names []string
	read  func(*reader) error
}{
	{[]string{"pre-commit", "prek"}, (*reader).preCommit},
	{[]string{"lefthook"}, (*reader).lefthook},
	{[]string{"husky"}, (*reader).husky},
	{[]string{"lint-staged"}, (*reader).lintStaged},
	{[]string{"hk"}, (*reader).hk},
}

// Tools lists the names that Request.From may have.
func Tools() []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.names...)
	}
	return out
}

// reader reads files of tools into a draft.
type reader struct {
	Request
	plan  *Plan
	draft *draft
	// staged: lint-staged was read already, as part of husky.
	staged bool
}

// Do plans a migration. The error is about the run: an unknown tool, nothing to
// migrate, a file that does not parse.
func Do(req Request) (*Plan, error) {
	r := &reader{Request: req, plan: &Plan{}, draft: newDraft()}
	known := req.From == ""
	for _, t := range tools {
		if req.From != "" && !slices.Contains(t.names, req.From) {
			continue
		}
		known = true
		if err := t.read(r); err != nil {
			return nil, err
		}
	}
	switch {
	case !known:
		hint := "the tools are " + strings.Join(Tools(), ", ")
		if n := usererr.Nearest(req.From, Tools()); n != "" {
			hint = "did you mean " + n + "?"
		}
		return nil, usererr.New("wrong-use", "poly does not migrate from "+req.From, hint)
	case len(r.plan.Files) == 0 && req.From != "":
		return nil, usererr.New("nothing-to-migrate", "there is no configuration of "+req.From+" here", "run poly migrate at the root of the repository")
	case len(r.plan.Files) == 0:
		return nil, usererr.New("nothing-to-migrate", "there is no configuration of "+strings.Join(Tools(), ", ")+" here", "run poly migrate at the root of the repository")
	}
	var err error
	r.plan.Text, err = r.draft.merge(req.Existing)
	return r.plan, err
}

// first reads the first of some files that is there.
func (r *reader) first(names ...string) (name string, text []byte, ok bool) {
	for _, n := range names {
		if text, ok := r.read(n); ok {
			return n, text, true
		}
	}
	return "", nil, false
}

func (r *reader) read(name string) ([]byte, bool) {
	text, err := fs.ReadFile(r.Tree, name)
	return text, err == nil
}

// source notes that a file was read, and is of no use afterwards.
func (r *reader) source(name string) {
	if !slices.Contains(r.plan.Files, name) {
		r.plan.Files = append(r.plan.Files, name)
		r.plan.Remove = append(r.plan.Remove, name)
	}
}

func (r *reader) note(text string) {
	if !slices.Contains(r.plan.Notes, text) {
		r.plan.Notes = append(r.plan.Notes, text)
	}
}

func (r *reader) add(h Hook) { r.plan.Hooks = append(r.plan.Hooks, h) }

// has reports whether an engine is built in.
func (r *reader) has(engine string) bool { return slices.Contains(r.Engines, engine) }

// program notes that the first word of a command is not on PATH.
func (r *reader) program(h *Hook, line string) {
	if r.Look == nil {
		return
	}
	for w := range strings.FieldsSeq(line) {
		if strings.Contains(w, "=") || w == "!" || w == "exec" || w == "command" {
			continue
		}
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+") == "" && !slices.Contains(shellWords, w) && !r.Look(w) {
			h.Notes = append(h.Notes, "needs "+w+", which is not on PATH here")
		}
		return
	}
}

// shellWords are commands of the shell itself.
var shellWords = []string{"cd", "echo", "test", "true", "false", "if", "for", "while", "case", "set", "export", "exit", "printf", "read", "source", ".", "eval", "trap", "umask"}

package migrate

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"poly/internal/config"
)

// lefthookFiles are the names a configuration of lefthook may have, without
// their ending.
var lefthookFiles = []string{"lefthook", ".lefthook", ".config/lefthook"}

var lefthookEnds = []string{".yml", ".yaml", ".toml", ".json", ".jsonc"}

// lefthook reads lefthook's configuration, and what it extends.
func (r *reader) lefthook() error {
	l := &lefthook{reader: r, sourceDir: ".lefthook"}
	for _, base := range lefthookFiles {
		for _, end := range lefthookEnds {
			if text, ok := r.read(base + end); ok {
				if err := l.file(base+end, text, 0); err != nil {
					return err
				}
				l.personal(base)
				return l.write()
			}
		}
	}
	return nil
}

// lefthook is a configuration on its way.
type lefthook struct {
	*reader
	sourceDir string
	templates [][2]string
	rc        string
	hooks     []lefthookHook
}

type lefthookHook struct {
	file, name string
	n          node
	comments   []string
}

// personal tells of a developer's own file.
func (l *lefthook) personal(base string) {
	for _, end := range lefthookEnds {
		if _, ok := l.read(base + "-local" + end); ok {
			l.note(base + "-local" + end + ": it is your own; poly.local.toml takes such settings, by hand")
		}
	}
}

func (l *lefthook) file(name string, text []byte, depth int) error {
	var doc node
	var err error
	if path.Ext(name) == ".toml" {
		values, err := config.DecodeTOML(name, text)
		if err != nil {
			return err
		}
		doc = fromTOML(values)
	} else if doc, err = parse(name, text); err != nil {
		return err
	}
	l.source(name)
	for _, m := range doc.members() {
		if slices.Contains(knownStages, m.name) {
			l.hooks = append(l.hooks, lefthookHook{name, m.name, m.value, m.key.comments()})
			continue
		}
		if err := l.setting(name, m, depth); err != nil {
			return err
		}
	}
	return nil
}

// setting reads a key that is no hook.
func (l *lefthook) setting(file string, m member, depth int) error {
	switch m.name {
	case "extends":
		for _, p := range m.value.texts() {
			if err := l.extend(file, p, depth); err != nil {
				return err
			}
		}
	case "source_dir":
		l.sourceDir = strings.Trim(m.value.text(), "/")
	case "rc":
		l.rc = m.value.text()
		l.note("rc: poly's hooks read no shell file; jobs that need " + l.rc + " can begin with it: run = \". " + l.rc + "; ...\"")
	case "templates":
		for _, t := range m.value.members() {
			l.templates = append(l.templates, [2]string{"{" + t.name + "}", t.value.text()})
		}
	case "remotes", "remote":
		l.note(m.name + ": hooks of other repositories are not fetched; copy what is needed")
	case "min_version", "assert_lefthook_installed", "no_tty", "colors", "output", "skip_output", "no_auto_install", "install_non_git_hooks", "skip_lfs", "glob_matcher", "source_dir_local", "lefthook", "$schema":
	default:
		if len(m.value.get("jobs").items()) > 0 || len(m.value.get("commands").members()) > 0 || len(m.value.get("scripts").members()) > 0 {
			l.custom(file, m)
			return nil
		}
		l.note(m.name + ": poly has nothing like it")
	}
	return nil
}

// custom is a hook that git does not have: a stage that is run by hand.
func (l *lefthook) custom(file string, m member) {
	if slices.ContainsFunc(l.hooks, func(h lefthookHook) bool { return h.name == "manual" }) || slices.Contains(gitHooks, m.name) {
		l.add(Hook{File: file, Line: m.value.line(), ID: m.name, Outcome: Left, Notes: []string{"poly has no stage " + m.name}})
		return
	}
	l.note(m.name + ": git has no such hook; poly hooks run manual runs it")
	l.hooks = append(l.hooks, lefthookHook{file, "manual", m.value, m.key.comments()})
}

// gitHooks are hooks of git that poly has no stage for.
var gitHooks = []string{"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-receive", "update", "post-receive", "post-update", "pre-auto-gc", "sendemail-validate", "fsmonitor-watchman", "p4-pre-submit", "push-to-checkout", "reference-transaction", "proc-receive", "post-index-change"}

func (l *lefthook) extend(file, p string, depth int) error {
	if depth > 10 || strings.Contains(p, "://") {
		l.note("extends: " + p + " was not read")
		return nil
	}
	names := []string{path.Clean(p)}
	if strings.ContainsAny(p, "*?[") {
		names, _ = fs.Glob(l.Tree, path.Clean(p))
	}
	for _, n := range names {
		text, ok := l.read(n)
		if !ok {
			l.note(fmt.Sprintf("extends: %s names %s, which is not there", file, p))
			continue
		}
		if err := l.file(n, text, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// write turns the hooks into stages.
func (l *lefthook) write() error {
	for _, h := range l.hooks {
		s := l.draft.stage(h.name)
		g := &lefthookGroup{lefthook: l, hook: h, stage: s}
		g.settings()
		for _, c := range inOrder(h.n.get("commands").members()) {
			g.job(c.name, c.value, c.key.comments(), inherit{})
		}
		for _, c := range inOrder(h.n.get("scripts").members()) {
			g.script(c, inherit{})
		}
		for i, j := range h.n.get("jobs").items() {
			g.item(j, i, inherit{})
		}
	}
	return nil
}

// inOrder sorts commands as lefthook runs them: by the number a name begins
// with, then by name.
func inOrder(list []member) []member {
	number := func(m member) int {
		digits := m.name[:len(m.name)-len(strings.TrimLeft(m.name, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			return math.MaxInt
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b member) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a.name, b.name))
	})
	return list
}

// lefthookGroup is a hook, or a group of jobs in one.
type lefthookGroup struct {
	*lefthook
	hook  lefthookHook
	stage *stage
}

// settings reads what a hook says besides its jobs.
func (g *lefthookGroup) settings() {
	n, s := g.hook.n, g.stage
	s.set("parallel", "false")
	for _, m := range n.members() {
		switch m.name {
		case "parallel":
			s.set("parallel", fmt.Sprint(m.value.is()))
		case "piped":
			s.flag("piped", m.value.is())
		case "exclude_tags":
			s.list("exclude_tags", m.value.texts())
		case "exclude":
			s.list("exclude", g.exclude(m.value, func(t string) { g.note(g.hook.name + ": " + t) }))
		case "skip", "only":
			if v, notes := guard(m.value); v != "" {
				s.set(m.name, v)
				for _, t := range notes {
					g.note(g.hook.name + ": " + t)
				}
			}
		case "follow", "commands", "scripts", "jobs":
		case "files":
			g.note(g.hook.name + ": files is a command: jobs get what git is about to commit or push")
		case "setup":
			var before []string
			for _, i := range m.value.items() {
				before = append(before, i.get("run").text())
			}
			s.list("before", before)
		case "fail_on_changes":
			g.note(g.hook.name + ": fail_on_changes: a job that writes and has no stage_fixed fails anyway")
		default:
			g.note(g.hook.name + ": " + m.name + ": poly has nothing like it")
		}
	}
}

// inherit is what a group gives to its jobs.
type inherit struct {
	name   string
	root   string
	glob   []string
	excl   []string
	tags   []string
	env    [][2]string
	skip   pair
	serial string
}

// item is an entry of jobs: a job, a script or a group.
func (g *lefthookGroup) item(n node, i int, in inherit) {
	name := n.get("name").text()
	if group := n.get("group"); len(group.get("jobs").items()) > 0 {
		g.group(name, n, group, in)
		return
	}
	if name == "" {
		name = jobName(or(n.get("run").text(), n.get("script").text()), i)
	}
	g.job(name, n, n.above(), in)
}

// jobName is a name for a job without one: its program.
func jobName(line string, i int) string {
	for w := range strings.FieldsSeq(line) {
		if w = path.Base(w); !slices.Contains([]string{"npx", "pnpm", "yarn", "npm", "bunx", "bun", "exec", "run", "bundle", "uv", "poetry", "dlx"}, w) && !strings.Contains(w, "=") && !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return fmt.Sprintf("job-%d", i+1)
}

// group carries the jobs of a group as jobs of the hook.
func (g *lefthookGroup) group(name string, n, group node, in inherit) {
	in.name = strings.TrimPrefix(in.name+" "+name, " ")
	if r := n.get("root").text(); r != "" {
		in.root = r
	}
	var notes []string
	tell := func(t string) { notes = append(notes, t) }
	if globs := n.get("glob").texts(); len(globs) > 0 {
		in.glob = globs
	}
	in.excl = slices.Concat(in.excl, g.exclude(n.get("exclude"), tell))
	in.tags = slices.Concat(in.tags, n.get("tags").texts())
	in.env = slices.Concat(in.env, envOf(n.get("env")))
	for _, key := range []string{"skip", "only"} {
		if v, _ := guard(n.get(key)); v != "" {
			in.skip = pair{key, v}
		}
	}
	if !group.get("parallel").is() && g.stage.get("parallel") == "true" {
		in.serial = or(in.name, "group")
	}
	if group.get("piped").is() {
		g.note(g.hook.name + ": the group " + or(name, "without a name") + " is piped: its jobs run one after the other and all of them run")
	}
	for _, t := range notes {
		g.note(g.hook.name + ": " + t)
	}
	for i, j := range group.get("jobs").items() {
		g.item(j, i, in)
	}
}

func (g *lefthookGroup) script(m member, in inherit) {
	n := m.value
	g.carry(m.name, n, m.key.comments(), in, func(p *pairs, h *Hook) bool {
		p.set("script", quote(path.Join(g.sourceDir, g.hook.name, m.name)))
		p.text("runner", n.get("runner").text())
		g.keep(path.Join(g.sourceDir, g.hook.name, m.name))
		return true
	})
}

// keep notes a file that the migrated configuration goes on to use.
func (r *reader) keep(file string) {
	if _, err := fs.Stat(r.Tree, file); err != nil {
		r.note(file + " is not there")
	}
}

// job carries a command or job.
func (g *lefthookGroup) job(name string, n node, comments []string, in inherit) {
	if s := n.get("script").text(); s != "" {
		g.carry(name, n, comments, in, func(p *pairs, _ *Hook) bool {
			p.set("script", quote(path.Join(g.sourceDir, g.hook.name, s)))
			p.text("runner", n.get("runner").text())
			p.list("args", n.get("args").texts())
			g.keep(path.Join(g.sourceDir, g.hook.name, s))
			return true
		})
		return
	}
	g.carry(name, n, comments, in, func(p *pairs, h *Hook) bool {
		run := n.get("run").text()
		if run == "" {
			h.Outcome, h.Notes = Left, append(h.Notes, "it has no run")
			return false
		}
		if a := n.get("args").texts(); len(a) > 0 {
			run += " " + strings.Join(a, " ")
		}
		if fileStage(g.hook.name) && strings.Contains(run, "lint-staged") {
			before := len(g.plan.Hooks)
			if err := g.lintStagedAt(g.hook.name); err == nil && len(g.plan.Hooks) > before {
				h.Outcome, h.To = Mapped, "the jobs of lint-staged"
				return false
			}
		}
		run = g.line(run, n, name, p, h)
		p.set("run", quote(run))
		if fileStage(g.hook.name) && !templates().MatchString(run) {
			p.set("workspace", "true") // lefthook appends no files
		}
		g.program(h, run)
		return true
	})
}

var templates = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(staged|push|all)_files\}|\{files\}`) })

// restages finds what a line does to stage what it changed.
var restages = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s*(?:&&|;)\s*git (?:add(?: +(?:-u|-A|\.|--update|\{staged_files\}))*|update-index --again)\s*$`)
})

var callsGit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s;&|(])git\s`) })

// line replaces what poly's templates do not know.
func (g *lefthookGroup) line(run string, n node, name string, p *pairs, h *Hook) string {
	run = strings.TrimRight(run, "\n")
	for _, t := range g.templates {
		run = strings.ReplaceAll(run, t[0], t[1])
	}
	run = strings.ReplaceAll(run, "{lefthook_job_name}", name)
	if at := restages().FindStringIndex(run); at != nil && g.hook.name == "pre-commit" {
		run = run[:at[0]]
		p.set("stage_fixed", "true")
		h.Notes = append(h.Notes, "stage_fixed takes the place of git add")
	}
	if callsGit().MatchString(run) {
		p.set("git_env", "true")
	}
	if cmd := or(n.get("files").text(), g.hook.n.get("files").text()); cmd != "" && strings.Contains(run, "{files}") {
		run = strings.ReplaceAll(run, "{files}", "$("+cmd+")")
		p.set("git_env", "true")
		h.Notes = append(h.Notes, "files is a command: its output is put into the line as it is, without filters")
	}
	if isCommitlint(run) && g.hook.name == "commit-msg" {
		h.Notes = append(h.Notes, "[hooks.builtin] commit = true does the same without node")
	}
	return run
}

func isCommitlint(run string) bool { return strings.Contains(run, "commitlint") }

// carry writes a job with the keys that commands, scripts and jobs share.
func (g *lefthookGroup) carry(name string, n node, comments []string, in inherit, body func(*pairs, *Hook) bool) {
	h := Hook{File: g.hook.file, Line: n.line(), ID: g.hook.name + "/" + name}
	tell := func(t string) { h.Notes = append(h.Notes, t) }
	var p pairs
	p.set("name", quote(strings.TrimPrefix(in.name+" "+name, " ")))
	if !body(&p, &h) {
		g.add(h) // it is left out, or others stand for it
		return
	}
	if in.skip.value != "" {
		p.set(in.skip.key, in.skip.value)
	}
	p.text("root", in.root)
	p.list("glob", in.glob)
	p.list("exclude", in.excl)
	p.list("tags", in.tags)
	env := in.env
	if in.serial != "" {
		p.set("serial", quote(in.serial))
	}
	for _, m := range n.members() {
		g.key(m, &p, in, &env, tell)
	}
	p.env(env)
	if !fileStage(g.hook.name) {
		p = slices.DeleteFunc(p, func(kv pair) bool {
			return slices.Contains([]string{"glob", "exclude", "file_types", "stage_fixed"}, kv.key)
		})
		if n.get("glob").there() || n.get("files").there() {
			tell("it runs whatever files there are: the stage has none")
		}
	}
	h.Outcome = Carried
	h.To = "job " + g.stage.addJob(entry{comments: comments, pairs: p})
	g.add(h)
}

// key carries one key of a job.
func (g *lefthookGroup) key(m member, p *pairs, in inherit, env *[][2]string, tell func(string)) {
	switch m.name {
	case "glob":
		p.list("glob", m.value.texts())
	case "exclude":
		p.list("exclude", slices.Concat(in.excl, g.exclude(m.value, tell)))
	case "tags":
		p.list("tags", slices.Concat(in.tags, m.value.texts()))
	case "file_types":
		p.list("file_types", m.value.texts())
	case "env":
		*env = slices.Concat(in.env, envOf(m.value))
	case "root":
		p.text("root", strings.TrimPrefix(strings.TrimSuffix(m.value.text(), "/"), "./"))
	case "fail_text":
		p.text("fail_text", m.value.text())
	case "timeout":
		p.text("timeout", m.value.text())
	case "priority":
		p.priority(m.value.text())
	case "stage_fixed", "interactive", "use_stdin":
		p.flag(m.name, m.value.is())
	case "skip", "only":
		p.guard(m, tell)
	case "name", "run", "script", "runner", "args", "files", "follow", "group":
	default:
		tell(m.name + ": poly has nothing like it")
	}
}

// priority: lefthook runs jobs without one, or with 0, last.
func (p *pairs) priority(s string) {
	if n, err := strconv.Atoi(s); err == nil && n != 0 {
		p.set("priority", strconv.Itoa(n-1000))
	}
}

// guard sets skip or only in place of what a group says.
func (p *pairs) guard(m member, tell func(string)) {
	v, notes := guard(m.value)
	if v == "" {
		return
	}
	*p = slices.DeleteFunc(*p, func(kv pair) bool { return kv.key == "skip" || kv.key == "only" })
	p.set(m.name, v)
	for _, t := range notes {
		tell(t)
	}
}

func envOf(n node) [][2]string {
	var out [][2]string
	for _, m := range n.members() {
		out = append(out, [2]string{m.name, m.value.text()})
	}
	return out
}

// exclude reads globs, or an expression.
func (g *lefthookGroup) exclude(n node, tell func(string)) []string {
	if n.text() == "" {
		return n.texts()
	}
	expr := n.text()
	if !strings.ContainsAny(expr, `^$|(\+`) {
		return []string{expr}
	}
	globs, exact, left, _ := globsOf(expr)
	for _, l := range left {
		tell("exclude: " + l + " has no form in globs and was left out")
	}
	if !exact {
		tell("exclude: the globs match more than " + expr)
	}
	return globs
}

// guard writes a value of skip or only, "" if it says nothing.
func guard(n node) (value string, notes []string) {
	if n.Node == nil {
		return "", nil
	}
	if n.isNo() {
		return "", nil
	}
	if n.is() {
		return "true", nil
	}
	var items []string
	one := func(n node) {
		switch s := n.text(); {
		case s == "merge" || s == "rebase":
			items = append(items, quote(s))
		case s == "merge-commit":
			items = append(items, `{ run = "test $(git rev-list --parents -n 1 HEAD | wc -w) -gt 2" }`)
		case s != "":
			notes = append(notes, "skip or only: poly does not know "+s)
		default:
			if ref := n.get("ref").text(); ref != "" {
				items = append(items, "{ ref = "+quote(ref)+" }")
			}
			if run := n.get("run").text(); run != "" {
				items = append(items, "{ run = "+quote(run)+" }")
			}
		}
	}
	if n.text() != "" || len(n.members()) > 0 {
		one(n)
	}
	for _, i := range n.items() {
		one(i)
	}
	if len(items) == 0 {
		return "", notes
	}
	return "[" + strings.Join(items, ", ") + "]", notes
}

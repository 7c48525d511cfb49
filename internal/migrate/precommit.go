package migrate

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"poly/internal/config"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

var preCommitFiles = []string{".pre-commit-config.yaml", ".pre-commit-config.yml"}

// preCommit reads the configuration of pre-commit and of prek.
func (r *reader) preCommit() error {
	name, text, ok := r.first(preCommitFiles...)
	if ok {
		doc, err := parse(name, text)
		if err != nil {
			return err
		}
		r.preCommitDoc(name, doc)
		return nil
	}
	if name, text, ok = r.first("prek.toml"); !ok {
		return nil
	}
	values, err := config.DecodeTOML(name, text)
	if err != nil {
		return err
	}
	r.preCommitDoc(name, fromTOML(values))
	return nil
}

// preCommitFile is one file of pre-commit.
type preCommitFile struct {
	*reader
	name   string
	stages []string // of hooks that name none
	// files and exclude are globs for every hook.
	files, exclude []string
}

func (r *reader) preCommitDoc(name string, doc node) {
	r.source(name)
	p := &preCommitFile{reader: r, name: name}
	p.stages = stageNames(doc.get("default_stages").texts())
	if len(p.stages) == 0 {
		for _, s := range stageNames(doc.get("default_install_hook_types").texts()) {
			if s == "pre-commit" || s == "pre-push" || s == "pre-merge-commit" {
				p.stages = append(p.stages, s)
			}
		}
	}
	if len(p.stages) == 0 {
		p.stages = []string{"pre-commit"}
	}
	p.files = p.globs("files", doc.get("files").text(), r.note)
	p.exclude = p.globs("exclude", doc.get("exclude").text(), r.note)
	for _, repo := range doc.get("repos").items() {
		p.repo(repo)
	}
	for _, s := range r.draft.stages {
		if len(s.jobs) > 0 && s.get("parallel") == "" {
			s.set("parallel", "false")
			if doc.get("fail_fast").is() {
				s.set("piped", "true")
			}
		}
	}
	p.settings(doc)
}

// settings tells of keys that belong to no hook.
func (p *preCommitFile) settings(doc node) {
	for _, m := range doc.members() {
		switch m.name {
		case "repos", "default_stages", "default_install_hook_types", "files", "exclude", "fail_fast", "minimum_pre_commit_version", "minimum_prek_version":
		case "ci":
			p.note("ci: it configures pre-commit.ci, not hooks")
		case "default_language_version":
			p.note("default_language_version: poly installs no interpreters; jobs use those on PATH")
		default:
			p.note(m.name + ": poly has nothing like it")
		}
	}
}

// globs turns an expression into globs; tell is told what is different.
func (p *preCommitFile) globs(key, expr string, tell func(string)) []string {
	if expr == "" || expr == "^$" {
		return nil
	}
	globs, exact, left, _ := globsOf(expr)
	for _, l := range left {
		tell(fmt.Sprintf("%s: %s has no form in globs and was left out", key, strings.Join(strings.Fields(l), " ")))
	}
	if !exact {
		tell(fmt.Sprintf("%s: the globs match more than %s", key, strings.Join(strings.Fields(expr), " ")))
	}
	return globs
}

// stageNames gives stages their names of today.
func stageNames(list []string) []string {
	var out []string
	for _, s := range list {
		switch s {
		case "commit":
			s = "pre-commit"
		case "push":
			s = "pre-push"
		case "merge-commit":
			s = "pre-merge-commit"
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

var knownStages = []string{
	"pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "post-rewrite", "manual",
}

func (p *preCommitFile) repo(repo node) {
	url := repo.get("repo").text()
	comments := repo.above()
	for i, h := range repo.get("hooks").items() {
		c := h.above()
		if i == 0 {
			c = slices.Concat(comments, c)
		}
		p.hook(url, h, c)
	}
}

// hook migrates one hook.
func (p *preCommitFile) hook(url string, n node, comments []string) {
	h := Hook{File: p.name, Line: n.line(), ID: n.get("id").text()}
	if h.ID == "" {
		return
	}
	stages := stageNames(n.get("stages").texts())
	if len(stages) == 0 {
		stages = p.stages
	}
	stages = slices.DeleteFunc(slices.Clone(stages), func(s string) bool {
		bad := !slices.Contains(knownStages, s)
		if bad {
			h.Notes = append(h.Notes, "poly has no stage "+s)
		}
		return bad
	})
	if len(stages) == 0 {
		h.Outcome = Left
		p.add(h)
		return
	}
	k := known(url, h.ID)
	if len(n.get("stages").texts()) == 0 && len(k.stages) > 0 {
		stages = k.stages
	}
	switch {
	case url == "meta":
		h.Outcome, h.Notes = Left, append(h.Notes, "it checks the configuration of pre-commit itself; poly hooks validate checks poly's")
	case k.left != "":
		h.Outcome, h.Notes = Left, append(h.Notes, k.left)
	case k.builtin != "" && p.available(k) && p.mapped(&h, k, n, stages):
	default:
		p.job(&h, url, k, n, stages, comments)
	}
	p.add(h)
}

// available reports whether the engine that a hook is mapped to is built in.
func (p *preCommitFile) available(k knownHook) bool {
	return k.engine == "" || p.has(k.engine)
}

// mapped turns a hook into a builtin; false if it has arguments that make it
// something else.
func (p *preCommitFile) mapped(h *Hook, k knownHook, n node, stages []string) bool {
	args := n.get("args").texts()
	if k.refuses != nil && k.refuses(args) {
		return false
	}
	wide := k.builtin == lint || k.builtin == fmtIt
	var own []string
	if wide {
		own = p.globs("exclude", n.get("exclude").text(), func(t string) { h.Notes = append(h.Notes, t) })
		if len(own) > 0 {
			h.Notes = append(h.Notes, "what it excludes is excluded from the whole builtin")
		}
	}
	for _, s := range stages {
		t := p.draft.builtin(k.builtin, s)
		if k.fix {
			t.set("fix", "true")
		}
		if k.option != nil {
			k.option(p.draft, t, args, h)
		}
		if wide || k.builtin == "file_safety" {
			t.exclude(slices.Concat(p.exclude, own))
		}
	}
	p.tellMapped(h, k, n, args, wide)
	return true
}

// tellMapped tells what a builtin does not take over.
func (p *preCommitFile) tellMapped(h *Hook, k knownHook, n node, args []string, wide bool) {
	h.Outcome, h.To = Mapped, "builtin "+k.builtin
	if k.engine != "" {
		h.To += ", engine " + k.engine
	}
	if k.note != "" {
		h.Notes = append(h.Notes, k.note)
	}
	if len(args) > 0 && k.option == nil && !k.ignoresArgs {
		h.Notes = append(h.Notes, "its arguments are not carried over: "+strings.Join(args, " "))
	}
	for _, key := range []string{"files", "exclude"} {
		if e := n.get(key).text(); e != "" && e != "^$" && (key == "files" || !wide) {
			h.Notes = append(h.Notes, fmt.Sprintf("its own %s is not carried over: %s", key, strings.Join(strings.Fields(e), " ")))
		}
	}
}

// job carries a hook as a job of each stage.
func (p *preCommitFile) job(h *Hook, url string, k knownHook, n node, stages, comments []string) {
	local := url == "local"
	var words pairs
	j := &hookJob{p: p, h: h, k: k, n: n, local: local, pairs: &words}
	if !j.command(url) {
		return
	}
	j.filters()
	j.settings()
	if branches, ok := branchPattern(n.get("args").texts()); ok && h.ID == "no-commit-to-branch" {
		words.set("only", "[{ ref = "+quoteList(branches)+" }]")
		words = slices.DeleteFunc(words, func(kv pair) bool { return kv.key == "git_env" })
		j.run = "echo 'commit to another branch' >&2; exit 1"
	}
	for _, s := range stages {
		jb := entry{comments: comments, pairs: slices.Clone(words)}
		if name := n.get("name").text(); local && name != "" && name != h.ID {
			jb.comments = append(slices.Clone(comments), name)
		}
		jb.set("run", quote(j.line(s)))
		if slices.Contains([]string{"commit-msg", "prepare-commit-msg"}, s) || !fileStage(s) {
			jb.pairs = slices.DeleteFunc(jb.pairs, func(kv pair) bool {
				return slices.Contains([]string{"files", "exclude", "file_types", "workspace", "stage_fixed"}, kv.key)
			})
		}
		h.To = "job " + p.draft.stage(s).addJob(jb)
	}
	if len(stages) > 1 {
		h.To += " at " + strings.Join(stages, ", ")
	}
	h.Outcome = Carried
	p.program(h, j.run)
}

func fileStage(s string) bool {
	return s == "pre-commit" || s == "pre-merge-commit" || s == "pre-push" || s == "manual"
}

// hookJob is a hook on its way to a job.
type hookJob struct {
	p     *preCommitFile
	h     *Hook
	k     knownHook
	n     node
	local bool
	run   string // without files
	files bool   // it gets files
	whole bool
	*pairs
}

// command finds what the hook executes; false if nothing is known of it.
func (j *hookJob) command(url string) bool {
	j.set("name", quote(j.h.ID))
	entry := j.n.get("entry").text()
	language := j.n.get("language").text()
	if entry == "" {
		entry = j.k.entry
	}
	if language == "" {
		language = j.k.language
	}
	args := j.n.get("args").texts()
	if !j.n.get("args").there() {
		args = j.k.args
	}
	if entry == "" {
		if j.local {
			j.h.Outcome, j.h.Notes = Left, append(j.h.Notes, "it has no entry")
			return false
		}
		entry = j.h.ID
		j.h.Notes = append(j.h.Notes, "what "+short(url)+" executes is not known here: a program of the hook's name is assumed")
	}
	return j.words(entry, language, url, args)
}

// words joins what the hook executes as its language says.
func (j *hookJob) words(entry, language, url string, args []string) bool {
	j.files = !j.n.get("pass_filenames").isNo() && !(j.k.noFiles && !j.n.get("pass_filenames").is())
	j.whole = !j.files
	switch language {
	case "pygrep":
		j.run = pygrep(entry, args)
		return true
	case "fail":
		j.run = "echo " + shellQuote(strings.TrimSpace(entry)) + " >&2; printf '%s\\n' {files} >&2; exit 1"
		j.files = false // they are in the line
		j.whole = false
		return true
	case "docker_image":
		entry = `docker run --rm -v "$PWD:/src:rw,Z" --workdir /src ` + entry
	case "docker":
		j.h.Outcome, j.h.Notes = Left, append(j.h.Notes, "pre-commit builds its image from a Dockerfile of the hook's repository: poly builds none")
		return false
	case "script":
		if !j.local {
			j.h.Outcome, j.h.Notes = Left, append(j.h.Notes, "it is a script inside of "+short(url)+", which pre-commit downloads; poly downloads none")
			return false
		}
	case "node":
		j.h.Notes = append(j.h.Notes, "poly installs nothing: "+path.Base(strings.Fields(entry)[0])+" has to be on PATH, or start it with npx")
	}
	if deps := j.n.get("additional_dependencies").texts(); len(deps) > 0 {
		j.h.Notes = append(j.h.Notes, "poly installs nothing; it needs "+strings.Join(deps, ", "))
	}
	words := []string{strings.TrimSpace(entry)}
	for _, a := range args {
		words = append(words, shellQuote(a))
	}
	j.run = strings.Join(words, " ")
	return true
}

// line is what the job runs at a stage.
func (j *hookJob) line(stage string) string {
	switch {
	case !j.files:
		return j.run
	case stage == "commit-msg" || stage == "prepare-commit-msg":
		return j.run + " {1}"
	case !fileStage(stage):
		return j.run
	}
	return j.run + " {files}"
}

// filters writes which files the job gets.
func (j *hookJob) filters() {
	tell := func(s string) { j.h.Notes = append(j.h.Notes, s) }
	files := j.p.globs("files", or(j.n.get("files").text(), j.k.files), tell)
	exclude := slices.Concat(j.p.exclude, j.p.globs("exclude", or(j.n.get("exclude").text(), j.k.exclude), tell))
	types, either := j.n.get("types").texts(), j.n.get("types_or").texts()
	if len(types) == 0 {
		types = j.k.types
	}
	if len(either) == 0 {
		either = j.k.either
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "file" })
	if len(types) == 0 && len(either) == 1 {
		types, either = either, nil
	}
	files, exclude = j.tags(files, exclude, either, tell)
	if len(files) == 0 && len(types) == 0 {
		files = j.p.files
	} else if len(j.p.files) > 0 {
		tell("the file's own files was left out, since the hook has filters")
	}
	always := j.n.get("always_run").is() || j.k.always && !j.n.get("always_run").isNo()
	if always && j.whole {
		return // whatever is staged
	}
	j.list("files", files)
	j.list("exclude", exclude)
	j.list("file_types", types)
}

// tags turns types_or and exclude_types into globs.
func (j *hookJob) tags(files, exclude, either []string, tell func(string)) (in, out []string) {
	switch globs := globsOfTypes(either); {
	case len(either) == 0:
	case len(files) == 0 && globs != nil:
		files = globs
	case len(files) == 0:
		tell("types_or: " + strings.Join(either, ", ") + " has no form and was left out")
	default:
		tell("types_or: " + strings.Join(either, ", ") + " was left out, since files is more exact")
	}
	switch no := j.n.get("exclude_types").texts(); {
	case len(no) == 0:
	case globsOfTypes(no) != nil:
		exclude = append(exclude, globsOfTypes(no)...)
	default:
		tell("exclude_types: " + strings.Join(no, ", ") + " has no form and was left out")
	}
	return files, exclude
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func (j *hookJob) settings() {
	j.flag("workspace", j.whole)
	j.flag("stage_fixed", j.k.fixes)
	if j.n.get("require_serial").is() {
		j.set("serial", quote(j.h.ID))
	}
	if j.k.git {
		j.set("git_env", "true")
	}
	for _, m := range j.n.members() {
		switch m.name {
		case "language_version":
			j.h.Notes = append(j.h.Notes, "language_version: poly installs no interpreters")
		case "priority": // of prek
			if n, err := strconv.Atoi(m.value.text()); err == nil {
				j.set("priority", strconv.Itoa(n))
			}
		case "env": // of prek
			j.env(envOf(m.value))
		case "log_file":
			j.h.Notes = append(j.h.Notes, "log_file: poly writes none")
		case "fail_fast":
			if m.value.is() {
				j.h.Notes = append(j.h.Notes, "fail_fast of one hook: piped of the stage stops at the first failure")
			}
		}
	}
}

// pygrep is a line that fails where a pattern is found.
func pygrep(pattern string, args []string) string {
	flags := "-HnP"
	negate := slices.Contains(args, "--negate")
	if slices.Contains(args, "-i") || slices.Contains(args, "--ignore-case") {
		flags += "i"
	}
	if slices.Contains(args, "--multiline") {
		flags += "z"
	}
	line := "grep " + flags + " -e " + shellQuote(pattern)
	if negate {
		return strings.Replace(line, "-HnP", "-LP", 1) + " {files} | (! grep .)"
	}
	return "! " + line
}

// shellQuote writes a word for sh.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func short(url string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(url, "https://"), "http://"), ".git")
}

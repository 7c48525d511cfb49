package job

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"poly/internal/usererr"
)

// Builtin is what [hooks.builtin] says of one of its entries.
type Builtin struct {
	Name    string
	Set     bool // it is written at all
	Enabled bool
	Stages  []string // as written, else the default stages; never nil
	Files   []string
	Exclude []string
	Options map[string]any // the other keys
	Origin  string
}

// Bool returns a switch of the builtin, def if it is not written.
func (b *Builtin) Bool(key string, def bool) bool {
	if v, ok := b.Options[key].(bool); ok {
		return v
	}
	return def
}

// Strings returns a list of the builtin, and whether it is written.
func (b *Builtin) Strings(key string) ([]string, bool) {
	v, ok := b.Options[key]
	return stringList(v), ok
}

// Int returns a number of the builtin, def if it is not written.
func (b *Builtin) Int(key string, def int) int {
	if v, ok := b.Options[key].(int64); ok {
		return int(v)
	}
	return def
}

// Config is [hooks], decoded.
type Config struct {
	Present  bool // it is written, if only empty
	Isolate  bool // true unless switched off
	Link     []string
	LinkSet  bool
	GitEnv   bool
	Builtins map[string]*Builtin // every known one
	Stages   map[string]*Stage   // those that are written, by full name
	Always   *Stage              // jobs of every stage; nil: none
}

// builtinNames are the entries of [hooks.builtin].
var builtinNames = [...]string{"lint", "fmt", "commit", "file_safety", "cargo", "go"}

// reserved are the keys of [hooks] that are no stages.
var reserved = [...]string{"stages", "env", "builtin", "isolate", "parallel", "link", "git_env", "sources"}

// MessageStage reports whether a stage judges a message and gets its file.
func MessageStage(stage string) bool { return stage == "commit-msg" || stage == "prepare-commit-msg" }

// FileStage reports whether a stage is about files.
func FileStage(stage string) bool {
	return slices.Contains([]string{"pre-commit", "pre-merge-commit", "pre-push", "manual"}, stage)
}

// Decode reads the section "hooks" as the configuration gives it, validated:
// section is nil if it is not written. origin tells where the value at a path of
// keys was written, "" or "default" if it was not; items of lists are numbered from 0.
func Decode(section map[string]any, origin func(keys ...string) string) (*Config, error) {
	d := decoder{origin: func(keys ...string) string {
		if at := origin(keys...); at != "default" {
			return at
		}
		return ""
	}}
	c := &Config{
		Present: section != nil, Isolate: flag(section, "isolate", true), GitEnv: flag(section, "git_env", false),
		Builtins: map[string]*Builtin{}, Stages: map[string]*Stage{},
	}
	c.Link, c.LinkSet = stringList(section["link"]), section["link"] != nil
	d.defaults = stringList(section["stages"])
	builtins := tableOf(section["builtin"])
	for _, name := range builtinNames {
		c.Builtins[name] = d.builtin(name, builtins)
	}
	d.env = envList(section["env"])
	d.parallel, d.gitEnv = flag(section, "parallel", true), c.GitEnv
	for _, name := range slices.Sorted(maps.Keys(section)) {
		if slices.Contains(reserved[:], name) {
			continue
		}
		st, err := d.stage(name, tableOf(section[name]))
		if err != nil {
			return nil, err
		}
		if name == "always" {
			c.Always = st
		} else {
			c.Stages[name] = st
		}
	}
	return c, nil
}

// Stage returns what the configuration runs at a stage: its own jobs, then those
// of [hooks.always]. Builtins are not among them. It is never nil; the caller
// may add jobs.
func (c *Config) Stage(name string) *Stage {
	st := &Stage{Name: name, Parallel: true}
	if own := c.Stages[name]; own != nil {
		*st = *own
	} else if c.Always != nil {
		st.Parallel = c.Always.Parallel
	}
	st.Jobs = slices.Clone(st.Jobs)
	if c.Always != nil {
		for _, j := range c.Always.Jobs {
			j.ID = unique(st.Jobs, j.ID)
			st.Jobs = append(st.Jobs, j)
		}
	}
	return st
}

type decoder struct {
	origin   func(keys ...string) string
	defaults []string
	env      []string
	parallel bool
	gitEnv   bool
}

func (d *decoder) builtin(name string, all map[string]any) *Builtin {
	b := &Builtin{Name: name, Stages: d.defaults, Options: map[string]any{}}
	v, written := all[name]
	b.Set = written
	if on, ok := v.(bool); ok {
		b.Enabled = on
	}
	if t, ok := v.(map[string]any); ok {
		b.Enabled = flag(t, "enabled", true)
		if s, ok := t["stages"]; ok {
			b.Stages = stringList(s)
		}
		b.Files, b.Exclude = stringList(t["files"]), stringList(t["exclude"])
		for k, v := range t {
			if !slices.Contains([]string{"enabled", "stages", "files", "exclude"}, k) {
				b.Options[k] = v
			}
		}
	}
	if written {
		b.Origin = d.origin("hooks", "builtin", name)
	}
	if b.Stages == nil || len(b.Stages) == 0 && !written {
		b.Stages = []string{"pre-commit"}
		if name == "commit" {
			b.Stages = []string{"commit-msg"}
		}
	}
	return b
}

func (d *decoder) stage(name string, t map[string]any) (*Stage, error) {
	at := []string{"hooks", name}
	st := &Stage{
		Name: name, Parallel: flag(t, "parallel", d.parallel), Piped: flag(t, "piped", false), ExcludeTags: stringList(t["exclude_tags"]),
		Skip: guards(t["skip"]), Only: guards(t["only"]), Precondition: text(t, "precondition"),
		Before: stringList(t["before"]), After: stringList(t["after"]), Env: mergeEnv(d.env, envList(t["env"])),
	}
	add := func(fallback string, v any, keys []string) error {
		j, err := d.job(st, t, tableOf(v), keys)
		if err != nil {
			return err
		}
		if j.ID == "" {
			j.ID = fallback
		}
		j.ID = unique(st.Jobs, j.ID)
		st.Jobs = append(st.Jobs, *j)
		return nil
	}
	list, _ := t["jobs"].([]any)
	for i, v := range list {
		if err := add(fmt.Sprintf("job %d", i+1), v, append(slices.Clone(at), "jobs", strconv.Itoa(i))); err != nil {
			return nil, err
		}
	}
	for _, kind := range []string{"commands", "scripts"} {
		m := tableOf(t[kind])
		for _, k := range d.written(m, append(at, kind)) {
			v := maps.Clone(tableOf(m[k]))
			if kind == "scripts" && v["script"] == nil {
				v["script"] = k
			}
			if err := add(k, v, append(slices.Clone(at), kind, k)); err != nil {
				return nil, err
			}
		}
	}
	return st, nil
}

// written returns the keys of a table in the order they are written, as far as
// the lines tell.
func (d *decoder) written(t map[string]any, keys []string) []string {
	line := func(k string) (file string, n int) {
		at := d.origin(append(slices.Clone(keys), k)...)
		i := strings.LastIndexByte(at, ':')
		if i < 0 {
			return at, 0
		}
		n, _ = strconv.Atoi(at[i+1:])
		return at[:i], n
	}
	out := slices.Sorted(maps.Keys(t))
	slices.SortStableFunc(out, func(a, b string) int {
		fa, na := line(a)
		fb, nb := line(b)
		return cmp.Or(cmp.Compare(fa, fb), cmp.Compare(na, nb))
	})
	return out
}

// job decodes the table t of a job below the stage whose table is stage.
func (d *decoder) job(st *Stage, stage, t map[string]any, keys []string) (*Job, error) {
	j := &Job{
		ID: text(t, "name"), Origin: d.origin(keys...), Run: text(t, "run"), Fix: text(t, "fix"), Script: text(t, "script"), Runner: text(t, "runner"),
		Args: stringList(t["args"]), FileTypes: stringList(t["file_types"]), Root: strings.Trim(text(t, "root"), "/"),
		Files:   slices.Concat(stringList(stage["files"]), stringList(t["files"]), stringList(t["glob"])),
		Exclude: slices.Concat(stringList(stage["exclude"]), stringList(t["exclude"])),
		Env:     mergeEnv(st.Env, envList(t["env"])), GitEnv: flag(t, "git_env", flag(stage, "git_env", d.gitEnv)),
		Tags: stringList(t["tags"]), Needs: stringList(t["needs"]), Workspace: flag(t, "workspace", false),
		Interactive: flag(t, "interactive", false), UseStdin: flag(t, "use_stdin", false), StageFixed: flag(t, "stage_fixed", false),
		Skip: guards(t["skip"]), Only: guards(t["only"]), Precondition: text(t, "precondition"), Before: stringList(t["before"]),
		FailText: text(t, "fail_text"),
	}
	if n, ok := t["priority"].(int64); ok {
		j.Priority = int(max(math.MinInt32, min(math.MaxInt32, n)))
	}
	if c := tableOf(t["cache"]); c != nil {
		j.Cache = Caching{Mode: ParseCacheMode(text(c, "mode")), Inputs: stringList(c["inputs"]), Compiler: flag(c, "compiler", false)}
	}
	j.Serial = serial(t["serial"], j)
	var err error
	if j.Timeout, err = timeout(t["timeout"]); err != nil {
		return nil, d.wrong(append(keys, "timeout"), err.Error(), `such as 90, "90s", "5m" or "off"`)
	}
	if strings.HasPrefix(j.Root, "../") || j.Root == ".." || strings.Contains(j.Root, "/../") {
		return nil, d.wrong(append(keys, "root"), "root leaves the repository", "a directory below it")
	}
	return j, nil
}

// wrong is an error of the value at keys.
func (d *decoder) wrong(keys []string, msg, hint string) error {
	at := ""
	for n := len(keys); n > 0 && at == ""; n-- {
		at = d.origin(keys[:n]...)
	}
	return usererr.New("bad-value", fmt.Sprintf("%s: [%s]: %s", at, strings.Join(keys[:len(keys)-1], "."), msg), hint)
}

// serial decides the word of a job: one that starts cargo waits for the others
// that do, since cargo locks the directory it builds in.
func serial(v any, j *Job) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		if v {
			return "serial"
		}
		return ""
	}
	if startsCargo(j.Run) {
		return "cargo"
	}
	return ""
}

// startsCargo reports whether a line calls cargo as one of its words.
func startsCargo(line string) bool {
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()", r) }) {
		if w == "cargo" || strings.HasSuffix(w, "/cargo") || strings.HasPrefix(w, "cargo-") {
			return true
		}
	}
	return false
}

// timeout reads seconds, a number with one of the units ms, s, m and h, or one
// of 0, off and none, which mean no limit.
func timeout(v any) (Timeout, error) {
	switch v := v.(type) {
	case nil:
		return Timeout{}, nil
	case int64:
		return Seconds(v), nil
	case string:
		return ParseTimeout(v)
	}
	return Timeout{}, fmt.Errorf("timeout is neither a number nor a string")
}

// Seconds is a limit of n seconds; 0 is none.
func Seconds(n int64) Timeout {
	const most = int64(math.MaxInt64 / time.Second)
	return Timeout{Set: true, Limit: time.Duration(min(max(n, 0), most)) * time.Second}
}

// ParseTimeout reads a time limit as it is written in a string.
func ParseTimeout(s string) (Timeout, error) {
	s = strings.TrimSpace(s)
	if s == "off" || s == "none" {
		return Timeout{Set: true}, nil
	}
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.ParseInt(digits, 10, 64)
	unit, ok := map[string]time.Duration{"": time.Second, "ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour}[s[len(digits):]]
	if err != nil || !ok || n < 0 || n > math.MaxInt64/int64(unit) {
		return Timeout{}, fmt.Errorf("%q is no time limit", s)
	}
	return Timeout{Set: true, Limit: time.Duration(n) * unit}, nil
}

func guards(v any) []Guard {
	switch v := v.(type) {
	case bool:
		if v {
			return []Guard{{Always: true}}
		}
	case string:
		return []Guard{{Merge: v == "merge", Rebase: v == "rebase"}}
	case map[string]any:
		return []Guard{{Run: text(v, "run"), Ref: stringList(v["ref"]), Merge: flag(v, "merge", false), Rebase: flag(v, "rebase", false)}}
	case []any:
		var out []Guard
		for _, it := range v {
			out = append(out, guards(it)...)
		}
		return out
	}
	return nil
}

// unique returns id, with a number if one of jobs has it.
func unique(jobs []Job, id string) string {
	taken := func(s string) bool { return slices.ContainsFunc(jobs, func(j Job) bool { return j.ID == s }) }
	out := id
	for n := 2; taken(out); n++ {
		out = fmt.Sprintf("%s (%d)", id, n)
	}
	return out
}

func tableOf(v any) map[string]any {
	t, _ := v.(map[string]any)
	return t
}

func text(t map[string]any, key string) string {
	s, _ := t[key].(string)
	return s
}

func flag(t map[string]any, key string, def bool) bool {
	if b, ok := t[key].(bool); ok {
		return b
	}
	return def
}

func stringList(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		out := make([]string, 0, len(v))
		for _, it := range v {
			if s, ok := it.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// envList makes "NAME=value" of a table, sorted.
func envList(v any) []string {
	t := tableOf(v)
	out := make([]string, 0, len(t))
	for _, k := range slices.Sorted(maps.Keys(t)) {
		out = append(out, fmt.Sprintf("%s=%v", k, t[k]))
	}
	return out
}

// mergeEnv returns a with b over it.
func mergeEnv(a, b []string) []string {
	out := slices.Clone(a)
	for _, kv := range b {
		name, _, _ := strings.Cut(kv, "=")
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		out = append(out, kv)
	}
	return out
}

package job

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"poly/internal/blake3"
	"poly/internal/proc"
)

// kept is the value of a cached result: one that passed.
type kept struct {
	Output    string    `json:"output,omitempty"`
	Truncated bool      `json:"truncated,omitempty"`
	Findings  []Finding `json:"findings,omitempty"`
}

// recall answers a job from the cache, or prepares its plan for being kept.
func (r *run) recall(p *plan) (Result, bool) {
	inputs, ok := r.inputs(p)
	if !ok {
		return Result{}, false
	}
	key := r.key(p, inputs)
	if v, ok := r.Cache.Get(r.ctx, key); ok {
		var k kept
		if json.Unmarshal(v, &k) == nil {
			return Result{Outcome: Passed, Cached: true, ExitCode: 0, Output: k.Output, Truncated: k.Truncated, Findings: k.Findings}, true
		}
	}
	p.key, p.inputs = &key, inputs
	return Result{}, false
}

// keep stores a result, unless its inputs changed meanwhile.
func (r *run) keep(p *plan, res *Result) {
	if r.Verify != nil && !r.Verify(r.ctx, p.inputs) {
		return
	}
	if v, err := json.Marshal(kept{res.Output, res.Truncated, res.Findings}); err == nil {
		r.Cache.Put(r.ctx, *p.key, v)
	}
}

// inputs lists what a result depends on. ok is false if it must not be kept: a
// job that may write, talks to people or reads what is not declared.
func (r *run) inputs(p *plan) (files []File, ok bool) {
	j := p.job
	mode := cmp.Or(j.Cache.Mode, r.CacheMode)
	if r.Cache == nil || mode == Off || p.writes || j.Interactive || j.UseStdin || len(r.Args) > 0 {
		return nil, false
	}
	switch {
	case len(j.Cache.Inputs) > 0:
		all, err := r.everything()
		if err != nil {
			return nil, false
		}
		files = slices.DeleteFunc(slices.Clone(r.now(all)), func(f File) bool { return !Match(j.Cache.Inputs, f.Path) })
		files = append(files, p.files...)
	case mode == Aggressive && p.takes && !p.whole:
		files = slices.Clone(p.files)
	default:
		return nil, false
	}
	if slices.ContainsFunc(files, func(f File) bool { return f.ID == "" && !f.Gone }) {
		return nil, false
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.Path == b.Path }), true
}

// key digests all that a result depends on: build, command, declared
// environment, PATH, the programs named, and the files.
func (r *run) key(p *plan, inputs []File) [32]byte {
	j := p.job
	var b []byte
	add := func(list ...string) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	}
	env := r.env(j)
	add("job 1", r.Build, r.stage.Name, j.ID, j.command(r.Fix), j.Runner, j.Script, j.Root, proc.Getenv(env, "PATH"), proc.Getenv(env, "HOME"))
	add(j.Args...)
	add(j.Env...)
	add(j.Before...)
	add(j.Needs...)
	add(chosen(env, j.EnvKeys)...)
	add(r.program(j, env)...)
	for _, c := range j.Identity {
		add(r.identify(c, env))
	}
	for _, f := range p.files {
		add(f.Path)
	}
	for _, f := range inputs {
		form := "file"
		switch {
		case f.Gone:
			form = "gone"
		case f.Link:
			form = "link"
		case f.Exec:
			form = "exec"
		}
		add(f.Path, f.ID, form)
	}
	return blake3.Sum256(b)
}

// chosen are the variables that keys name, sorted.
func chosen(env, keys []string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if slices.ContainsFunc(keys, func(k string) bool {
			family, ok := strings.CutSuffix(k, "*")
			return name == k || ok && strings.HasPrefix(name, family)
		}) {
			out = append(out, kv)
		}
	}
	slices.Sort(out)
	return out
}

// program describes the files that the first word of the command, and the
// runner, stand for, so that another version of a tool is another key.
func (r *run) program(j *Job, env []string) (out []string) {
	dir := filepath.Join(r.Root, filepath.FromSlash(j.Root))
	for _, text := range []string{j.command(r.Fix), j.Runner} {
		for w := range strings.FieldsSeq(text) {
			if strings.Contains(w, "=") {
				continue
			}
			p, err := proc.Look(w, env, dir)
			if err != nil {
				break
			}
			if fi, err := os.Stat(p); err == nil {
				out = append(out, p, fi.ModTime().UTC().Format(time.RFC3339Nano), fi.Mode().String(), string(binary.AppendVarint(nil, fi.Size())))
			}
			break
		}
	}
	return out
}

// identify runs a command that tells which version a tool is, once a run.
func (r *run) identify(command, env []string) string {
	once, _ := r.identity.LoadOrStore(strings.Join(command, "\x00"), sync.OnceValue(func() string {
		pr := r.Start(r.ctx, proc.Cmd{Args: command, Env: env, Dir: r.Root, Limit: r.Limits.precondition()})
		if !pr.OK() {
			return "unknown " + time.Now().String() // never the same twice
		}
		return pr.Output
	}))
	return once.(func() string)()
}

// Sccache is the compiler cache that jobs with cache.compiler use.
type Sccache struct {
	Bin     string // the program
	Dir     string // "": its own default
	MaxSize string // "": its own default
}

// SccacheOf is what [cache.sccache] says, nil if it is not switched on.
func SccacheOf(on bool, bin, dir, maxSize string) *Sccache {
	if !on {
		return nil
	}
	return &Sccache{Bin: bin, Dir: dir, MaxSize: maxSize}
}

// wrap returns env with the variables by which a compiler uses the cache, as
// far as env says nothing of them. Without the program env stays as it is.
func (s *Sccache) wrap(env []string, dir string) []string {
	if s == nil {
		return env
	}
	if _, err := proc.Look(s.Bin, env, dir); err != nil {
		return env
	}
	for _, v := range [][2]string{{"RUSTC_WRAPPER", s.Bin}, {"SCCACHE_DIR", s.Dir}, {"SCCACHE_CACHE_SIZE", s.MaxSize}} {
		if v[1] != "" && proc.Getenv(env, v[0]) == "" {
			env = proc.Setenv(env, v[0]+"="+v[1])
		}
	}
	return env
}

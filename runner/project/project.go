// Package project is the whole-project phase: the cargo and Go groups and the
// inline jobs with workspace = true, run over the whole repository as it lies
// in the worktree. poly lint and the workspace tools of poly mcp are its doors.
//
// It takes the jobs that the pre-commit stage would run, wherever the groups'
// stages are, and leaves the stage's own conditions and commands out. What a
// tool finds is in the report of the phase and never in that of the files.
package project

import (
	"context"
	"path"
	"slices"

	"poly/internal/blake3"
	"poly/internal/config"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/proc"
	"poly/runner/job"
	"poly/store"
)

// Phase is what a configuration runs over the whole project. It was only
// planned; nothing has been started.
type Phase struct {
	stage job.Stage
	mode  job.CacheMode
	wrap  *job.Sccache
	langs map[string]lang.ID // job id -> the language it judges
}

// Plan decides which jobs there are; nil if there is none. Without a section
// [hooks] it looks at nothing.
func Plan(set *config.Set, tree gitstate.Tree) (*Phase, error) {
	root := set.Root()
	if root.Section("hooks") == nil {
		return nil, nil
	}
	c, err := decode(root)
	if err != nil {
		return nil, err
	}
	p := &Phase{langs: map[string]lang.ID{}, mode: job.ParseCacheMode(root.Cache.Hooks)}
	w := root.Cache.SCCache
	p.wrap = job.SccacheOf(w.Enabled, w.Bin, w.Dir, w.MaxSize)
	var manifests job.Manifests
	if c.Builtins["cargo"].Enabled {
		manifests.Cargo = dirs(tree, job.CargoManifest)
	} else if _, ok := tree.Lookup(job.CargoManifest); ok && c.WantsCargo() {
		manifests.Cargo = []string{"."} // all others belong to it
	}
	if c.Builtins["go"].Enabled {
		manifests.Go = dirs(tree, job.GoManifest)
	}
	st := c.Stage("pre-commit")
	p.stage = job.Stage{Name: "pre-commit", Parallel: true, ExcludeTags: st.ExcludeTags, Env: st.Env}
	for _, g := range c.Groups(manifests) {
		if !g.Lint {
			continue
		}
		p.langs[g.ID] = lang.ID(g.Lang)
		p.stage.Jobs = append(p.stage.Jobs, g.Job)
	}
	for _, j := range st.Jobs {
		if !j.Workspace {
			continue
		}
		if id, ok := credited[j.ID]; ok {
			p.langs[j.ID] = id
		}
		p.stage.Jobs = append(p.stage.Jobs, j)
	}
	if len(p.stage.Jobs) == 0 {
		return nil, nil
	}
	return p, nil
}

func decode(root *config.Effective) (*job.Config, error) {
	return job.Decode(root.Section("hooks"), func(keys ...string) string {
		if at := root.Origin(keys...); at.File != "" {
			return at.String()
		}
		return ""
	})
}

// Configured reports whether there may be a phase, for a tree of which little
// is known: exists tells whether the root has a file of that name.
func Configured(set *config.Set, exists func(name string) bool) bool {
	root := set.Root()
	if root.Section("hooks") == nil {
		return false
	}
	c, err := decode(root)
	if err != nil {
		return true // the run that needs it will say so
	}
	return c.Builtins["go"].Enabled || c.Builtins["cargo"].Enabled || c.WantsCargo() && exists(job.CargoManifest) ||
		slices.ContainsFunc(c.Stage("pre-commit").Jobs, func(j job.Job) bool { return j.Workspace })
}

// credited are names of inline jobs that say which language they judge.
var credited = map[string]lang.ID{"clippy": "rust", "cargo-clippy": "rust", "go-vet": lang.Go, "staticcheck": lang.Go, "golangci-lint": lang.Go}

// dirs are the directories with a file of that name.
func dirs(tree gitstate.Tree, name string) []string {
	var out []string
	for _, f := range gitstate.Named(tree, name) {
		if f.Mode.Regular() {
			out = append(out, path.Dir(f.Path))
		}
	}
	return out
}

// Len is how many tools there are.
func (p *Phase) Len() int {
	if p == nil {
		return 0
	}
	return len(p.stage.Jobs)
}

// Covers are the languages that a tool judges whose program is installed.
func (p *Phase) Covers(env []string, root string) []lang.ID {
	if p == nil {
		return nil
	}
	var out []lang.ID
	for i := range p.stage.Jobs {
		j := &p.stage.Jobs[i]
		id := p.langs[j.ID]
		if id == "" || slices.Contains(out, id) {
			continue
		}
		if j.Probe != "" {
			if _, err := proc.Look(j.Probe, env, root); err != nil {
				continue
			}
		}
		out = append(out, id)
	}
	return out
}

// Cache is the part of [store.Cache] that a phase needs.
type Cache interface {
	Lookup(ctx context.Context, cfgs []store.Cfg, keys []store.Key) (store.Result, error)
	Save(ctx context.Context, b store.Batch) error
}

// Request says how to run a phase. Start, Root, Env and Tree are required.
type Request struct {
	Start func(context.Context, proc.Cmd) proc.Result
	Root  string   // of the worktree, absolute
	Env   []string // of poly; what git says of its own repository and index is taken out
	// Tree is the whole worktree.
	Tree  gitstate.Tree
	Facts job.Facts
	Fix   bool
	Jobs  int // how many tools run at once; 0: GOMAXPROCS
	// NoCommands says why no tool may run; "": they may.
	NoCommands string
	Cache      Cache // nil: none
	Build      string
	// Reopen opens the worktree again, to see whether what a tool judged is
	// still what the tree holds; nil: nobody can have changed it.
	Reopen func(context.Context) (gitstate.Tree, error)
	Event  func(job.Event) // told what happens, one call at a time; nil: nobody is
}

// Run runs the phase. What goes wrong is in the report.
func (p *Phase) Run(ctx context.Context, q Request) *Report {
	limits, warnings := job.LimitsFrom(q.Env)
	all := files(q.Tree)
	x := job.Executor{
		Start: q.Start, Root: q.Root, Env: WithoutGit(q.Env), GitEnv: onlyGit(q.Env), Facts: q.Facts, Files: all, Jobs: q.Jobs, Fix: q.Fix,
		NoCommands: q.NoCommands, Limits: limits, Event: q.Event, Build: q.Build, CacheMode: p.mode, Sccache: p.wrap,
		Head: func(f job.File) []byte { return head(ctx, q.Tree, f.Path) },
	}
	if q.Cache != nil && !q.Fix {
		x.Cache = cache{q.Cache}
	}
	if q.Reopen != nil {
		x.Verify = func(ctx context.Context, inputs []job.File) bool { return q.same(ctx, inputs) }
	}
	rep := x.Run(ctx, &p.stage)
	out := &Report{Tools: rep.Results, Fix: q.Fix, Warnings: warnings, code: rep.Exit()}
	return out
}

// same reports whether inputs are still what they were.
func (q *Request) same(ctx context.Context, inputs []job.File) bool {
	now, err := q.Reopen(ctx)
	if err != nil {
		return false
	}
	defer func() { _ = now.Close() }()
	for _, f := range inputs {
		e, ok := now.Lookup(f.Path)
		if !ok || fileOf(e) != f {
			return false
		}
	}
	return true
}

// head returns the beginning of a file, nil if it cannot be read.
func head(ctx context.Context, tree gitstate.Tree, name string) []byte {
	f, ok := tree.Lookup(name)
	if !ok || !f.Mode.Regular() {
		return nil
	}
	text, err := tree.Read(ctx, f)
	if err != nil {
		return nil
	}
	return text[:min(len(text), 8192)]
}

func files(tree gitstate.Tree) []job.File {
	out := make([]job.File, 0, tree.Len())
	for f := range tree.Files() {
		if f.Mode.Regular() || f.Mode == gitstate.ModeSymlink {
			out = append(out, fileOf(f))
		}
	}
	return out
}

// fileOf is an entry as jobs know it. Equal files have equal bytes on the disk:
// the class says how those follow from the blob.
func fileOf(f gitstate.File) job.File {
	id := string(f.ID)
	if id != "" && f.Class != "" {
		id += " " + string(f.Class)
	}
	return job.File{Path: f.Path, ID: id, Exec: f.Mode == gitstate.ModeExec, Link: f.Mode == gitstate.ModeSymlink}
}

// cache keeps results of jobs in the store: the key is the configuration, and
// the one blob asked about is always the same.
type cache struct{ c Cache }

func (c cache) row(key [32]byte) ([]store.Cfg, string) {
	id := blake3.Sum256(key[:])
	return []store.Cfg{{NS: store.Workspace, Hash: key}}, string(id[:20])
}

func (c cache) Get(ctx context.Context, key [32]byte) ([]byte, bool) {
	cfgs, oid := c.row(key)
	res, err := c.c.Lookup(ctx, cfgs, []store.Key{{OID: oid}})
	if err != nil || len(res.Values) == 0 {
		return nil, false
	}
	return res.Values[0].Data, true
}

func (c cache) Put(ctx context.Context, key [32]byte, value []byte) {
	cfgs, oid := c.row(key)
	_ = c.c.Save(context.WithoutCancel(ctx), store.Batch{Cfgs: cfgs, Rows: []store.Row{{OID: oid, Value: value}}})
}

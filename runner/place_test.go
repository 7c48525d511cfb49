package runner_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/testutil"
	"poly/runner"
	"poly/store"
)

// place is a repository, a cache for it, and the engines to judge it with.
type place struct {
	*testutil.Repo
	tb      testing.TB
	engines []engine.Engine
	cache   *store.Cache
}

func newPlace(tb testing.TB, engines ...engine.Engine) *place {
	tb.Helper()
	p := &place{Repo: testutil.NewRepo(tb), tb: tb, engines: engines}
	p.cache = p.openCache(store.CacheOptions{})
	return p
}

func (p *place) cacheFile() string { return filepath.Join(p.Home, "cache", store.CacheFile) }

func (p *place) openCache(o store.CacheOptions) *store.Cache {
	p.tb.Helper()
	c := store.OpenCache(p.tb.Context(), p.cacheFile(), o)
	p.tb.Cleanup(func() { _ = c.Close() })
	return c
}

// view is an open tree and its configuration, as the command line opens them.
type view struct {
	tree gitstate.Tree
	set  *config.Set
	done func()
}

// open looks at the worktree now. A nil memory makes the scan start from
// nothing; paths limit it as the command line does.
func (p *place) open(memory gitstate.Memory, paths ...string) (_ view, err error) {
	ctx := p.tb.Context()
	repo, err := gitstate.Open(ctx, gitstate.OpenOptions{Dir: p.Dir, Env: p.Env})
	if err != nil {
		return view{}, err
	}
	tree, err := gitstate.Worktree(ctx, repo, gitstate.WorktreeOptions{Memory: memory, Paths: paths})
	if err != nil {
		return view{}, errors.Join(err, repo.Close())
	}
	v := view{tree: tree, done: func() { _, _ = tree.Close(), repo.Close() }}
	if v.set, err = p.configure(ctx, tree, paths); err != nil {
		v.done()
		return view{}, err
	}
	return v, nil
}

func (p *place) configure(ctx context.Context, tree gitstate.Tree, paths []string) (*config.Set, error) {
	o := config.Options{Schema: runner.Schema(p.engines), Tree: gitstate.FS(ctx, tree), Root: p.Dir, Local: func(name string) ([]byte, error) {
		text, err := os.ReadFile(p.Path(name))
		if errors.Is(err, fs.ErrNotExist) {
			err = fs.ErrNotExist
		}
		return text, err
	}}
	for f := range tree.Files() {
		if path.Base(f.Path) == config.FileName && f.Mode.Regular() {
			o.Dirs = append(o.Dirs, path.Dir(f.Path))
		}
	}
	for _, dir := range paths {
		for ; dir != "."; dir = path.Dir(dir) {
			// A limited tree does not yield what lies above.
			up := path.Dir(dir)
			if f, ok := tree.Lookup(path.Join(up, config.FileName)); ok && f.Mode.Regular() && !slices.Contains(o.Dirs, up) {
				o.Dirs = append(o.Dirs, up)
			}
		}
	}
	return config.Load(ctx, o)
}

func (p *place) runner(cache runner.Cache) *runner.Runner {
	return &runner.Runner{Engines: p.engines, Cache: cache, Build: "test", GuardInput: true}
}

// request asks for everything below a scope that the memo knows the place by.
func (v view) request(verb engine.Verb) runner.Request {
	return runner.Request{Verb: verb, Tree: v.tree, Config: v.set, Scope: "place", Jobs: 4}
}

// run opens the worktree and runs one request on it, which change may alter.
func (p *place) run(verb engine.Verb, cached bool, change func(*runner.Request)) diag.Report {
	p.tb.Helper()
	rep, err := p.try(p.tb.Context(), verb, cached, change)
	if err != nil {
		p.tb.Fatal(err)
	}
	return rep
}

func (p *place) try(ctx context.Context, verb engine.Verb, cached bool, change func(*runner.Request)) (diag.Report, error) {
	var memory gitstate.Memory
	var cache runner.Cache
	if cached {
		memory, cache = p.cache, p.cache
	}
	return p.limited(ctx, verb, memory, cache, nil, change)
}

// limited is try on a tree that was limited to paths, if there are any.
func (p *place) limited(ctx context.Context, verb engine.Verb, m gitstate.Memory, c runner.Cache, paths []string, change func(*runner.Request)) (diag.Report, error) {
	v, err := p.open(m, paths...)
	if err != nil {
		return diag.Report{}, err
	}
	defer v.done()
	req := v.request(verb)
	if change != nil {
		change(&req)
	}
	return p.runner(c).Run(ctx, req)
}

// byFile is what a report says about files, each with the hash of its
// configuration, whatever other configurations there are.
func byFile(rep diag.Report) map[string][]diag.FileReport {
	out := map[string][]diag.FileReport{}
	for _, f := range rep.Files {
		hash := rep.Configs[f.Config]
		f.Config = 0
		out[hash] = append(out[hash], f)
	}
	return out
}

func (p *place) lint() diag.Report {
	p.tb.Helper()
	return p.run(engine.Lint, true, nil)
}

func (p *place) format() diag.Report {
	p.tb.Helper()
	return p.run(engine.Format, true, nil)
}

// file returns the record of a path; ok is false if there is none.
func file(rep diag.Report, name string) (diag.FileReport, bool) {
	for _, f := range rep.Files {
		if f.Path == name {
			return f, true
		}
	}
	return diag.FileReport{}, false
}

// differ compares reports but for what they cost.
func differ(want, got diag.Report) string {
	want.Stats, got.Stats = diag.Stats{}, diag.Stats{}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// sink is a Writer that writes to the place, and refuses some paths.
type sink struct {
	place   *place
	refuse  map[string]bool
	written []string
}

func (s *sink) WriteAll(_ context.Context, changes []runner.Change) []error {
	errs := make([]error, len(changes))
	for i, c := range changes {
		now, err := os.ReadFile(s.place.Path(c.File.Path))
		switch {
		case s.refuse[c.File.Path]:
			errs[i] = errors.New("no room")
		case err != nil || string(now) != string(c.Before):
			errs[i] = errors.New("before is not what is there")
		default:
			errs[i] = os.WriteFile(s.place.Path(c.File.Path), c.After, 0o666)
			s.written = append(s.written, c.File.Path)
		}
	}
	return errs
}

// fix runs a verb that writes.
func (p *place) fix(verb engine.Verb, change func(*runner.Request)) (diag.Report, *sink) {
	p.tb.Helper()
	s := &sink{place: p, refuse: map[string]bool{}}
	rep := p.run(verb, true, func(q *runner.Request) {
		q.Fix = s
		if change != nil {
			change(q)
		}
	})
	return rep, s
}

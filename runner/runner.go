// Package runner plans and executes runs: it matches the files of a tree with
// engines, answers from the cache what it can, and runs the rest.
//
// # What a run is
//
// A [Request] names a tree, a verb and paths. Every file in scope ends with
// exactly one outcome: checked, skipped with a reason, or errored. Findings
// are data; the error of Run is about the run itself.
//
// # Caching
//
// Two levels. A memo row answers a whole tree: the baseline the tree reports,
// the configuration and the request are its key, and files that deviate from
// the baseline are judged one by one. Below it each (engine, blob) pair has a
// row, stored before per-file-ignores and severity levels; one batched query
// asks for all of them. A run without a cache, with a cold or with a warm one
// gives the same report.
//
// # Workers
//
// Jobs goroutines own engine workers. A panic or a time limit makes the file
// errored; a hung worker is abandoned with its goroutine and replaced.
package runner

import (
	"context"
	"io/fs"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/editorconfig"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
	"poly/internal/wasm"
	"poly/store"
)

// Request says what to run. Verb, Tree and Config are required.
type Request struct {
	Verb   engine.Verb
	Tree   gitstate.Tree
	Base   gitstate.Tree // report only what is new since Base; nil: everything (a later issue)
	Config *config.Set
	// Paths limit the run, slash-separated from the root of the tree; "." or
	// none: everything.
	Paths []string
	// Exclude are call-time globs, relative to ExcludeBase.
	Exclude     []string
	ExcludeBase string
	// IncludeExcluded checks named paths even if they are excluded.
	IncludeExcluded bool
	// Exists reports whether a path that is not in the tree exists all the
	// same; nil: none does.
	Exists func(path string) bool
	// Declined are named paths that are not in the tree because they are no
	// regular files: each is a skip.
	Declined     []string
	Fix          Writer // where fixes go; nil: report only
	FixGenerated bool   // fix generated files too
	Diff         bool   // render what a fix would change
	Debug        bool   // tell what each engine did
	Jobs         int    // goroutines; 0: GOMAXPROCS
	// Scope names the worktree for the memo; "" uses none.
	Scope string
	// Progress is told how many files are done, now and then; nil: nobody is.
	Progress func(done, total int)
	// Covered are languages that a tool judges as a whole in the same run: their
	// files are not skipped for want of rules.
	Covered []lang.ID
}

// Change is the new content of a file, and the content it was made from.
type Change struct {
	File          gitstate.File
	Before, After []byte
}

// Writer receives new content: the worktree, the index, or a test's map. It
// returns one error a change, nil where it was written; an error makes the
// file errored, and the run goes on.
type Writer interface {
	WriteAll(ctx context.Context, changes []Change) []error
}

// Cache is the part of [store.Cache] a Runner needs.
type Cache interface {
	Memo(ctx context.Context, scope, key []byte) []byte
	Lookup(ctx context.Context, cfgs []store.Cfg, keys []store.Key) (store.Result, error)
	Save(ctx context.Context, b store.Batch) error
}

// Runner runs engines over trees. Set its fields before first use; its methods
// may be called concurrently.
type Runner struct {
	Engines []engine.Engine // those that are not built in tell why a file is skipped
	Cache   Cache           // nil: none
	Build   string          // build identity, part of every key
	Limit   time.Duration   // a file's time limit; 0: 30 s
	Log     *slog.Logger    // nil: discard
	Wasm    *wasm.Host      // runs the modules of engines; nil: such engines fail
	// GuardInput checks after each call that an engine left its input alone.
	// It costs a copy of every file; tests turn it on.
	GuardInput bool
}

// run is one call of Run.
type run struct {
	req        Request
	engines    []engine.Engine // that are built in
	missing    []engine.Engine // that are not
	wasm       *wasm.Host
	cache      Cache
	build      string
	limit      time.Duration
	log        *slog.Logger
	fs         fs.FS
	reader     inputReader
	binder     *binder
	guardInput bool
	inputSets  map[string]*inputs
	// editorconfig tells the layout of files that are formatted.
	editorconfig *editorconfig.Resolver
	configs      map[*config.Effective]int
	ignores      map[*config.Effective]ignores
	shared       sync.Map // functions that return what engines share, by key
	pending      []*entry // changed, not yet written
	bytes        int      // of pending
}

// Run plans and executes req. On cancellation it keeps what was finished in
// the cache and returns the context's error.
func (r *Runner) Run(ctx context.Context, req Request) (diag.Report, error) {
	start := time.Now()
	run := r.begin(ctx, req)
	rep, err := run.report(ctx)
	if err != nil {
		return diag.Report{}, err
	}
	rep.Stats.Micros = time.Since(start).Microseconds()
	return rep, nil
}

func (r *Runner) begin(ctx context.Context, req Request) *run {
	x := &run{
		req: req, wasm: r.Wasm, cache: r.Cache, build: r.Build, limit: r.Limit, log: r.Log,
		fs: gitstate.FS(ctx, req.Tree), guardInput: r.GuardInput,
		reader:    inputReader{texts: map[string][]byte{}},
		inputSets: map[string]*inputs{},
		configs:   map[*config.Effective]int{},
		ignores:   map[*config.Effective]ignores{},
	}
	if req.Verb == engine.Format {
		x.editorconfig = editorconfig.NewResolver(x.fs)
		x.inputSet(engine.Inputs{Names: []string{editorconfig.FileName}}) // the memo and the hashes follow it
	}
	for i := range r.Engines {
		if r.Engines[i].BuiltIn() {
			x.engines = append(x.engines, r.Engines[i])
		} else {
			x.missing = append(x.missing, r.Engines[i])
		}
	}
	if x.limit == 0 {
		x.limit = 30 * time.Second
	}
	if x.log == nil {
		x.log = slog.New(slog.DiscardHandler)
	}
	if x.req.Jobs <= 0 {
		x.req.Jobs = runtime.GOMAXPROCS(0)
	}
	if len(x.req.Paths) == 0 {
		x.req.Paths = []string{"."}
	}
	for i, e := range req.Config.All() {
		x.configs[e] = i
		x.ignores[e] = newIgnores(e)
	}
	x.binder = &binder{ctx: ctx, run: x, plans: map[planKey]*plan{}, effects: map[*config.Effective]bool{}}
	return x
}

// inputSet shares one finder among all engines that declare the same inputs.
func (r *run) inputSet(in engine.Inputs) *inputs {
	names, paths := slices.Sorted(slices.Values(in.Names)), slices.Sorted(slices.Values(in.Paths))
	var siblings []string
	if r.req.Verb != engine.Format {
		siblings = slices.Sorted(slices.Values(in.Siblings))
	}
	key := joinNUL(names) + "\x00\x00" + joinNUL(paths) + "\x00\x00" + joinNUL(siblings)
	s := r.inputSets[key]
	if s == nil {
		s = newInputs(r.req.Tree, engine.Inputs{Names: names, Paths: paths, Siblings: siblings})
		r.inputSets[key] = s
	}
	return s
}

// once implements engine.Env.Once.
func (r *run) once(key string, make func() any) any {
	f, _ := r.shared.LoadOrStore(key, sync.OnceValue(make))
	return f.(func() any)() //nolint:forcetypeassert // stored above
}

func joinNUL(list []string) string {
	var b []byte
	for _, s := range list {
		b = append(append(b, s...), 0)
	}
	return string(b)
}

// Schema describes the tables of engines and the languages for config.Load.
func Schema(engines []engine.Engine) config.Schema {
	languages := lang.All()
	s := config.Schema{Languages: make([]string, len(languages)), Engines: make([]config.EngineTable, 0, len(engines))}
	for i := range languages {
		s.Languages[i] = string(languages[i].ID)
	}
	for i := range engines {
		e := &engines[i].Spec
		t := config.EngineTable{
			Name: e.Name, Lint: e.Verbs&engine.Lint != 0, Fmt: e.Verbs&engine.Format != 0, OptIn: e.OptIn, Options: e.Options, Doc: e.Doc,
		}
		if !e.Cross {
			t.Langs = make([]string, len(e.Langs))
			for j, l := range e.Langs {
				t.Langs[j] = string(l)
			}
		}
		t.Rules = make([]config.RuleTable, len(e.Rules))
		for j := range e.Rules {
			t.Rules[j] = config.RuleTable{Code: e.Rules[j].Code, Options: e.Rules[j].Options}
		}
		s.Engines = append(s.Engines, t)
	}
	return s
}

package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"poly/internal/engine/astgrep"
	"poly/internal/report"
	"poly/internal/version"
	"poly/internal/wasm"
	"poly/mcp"
	"poly/mcp/page"
	"poly/mcp/tool"
	"poly/runner/job"
	"poly/runner/task"
	"poly/store"
)

func (a *app) mcpCommand() *cobra.Command {
	var o mcp.Options
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve coding agents over the Model Context Protocol on stdio",
		Long: "Serve one client of the Model Context Protocol on standard input and output, until it goes.\n" +
			"An agent starts it: {\"mcpServers\": {\"poly\": {\"command\": \"poly\", \"args\": [\"mcp\"]}}}. \"poly docs mcp\" describes the tools.",
		Example: "  poly mcp\n  poly mcp --config ci/poly.toml --no-commands",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(a.stdout) {
				_, _ = a.stderr.Write([]byte("poly: note: poly mcp speaks JSON-RPC: an agent starts it and talks to it\n"))
			}
			return a.serve(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "use this `FILE` for calls that name none")
	cmd.Flags().StringSliceVar(&o.Toolsets, "toolsets", nil, "offer these toolsets instead of core, comma-separated")
	cmd.Flags().BoolVar(&o.NoCommands, "no-commands", false, "run no commands: only engines that are built in")
	return cmd
}

// serve is poly mcp.
func (a *app) serve(ctx context.Context, o mcp.Options) error {
	// A client that is gone shows as an error of a write, not as the end of
	// the process: what it asked for is still to be stopped.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer stop()
	exe, _ := os.Executable()
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s := &server{app: a}
	o.NoCommands = a.noCommands(o.NoCommands) != ""
	return mcp.Serve(ctx, a.stdin, a.stdout, mcp.Deps{
		Check:      s.check,
		CacheStats: s.cache(cacheStats),
		CacheClean: s.cache(cacheClean),
		Config:     s.config,
		Rules:      s.rules,
		Workspace:  s.workspace,
		Record:     s.recordTask,
		Engines:    engineVersions(a.engines),
		Version:    version.Version, BuildID: version.BuildID(), Channel: version.Channel(),
		Executable: exe, Log: log, Now: a.now,
	}, o)
}

// server answers the calls of one client with what the commands do.
type server struct {
	*app
	once sync.Once
	host *wasm.Host // of all calls: compiled modules and their instances stay
}

// as returns the app as if poly had been called with args, for the history.
func (s *server) as(args ...string) *app {
	a := *s.app
	a.args = append([]string{"mcp"}, args...)
	return &a
}

func (s *server) check(ctx context.Context, c mcp.Check) (mcp.Checked, error) {
	out, err := s.checked(ctx, c)
	return out, s.clean(err)
}

func (s *server) checked(ctx context.Context, c mcp.Check) (mcp.Checked, error) {
	f := runFlags{configFile: c.Config, exclude: c.Exclude, fix: c.Fix, maxSkips: -1, noWorkspace: true}
	if err := f.validate(c.Paths); err != nil {
		return mcp.Checked{}, err
	}
	a := s.as(slices.Concat([]string{c.Verb.String()}, map[bool][]string{true: {"--fix"}}[c.Fix], c.Paths)...)
	started := a.now()
	x, err := a.open(ctx, target{paths: c.Paths, configFile: c.Config, write: c.Fix, here: true})
	if err != nil {
		return mcp.Checked{}, err
	}
	defer x.Close()
	w, err := x.writer(ctx, &f)
	if err != nil {
		return mcp.Checked{}, err
	}
	s.once.Do(func() { s.host = &wasm.Host{CacheDir: x.modules()} })
	rep, err := x.examine(ctx, c.Verb, &f, w, s.host, nil)
	if err != nil {
		return mcp.Checked{}, err
	}
	x.record(ctx, &rep, c.Verb, started, verdict(&rep, -1))
	return mcp.Checked{Report: &rep, Prefix: x.prefix, Scope: x.paths}, nil
}

func (s *server) cache(fn cacheFunc) func(context.Context) (report.Object, error) {
	return func(ctx context.Context) (report.Object, error) {
		x, err := s.openPlace(ctx, "")
		if err != nil {
			return nil, s.clean(err)
		}
		defer x.Close()
		o, err := fn(ctx, x)
		return o, s.clean(err)
	}
}

func (s *server) config(ctx context.Context, file string) (report.Object, error) {
	o, err := s.effective(ctx, target{configFile: file})
	return o, s.clean(err)
}

func (s *server) rules(ctx context.Context, r mcp.Rules) (report.Object, error) {
	l, err := s.listRules(ctx, r.Config, r.Dirs, astgrep.ListOptions{Test: r.Test})
	if err != nil {
		return nil, s.clean(err)
	}
	return report.Rules(l), nil
}

// workspace runs the whole-project phase, and tells of each tool that begins or
// ends. What tools print is shown without the directories of this machine.
func (s *server) workspace(ctx context.Context, w mcp.Workspace) (report.Object, error) {
	ended := 0
	rep, err := s.wholeProject(ctx, wholeRequest{config: w.Config, fix: w.Fix, noCache: w.NoCache, jobs: w.Jobs, event: func(e job.Event) {
		switch e.Kind {
		case job.Began:
			tool.Progress(ctx, ended, 0, "running "+e.Job.ID)
		case job.Ended:
			ended++
			tool.Progress(ctx, ended, 0, e.Job.ID+": "+e.Result.Outcome.String())
		case job.Said, job.Waits:
		}
	}})
	if err != nil {
		return nil, s.clean(err)
	}
	for i := range rep.Tools {
		t := &rep.Tools[i]
		t.Output, t.Reason = s.cleanOutput(t.Output), s.cleanText(t.Reason)
		for j := range t.Findings {
			f := &t.Findings[j]
			f.Title, f.Description = s.cleanOutput(f.Title), s.cleanOutput(f.Description)
		}
	}
	if err := rep.Fit(page.Budget); err != nil {
		return nil, s.clean(err)
	}
	return rep.Object(), nil
}

// recordTask writes a task to the history. One that cannot be written costs a
// debug line, never the task.
func (s *server) recordTask(ctx context.Context, t task.Task) {
	x, err := s.openPlace(ctx, "")
	if err != nil {
		return
	}
	defer x.Close()
	if x.homeless != nil {
		return
	}
	h, err := store.OpenHistory(ctx, filepath.Join(x.dirs.State, store.HistoryFile), store.HistoryOptions{Now: s.now})
	if err != nil {
		s.log.Debug("history", "err", err)
		return
	}
	defer func() { _ = h.Close() }()
	row := store.Task{ID: t.ID, Name: t.Name, Started: t.Started, Ended: t.Ended, State: t.State.String(), OutputHead: t.Status}
	if t.State == task.Failed || t.State == task.Cancelled {
		row.Exit = exitUnverified
		if t.Err != nil {
			row.OutputHead = t.Err.Error()
		}
	}
	if stored, err := h.PutTask(ctx, row); !stored {
		s.log.Debug("history: the task was not recorded", "err", err)
	}
}

// Package mcp is the server for agents: one file a tool, and what the tools of
// one client share. What a tool does is a function that cmd/poly gives; here are
// its arguments, its description and the form of its answer.
//
// [mcp/tool] makes tools out of functions, mcp/serve speaks the protocol, and
// mcp/page cuts long answers.
package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"poly/internal/blake3"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/report"
	"poly/internal/usererr"
	"poly/mcp/page"
	"poly/mcp/serve"
	"poly/mcp/tool"
	"poly/runner/task"
)

//go:generate go run ../internal/gen/mcptools

// Deps is what poly can do, apart from how agents ask for it. Paths in
// arguments and answers are as seen from the working directory. Errors are for
// clients: they name no path outside of the repository.
type Deps struct {
	// Check is poly lint and poly fmt.
	Check func(ctx context.Context, c Check) (Checked, error)
	// CacheStats and CacheClean are the commands of poly cache.
	CacheStats, CacheClean func(ctx context.Context) (report.Object, error)
	// Config is poly config show; config is a file, or "".
	Config func(ctx context.Context, config string) (report.Object, error)
	// Rules is poly rules list, or poly rules test.
	Rules func(ctx context.Context, r Rules) (report.Object, error)
	// Workspace is the whole-project phase of poly lint. nil: this build has none.
	Workspace func(ctx context.Context, w Workspace) (report.Object, error)
	// Record is told of tasks; nil: nobody is.
	Record func(context.Context, task.Task)
	// Engines are those built in, with the versions they wrap, by name.
	Engines report.Object
	Version string
	BuildID string
	Channel string
	// Executable is the file that serves, absolute; "" if it is not known.
	Executable string
	Log        *slog.Logger
	Now        func() time.Time
}

// Check is a run of engines over files.
type Check struct {
	Verb           engine.Verb
	Fix            bool // write
	Paths, Exclude []string
	Config         string
}

// Checked is the report of a [Check].
type Checked struct {
	Report *diag.Report
	// Scope are the paths that were judged, as files of the report are named.
	Scope []string
	// Prefix is as in [report.Options].
	Prefix string
}

// Rules asks for the ast-grep rules.
type Rules struct {
	Dirs   []string // none: those of the configuration
	Config string
	Test   bool // run their tests, too
}

// Workspace asks for a whole-project phase.
type Workspace struct {
	Fix     bool
	Config  string
	Jobs    int // 0: as the configuration says
	NoCache bool
}

// Options are what the user asked for.
type Options struct {
	Config     string   // for calls that name none
	Toolsets   []string // empty: [Toolsets]'s first
	NoCommands bool     // tools that run commands refuse
}

// Toolset is a group of tools that is offered together.
type Toolset struct {
	Name, Doc string
}

// Toolsets lists the toolsets, the default first.
func Toolsets() []Toolset {
	return []Toolset{{core, "Lint, format, and what belongs to it."}}
}

const core = "core"

// session is what the tools of one client share.
type session struct {
	Deps
	opts    Options
	pager   page.Pager
	writing chan struct{} // the call that writes
	watch   *serve.Watch
	digest  string
}

// instructions are for the model; clients show it at most 2 KB.
const instructions = "poly lints and formats every language of this repository: prefer its tools over calling linters or formatters, and over the command line. " +
	"Read isError first, then summary.checked, then results: a clean file has no record, and skipped files were not checked. " +
	"lint and format_check change nothing; lint_fix and format_write do. After an edit, call lint on the paths you changed. " +
	"An answer with truncated goes on: call the tool again with truncated.next.paths. " +
	"workspace_lint runs the project's own checks and takes long: call it before you are done, not after each edit."

// Serve serves one client until it goes or ctx is cancelled.
func Serve(ctx context.Context, in io.Reader, out io.Writer, d Deps, o Options) error {
	s, err := newServer(d, o)
	if err != nil {
		return err
	}
	return s.Serve(ctx, in, out)
}

func newServer(d Deps, o Options) (*serve.Server, error) {
	s := &session{Deps: d, opts: o, writing: make(chan struct{}, 1), digest: digest(d.Engines)}
	s.watch = serve.NewWatch(d.Executable, d.Now())
	tools, err := s.offered()
	if err != nil {
		return nil, err
	}
	return serve.New(serve.Options{
		Name: "poly", Version: d.Version, Instructions: instructions, Tools: tools,
		Identity: tool.Identity{
			Version: d.Version, BuildID: d.BuildID, Channel: d.Channel, Executable: s.watch.Path(), PID: os.Getpid(), Engines: s.digest,
		},
		Watch: s.watch, Log: d.Log, Now: d.Now, Record: d.Record,
	}), nil
}

// offered returns the tools of the toolsets that were asked for.
func (s *session) offered() ([]tool.Tool, error) {
	var names []string
	for _, t := range Toolsets() {
		names = append(names, t.Name)
	}
	want := s.opts.Toolsets
	if len(want) == 0 {
		want = names[:1]
	}
	for _, w := range want {
		if !slices.Contains(names, w) {
			return nil, usererr.New("wrong-use", fmt.Sprintf("unknown toolset %q", w), "the toolsets are "+strings.Join(names, ", "))
		}
	}
	var tools []tool.Tool
	for _, t := range s.all() {
		if slices.Contains(want, t.Toolset) {
			tools = append(tools, t.Tool)
		}
	}
	return tools, nil
}

// digest names the engines of a build: BLAKE3 over their names and the
// versions they wrap, by name.
func digest(engines report.Object) string {
	var b []byte
	for _, m := range engines {
		b = fmt.Appendf(b, "%s\x00%v\n", m.Key, m.Value)
	}
	sum := blake3.Sum256(b)
	return fmt.Sprintf("%x", sum)
}

// write calls fn when no other call of this session writes. Other processes
// are kept out by the lock of the worktree.
func (s *session) write(ctx context.Context, fn func() (tool.Answer, error)) (tool.Answer, error) {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
		return fn()
	case <-ctx.Done():
		return tool.Answer{}, ctx.Err()
	}
}

// config returns the file a call goes by.
func (s *session) config(asked string) string {
	if asked != "" {
		return asked
	}
	return s.opts.Config
}

// object makes an answer of a document.
func object(o report.Object, err error) (tool.Answer, error) {
	if err != nil {
		return tool.Answer{}, err
	}
	doc, err := report.AppendObject(nil, o)
	return tool.Answer{Doc: doc}, err
}

// offer is a tool and the toolset it belongs to.
type offer struct {
	Toolset string
	tool.Tool
}

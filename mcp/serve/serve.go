// Package serve speaks the Model Context Protocol over a pair of pipes: the
// stateless revision 2026-07-28 and the older ones with a handshake, tools, and
// tasks as of SEP-2663. It knows the protocol and no tool.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"poly/internal/jsonrpc"
	"poly/mcp/tool"
	"poly/runner/task"
)

// Error codes of MCP.
const (
	missingCapability  = mcpgo.MISSING_REQUIRED_CLIENT_CAPABILITY
	unsupportedVersion = mcpgo.UNSUPPORTED_PROTOCOL_VERSION
)

// tasksExtension is the name of SEP-2663.
const tasksExtension = "io.modelcontextprotocol/tasks"

// listTTL is how long a client may keep a list of tools, in milliseconds: they
// change with the executable only, and then nothing but version answers.
const listTTL = 3_600_000

// Options are what a server is made of.
type Options struct {
	Name, Version string
	Instructions  string // for the model; "" for none
	Tools         []tool.Tool
	Identity      tool.Identity
	Watch         *Watch
	Log           *slog.Logger
	Now           func() time.Time
	// Record is told of tasks, as in [task.Options]; nil: nobody is.
	Record func(context.Context, task.Task)
	// CommandGrace is how long calls that run commands may go on after the
	// client sent its last message. Default 5 s.
	CommandGrace time.Duration
	// Idle and Grace are as in [jsonrpc.Options].
	Idle, Grace time.Duration
}

// Server serves one client.
type Server struct {
	Options
	tools    map[string]*tool.Tool
	list     []byte // the array of tools
	identity []byte
	tasks    *task.Tracker
	slots    chan struct{} // calls at work
	long     chan struct{} // the call that runs commands
	// commands ends when calls that run commands have to.
	commands     context.Context //nolint:containedctx // the session's, made in Serve
	stopCommands context.CancelFunc
}

// New returns a server. It panics if a tool has no name or shares one.
func New(o Options) *Server {
	s := &Server{
		Options: o, tools: map[string]*tool.Tool{}, identity: tool.Marshal(o.Identity),
		tasks: task.New(task.Options{Now: o.Now, Record: o.Record}), slots: make(chan struct{}, max(4, runtime.GOMAXPROCS(0))), long: make(chan struct{}, 1),
	}
	if s.CommandGrace == 0 {
		s.CommandGrace = 5 * time.Second
	}
	s.Tools = slices.Clone(o.Tools)
	slices.SortFunc(s.Tools, func(a, b tool.Tool) int { return strings.Compare(a.Name, b.Name) })
	for i := range s.Tools {
		t := &s.Tools[i]
		if t.Name == "" || s.tools[t.Name] != nil {
			panic("two tools are called " + t.Name)
		}
		s.tools[t.Name] = t
	}
	s.list = listing(s.Tools)
	return s
}

// Serve answers until the end of in, until ctx is cancelled, or until out is
// closed: those are the ways a session ends, and none of them is an error.
// Tasks have ended then, with the commands they ran.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.commands, s.stopCommands = context.WithCancel(ctx)
	defer s.stopCommands()
	err := jsonrpc.Serve(ctx, in, out, s, jsonrpc.Options{Idle: s.Idle, Grace: s.Grace, Panicked: func(v any, stack []byte) {
		s.Log.Error("panic", "value", v, "stack", string(stack))
	}})
	stop()
	s.endTasks(ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Log.Debug("session", "err", err)
	}
	return nil
}

// Draining is part of [jsonrpc.Handler]: nobody can ask for a task any more.
func (s *Server) Draining() {
	for _, k := range s.tasks.List() {
		s.tasks.Cancel(k.ID)
	}
	time.AfterFunc(s.CommandGrace, s.stopCommands)
}

// endTasks waits for the end of all tasks: what they run is killed within less.
func (s *Server) endTasks(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer stop()
	if err := s.tasks.Close(ctx); err != nil {
		s.Log.Error("tasks", "err", err)
	}
}

// Notification is part of [jsonrpc.Handler].
func (s *Server) Notification(c *jsonrpc.Conn, method string, params json.RawMessage) {
	if method != "notifications/cancelled" {
		return
	}
	var p map[string]json.RawMessage
	if json.Unmarshal(params, &p) == nil {
		c.Cancel(p["requestId"])
	}
}

// Request is part of [jsonrpc.Handler].
func (s *Server) Request(ctx context.Context, r *jsonrpc.Request) {
	p, e := readParams(r.Params)
	if e == nil {
		e = p.refused()
	}
	if e != nil {
		r.Fail(e)
		return
	}
	var result json.RawMessage
	switch method := r.Method; {
	case method == "tools/call":
		s.call(ctx, r, p)
		return
	case method == "tools/list":
		result, e = s.toolsList(p)
	case method == "server/discover" && p.modern:
		result = s.discover()
	case method == "initialize" && !p.modern:
		result, e = s.initialize(p)
	case method == "ping" && !p.modern:
		result = json.RawMessage(`{}`)
	case strings.HasPrefix(method, "tasks/") && p.modern:
		result, e = s.tasksRequest(method, p)
	default:
		e = notFound(method)
	}
	if e != nil {
		r.Fail(e)
		return
	}
	r.Reply(result)
}

func notFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "no method " + quoted(method)}
}

func invalid(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: message}
}

// quoted bounds what is echoed of a client's text.
func quoted(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return string(tool.Marshal(s))
}

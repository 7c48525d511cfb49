package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"poly/internal/diag"
	"poly/internal/report"
	"poly/internal/usererr"
	"poly/mcp/tool"
)

// meta is what a request of 2026-07-28 carries; metaTasks also takes tasks.
const (
	meta      = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	metaTasks = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
)

// peer is a client of a server in this process.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	exe  string
	done chan error
	over chan struct{} // closed when everything was read
	stop context.CancelFunc

	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed and replaced when lines grows
	ended bool
}

// world is what the server of a peer can do.
type world struct {
	release   chan struct{} // ends calls of workspace_lint and of lint with the path "slow"
	started   chan struct{} // receives when one began
	killed    chan struct{} // receives when one was cancelled
	workspace bool
	passed    bool
}

func (w *world) wait(ctx context.Context) error {
	w.started <- struct{}{}
	select {
	case <-w.release:
		return nil
	case <-ctx.Done():
		w.killed <- struct{}{}
		return ctx.Err()
	}
}

func (w *world) check(ctx context.Context, c Check) (Checked, error) {
	rep := &diag.Report{Verb: c.Verb.String(), Fix: c.Fix, Configs: []string{"1/0123456789abcdef"}}
	for _, p := range c.Paths {
		switch f := (diag.FileReport{Path: p}); {
		case p == "nope":
			return Checked{}, usererr.New("missing-path", "no such file or directory: nope", "mend the path")
		case p == "slow":
			if err := w.wait(ctx); err != nil {
				return Checked{}, err
			}
		case p == "panic":
			panic("at " + p)
		case strings.HasSuffix(p, ".zig"):
			f.Outcome, f.Reason = diag.Skipped, "no lint rules for Zig"
			rep.Files = append(rep.Files, f)
			rep.Summary.Skipped++
		case p == "unreadable":
			f.Outcome, f.Reason = diag.Errored, "permission denied"
			rep.Files = append(rep.Files, f)
			rep.Summary.Errored++
		default:
			if c.Config != "" {
				f.Diagnostics = []diag.Diagnostic{{Engine: "e", Title: "judged by " + c.Config}}
				rep.Files = append(rep.Files, f)
			}
			rep.Summary.Checked++
		}
	}
	return Checked{Report: rep, Scope: []string{"."}}, nil
}

func (w *world) deps(exe string) Deps {
	d := Deps{
		Check: w.check,
		CacheStats: func(context.Context) (report.Object, error) {
			return report.Object{}.With("format_version", 1).With("total_bytes", 2).With("per_namespace", []report.Object{}), nil
		},
		CacheClean: func(context.Context) (report.Object, error) { return report.Object{}.With("freed_bytes", 3), nil },
		Config: func(_ context.Context, c string) (report.Object, error) {
			return report.Object{}.With("defaults", report.Object{}).With("discovery", report.Object{}).With("lint", report.Object{}.With("config", c)).With("fmt", report.Object{}), nil
		},
		Rules: func(context.Context, Rules) (report.Object, error) {
			return report.Object{}.With("dirs", []string{}).With("rules", []report.Object{}), nil
		},
		Engines: report.Object{}.With("json", "1.2").With("text", "0.1.0"),
		Version: "0.1.0", BuildID: "b", Channel: "dev", Executable: exe, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	}
	if w.workspace {
		d.Workspace = func(ctx context.Context, r Workspace) (report.Object, error) {
			tool.Progress(ctx, 1, 2, "running clippy")
			tool.Progress(ctx, 1, 2, "still running clippy")
			if err := w.wait(ctx); err != nil {
				return nil, err
			}
			return report.Object{}.With("passed", w.passed).With("fixed", r.Fix).With("tools", []report.Object{}), nil
		}
	}
	return d
}

func newWorld() *world {
	return &world{release: make(chan struct{}, 99), started: make(chan struct{}, 999), killed: make(chan struct{}, 999), workspace: true, passed: true}
}

func connect(t *testing.T, w *world, o Options) *peer {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "poly")
	if err := os.WriteFile(exe, []byte("the first poly"), 0o755); err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	p := &peer{t: t, in: inW, exe: exe, done: make(chan error, 1), over: make(chan struct{}), stop: stop, more: make(chan struct{})}
	go func() {
		p.done <- Serve(ctx, inR, outW, w.deps(exe), o)
		_ = outW.Close()
		_ = inR.Close()
	}()
	go p.read(outR)
	t.Cleanup(func() { stop(); _ = inW.Close() })
	return p
}

func (p *peer) read(out io.Reader) {
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		p.mu.Lock()
		p.lines = append(p.lines, s.Text())
		close(p.more)
		p.more = make(chan struct{})
		p.mu.Unlock()
	}
	p.mu.Lock()
	p.ended = true
	close(p.more)
	p.mu.Unlock()
	close(p.over)
}

func (p *peer) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// request sends a request; params are the members of its parameters.
func (p *peer) request(id int, method, params string) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, id, method, params))
}

// find waits for the first line that has part in it.
func (p *peer) find(part string) string {
	p.t.Helper()
	for at := 0; ; {
		p.mu.Lock()
		lines, more, ended := p.lines, p.more, p.ended
		p.mu.Unlock()
		for ; at < len(lines); at++ {
			if strings.Contains(lines[at], part) {
				return lines[at]
			}
		}
		if ended {
			p.t.Fatalf("nothing has %s in it: %q", part, lines)
		}
		<-more
	}
}

// answer waits for the answer of a request and returns it without its frame.
func (p *peer) answer(id int) string {
	p.t.Helper()
	frame := `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,`
	return strings.TrimSuffix(strings.TrimPrefix(p.find(frame), frame), "}")
}

// call is request and answer.
func (p *peer) call(id int, method, params string) string {
	p.t.Helper()
	p.request(id, method, params)
	return p.answer(id)
}

// member returns a member of the result of an answer, by its path.
func (p *peer) member(answer string, path ...string) string {
	p.t.Helper()
	raw := json.RawMessage("{" + answer + "}")
	for _, name := range append([]string{"result"}, path...) {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			p.t.Fatalf("%v of %v in %s", err, path, answer)
		}
		raw = m[name]
	}
	return string(raw)
}

func (p *peer) close() {
	p.t.Helper()
	_ = p.in.Close()
	if err := <-p.done; err != nil {
		p.t.Errorf("Serve: %v", err)
	}
	<-p.over
}

package serve

import (
	"context"
	"encoding/json"
	"fmt"

	"poly/internal/jsonrpc"
	"poly/mcp/tool"
)

// call answers tools/call.
func (s *Server) call(ctx context.Context, r *jsonrpc.Request, p *params) {
	name, ok := p.text("name")
	if !ok {
		r.Fail(invalid("tools/call needs the name of a tool"))
		return
	}
	t := s.tools[name]
	if t == nil {
		r.Fail(invalid("unknown tool " + quoted(name)))
		return
	}
	args := p.all["arguments"]
	if string(args) == "null" {
		args = nil
	}
	if args != nil && args[0] != '{' {
		r.Fail(invalid("arguments must be an object"))
		return
	}
	switch {
	case !t.Long:
		s.quick(ctx, r, p, t, args)
	case p.tasks:
		s.task(ctx, r, p, t, args)
	default:
		s.blocking(ctx, r, p, t, args)
	}
}

// quick runs a call among others. It keeps its slot until the client has the
// answer, so that one that does not read makes no work.
func (s *Server) quick(ctx context.Context, r *jsonrpc.Request, p *params, t *tool.Tool, args json.RawMessage) {
	if !t.Always {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			r.Reply(s.result(cancelled(), p.modern))
			return
		}
	}
	r.Reply(s.result(s.run(ctx, t, args), p.modern))
}

// blocking runs a long call for a client that waits for it.
func (s *Server) blocking(ctx context.Context, r *jsonrpc.Request, p *params, t *tool.Tool, args json.RawMessage) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.commands, stop)() //nolint:contextcheck // the session ends the call, too
	if p.token != nil {
		ctx = tool.WithProgress(ctx, s.progress(r, p.token))
	}
	result := s.refusal(t, args)
	if result == nil {
		tool.Progress(ctx, 0, 0, "queued")
		result = s.oneByOne(ctx, t, args)
	}
	r.Reply(s.result(result, p.modern))
}

// oneByOne runs a long call when no other runs.
func (s *Server) oneByOne(ctx context.Context, t *tool.Tool, args json.RawMessage) *tool.Result {
	select {
	case s.long <- struct{}{}:
		defer func() { <-s.long }()
		tool.Progress(ctx, 0, 0, "running "+t.Name)
		return s.run(ctx, t, args)
	case <-ctx.Done():
		return cancelled()
	}
}

func cancelled() *tool.Result { return tool.Refuse(tool.From(context.Canceled), "") }

// progress sends notifications whose counts always grow.
func (s *Server) progress(r *jsonrpc.Request, token json.RawMessage) func(done, total int, message string) {
	last := newRising()
	return func(done, total int, message string) {
		last.next(done, func(at float64) {
			r.Notify("notifications/progress", struct {
				Token    json.RawMessage `json:"progressToken"`
				Progress float64         `json:"progress"`
				Total    int             `json:"total,omitempty"`
				Message  string          `json:"message,omitempty"`
			}{token, at, total, message})
		})
	}
}

// refusal is the answer of a call that is refused before anything is done;
// nil: it is not.
func (s *Server) refusal(t *tool.Tool, args json.RawMessage) *tool.Result {
	if !t.Always {
		if e := s.Watch.refuse(s.Version); e != nil {
			return tool.Refuse(e, "")
		}
	}
	return t.Check(args)
}

// run calls a tool. A panic is a failure of the call.
func (s *Server) run(ctx context.Context, t *tool.Tool, args json.RawMessage) (result *tool.Result) {
	defer func() {
		if v := recover(); v != nil {
			s.Log.Error("panic", "tool", t.Name, "value", fmt.Sprint(v))
			result = tool.Refuse(tool.NewError("internal", "poly failed on this call", "its standard error tells more"), "")
		}
	}()
	if !t.Always {
		if e := s.Watch.refuse(s.Version); e != nil {
			return tool.Refuse(e, "")
		}
	}
	return t.Call(ctx, args)
}

// result is the one place that makes the answer of a call: the text, the
// document with the member poly, and the same beside it.
func (s *Server) result(r *tool.Result, modern bool) json.RawMessage {
	doc := r.Doc[:len(r.Doc)-1]
	b := make([]byte, 0, len(doc)+2*len(r.Text)+3*len(s.identity)+256)
	b = append(append(b, `{"_meta":{"poly":`...), s.identity...)
	if modern {
		b = append(b, ',')
		meta := tool.Marshal(resultMeta{s.serverInfo()})
		b = append(b, meta[1:len(meta)-1]...)
	}
	b = append(b, `},"content":[{"type":"text","text":`...)
	b = append(append(b, tool.Marshal(r.Text)...), `}]`...)
	if r.Failed {
		b = append(b, `,"isError":true`...)
	}
	if modern {
		b = append(b, `,"resultType":"complete"`...)
	}
	b = append(append(b, `,"structuredContent":`...), doc...)
	if len(doc) > 1 {
		b = append(b, ',')
	}
	b = append(append(b, `"poly":`...), s.identity...)
	return append(b, `}}`...)
}

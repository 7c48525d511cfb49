package jsonrpc

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Request is a request that waits for its answer.
type Request struct {
	Conn   *Conn
	ID     json.RawMessage // as the client wrote it
	Method string
	Params json.RawMessage // nil: none

	cancel    context.CancelFunc
	cancelled atomic.Bool

	mu       sync.Mutex // guards answered; held while the request's messages are written
	answered bool
}

// Reply answers with a result, which is JSON.
func (r *Request) Reply(result json.RawMessage) {
	line := make([]byte, 0, len(result)+len(r.ID)+40)
	line = append(append(append(line, `{"jsonrpc":"2.0","id":`...), r.ID...), `,"result":`...)
	line = append(append(line, result...), "}\n"...)
	r.last(func() { r.Conn.send(line) })
}

// Fail answers with an error.
func (r *Request) Fail(e *Error) { r.last(func() { r.Conn.fail(r.ID, e) }) }

func (r *Request) last(send func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answered || r.cancelled.Load() {
		return
	}
	r.answered = true
	send()
}

// Notify sends a notification about the request, unless it was answered or
// cancelled before.
func (r *Request) Notify(method string, params any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.answered && !r.cancelled.Load() {
		r.Conn.Notify(method, params)
	}
}

// handle reads one message and starts what it asks for.
func (c *Conn) handle(ctx context.Context, text []byte) {
	m, id, e := parse(text)
	if e != nil {
		c.fail(id, e)
		return
	}
	method, isCall := m["method"]
	if !isCall {
		if m["result"] == nil && m["error"] == nil {
			c.fail(id, &Error{Code: InvalidRequest, Message: "not a JSON-RPC request"})
		}
		return // an answer: this side asks nothing
	}
	var name string
	if json.Unmarshal(method, &name) != nil || method[0] != '"' {
		c.fail(id, &Error{Code: InvalidRequest, Message: "method is not a string"})
		return
	}
	if m["id"] == nil {
		c.h.Notification(c, name, m["params"])
		return
	}
	key, ok := idKey(m["id"])
	if !ok {
		c.fail(nil, &Error{Code: InvalidRequest, Message: "id must be a string or an integer"})
		return
	}
	if string(m["jsonrpc"]) != `"2.0"` {
		c.fail(id, &Error{Code: InvalidRequest, Message: `jsonrpc must be "2.0"`})
		return
	}
	c.start(ctx, key, &Request{Conn: c, ID: id, Method: name, Params: m["params"]})
}

// parse returns the members of a message. Names are matched exactly, which
// decoding into a struct would not do.
func parse(text []byte) (m map[string]json.RawMessage, id json.RawMessage, e *Error) {
	if !utf8.Valid(text) {
		return nil, nil, &Error{Code: ParseError, Message: "the message is not UTF-8"}
	}
	if err := json.Unmarshal(text, &m); err != nil || m == nil {
		switch {
		case !json.Valid(text):
			return nil, nil, &Error{Code: ParseError, Message: "the message is not JSON"}
		case text[0] == '[':
			return nil, nil, &Error{Code: InvalidRequest, Message: "batches are not supported: send one message a line"}
		}
		return nil, nil, &Error{Code: InvalidRequest, Message: "not a JSON-RPC message"}
	}
	if _, ok := idKey(m["id"]); ok {
		id = m["id"]
	}
	return m, id, nil
}

func (c *Conn) start(ctx context.Context, key string, r *Request) {
	select {
	case c.room <- struct{}{}:
	case <-ctx.Done():
		return
	}
	ctx, r.cancel = context.WithCancel(ctx)
	c.mu.Lock()
	_, twice := c.calls[key]
	if !twice {
		c.calls[key] = r
	}
	c.mu.Unlock()
	if twice {
		r.cancel()
		<-c.room
		c.fail(r.ID, &Error{Code: InvalidRequest, Message: "a request with this id is in flight"})
		return
	}
	c.wg.Add(1)
	go c.run(ctx, key, r)
}

func (c *Conn) run(ctx context.Context, key string, r *Request) {
	defer c.wg.Done()
	defer func() {
		if v := recover(); v != nil {
			if c.opts.Panicked != nil {
				c.opts.Panicked(v, debug.Stack())
			}
			r.Fail(&Error{Code: InternalError, Message: "internal error"})
		}
		r.cancel()
		c.mu.Lock()
		delete(c.calls, key)
		c.mu.Unlock()
		<-c.room
		select {
		case c.done <- struct{}{}:
		default:
		}
	}()
	c.h.Request(ctx, r)
	r.Fail(&Error{Code: InternalError, Message: "internal error: no answer"})
}

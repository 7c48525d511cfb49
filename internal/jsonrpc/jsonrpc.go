// Package jsonrpc serves JSON-RPC 2.0, one message a line, to one client. Each
// request has a goroutine of its own: none waits for another, and reading never
// waits for an answer unless very many are due. It knows no method.
package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// Error codes of JSON-RPC 2.0.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// Error is the error of a response. Data is nil or JSON.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Handler is what a server does. Its methods are called concurrently.
type Handler interface {
	// Request answers a request by one call of r.Reply or r.Fail; a second one
	// is ignored. ctx is cancelled by [Conn.Cancel] and when the connection
	// ends. A panic is answered with [InternalError].
	Request(ctx context.Context, r *Request)
	// Notification is called in the order of arrival and must not block.
	Notification(c *Conn, method string, params json.RawMessage)
	// Draining says that the client sends nothing any more: what was asked is
	// still answered.
	Draining()
}

// Limits of a connection.
const (
	maxLine     = 16<<20 + 64<<10 // bytes of a message: 16 MiB of content and what is around it
	maxInFlight = 1024            // requests; beyond that reading waits
)

// Options are the times a connection takes to end; zero: the defaults.
type Options struct {
	// Idle is how long after the last line, and after each answer, the next
	// answer is waited for. Default 30 s.
	Idle time.Duration
	// Grace is how long handlers may take to notice that ctx ended. Default 2 s.
	Grace time.Duration
	// Panicked is told the value and the stack of a panic; nil: nobody is.
	Panicked func(value any, stack []byte)
}

// Conn is one connection.
type Conn struct {
	h     Handler
	opts  Options
	stop  context.CancelCauseFunc
	room  chan struct{}   // one element a request in flight
	ended <-chan struct{} // closed when nobody reads answers any more
	done  chan struct{}   // receives, without blocking, when an answer was written
	wg    sync.WaitGroup

	mu    sync.Mutex // guards calls
	calls map[string]*Request

	writing chan struct{} // holds one element while out is written to
	out     io.Writer
}

// Serve reads messages from in until its end and writes answers to out. Then
// it waits for the answers that are due. It returns nil at the end of in, the
// cause if ctx is cancelled, and the error of a write that failed: the client
// is gone. Handlers have ended by then unless they ignored their context.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Handler, opts Options) error {
	if opts.Idle == 0 {
		opts.Idle = 30 * time.Second
	}
	if opts.Grace == 0 {
		opts.Grace = 2 * time.Second
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &Conn{
		h: h, opts: opts, stop: stop, out: out, calls: map[string]*Request{},
		room: make(chan struct{}, maxInFlight), done: make(chan struct{}, 1), writing: make(chan struct{}, 1), ended: ctx.Done(),
	}
	lines := make(chan line)
	go read(ctx, in, lines) // ends with in: a read cannot be interrupted
	c.loop(ctx, lines)
	h.Draining()
	c.drain(ctx)
	err := context.Cause(ctx)
	stop(nil)
	c.await(opts.Grace)
	return err
}

func (c *Conn) loop(ctx context.Context, lines <-chan line) {
	for {
		select {
		case <-ctx.Done():
			return
		case l := <-lines:
			switch text := bytes.TrimSpace(l.text); {
			case l.over:
				c.fail(salvage(l.text, l.tail), &Error{Code: InvalidRequest, Message: "the message is longer than 16 MiB"})
			case len(text) > 0:
				c.handle(ctx, text)
			}
			if l.end {
				return
			}
		}
	}
}

// drain waits for the requests in flight as long as answers keep coming.
func (c *Conn) drain(ctx context.Context) {
	all := make(chan struct{})
	go func() { c.wg.Wait(); close(all) }()
	timer := time.NewTimer(c.opts.Idle)
	defer timer.Stop()
	for {
		select {
		case <-all:
			return
		case <-ctx.Done():
			return
		case <-c.done:
			timer.Reset(c.opts.Idle)
		case <-timer.C:
			return
		}
	}
}

func (c *Conn) await(d time.Duration) {
	all := make(chan struct{})
	go func() { c.wg.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(d):
	}
}

// Cancel ends the context of the request with that id, as it stands in JSON;
// the request is not answered any more. An id that is not in flight does nothing.
func (c *Conn) Cancel(id json.RawMessage) {
	key, ok := idKey(id)
	if !ok {
		return
	}
	c.mu.Lock()
	r := c.calls[key]
	c.mu.Unlock()
	if r != nil {
		r.cancelled.Store(true)
		r.cancel()
	}
}

// Notify sends a notification. params is marshalled.
func (c *Conn) Notify(method string, params any) {
	c.write(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

func (c *Conn) fail(id json.RawMessage, e *Error) {
	if id == nil {
		id = json.RawMessage("null")
	}
	c.write(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Error          `json:"error"`
	}{"2.0", id, e})
}

// write sends one message. It blocks while the client does not read.
func (c *Conn) write(v any) {
	line, err := encode(v)
	if err != nil {
		line = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"an answer could not be written as JSON"}}` + "\n")
	}
	c.send(line)
}

func (c *Conn) send(line []byte) {
	select {
	case c.writing <- struct{}{}:
	default:
		select {
		case c.writing <- struct{}{}:
		case <-c.ended: // whoever writes may never come back
			return
		}
	}
	defer func() { <-c.writing }()
	if _, err := c.out.Write(line); err != nil {
		c.stop(fmt.Errorf("write to the client: %w", err))
	}
}

// encode is JSON with a line end, and without escapes of HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

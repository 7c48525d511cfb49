package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fake answers echo with its parameters, wait once its context ends, slow when
// it is told to, and panics.
type fake struct {
	slow    chan struct{}
	drained chan struct{}
	noted   chan string
}

func newFake() *fake {
	return &fake{slow: make(chan struct{}), drained: make(chan struct{}, 1), noted: make(chan string, 9)}
}

func (f *fake) Request(ctx context.Context, r *Request) {
	switch r.Method {
	case "echo":
		if r.Params == nil {
			r.Params = json.RawMessage("null")
		}
		r.Reply(r.Params)
		r.Reply(json.RawMessage(`"a second answer"`))
	case "wait":
		<-ctx.Done()
		r.Notify("late", 1)
		r.Reply(json.RawMessage(`"ended"`))
	case "slow":
		r.Notify("early", 1)
		<-f.slow
		r.Reply(json.RawMessage(`"slow"`))
	case "panic":
		panic("at the disco")
	case "silent":
	default:
		r.Fail(&Error{Code: MethodNotFound, Message: "no"})
	}
}

func (f *fake) Notification(c *Conn, method string, params json.RawMessage) {
	if method == "cancel" {
		c.Cancel(params)
	}
	select {
	case f.noted <- method:
	default:
	}
}

func (f *fake) Draining() { f.drained <- struct{}{} }

// talk sends lines and returns what is answered until the end, sorted.
func talk(t *testing.T, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(input), &out, newFake(), Options{Idle: time.Second}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, l := range lines {
		if l != "" && !json.Valid([]byte(l)) {
			t.Errorf("not JSON: %s", l)
		}
	}
	slices.Sort(lines)
	return lines
}

func TestHostileLines(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 200_000)
	for _, tc := range []struct{ name, in, want string }{
		{"plain", `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}}`, `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`},
		{"no line end and blanks", " \r\n\n\t{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\r", `{"jsonrpc":"2.0","id":1,"result":null}`},
		{"large number as id", `{"jsonrpc":"2.0","id":9007199254740993,"method":"echo"}`, `{"jsonrpc":"2.0","id":9007199254740993,"result":null}`},
		{"text as id", `{"jsonrpc":"2.0","id":"7\u0041","method":"echo"}`, `{"jsonrpc":"2.0","id":"7\u0041","result":null}`},
		{"not JSON", `{not json`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`},
		{"not UTF-8", "{\"id\":1,\"method\":\"\xff\"}", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not UTF-8"}}`},
		{"nested deep", `{"id":` + deep, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"echo"}]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported: send one message a line"}}`},
		{"null", `null`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}}`},
		{"number", `7`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}}`},
		{"empty object", `{}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC request"}}`},
		{"object as id", `{"jsonrpc":"2.0","id":{},"method":"echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id must be a string or an integer"}}`},
		{"null as id", `{"jsonrpc":"2.0","id":null,"method":"echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id must be a string or an integer"}}`},
		{"fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id must be a string or an integer"}}`},
		{"other capitals", `{"jsonrpc":"2.0","ID":1,"Method":"echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC request"}}`},
		{"method is no text", `{"jsonrpc":"2.0","id":1,"method":2}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"method is not a string"}}`},
		{"old version", `{"jsonrpc":"1.0","id":1,"method":"echo"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}}`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"x"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`},
		{"panic", `{"jsonrpc":"2.0","id":1,"method":"panic"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`},
		{"no answer", `{"jsonrpc":"2.0","id":1,"method":"silent"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error: no answer"}}`},
		{"an answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, ``},
		{"a notification", `{"jsonrpc":"2.0","method":"x"}`, ``},
		{"nothing", ``, ``},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff([]string{tc.want}, talk(t, tc.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			after := `{"jsonrpc":"2.0","id":"after","result":null}`
			got := talk(t, tc.in+"\n"+`{"jsonrpc":"2.0","id":"after","method":"echo"}`)
			if !slices.Contains(got, after) {
				t.Errorf("the next request was not answered: %q", got)
			}
		})
	}
}

// A message may have 16 MB of content. One that is too long is refused under its
// id, wherever that stands, so that nobody waits for it.
func TestLongLines(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 16_000_000)
	got := talk(t, `{"jsonrpc":"2.0","id":1,"method":"echo","params":"`+text+`"}`+"\n")
	if want := `{"jsonrpc":"2.0","id":1,"result":"` + text + `"}`; got[0] != want {
		t.Errorf("16 MB came back as %d bytes: %.100s", len(got[0]), got[0])
	}
	text += text
	for _, in := range []string{
		`{"jsonrpc":"2.0","id":"q","method":"echo","params":"` + text + `"}`,
		`{"method":"echo","params":{"a":"` + text + `"},"jsonrpc":"2.0","id":"q"}` + "\n",
	} {
		want := []string{`{"jsonrpc":"2.0","id":"q","error":{"code":-32600,"message":"the message is longer than 16 MiB"}}`}
		if diff := cmp.Diff(want, talk(t, in)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// client is the other end of a connection.
type client struct {
	*fake
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	read *bufio.Scanner
	done chan error
	stop context.CancelFunc
}

func connect(t *testing.T, opts Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	c := &client{fake: newFake(), t: t, in: inW, out: outR, read: bufio.NewScanner(outR), done: make(chan error, 1), stop: stop}
	c.read.Buffer(nil, 1<<30)
	go func() { c.done <- Serve(ctx, inR, outW, c.fake, opts); _ = outW.Close(); _ = inR.Close() }()
	return c
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) next() string {
	if !c.read.Scan() {
		return "(end)"
	}
	return c.read.Text()
}

func (c *client) want(lines ...string) {
	c.t.Helper()
	for _, want := range lines {
		if got := c.next(); got != want {
			c.t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A cancelled request is not answered, its context ends, and its id is free;
// 7 and "7" are different ids, and equal texts written differently are one.
func TestCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		c.send(`{"jsonrpc":"2.0","id":7,"method":"wait"}`)
		c.send(`{"jsonrpc":"2.0","id":"7","method":"wait"}`)
		c.send(`{"jsonrpc":"2.0","id":"A","method":"wait"}`)
		synctest.Wait()
		c.send(`{"jsonrpc":"2.0","id":7,"method":"echo"}`)
		c.want(`{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"a request with this id is in flight"}}`)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":7}`)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":"\u0041"}`)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":{"no":"id"}}`)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":"unknown"}`)
		synctest.Wait()
		c.send(`{"jsonrpc":"2.0","id":7,"method":"echo"}`)
		c.want(`{"jsonrpc":"2.0","id":7,"result":null}`)
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":"7"}`)
		synctest.Wait()
		_ = c.in.Close()
		c.want("(end)")
		if err := <-c.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// The end of input does not cost an answer, however many are due; one that does
// not come is waited for as long as Idle says.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"echo"}`+"\n", i)
	}
	if got := talk(t, in.String()); len(got) != 3000 {
		t.Errorf("%d of 3000 requests were answered", len(got))
	}
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{Idle: time.Minute, Grace: time.Minute})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"slow"}`)
		c.send(`{"jsonrpc":"2.0","id":2,"method":"wait"}`)
		c.want(`{"jsonrpc":"2.0","method":"early","params":1}`)
		_ = c.in.Close()
		<-c.drained
		<-time.After(59 * time.Second) // of the bubble's clock
		close(c.slow)
		c.want(`{"jsonrpc":"2.0","id":1,"result":"slow"}`)
		<-time.After(59 * time.Second)
		synctest.Wait()
		select {
		case err := <-c.done:
			t.Errorf("it did not wait for the second answer: %v", err)
		default:
		}
		<-time.After(2 * time.Second)
		c.want(`{"jsonrpc":"2.0","method":"late","params":1}`, `{"jsonrpc":"2.0","id":2,"result":"ended"}`, "(end)")
		if err := <-c.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// A client that does not read blocks nobody who reads the rest later, and does
// not keep the server from ending.
func TestClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		const n = maxInFlight + 200
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			for i := range n {
				c.send(`{"jsonrpc":"2.0","id":%d,"method":"echo"}`, i)
			}
			_ = c.in.Close()
		}()
		synctest.Wait()
		seen := map[string]bool{}
		for l := c.next(); l != "(end)"; l = c.next() {
			seen[l] = true
		}
		<-sent
		if err := <-c.done; err != nil || len(seen) != n {
			t.Errorf("%d of %d answers, %v", len(seen), n, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"echo"}`)
		synctest.Wait()
		c.stop()
		if err := <-c.done; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve: %v", err)
		}
		_ = c.out.Close()
		_ = c.in.Close()
	})
}

// A client that is gone ends the requests that are at work.
func TestClientThatIsGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"wait"}`)
		_ = c.out.CloseWithError(errors.New("gone"))
		c.send(`{"jsonrpc":"2.0","id":2,"method":"echo"}`)
		if err := <-c.done; err == nil || !strings.Contains(err.Error(), "gone") {
			t.Errorf("Serve: %v", err)
		}
		_ = c.in.Close()
	})
}

// Messages of one request come in their order, however many write at once.
func TestLinesAreWhole(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	count := map[string]int{}
	h := &chatty{}
	var in strings.Builder
	for i := range 200 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"m"}`+"\n", i)
	}
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(in.String()), &out, h, Options{}); err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(out.String()) {
		var m struct {
			ID     json.RawMessage
			Params [2]json.RawMessage
		}
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		mu.Lock()
		if m.ID != nil {
			if count[string(m.ID)] != 20 {
				t.Errorf("request %s was answered after %d notifications of 20", m.ID, count[string(m.ID)])
			}
		} else {
			if want := fmt.Sprint(count[string(m.Params[0])]); string(m.Params[1]) != want {
				t.Errorf("request %s: notification %s, want %s", m.Params[0], m.Params[1], want)
			}
			count[string(m.Params[0])]++
		}
		mu.Unlock()
	}
}

// chatty tells of each request twenty times.
type chatty struct{}

func (chatty) Request(_ context.Context, r *Request) {
	for i := range 20 {
		r.Notify("n", []any{r.ID, i})
	}
	r.Reply(json.RawMessage("1"))
	r.Notify("n", []any{r.ID, "late"})
}
func (chatty) Notification(*Conn, string, json.RawMessage) {}
func (chatty) Draining()                                   {}

func FuzzHandle(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{}}`))
	f.Add([]byte("[1]\n{}\n\"x"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		h := &chatty{}
		if err := Serve(t.Context(), bytes.NewReader(in), &out, h, Options{}); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(out.String()) {
			if !json.Valid([]byte(l)) {
				t.Errorf("not JSON: %q", l)
			}
		}
	})
}

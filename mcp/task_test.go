package mcp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// taskID asks for a whole-project run as a task.
func (p *peer) task(id int, name string) string {
	p.t.Helper()
	answer := p.call(id, "tools/call", metaTasks+`,"name":"`+name+`"`)
	want := `"result":{"resultType":"task","taskId":…,"status":"working","statusMessage":"queued","createdAt":…,"lastUpdatedAt":…,"ttlMs":null,"pollIntervalMs":1000}`
	if got := fixed(answer); got != want && !strings.Contains(got, `"statusMessage":"running`) {
		p.t.Errorf("got %s, want %s", got, want)
	}
	var key string
	if err := json.Unmarshal([]byte(p.member(answer, "taskId")), &key); err != nil || len(key) != 26 {
		p.t.Fatalf("%v: %s", err, answer)
	}
	return key
}

// until asks for a task until it has a state other than working.
func (p *peer) until(id *int, key string) string {
	p.t.Helper()
	for {
		*id++
		answer := p.call(*id, "tasks/get", metaTasks+`,"taskId":"`+key+`"`)
		if p.member(answer, "status") != `"working"` {
			return answer
		}
		<-time.After(time.Millisecond)
	}
}

func ended(passed string) string {
	doc := `{"passed":` + passed + `,"fixed":false,"tools":[]}`
	return `"result":{"resultType":"complete","taskId":…,"status":"completed","statusMessage":"still running clippy","createdAt":…,"lastUpdatedAt":…,"ttlMs":null,"pollIntervalMs":1000,` +
		strings.TrimSuffix(success(doc), "}") + `}}`
}

// A task tells how far it is, and its result is that of a call that blocks. A
// phase that failed is a task that completed.
func TestTaskCompletes(t *testing.T) {
	t.Parallel()
	for _, passed := range []bool{true, false} {
		w := newWorld()
		w.passed = passed
		p := connect(t, w, Options{})
		key := p.task(1, "workspace_lint")
		<-w.started
		id := 1
		get := fixed(p.call(2, "tasks/get", metaTasks+`,"taskId":"`+key+`"`))
		want := `"result":{"resultType":"complete","taskId":…,"status":"working","statusMessage":"still running clippy","createdAt":…,"lastUpdatedAt":…,"ttlMs":null,"pollIntervalMs":1000}`
		if diff := cmp.Diff(want, get); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := p.call(3, "tasks/update", metaTasks+`,"taskId":"`+key+`","inputResponses":{}`); got != `"result":{"resultType":"complete"}` {
			t.Error(got)
		}
		w.release <- struct{}{}
		id = 3
		if diff := cmp.Diff(ended(fmt.Sprint(passed)), fixed(p.until(&id, key))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		// Too late to cancel, and it is kept.
		if got := p.call(900, "tasks/cancel", metaTasks+`,"taskId":"`+key+`"`); got != `"result":{"resultType":"complete"}` {
			t.Error(got)
		}
		if diff := cmp.Diff(ended(fmt.Sprint(passed)), fixed(p.until(&id, key))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		p.close()
	}
}

func TestTaskCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld()
	p := connect(t, w, Options{})
	key := p.task(1, "workspace_lint")
	<-w.started
	waiting := p.task(2, "workspace_lint_fix")
	// The notification for the request that made the task changes nothing.
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := p.call(3, "tasks/get", metaTasks+`,"taskId":"`+key+`"`); p.member(got, "status") != `"working"` {
		t.Error(got)
	}
	id := 10
	// One that waits for its turn can be cancelled, and never runs.
	if got := p.call(4, "tasks/cancel", metaTasks+`,"taskId":"`+waiting+`"`); got != `"result":{"resultType":"complete"}` {
		t.Error(got)
	}
	if got := p.until(&id, waiting); p.member(got, "status") != `"cancelled"` || p.member(got, "result") != "" {
		t.Error(got)
	}
	if got := p.call(5, "tasks/cancel", metaTasks+`,"taskId":"`+key+`"`); got != `"result":{"resultType":"complete"}` {
		t.Error(got)
	}
	<-w.killed
	if got := p.until(&id, key); p.member(got, "status") != `"cancelled"` || p.member(got, "result") != "" {
		t.Error(got)
	}
	if len(w.started) != 0 {
		t.Error("a task that was cancelled before its turn ran")
	}
	p.close()
}

// Tasks end with the session: by the end of input, and by a signal.
func TestTasksEndWithTheSession(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"input", "signal"} {
		w := newWorld()
		p := connect(t, w, Options{})
		p.task(1, "workspace_lint")
		<-w.started
		if end == "signal" {
			p.stop()
		} else {
			_ = p.in.Close()
		}
		<-w.killed
		if err := <-p.done; err != nil {
			t.Errorf("%s: Serve: %v", end, err)
		}
	}
}

// A client without tasks waits, is told of progress by numbers that grow, and
// never after the answer; another that cancels gets no answer.
func TestBlockingCall(t *testing.T) {
	t.Parallel()
	for _, m := range []string{meta, `"task":{},"_meta":{}`, `"_meta":{"progressToken":"tok"}`, strings.Replace(meta, `{`, `{"progressToken":7,`, 1)} {
		w := newWorld()
		p := connect(t, w, Options{})
		p.request(1, "tools/call", m+`,"name":"workspace_lint"`)
		<-w.started
		if got := p.call(2, "tools/call", `"name":"version"`); !strings.Contains(got, `"result"`) {
			t.Error(got)
		}
		w.release <- struct{}{}
		want := success(`{"passed":true,"fixed":false,"tools":[]}`)
		if !strings.Contains(m, "2026") {
			want = legacy(want)
		}
		if diff := cmp.Diff(want, fixed(p.answer(1))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", m, diff)
		}
		p.close()
		last, at := -1.0, 0
		for _, l := range p.lines {
			if strings.Contains(l, `"id":1,`) {
				break
			}
			var n struct {
				Method string
				Params struct {
					ProgressToken any
					Progress      float64
					Total         int
					Message       string
				}
			}
			if err := json.Unmarshal([]byte(l), &n); err != nil {
				t.Fatal(err)
			}
			if n.Method == "" {
				continue
			}
			if n.Params.Progress <= last || n.Params.Message == "" || fmt.Sprint(n.Params.ProgressToken) != map[bool]string{true: "7", false: "tok"}[strings.Contains(m, "2026")] {
				t.Errorf("after %v: %s", last, l)
			}
			last = n.Params.Progress
			at++
		}
		if want := map[bool]int{true: 4, false: 0}[strings.Contains(m, "progressToken")]; at != want {
			t.Errorf("%s: told %d times, want %d: %q", m, at, want, p.lines)
		}
		if !strings.Contains(p.lines[len(p.lines)-1], `"id":1,`) {
			t.Errorf("something comes after the answer: %q", p.lines)
		}
	}
	w := newWorld()
	p := connect(t, w, Options{})
	p.request(1, "tools/call", `"name":"workspace_lint"`)
	<-w.started
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-w.killed
	if got := p.call(2, "ping", ``); got != `"result":{}` {
		t.Error(got)
	}
	p.close()
	if len(p.lines) != 1 {
		t.Errorf("%q", p.lines)
	}
}

// A thousand mixed calls with random cancels, some of them from clients that
// give up on the session: every line is JSON, every request that was not
// cancelled has one answer, and nothing is left.
func TestThousandCalls(t *testing.T) {
	before := runtime.NumGoroutine()
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		w := newWorld()
		p := connect(t, w, Options{})
		stopRelease := make(chan struct{})
		go func() { // whatever waits goes on after a while
			for {
				select {
				case w.release <- struct{}{}:
				case <-stopRelease:
					return
				}
			}
		}()
		cancelled := map[int]bool{}
		for id := range 250 {
			m := []string{meta, metaTasks, `"_meta":{"progressToken":1}`}[r.IntN(3)]
			name := []string{"lint", "lint_fix", "version", "rules", "workspace_lint", "workspace_lint_fix", "format_write", "nope", "cache_clean"}[r.IntN(9)]
			args := []string{`{}`, `{"paths":["slow"]}`, `{"paths":["a"]}`, `{"bogus":1}`, `{"paths":["panic"]}`, `[]`}[r.IntN(6)]
			p.request(id, "tools/call", m+`,"name":"`+name+`","arguments":`+args)
			if r.IntN(3) == 0 {
				n := r.IntN(id + 1)
				cancelled[n] = true
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, n))
			}
		}
		p.close()
		close(stopRelease)
		answers := map[int]int{}
		for _, l := range p.lines {
			var m struct {
				ID     *int
				Method string
			}
			if err := json.Unmarshal([]byte(l), &m); err != nil {
				t.Fatalf("%v: %s", err, l)
			}
			if m.ID != nil {
				answers[*m.ID]++
			}
		}
		for id := range 250 {
			if n := answers[id]; n > 1 || n == 0 && !cancelled[id] {
				t.Errorf("request %d has %d answers", id, n)
			}
		}
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	buf := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
}

// What is no progress token gets no progress: a client could not read it.
func TestNoProgressToken(t *testing.T) {
	t.Parallel()
	for _, token := range []string{`null`, `{}`, `[1]`, `true`} {
		w := newWorld()
		p := connect(t, w, Options{})
		p.request(1, "tools/call", strings.Replace(meta, `{`, `{"progressToken":`+token+`,`, 1)+`,"name":"workspace_lint"`)
		<-w.started
		w.release <- struct{}{}
		p.answer(1)
		p.close()
		if len(p.lines) != 1 {
			t.Errorf("%s: %s", token, p.lines)
		}
	}
}

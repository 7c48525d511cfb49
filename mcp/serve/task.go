package serve

import (
	"context"
	"encoding/json"
	"time"

	"poly/internal/jsonrpc"
	"poly/mcp/tool"
	"poly/runner/task"
)

// pollInterval is how often a client should ask for a task, in milliseconds.
const pollInterval = 1000

// task answers a call with a task, or at once if it is refused. The task can
// be asked for before anybody knows its id.
func (s *Server) task(ctx context.Context, r *jsonrpc.Request, p *params, t *tool.Tool, args json.RawMessage) {
	if refusal := s.refusal(t, args); refusal != nil {
		r.Reply(s.result(refusal, p.modern))
		return
	}
	id := s.tasks.Start(ctx, t.Name, func(ctx context.Context, status func(string)) (any, error) {
		result := s.oneByOne(tool.WithProgress(ctx, func(_, _ int, message string) { status(message) }), t, args)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return s.result(result, true), nil
	})
	made, _ := s.tasks.Get(id)
	r.Reply(wire("task", &made))
}

// wire is a task as clients see it. kind is the type of the result it is in.
func wire(kind string, k *task.Task) json.RawMessage {
	message := k.Status
	if message == "" {
		message = map[task.State]string{task.Working: "queued", task.Cancelled: "cancelled"}[k.State]
	}
	var e *jsonrpc.Error
	if k.State == task.Failed {
		message = "poly failed on this call"
		e = &jsonrpc.Error{Code: jsonrpc.InternalError, Message: message}
	}
	result, _ := k.Result.(json.RawMessage)
	return tool.Marshal(struct {
		ResultType string          `json:"resultType"`
		ID         string          `json:"taskId"`
		Status     string          `json:"status"`
		Message    string          `json:"statusMessage,omitempty"`
		Created    string          `json:"createdAt"`
		Updated    string          `json:"lastUpdatedAt"`
		TTL        *int            `json:"ttlMs"` // null: it is kept until the session ends
		Poll       int             `json:"pollIntervalMs"`
		Result     json.RawMessage `json:"result,omitempty"`
		Error      *jsonrpc.Error  `json:"error,omitempty"`
	}{kind, k.ID, k.State.String(), message, stamp(k.Started), stamp(k.Updated), nil, pollInterval, result, e})
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// tasksRequest answers tasks/get, tasks/cancel and tasks/update.
func (s *Server) tasksRequest(method string, p *params) (json.RawMessage, *jsonrpc.Error) {
	if method != "tasks/get" && method != "tasks/cancel" && method != "tasks/update" {
		return nil, notFound(method)
	}
	if !p.tasks {
		return nil, &jsonrpc.Error{
			Code: missingCapability, Message: "Missing required client capability",
			Data: json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + tasksExtension + `":{}}}}`),
		}
	}
	id, _ := p.text("taskId")
	k, ok := s.tasks.Get(id)
	if !ok {
		return nil, invalid("Failed to retrieve task: Task not found")
	}
	switch method {
	case "tasks/get":
		return wire("complete", &k), nil
	case "tasks/cancel":
		s.tasks.Cancel(id)
	}
	return json.RawMessage(`{"resultType":"complete"}`), nil // poly asks its clients nothing: an update is taken note of
}

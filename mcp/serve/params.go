package serve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"poly/internal/jsonrpc"
	"poly/mcp/tool"
)

// params are the parameters of a request, with names matched exactly.
type params struct {
	all     map[string]json.RawMessage
	version string // that the request itself names
	named   bool   // it names one
	modern  bool   // of 2026-07-28 or later: there is no session
	tasks   bool   // the client takes a task for an answer
	token   json.RawMessage
}

// versions are the revisions that are served, the newest first.
func versions() []string {
	return []string{
		mcpgo.ProtocolVersion20260728, mcpgo.ProtocolVersion20251125, mcpgo.ProtocolVersion20250618,
		mcpgo.ProtocolVersion20250326, mcpgo.ProtocolVersion20241105,
	}
}

func readParams(raw json.RawMessage) (*params, *jsonrpc.Error) {
	p := &params{}
	if len(raw) == 0 {
		return p, nil
	}
	var e *jsonrpc.Error
	if p.all, e = members(raw); e != nil {
		return nil, e
	}
	meta := object(p.all["_meta"])
	v, named := meta[mcpgo.MetaKeyProtocolVersion]
	if p.named = named; named {
		if v[0] != '"' || json.Unmarshal(v, &p.version) != nil {
			return nil, invalid("the protocol version must be a string")
		}
	}
	p.modern = p.version >= mcpgo.ProtocolVersion20260728
	if p.modern {
		_, p.tasks = object(object(meta[mcpgo.MetaKeyClientCapabilities])["extensions"])[tasksExtension]
	}
	if t := meta["progressToken"]; len(t) > 0 && (t[0] == '"' || t[0] == '-' || t[0] >= '0' && t[0] <= '9') {
		p.token = t // a string or a number; others are no tokens
	}
	return p, nil
}

// members returns the members of params. One that stands there twice is
// refused, and so is one that differs in its capitals from one that is read:
// a call without its arguments would do something else.
func members(raw json.RawMessage) (map[string]json.RawMessage, *jsonrpc.Error) {
	all := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, invalid("params must be an object")
	}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return nil, invalid("params must be an object")
		}
		if _, twice := all[name]; twice {
			return nil, invalid(quoted(name) + " stands in params twice")
		}
		for _, read := range [...]string{"_meta", "arguments", "cursor", "name", "protocolVersion", "taskId"} {
			if name != read && strings.EqualFold(name, read) {
				return nil, invalid("unknown param " + quoted(name) + ": did you mean " + read + "?")
			}
		}
		all[name] = value
	}
	return all, nil
}

// object returns the members of a JSON object; nil if raw is something else.
func object(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// text returns a member that is a string.
func (p *params) text(name string) (string, bool) {
	raw := p.all[name]
	var s string
	ok := len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// refused is the error of a request in a revision that is not served.
func (p *params) refused() *jsonrpc.Error {
	if !p.named || slices.Contains(versions(), p.version) {
		return nil
	}
	return &jsonrpc.Error{
		Code: unsupportedVersion, Message: "Unsupported protocol version",
		Data: tool.Marshal(mcpgo.UnsupportedProtocolVersionData{Supported: versions(), Requested: p.version}),
	}
}

// serverInfo is how the server introduces itself.
func (s *Server) serverInfo() mcpgo.Implementation {
	return mcpgo.Implementation{Name: s.Name, Version: s.Version}
}

type none struct{}

// resultMeta says in the results of 2026-07-28 who answered.
type resultMeta struct {
	ServerInfo mcpgo.Implementation `json:"io.modelcontextprotocol/serverInfo"`
}

// toolsCapability is what a server can do that has tools that never change.
type toolsCapability struct {
	Tools      none            `json:"tools"`
	Extensions map[string]none `json:"extensions,omitempty"`
}

func (s *Server) discover() json.RawMessage {
	return tool.Marshal(struct {
		ResultType        string          `json:"resultType"`
		SupportedVersions []string        `json:"supportedVersions"`
		Capabilities      toolsCapability `json:"capabilities"`
		Instructions      string          `json:"instructions,omitempty"`
		TTL               int             `json:"ttlMs"`
		Scope             string          `json:"cacheScope"`
		Meta              resultMeta      `json:"_meta"`
	}{
		"complete", versions(),
		toolsCapability{Extensions: map[string]none{tasksExtension: {}}},
		s.Instructions, listTTL, string(mcpgo.CacheScopePrivate),
		resultMeta{s.serverInfo()},
	})
}

// initialize is the handshake of the older revisions. Tasks of SEP-2663 do not
// exist there, so nothing is said of them.
func (s *Server) initialize(p *params) (json.RawMessage, *jsonrpc.Error) {
	version, ok := p.text("protocolVersion")
	if !ok {
		return nil, invalid("initialize needs a protocolVersion")
	}
	return tool.Marshal(struct {
		ProtocolVersion string               `json:"protocolVersion"`
		Capabilities    toolsCapability      `json:"capabilities"`
		ServerInfo      mcpgo.Implementation `json:"serverInfo"`
		Instructions    string               `json:"instructions,omitempty"`
	}{mcpgo.NegotiateLegacyVersion(version), toolsCapability{}, s.serverInfo(), s.Instructions}), nil
}

func (s *Server) toolsList(p *params) (json.RawMessage, *jsonrpc.Error) {
	if raw := p.all["cursor"]; raw != nil && string(raw) != "null" {
		return nil, invalid("there is no such cursor: all tools are on one page")
	}
	result := append([]byte(`{"tools":`), s.list...)
	if !p.modern {
		return append(result, '}'), nil
	}
	rest := tool.Marshal(struct {
		ResultType string     `json:"resultType"`
		TTL        int        `json:"ttlMs"`
		Scope      string     `json:"cacheScope"`
		Meta       resultMeta `json:"_meta"`
	}{"complete", listTTL, string(mcpgo.CacheScopePrivate), resultMeta{s.serverInfo()}})
	return append(append(result, ','), rest[1:]...), nil
}

// mostChars is what a client is told that a long result may have.
const mostChars = 500_000

// listing is the array of tools as clients see it.
func listing(tools []tool.Tool) []byte {
	list := make([]mcpgo.Tool, 0, len(tools))
	for i := range tools {
		t := &tools[i]
		l := mcpgo.Tool{
			Name: t.Name, Description: t.Doc, RawInputSchema: t.Input, RawOutputSchema: t.Output,
			Annotations: mcpgo.ToolAnnotation{
				ReadOnlyHint:    new(t.Effect == tool.Reads),
				DestructiveHint: new(t.Effect == tool.Writes || t.Effect == tool.RunsToWrite),
				IdempotentHint:  new(t.Idempotent),
				OpenWorldHint:   new(false),
			},
		}
		if t.Large {
			l.Meta = mcpgo.NewMetaFromMap(map[string]any{"anthropic/maxResultSizeChars": mostChars})
		}
		list = append(list, l)
	}
	return tool.Marshal(list)
}

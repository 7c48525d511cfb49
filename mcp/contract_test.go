package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// variable is what differs from session to session.
var variable = regexp.MustCompile(`"(executable|engines|taskId|createdAt|lastUpdatedAt)":"[^"]*"|"pid":[0-9]+`)

func fixed(s string) string {
	return variable.ReplaceAllStringFunc(s, func(m string) string { return m[:strings.IndexByte(m, ':')+1] + "…" })
}

const poly = `"poly":{"version":"0.1.0","build_id":"b","channel":"dev","executable":…,"pid":…,"engines":…}`

const serverInfo = `"io.modelcontextprotocol/serverInfo":{"name":"poly","version":"0.1.0"}`

// success is the result of a call of 2026-07-28 with that document.
func success(doc string) string {
	text, _ := json.Marshal(doc)
	return `"result":{"_meta":{` + poly + `,` + serverInfo + `},"content":[{"type":"text","text":` + string(text) + `}],"resultType":"complete",` +
		`"structuredContent":` + doc[:len(doc)-1] + `,` + poly + `}}`
}

func failure(doc string) string {
	return strings.Replace(success(doc), `"resultType"`, `"isError":true,"resultType"`, 1)
}

// legacy is the same result in an older revision.
func legacy(s string) string {
	return strings.Replace(strings.Replace(s, `,`+serverInfo, "", 1), `"resultType":"complete",`, "", 1)
}

func empty(checked, skipped string) string {
	return `{"results":[],"errors":[],"skipped":[],"summary":{"checked":` + checked + `,"skipped":` + skipped + `,"errored":0},"configs":[{"hash":"1/0123456789abcdef"}]}`
}

// TestContract is what clients may rely on, message by message.
func TestContract(t *testing.T) {
	t.Parallel()
	p := connect(t, newWorld(), Options{})
	defer p.close()
	unknown := `{"error":{"code":"unknown_argument","message":"unknown argument \"bogus\"","retryable":false,"hint":"accepted: paths, exclude, config, format"}}`
	zig := `{"results":[{"path":"main.zig","diagnostics":[],"skipped":"no lint rules for Zig"}],"errors":[],"skipped":[{"path":"main.zig","reason":"no lint rules for Zig"}],` +
		`"summary":{"checked":0,"skipped":1,"errored":0},"configs":[{"hash":"1/0123456789abcdef"}]}`
	unreadable := `{"results":[{"path":"unreadable","diagnostics":[],"error":"permission denied"}],"errors":[{"path":"unreadable","error":"permission denied"}],"skipped":[],` +
		`"summary":{"checked":0,"skipped":0,"errored":1},"configs":[{"hash":"1/0123456789abcdef"}]}`
	toon, _ := json.Marshal("results: []\nerrors: []\nskipped: []\nsummary:\n  checked: 1\n  skipped: 0\n  errored: 0\nconfigs[1]{hash}:\n  1/0123456789abcdef")
	plain, _ := json.Marshal(empty("1", "0"))
	for i, tc := range []struct{ name, method, params, want string }{
		{"discover", "server/discover", meta, `"result":{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
			`"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"instructions":` + string(quoted(instructions)) + `,"ttlMs":3600000,"cacheScope":"private","_meta":{` + serverInfo + `}}`},
		{"discover without a revision", "server/discover", ``, `"error":{"code":-32601,"message":"no method \"server/discover\""}`},
		{
			"handshake", "initialize", `"protocolVersion":"2025-11-25","capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}},"clientInfo":{"name":"t","version":"1"}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"poly","version":"0.1.0"},"instructions":` + string(quoted(instructions)) + `}`,
		},
		{
			"handshake of a revision without one", "initialize", `"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"t","version":"1"}`,
			`"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"poly","version":"0.1.0"},"instructions":` + string(quoted(instructions)) + `}`,
		},
		{"handshake in 2026-07-28", "initialize", meta, `"error":{"code":-32601,"message":"no method \"initialize\""}`},
		{"ping", "ping", ``, `"result":{}`},
		{"ping in 2026-07-28", "ping", meta, `"error":{"code":-32601,"message":"no method \"ping\""}`},
		{"unknown revision", "tools/list", strings.Replace(meta, "2026-07-28", "2099-01-01", 1), `"error":{"code":-32022,"message":"Unsupported protocol version",` +
			`"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2099-01-01"}}`},
		{"revision is no text", "tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":1}`, `"error":{"code":-32602,"message":"the protocol version must be a string"}`},
		{"revision is empty", "tools/list", strings.Replace(meta, "2026-07-28", "", 1), `"error":{"code":-32022,"message":"Unsupported protocol version",` +
			`"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":""}}`},
		{"arguments in capitals", "tools/call", meta + `,"name":"format_write","Arguments":{"paths":["a"]}`, `"error":{"code":-32602,"message":"unknown param \"Arguments\": did you mean arguments?"}`},
		{"arguments twice", "tools/call", `"name":"lint","arguments":{"paths":["a"]},"arguments":{}`, `"error":{"code":-32602,"message":"\"arguments\" stands in params twice"}`},
		{"params of no protocol", "tools/call", meta + `,"name":"lint","task":{},"x":[{"y":1}],"X":null,"arguments":{"paths":["clean.py"]}`, success(empty("1", "0"))},
		{"clean", "tools/call", meta + `,"name":"lint","arguments":{"paths":["clean.py"]}`, success(empty("1", "0"))},
		{"clean in an older revision", "tools/call", `"name":"lint","arguments":{"paths":["clean.py"]}`, legacy(success(empty("1", "0")))},
		{"no arguments", "tools/call", meta + `,"name":"lint"`, success(empty("0", "0"))},
		{"TOON", "tools/call", meta + `,"name":"lint","arguments":{"format":"toon","paths":["clean.py"]}`, strings.Replace(success(empty("1", "0")), string(plain), string(toon), 1)},
		{"unreadable", "tools/call", meta + `,"name":"lint","arguments":{"paths":["unreadable"]}`, failure(unreadable)},
		{"skipped", "tools/call", meta + `,"name":"lint","arguments":{"paths":["main.zig"]}`, success(zig)},
		{
			"missing", "tools/call", meta + `,"name":"lint","arguments":{"paths":["a","nope"]}`,
			failure(`{"error":{"code":"path_not_found","message":"no such file or directory: nope","retryable":false,"hint":"mend the path"}}`),
		},
		{"unknown argument", "tools/call", meta + `,"name":"lint","arguments":{"bogus":1}`, failure(unknown)},
		{"unknown argument in an older revision", "tools/call", `"name":"lint","arguments":{"bogus":1}`, legacy(failure(unknown))},
		{
			"unknown argument, task", "tools/call", metaTasks + `,"name":"workspace_lint","arguments":{"bogus":1}`,
			failure(strings.Replace(unknown, "paths, exclude, config, format", "config, jobs, no_cache, format", 1)),
		},
		{
			"panic", "tools/call", meta + `,"name":"lint","arguments":{"paths":["panic"]}`,
			failure(`{"error":{"code":"internal","message":"poly failed on this call","retryable":false,"hint":"its standard error tells more"}}`),
		},
		{"unknown tool", "tools/call", meta + `,"name":"hooks"`, `"error":{"code":-32602,"message":"unknown tool \"hooks\""}`},
		{"tool is no text", "tools/call", meta + `,"name":["lint"]`, `"error":{"code":-32602,"message":"tools/call needs the name of a tool"}`},
		{"arguments are no object", "tools/call", `"name":"lint","arguments":[]`, `"error":{"code":-32602,"message":"arguments must be an object"}`},
		{
			"tasks of a client without", "tasks/get", meta + `,"taskId":"x"`,
			`"error":{"code":-32021,"message":"Missing required client capability","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`,
		},
		{"tasks in an older revision", "tasks/get", `"taskId":"x"`, `"error":{"code":-32601,"message":"no method \"tasks/get\""}`},
		{"unknown task", "tasks/get", metaTasks + `,"taskId":"x"`, `"error":{"code":-32602,"message":"Failed to retrieve task: Task not found"}`},
		{"task is no text", "tasks/cancel", metaTasks + `,"taskId":7`, `"error":{"code":-32602,"message":"Failed to retrieve task: Task not found"}`},
		{"tasks/result", "tasks/result", metaTasks, `"error":{"code":-32601,"message":"no method \"tasks/result\""}`},
		{"tasks/list", "tasks/list", metaTasks, `"error":{"code":-32601,"message":"no method \"tasks/list\""}`},
		{"cursor", "tools/list", `"cursor":"x"`, `"error":{"code":-32602,"message":"there is no such cursor: all tools are on one page"}`},
		{"version", "tools/call", meta + `,"name":"cache_clean"`, success(`{"freed_bytes":3}`)},
	} {
		if diff := cmp.Diff(tc.want, fixed(p.call(i+1, tc.method, tc.params))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	p.send(`{not json`)
	p.find(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`)
	p.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
	p.find(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`)
	p.send(``)
	if got := p.call(900, "ping", ``); got != `"result":{}` {
		t.Errorf("after that: %s", got)
	}
}

func quoted(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}

// TestTools: the eleven, with what clients decide by.
func TestTools(t *testing.T) {
	t.Parallel()
	p := connect(t, newWorld(), Options{})
	defer p.close()
	answer := p.call(1, "tools/list", meta)
	if n := len(answer); n > 23_900 {
		t.Errorf("the list of tools has %d bytes, at most 23,900: with what is around it, 24,000", n)
	}
	var list []struct {
		Name, Description string
		Annotations       map[string]bool
		InputSchema       struct {
			Type                 string
			AdditionalProperties *bool
		}
		OutputSchema json.RawMessage
		Meta         map[string]int `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(p.member(answer, "tools")), &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range list {
		a := l.Annotations
		got = append(got, strings.Join([]string{l.Name, map[bool]string{true: "reads", false: "-"}[a["readOnlyHint"]], map[bool]string{true: "destroys", false: "-"}[a["destructiveHint"]]}, " "))
		if world, said := a["openWorldHint"]; world || !said || len(a) != 4 {
			t.Errorf("%s: annotations %v", l.Name, a)
		}
		if l.InputSchema.Type != "object" || l.InputSchema.AdditionalProperties == nil || *l.InputSchema.AdditionalProperties {
			t.Errorf("%s: the input schema admits more", l.Name)
		}
		if !strings.HasPrefix(string(l.OutputSchema), `{"type":"object"`) || !strings.Contains(string(l.OutputSchema), `"required":["poly"]`) {
			t.Errorf("%s: output schema %s", l.Name, l.OutputSchema)
		}
		large := strings.HasPrefix(l.Name, "lint") || strings.HasPrefix(l.Name, "format") || strings.HasPrefix(l.Name, "workspace") || l.Name == "rules"
		if (l.Meta["anthropic/maxResultSizeChars"] == 500_000) != large {
			t.Errorf("%s: _meta %v", l.Name, l.Meta)
		}
		if len(l.Description) > 600 || !regexp.MustCompile(`[Ee]xecutes`).MatchString(l.Description) {
			t.Errorf("%s does not say what it executes, or says too much", l.Name)
		}
	}
	want := []string{
		"cache_clean - destroys", "cache_stats reads -", "config_show reads -", "format_check reads -", "format_write - destroys", "lint reads -", "lint_fix - destroys",
		"rules reads -", "version reads -", "workspace_lint - -", "workspace_lint_fix - destroys",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(instructions) > 2000 {
		t.Errorf("the instructions have %d bytes", len(instructions))
	}
}

// Whatever a tool answers is as its schema says.
func TestAnswersAreAsTheSchemasSay(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for range 9 {
		w.release <- struct{}{}
	}
	p := connect(t, w, Options{})
	defer p.close()
	var list []struct {
		Name         string
		OutputSchema json.RawMessage
	}
	if err := json.Unmarshal([]byte(p.member(p.call(1, "tools/list", ``), "tools")), &list); err != nil {
		t.Fatal(err)
	}
	id := 1
	for _, l := range list {
		c := jsonschema.NewCompiler()
		s, err := jsonschema.UnmarshalJSON(bytes.NewReader(l.OutputSchema))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("urn:s", s); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile("urn:s")
		if err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
		args := []string{`{}`, `{"format":"toon"}`, `{"no":1}`}
		if strings.HasPrefix(l.Name, "lint") || strings.HasPrefix(l.Name, "format") {
			args = append(args, `{"paths":["a","main.zig","unreadable"],"config":"c"}`, `{"paths":["nope"]}`)
		}
		for _, a := range args {
			id++
			doc := p.member(p.call(id, "tools/call", `"name":"`+l.Name+`","arguments":`+a), "structuredContent")
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s %s: %v\n%s", l.Name, a, err, doc)
			}
		}
	}
}

func TestConfigOfTheServer(t *testing.T) {
	t.Parallel()
	p := connect(t, newWorld(), Options{Config: "pinned.toml"})
	defer p.close()
	for id, tc := range []struct{ args, want string }{
		{`{"paths":["a"]}`, "judged by pinned.toml"}, {`{"paths":["a"],"config":"b.toml"}`, "judged by b.toml"},
	} {
		if got := p.call(id, "tools/call", `"name":"lint","arguments":`+tc.args); !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s", tc.args, got)
		}
	}
}

func TestNoCommands(t *testing.T) {
	t.Parallel()
	p := connect(t, newWorld(), Options{NoCommands: true})
	for id, m := range []string{meta, metaTasks, ``} {
		params := strings.TrimPrefix(m+`,"name":"workspace_lint"`, ",")
		if got := p.call(id, "tools/call", params); !strings.Contains(got, `"code":"commands_disabled"`) || !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: %s", m, got)
		}
	}
	p.close()
	w := newWorld()
	w.workspace = false
	p = connect(t, w, Options{})
	if got := p.call(1, "tools/call", metaTasks+`,"name":"workspace_lint_fix"`); !strings.Contains(got, `"code":"not_built_in"`) {
		t.Error(got)
	}
	p.close()
}

func TestToolsets(t *testing.T) {
	t.Parallel()
	if _, err := newServer(newWorld().deps(""), Options{Toolsets: []string{"core", "nope"}}); err == nil || !strings.Contains(err.Error(), `unknown toolset "nope"`) {
		t.Errorf("newServer: %v", err)
	}
	p := connect(t, newWorld(), Options{Toolsets: []string{"core"}})
	defer p.close()
	if got := p.call(1, "tools/list", ``); strings.Count(got, `"inputSchema"`) != 11 {
		t.Error(got)
	}
}

// While the executable is another file, or gone, only version answers, and no
// task is made. A change that leaves the file what it was does no harm.
func TestExecutable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, want string
		change     func(t *testing.T, exe string)
	}{
		{"renamed over, same size and time", "replaced", func(t *testing.T, exe string) {
			t.Helper()
			fi, err := os.Stat(exe)
			must(t, err)
			must(t, os.WriteFile(exe+".new", []byte("another  poly!"), 0o755))
			must(t, os.Chtimes(exe+".new", fi.ModTime(), fi.ModTime()))
			must(t, os.Rename(exe+".new", exe))
		}},
		{"written over, same size and time", "replaced", func(t *testing.T, exe string) {
			t.Helper()
			fi, err := os.Stat(exe)
			must(t, err)
			must(t, os.WriteFile(exe, []byte("another  poly!"), 0o755))
			must(t, os.Chtimes(exe, fi.ModTime(), fi.ModTime()))
		}},
		{"grown", "replaced", func(t *testing.T, exe string) {
			t.Helper()
			must(t, os.WriteFile(exe, []byte("the first poly, and more"), 0o755))
		}},
		{"deleted", "deleted", func(t *testing.T, exe string) {
			t.Helper()
			must(t, os.Remove(exe))
		}},
		{"linked", "", func(t *testing.T, exe string) {
			t.Helper()
			must(t, os.Link(exe, filepath.Join(filepath.Dir(exe), "link")))
		}},
		{"mode", "", func(t *testing.T, exe string) {
			t.Helper()
			must(t, os.Chmod(exe, 0o700))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.release <- struct{}{}
			p := connect(t, w, Options{})
			defer p.close()
			if got := p.call(1, "tools/call", `"name":"version"`); !strings.Contains(got, `"executable_current":true`) {
				t.Error(got)
			}
			tick(t, p.exe)
			tc.change(t, p.exe)
			lint := p.call(2, "tools/call", `"name":"lint"`)
			task := p.call(3, "tools/call", metaTasks+`,"name":"workspace_lint"`)
			version := p.call(4, "tools/call", `"name":"version"`)
			if tc.want == "" {
				if strings.Contains(lint, "error\"") || !strings.Contains(task, `"resultType":"task"`) || !strings.Contains(version, `"executable_current":true`) {
					t.Errorf("%s\n%s\n%s", lint, task, version)
				}
				return
			}
			for _, got := range []string{lint, task} {
				if !strings.Contains(got, `"code":"executable_`+tc.want+`"`) || !strings.Contains(got, "Restart the MCP server") || strings.Contains(got, "taskId") {
					t.Error(got)
				}
			}
			if !strings.Contains(version, `"executable_current":false`) || !strings.Contains(version, tc.want) || strings.Contains(version, "isError") {
				t.Error(version)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tick waits until the clock of the file system has moved on.
func tick(t *testing.T, exe string) {
	t.Helper()
	other := filepath.Join(filepath.Dir(exe), "tick")
	for start := time.Now(); ; {
		must(t, os.WriteFile(other, nil, 0o600))
		fi, err := os.Stat(other)
		must(t, err)
		if fi.ModTime().After(start) {
			return
		}
	}
}

// Everything that was asked before the end of input is answered.
func TestOneShot(t *testing.T) {
	t.Parallel()
	p := connect(t, newWorld(), Options{})
	for id := range 300 {
		p.request(id, "tools/call", meta+`,"name":"`+[]string{"lint", "version", "config_show", "cache_clean"}[id%4]+`"`)
	}
	p.close()
	for id := range 300 {
		if got := p.answer(id); !strings.HasPrefix(got, `"result"`) {
			t.Errorf("%d: %s", id, got)
		}
	}
	if n := len(slices.Clone(p.lines)); n != 300 {
		t.Errorf("%d lines", n)
	}
}

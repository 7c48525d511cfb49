package bindgen_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/wasm/bindgen"
	"poly/internal/wasm/wasmtest"
)

// question is a call of an export of a module, in the words of both hosts.
type question struct {
	Module string // as internal/wasm/pack names it
	File   string // of the package, for node
	Export string
	Args   []any
}

// answer is what it gives.
type answer struct {
	Result any
	Thrown any
}

func questions() []question {
	web := func(export string, args ...any) question {
		return question{"web_fmt", "@wasm-fmt/web_fmt/web_fmt_bg.js", export, args}
	}
	ruff := func(export string, args ...any) question {
		return question{"ruff", "@astral-sh/ruff-wasm-nodejs/ruff_wasm.js", export, args}
	}
	lua := func(args ...any) question {
		return question{"lua_fmt", "@wasm-fmt/lua_fmt/lua_fmt_bg.js", "format", args}
	}
	sql := func(args ...any) question {
		return question{"sql_fmt", "@wasm-fmt/sql_fmt/sql_fmt_bg.js", "format", args}
	}
	php := func(args ...any) question {
		return question{"mago_fmt", "@wasm-fmt/mago_fmt/mago_fmt_bg.js", "format", args}
	}
	lint := func(lists ...any) map[string]any { return map[string]any{"lint": map[string]any{"select": lists}} }
	return []question{
		ruff("check", lint("ALL"), "import os, sys\nx = \"grüße 👋\" if y == None else 'é'\nclass a: pass\n"),
		ruff("check", lint("F", "I"), "def f(:\n"),
		ruff("check", lint("NOPE"), "x = 1\n"),
		ruff("check", map[string]any{"line-length": "long"}, "x = 1\n"),
		ruff("check", map[string]any{"line-length": 40.0, "lint": map[string]any{"select": []any{"E501"}, "per-file-ignores": map[string]any{"*": []any{"F"}}}}, "# "+"ä 一 long line that is longer than it may be\n"),
		ruff("format", map[string]any{"format": map[string]any{"quote-style": "single"}}, "x  =  \"a\"\n"),
		ruff("format", map[string]any{}, "x = (\n"),
		ruff("format", map[string]any{"format": map[string]any{"quote-style": "none"}}, "x = 1\n"),
		web("format", "a{b:c;}", "a.css", nil),
		web("format", "<p>é<b>👋</b></p>", "a.html", nil),
		web("format", "<p>é<", "a.html", nil),
		web("format", "a{b:c}", "a.css", map[string]any{"indentWidth": "two"}),
		web("format", "a{b:c}", "a.css", map[string]any{"indentStyle": "tab", "indentWidth": 4.0}),
		web("format", "a", "a.unknown", nil),
		web("format_graphql", "query   Q { a }", nil),
		web("format_markup", "<a   b=c>x</a>", "a.vue", map[string]any{"quotes": "single"}),
		web("format_style", "a{b:c}", "a.scss", map[string]any{"hexCase": "upper", "nested": []any{1.0, "x", nil, true}}),
		web("format_script", "let  x=1", "a.ts", map[string]any{"quoteStyle": "single"}),
		web("format_json", "{\"a\":1}", nil),
		lua("local  x={1,2 ,'é'}", nil),
		lua("local x = ", nil),
		lua("local x = 'a'", map[string]any{"quote_style": "ForceDouble", "column_width": 20.0}),
		lua("local x = 'a'", map[string]any{"column_width": "wide"}),
		sql("select  a,b from c where d='é👋'", nil),
		sql("select 1", map[string]any{"indent_width": 4.0, "uppercase": true}),
		sql("select 1", map[string]any{"uppercase": "very"}),
		php("<?php  echo  'é' ;", "a.php", nil),
		php("<?php  echo  'é' ;", nil, map[string]any{"tab-width": 2.0}),
		php("<?php echo (;", nil, nil),
		php("<?php echo 1;", nil, map[string]any{"tab-width": "two"}),
	}
}

// ask puts a question to the module on this host. A question to ruff is one to
// a new workspace.
func ask(t *testing.T, modules map[string]*bindgen.Instance, q question) answer {
	t.Helper()
	i := modules[q.Module]
	if i == nil {
		of, err := wasmtest.Host(t).Module(t.Context(), q.Module)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bindgen.New(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		if i, err = m.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		modules[q.Module] = i
	}
	export, args := q.Export, q.Args
	if q.Module == "ruff" {
		const utf32 = 2
		ws, err := i.Call(t.Context(), "Workspace.new", args[0], utf32)
		if err != nil {
			return refusal(t, err)
		}
		export, args = "Workspace."+export, []any{ws, args[1]}
	}
	result, err := i.Call(t.Context(), export, args...)
	if err != nil {
		return refusal(t, err)
	}
	if text, ok := result.([]byte); ok {
		return answer{Result: string(text)}
	}
	return answer{Result: result}
}

func refusal(t *testing.T, err error) answer {
	t.Helper()
	thrown, ok := errors.AsType[*bindgen.ThrownError](err)
	if !ok {
		t.Fatal(err)
	}
	return answer{Thrown: thrown.Message}
}

// TestNode: the modules answer on this host as they do under node, values and
// errors alike.
func TestNode(t *testing.T) {
	t.Parallel()
	qs := questions()
	modules := map[string]*bindgen.Instance{}
	got := make([]answer, len(qs))
	for n, q := range qs {
		got[n] = ask(t, modules, q)
	}
	for _, i := range modules {
		if err := i.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	packages, err := filepath.Abs("../pack/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(qs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/ask.mjs", packages)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []answer
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for n := range qs {
		if diff := cmp.Diff(want[n], got[n]); diff != "" {
			t.Errorf("%s.%s(%q): -node +here\n%s", qs[n].Module, qs[n].Export, qs[n].Args, diff)
		}
	}
}

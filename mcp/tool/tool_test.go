package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"poly/internal/usererr"
)

type in struct {
	Paths  []string `json:"paths" doc:"Files."`
	Config string   `json:"config"`
	Test   bool     `json:"test"`
	Jobs   int      `json:"jobs"`
	Format Format   `json:"format"`
}

type out struct {
	Got   string  `json:"got"`
	Maybe *string `json:"maybe"`
	Extra []int   `json:"extra,omitempty"`
}

func echo(ready func() error) Tool {
	return Define[in, out](Spec{Name: "echo"}, ready, func(_ context.Context, a in) (Answer, error) {
		if a.Config == "boom" {
			return Answer{}, errors.New("boom <&>")
		}
		return Answer{Doc: Marshal(out{Got: fmt.Sprintf("%q %q %v %d", a.Paths, a.Config, a.Test, a.Jobs)}), Failed: a.Test}, nil
	})
}

func TestArguments(t *testing.T) {
	t.Parallel()
	refused := func(code, message, hint string) string {
		return string(Marshal(map[string]any{"error": Error{code, message, false, hint}}))
	}
	const accepted = "accepted: paths, config, test, jobs, format"
	for _, tc := range []struct{ args, want string }{
		{``, `{"got":"[] \"\" false 0","maybe":null}`},
		{`null`, `{"got":"[] \"\" false 0","maybe":null}`},
		{`{}`, `{"got":"[] \"\" false 0","maybe":null}`},
		{`{"paths":[],"config":"c","test":false,"jobs":3,"format":"json"}`, `{"got":"[] \"c\" false 3","maybe":null}`},
		{`{"paths":["<a>&é\u2028"]}`, "{\"got\":\"[\\\"<a>&é\\\\u2028\\\"] \\\"\\\" false 0\",\"maybe\":null}"},
		{`{"bogus":1}`, refused("unknown_argument", `unknown argument "bogus"`, accepted)},
		{`{"pathz":1}`, refused("unknown_argument", `unknown argument "pathz"`, accepted+"; did you mean paths?")},
		{`{"Paths":[]}`, refused("unknown_argument", `unknown argument "Paths"`, accepted+"; did you mean paths?")},
		{`{"":1}`, refused("unknown_argument", `unknown argument ""`, accepted)},
		{`{"config":"a","config":"b"}`, refused("duplicate_argument", `argument "config" appears twice`, "")},
		{`{"paths":["a"],"p\u0061ths":["b"]}`, refused("duplicate_argument", `argument "paths" appears twice`, "")},
		{`{"paths":null}`, refused("invalid_argument", `argument "paths" must not be null`, "leave it out instead")},
		{`{"paths":"a"}`, refused("invalid_argument", `argument "paths" must be an array of strings`, "")},
		{`{"paths":{"0":"a"}}`, refused("invalid_argument", `argument "paths" must be an array of strings`, "")},
		{`{"paths":["a",null]}`, refused("invalid_argument", `argument "paths" must be an array of strings that are not empty`, "")},
		{`{"paths":[""]}`, refused("invalid_argument", `argument "paths" must be an array of strings that are not empty`, "")},
		{`{"paths":["a\u0000b"]}`, refused("invalid_argument", `argument "paths" must be an array of strings that are not empty`, "")},
		{`{"config":""}`, refused("invalid_argument", `argument "config" must be a string that is not empty`, "")},
		{`{"config":1}`, refused("invalid_argument", `argument "config" must be a string that is not empty`, "")},
		{`{"test":"true"}`, refused("invalid_argument", `argument "test" must be true or false`, "")},
		{`{"jobs":-1}`, refused("invalid_argument", `argument "jobs" must be a whole number that is not negative`, "")},
		{`{"jobs":1.5}`, refused("invalid_argument", `argument "jobs" must be a whole number that is not negative`, "")},
		{`{"jobs":99999999999999999999}`, refused("invalid_argument", `argument "jobs" must be a whole number that is not negative`, "")},
		{`{"format":"JSON"}`, refused("invalid_argument", `argument "format" must be "json" or "toon"`, "")},
		{`{"format":1}`, refused("invalid_argument", `argument "format" must be "json" or "toon"`, "")},
		{`[]`, refused("invalid_argument", `the arguments are not an object`, "")},
		{`{"config":"boom"}`, refused("internal", `boom <&>`, "")},
	} {
		tool := echo(nil)
		r := tool.Call(t.Context(), json.RawMessage(tc.args))
		if diff := cmp.Diff(tc.want, string(r.Doc)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
		if failed := strings.HasPrefix(tc.want, `{"error"`); r.Failed != failed {
			t.Errorf("%s: failed is %v", tc.args, r.Failed)
		}
		if r.Text != string(r.Doc) {
			t.Errorf("%s: text %s, document %s", tc.args, r.Text, r.Doc)
		}
		if refusal := tool.Check(json.RawMessage(tc.args)); !strings.Contains(tc.args, "boom") && (refusal != nil) != r.Failed {
			t.Errorf("%s: Check says %v", tc.args, refusal)
		}
		valid(t, tool.Output, r.Doc)
	}
	long := strings.Repeat("k", 1<<20)
	r := echo(nil).Call(t.Context(), json.RawMessage(`{"`+long+`":1}`))
	if len(r.Doc) > 1000 {
		t.Errorf("a refusal has %d bytes", len(r.Doc))
	}
}

// valid reports a document that is against the schema, once the server has added
// its member.
func valid(t *testing.T, schema, doc json.RawMessage) {
	t.Helper()
	c := jsonschema.NewCompiler()
	s, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	if err := c.AddResource("urn:s", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("urn:s")
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	poly := Marshal(Identity{Engines: "e"})
	for text, want := range map[string]bool{string(doc[:len(doc)-1]) + `,"poly":` + string(poly) + `}`: true, string(doc): false, `{"poly":` + string(poly) + `}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(v); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFormatOfTheText(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`{"format":"toon"}`:             "got: \"[] \\\"\\\" false 0\"\nmaybe: null",
		`{"format":"toon","config":""}`: "error:\n  code: invalid_argument\n  message: \"argument \\\"config\\\" must be a string that is not empty\"\n  retryable: false\n  hint: \"\"",
	} {
		r := echo(nil).Call(t.Context(), json.RawMessage(args))
		if diff := cmp.Diff(want, r.Text); diff != "" || r.Doc[0] != '{' {
			t.Errorf("%s (-want +got):\n%s", args, diff)
		}
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	tool := echo(nil)
	wantIn := `{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string"},"description":"Files."},"config":{"type":"string"},` +
		`"test":{"type":"boolean","default":false},"jobs":{"type":"integer","minimum":0},"format":{"type":"string","enum":["json","toon"],"default":"json"}},"additionalProperties":false}`
	if diff := cmp.Diff(wantIn, string(tool.Input)); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		`"maybe":{"anyOf":[{"type":"string"},{"type":"null"}]}`, `"extra":{"type":"array","items":{"type":"integer"}}`,
		`"required":["poly"],"anyOf":[{"required":["got","maybe"]},{"required":["error"]}]`,
	} {
		if !strings.Contains(string(tool.Output), part) {
			t.Errorf("the output schema has no %s: %s", part, tool.Output)
		}
	}
}

// A tool that cannot be called says so before its arguments are used.
func TestReady(t *testing.T) {
	t.Parallel()
	tool := echo(func() error { return NewError("commands_disabled", "no", "") })
	if r := tool.Check(nil); r == nil || !strings.Contains(string(r.Doc), "commands_disabled") {
		t.Errorf("Check: %v", r)
	}
	if r := tool.Call(t.Context(), nil); !strings.Contains(string(r.Doc), "commands_disabled") {
		t.Errorf("Call: %s", r.Doc)
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err  error
		want Error
	}{
		{usererr.New("missing-path", "no such file: a", "mend it"), Error{"path_not_found", "no such file: a", false, "mend it"}},
		{fmt.Errorf("open: %w", usererr.New("worktree-locked", "locked", "wait")), Error{"worktree_locked", "open: locked", true, "wait"}},
		{usererr.New("toml-syntax", "poly.toml:1:2: m", ""), Error{"config_invalid", "poly.toml:1:2: m", false, `mend the file; "poly docs configuration" describes it`}},
		{usererr.New("missing-path", strings.Repeat("ä", 1<<20), "h"), Error{"path_not_found", strings.Repeat("ä", 2000) + "…", false, "h"}},
		{usererr.New("new-mistake", "m", "h"), Error{"refused", "m", false, "h"}},
		{fmt.Errorf("x: %w", context.Canceled), Error{"cancelled", "the call was cancelled", true, ""}},
		{errors.New("e"), Error{"internal", "e", false, ""}},
		{fmt.Errorf("x: %w", NewError("cancelled", "m", "h")), Error{"cancelled", "m", true, "h"}},
	} {
		if diff := cmp.Diff(tc.want, *From(tc.err)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tc.err, diff)
		}
	}
}

// Each code of a mistake that the sources name has its place in the registry.
func TestCodesOfMistakesAreKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range Codes() {
		for _, f := range c.from {
			if known[f] {
				t.Errorf("%s stands for two codes", f)
			}
			known[f] = true
		}
	}
	named := regexp.MustCompile(`(?:usererr\.Newf?\(|usererr\.Error\{Code: |problem\{at: [^,]*, code: |\bcode: |blame\([a-z.(")]*at, |add\([a-z.(")]*at, )"([a-z]+(?:-[a-z]+)*)"`)
	n := 0
	for _, dir := range []string{"cmd/poly", "runner", "store", "internal/config", "internal/gitstate", "internal/gitstate/repo", "internal/worktree", "internal/discover", "internal/report"} {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") || elsewhere[filepath.Base(file)] {
				continue
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				if n++; !known[m[1]] {
					t.Errorf("%s names %q, which has no error code: agents would see it as refused", file, m[1])
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("found %d codes: the test looks for the wrong thing", n)
	}
}

// elsewhere are files of commands that have no tool.
var elsewhere = map[string]bool{"init.go": true, "explain.go": true, "history.go": true, "commit.go": true, "hooks.go": true, "hookrun.go": true, "migrate.go": true, "docs.go": true, "warm.go": true}

// The page about poly mcp shows the registry.
func TestCodesArePublished(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "internal", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Codes() {
		row := fmt.Sprintf("| `%s` | %s | %s |\n", c.Name, c.Doc, map[bool]string{true: "yes", false: "no"}[c.Retryable])
		if !strings.Contains(string(page), row) {
			t.Errorf("internal/docs/mcp.md has no row %s", row)
		}
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"poly/internal/diag"
)

var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(SchemaJSON()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertContent()
	if err := c.AddResource("urn:poly:report", text); err != nil {
		return nil, err
	}
	return c.Compile("urn:poly:report")
})

func validate(t *testing.T, doc []byte) error {
	t.Helper()
	schema, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}

// checkSchema verifies a document that we wrote.
func checkSchema(t *testing.T, doc []byte) {
	t.Helper()
	if err := validate(t, doc); err != nil {
		t.Fatalf("%s\n%v", doc, err)
	}
}

// A document with a key too many anywhere, or without one that must be there,
// is not valid.
func TestSchemaIsClosed(t *testing.T) {
	t.Parallel()
	lint := sample()
	lint.Delta = &diag.Delta{Base: "main"}
	lint.Files[0].Diagnostics[0].State = "new"
	fmtd := &diag.Report{Verb: "fmt", Configs: []string{"1/a"}, Files: []diag.FileReport{
		{Path: "a", Changed: true, More: &diag.Extras{Engines: []diag.EngineRun{{Engine: "e"}}}},
		{Path: "b", Outcome: diag.Skipped, Reason: "r"},
		{Path: "c", Outcome: diag.Errored, Reason: "r"},
	}}
	for _, rep := range []*diag.Report{lint, fmtd} {
		doc := AppendJSON(nil, rep, Options{Debug: true})
		checkSchema(t, doc)
		objects := 0
		for i := 0; ; i++ {
			var v any
			if err := json.Unmarshal(doc, &v); err != nil {
				t.Fatal(err)
			}
			o, name := nth(v, "", i)
			if o == nil {
				objects = i
				break
			}
			if name == "metadata" {
				continue // its keys are the engine's
			}
			o["surplus"] = "x"
			refuse(t, v, name+" with a surplus key")
			delete(o, "surplus")
			for _, key := range []string{"path", "diagnostics", "changed", "summary", "checked", "hash", "engine", "code", "start_byte", "end_col", "base"} {
				if old, ok := o[key]; ok {
					delete(o, key)
					refuse(t, v, name+" without "+key)
					o[key] = old
				}
			}
		}
		if objects < 10 {
			t.Errorf("only %d objects found in %s", objects, doc)
		}
	}
}

func refuse(t *testing.T, v any, what string) {
	t.Helper()
	doc, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if validate(t, doc) == nil {
		t.Errorf("a document with %s is valid: %s", what, doc)
	}
}

// nth returns the i-th object of v and the key it stands under, or nil.
func nth(v any, name string, i int) (found tree, under string) {
	var walk func(v any, name string)
	walk = func(v any, name string) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x, name)
			}
		case tree:
			if i == 0 {
				found, under = v, name
			}
			i--
			for _, key := range sortedKeys(v) {
				walk(v[key], key)
			}
		}
	}
	walk(v, name)
	return found, under
}

func sortedKeys(t tree) []string { return slices.Sorted(maps.Keys(t)) }

package report

import (
	"bytes"
	_ "embed"
)

//go:embed schema.json
var schemaText []byte

// SchemaJSON returns the JSON Schema (2020-12) of the documents of lint and fmt,
// indented, with a newline at the end. The caller owns the bytes.
func SchemaJSON() []byte { return bytes.Clone(schemaText) }

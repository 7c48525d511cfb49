package yamlfmt

import (
	"bytes"
	"fmt"

	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/engine"
)

// nativeNames are the files the yamlfmt command reads its settings from.
var nativeNames = []string{".yamlfmt", ".yamlfmt.yml", ".yamlfmt.yaml", "yamlfmt.yml", "yamlfmt.yaml"}

// native returns a formatter with the `formatter` settings of a file of the
// yamlfmt command. Which files that one lists or excludes is not looked at.
func (f *formatter) native(in engine.Input) (*formatter, error) {
	var file struct {
		LineEnding string         `yaml:"line_ending"`
		Formatter  map[string]any `yaml:"formatter"`
	}
	if err := upstream.Unmarshal(in.Text, &file); err != nil {
		return nil, engine.BrokenBy(in, err)
	}
	if t, ok := file.Formatter["type"]; ok && t != "basic" {
		return nil, engine.Skip(fmt.Sprintf("%s asks for the formatter %v, which is not built in", in.Path, t))
	}
	s, err := makeSettings(file.Formatter, 0)
	if err != nil {
		return nil, engine.BrokenBy(in, err)
	}
	g := f.globals
	ending := file.LineEnding
	if ending == "" {
		ending, _ = file.Formatter["line_ending"].(string)
	}
	if file.LineEnding != "" && file.LineEnding != "lf" && file.LineEnding != "crlf" {
		return nil, engine.Broken(in.Path, in.Line(bytes.Index(in.Text, []byte("line_ending"))), "line_ending cannot be %q", file.LineEnding)
	}
	if ending == "crlf" {
		g.CRLF, g.LF = true, false
	}
	return &formatter{settings: s, globals: g}, nil
}

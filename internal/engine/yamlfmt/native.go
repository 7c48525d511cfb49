package yamlfmt

import (
	"fmt"
	"strings"

	"github.com/google/yamlfmt/formatters/basic"
	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/config"
	"poly/internal/engine"
)

// nativeNames are the files the yamlfmt command reads its settings from.
var nativeNames = []string{".yamlfmt", ".yamlfmt.yml", ".yamlfmt.yaml", "yamlfmt.yml", "yamlfmt.yaml"}

// configured tells that poly's own configuration sets an option.
func configured(v config.Values) bool {
	for _, o := range options() {
		if got, ok := v[o.Name]; ok && got != o.Default {
			return true
		}
	}
	return false
}

// native returns a formatter with the `formatter` settings of a file of the
// yamlfmt command. Which files that one lists or excludes is not looked at.
func (f *formatter) native(in engine.Input) (*formatter, error) {
	var file struct {
		LineEnding string         `yaml:"line_ending"`
		Formatter  map[string]any `yaml:"formatter"`
	}
	if err := upstream.Unmarshal(in.Text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Path, err)
	}
	if t, ok := file.Formatter["type"]; ok && t != basic.BasicFormatterType {
		return nil, engine.Skip(fmt.Sprintf("%s asks for the formatter %v, which is not built in", in.Path, t))
	}
	delete(file.Formatter, "type")
	made, err := new(basic.BasicFormatterFactory).NewFormatter(file.Formatter)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Path, err)
	}
	b, ok := made.(*basic.BasicFormatter)
	if !ok {
		return nil, fmt.Errorf("%s: yamlfmt made a %T", in.Path, made)
	}
	c := *b.Config
	g := f.globals
	g.CRLF = g.CRLF || file.LineEnding == "crlf" || file.LineEnding == "" && strings.EqualFold(fmt.Sprint(file.Formatter["line_ending"]), "crlf")
	c.LineEnding, c.EOFNewline, c.StripDirectives = "lf", false, false
	return newFormatter(&c, g)
}

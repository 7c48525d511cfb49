package enginetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"poly/internal/config"
	"poly/internal/engine"
)

// configure reads the lines of a config section into c.
func (c *testCase) configure(spec *engine.Spec, text string) error {
	var picks engine.Picks
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return fmt.Errorf("config line %q: want key = value", line)
		}
		if err := c.set(spec, &picks, strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	var err error
	c.env.Rules, err = engine.NewSelection(spec, picks)
	return err
}

func (c *testCase) set(spec *engine.Spec, picks *engine.Picks, key, value string) error {
	g := &c.env.Globals
	targets := map[string]any{
		"path": &c.src.Path, "lang": &c.src.Lang, "exec": &c.src.Exec,
		"select": &picks.Select, "extend_select": &picks.ExtendSelect, "ignore": &picks.Ignore,
		"indent_width": &g.IndentWidth, "defaults.line_length": &g.LineLength, "defaults.final_newline": &g.FinalNewline,
		"defaults.trim_trailing_whitespace": &g.TrimTrailingWhitespace,
	}
	g.Configured |= map[string]config.Given{
		"indent_width": config.GivenIndentWidth, "defaults.line_length": config.GivenLineLength, "defaults.line_ending": config.GivenLineEnding,
		"defaults.final_newline": config.GivenFinalNewline, "defaults.trim_trailing_whitespace": config.GivenTrim,
	}[key]
	if to, ok := targets[key]; ok {
		return decode(key, value, to)
	}
	if key == "defaults.line_ending" {
		var ending string
		err := decode(key, value, &ending)
		g.CRLF = ending == "crlf"
		return err
	}
	l := cmp.Or(c.src.Lang, langOf(spec, c.src.Path))
	for i := range spec.Options {
		if o := &spec.Options[i]; o.Name == key && o.For(string(l)) {
			v, err := decodeOption(o, value)
			if err == nil {
				c.env.Options[key] = v
			}
			return err
		}
	}
	for i := range spec.Rules {
		r := &spec.Rules[i]
		for j := range r.Options {
			if o := &r.Options[j]; key == "rules."+r.Code+"."+o.Name {
				v, err := decodeOption(o, value)
				if err == nil {
					c.env.Params[r.Code][o.Name] = v
				}
				return err
			}
		}
	}
	return fmt.Errorf("config: unknown key %q", key)
}

func decodeOption(o *config.Option, value string) (any, error) {
	switch o.Type {
	case config.Bool:
		var v bool
		err := decode(o.Name, value, &v)
		return v, err
	case config.Int:
		var v int
		err := decode(o.Name, value, &v)
		return v, err
	case config.String:
		var v string
		err := decode(o.Name, value, &v)
		return v, err
	case config.Strings:
		var v []string
		err := decode(o.Name, value, &v)
		return v, err
	case config.StringMap:
		var v map[string]string
		err := decode(o.Name, value, &v)
		return v, err
	case config.Table:
		var v map[string]any
		err := decode(o.Name, value, &v)
		return v, err
	}
	return nil, fmt.Errorf("option %s has no type", o.Name)
}

// decode reads a JSON value, or a bare word where a string is wanted.
func decode(key, value string, to any) error {
	err := json.Unmarshal([]byte(value), to)
	if err == nil {
		return nil
	}
	bare, _ := json.Marshal(value)
	if json.Unmarshal(bare, to) == nil {
		return nil
	}
	return fmt.Errorf("config %s = %s: %w", key, value, err)
}

package dprint

import (
	"bytes"
	"maps"

	"poly/internal/config"
	"poly/internal/engine"
)

// listOption is the option of the plugin for JSON that lists paths.
const listOption = "jsonTrailingCommaFiles"

// maxWidth stands for no limit.
const maxWidth = 10_000

type object = map[string]any

// settings are what a plugin is configured with.
type settings struct {
	global, plugin object
	layout         engine.Globals
	bare           bool         // no line end after the last line
	native         engine.Input // where they come from; zero: from poly.toml alone
}

// settings returns those under a native configuration, if there is one.
func (f *formatter) settings(native engine.Input) (settings, error) {
	g := f.env.Globals
	s := settings{global: object{"newLineKind": "lf"}, plugin: object{}, layout: g, native: native}
	if g.Given(config.GivenLineLength) {
		s.global["lineWidth"] = g.LineLength
		if g.LineLength == 0 {
			s.global["lineWidth"] = maxWidth
		}
	}
	if g.Given(config.GivenIndentWidth) {
		s.global["indentWidth"] = g.IndentWidth
	}
	if g.Given(config.GivenIndentStyle) {
		s.global["useTabs"] = g.Tabs
	}
	maps.Copy(s.plugin, f.env.Options)
	if native.Path != "" {
		if err := s.read(f.dialect.plugin); err != nil {
			return s, err
		}
	}
	for key, v := range f.dialect.defaults {
		if _, set := s.plugin[key]; !set {
			s.plugin[key] = v
		}
	}
	s.takeEnds()
	return s, nil
}

// takeEnds takes out of the settings what is about the ends of lines, which
// the plugin does not see.
func (s *settings) takeEnds() {
	for _, table := range []object{s.global, s.plugin} {
		switch table["newLineKind"] {
		case "crlf":
			s.layout.CRLF, s.layout.LF = true, false
		case "auto", "system":
			s.layout.CRLF, s.layout.LF = false, false
		}
	}
	delete(s.plugin, "newLineKind")
	s.global["newLineKind"] = "lf"
	switch s.plugin["eofNewLine"] {
	case "always":
		s.layout.FinalNewline = true
	case "maintain":
		s.layout.FinalNewline = false
	case "never":
		s.layout.FinalNewline, s.bare = false, true
	}
	delete(s.plugin, "eofNewLine")
}

// ends gives a formatted text the ends of the original; it returns the original
// if nothing is changed.
func (s *settings) ends(original, out []byte, e engine.Ends) []byte {
	out = e.Restore(bytes.Clone(out), s.layout)
	if s.bare {
		out = bytes.TrimRight(out, "\r\n")
	}
	if bytes.Equal(out, original) {
		return original
	}
	return out
}

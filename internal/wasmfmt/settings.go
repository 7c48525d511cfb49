package wasmfmt

import (
	"poly/internal/config"
	"poly/internal/engine"
)

// Indent returns what modules call what lines are indented with.
func Indent(g engine.Globals) string {
	if g.Tabs {
		return "tab"
	}
	return "space"
}

// Set puts the options of e's language that are set into settings, under their
// own names.
func Set(settings map[string]any, options []config.Option, e engine.Env) {
	for i := range options {
		o := &options[i]
		if v, ok := e.Options[o.Name]; ok && o.For(string(e.Lang)) {
			settings[o.Name] = v
		}
	}
}

package biome

import (
	"encoding/json"
	"strings"

	"poly/internal/blake3"
	"poly/internal/engine"
	"poly/internal/lang"
)

type object = map[string]any

// settings are a configuration as biome takes it.
type settings struct {
	config object
	key    [32]byte // stands for config
}

// newSettings turns on the rules that are selected, and no others: what biome
// recommends is in the list of rules.
func newSettings(e *engine.Env) (*settings, error) {
	groups := object{"recommended": false}
	for i := range rules {
		code := rules[i].Code
		group, rule, ok := strings.Cut(code, "/")
		if !ok || !e.Rules.Allows(code) {
			continue
		}
		table, _ := groups[group].(object)
		if table == nil {
			table = object{}
			groups[group] = table
		}
		table[rule] = "on"
	}
	off := object{"enabled": false}
	c := object{
		"formatter": off, "assist": off, "vcs": off,
		"linter":     object{"enabled": true, "rules": groups},
		"javascript": object{}, "json": object{}, "css": object{},
	}
	switch e.Lang {
	case lang.JSON, lang.JSONC:
		parser := pick(e, "allowComments", "allowTrailingCommas")
		for _, key := range []string{"allowComments", "allowTrailingCommas"} {
			if _, set := parser[key]; !set && e.Lang == lang.JSONC {
				parser[key] = true
			}
		}
		c["json"] = object{"parser": parser}
	case css:
		c["css"] = object{"parser": pick(e, "cssModules", "tailwindDirectives")}
	case javaScript, jsx, lang.TypeScript, tsx:
		script := pick(e, "globals", "jsxRuntime")
		script["parser"] = pick(e, "unsafeParameterDecoratorsEnabled", "jsxEverywhere")
		c["javascript"] = script
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	// The module takes what JSON decodes to.
	s := &settings{key: blake3.Sum256(text)}
	return s, json.Unmarshal(text, &s.config)
}

// pick returns the options that are set.
func pick(e *engine.Env, names ...string) object {
	o := object{}
	for _, n := range names {
		if v, ok := e.Options[n]; ok {
			o[n] = v
		}
	}
	return o
}

package runner

import (
	"poly/internal/config"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Schema describes the tables of engines and the languages for config.Load.
func Schema(engines []engine.Engine) config.Schema {
	var s config.Schema
	for _, l := range lang.All() {
		s.Languages = append(s.Languages, string(l.ID))
	}
	for i := range engines {
		e := &engines[i].Spec
		t := config.EngineTable{
			Name: e.Name, Lint: e.Verbs&engine.Lint != 0, Fmt: e.Verbs&engine.Format != 0, OptIn: e.OptIn, Options: e.Options, Doc: e.Doc,
		}
		if !e.Cross {
			for _, l := range e.Langs {
				t.Langs = append(t.Langs, string(l))
			}
		}
		for j := range e.Rules {
			t.Rules = append(t.Rules, config.RuleTable{Code: e.Rules[j].Code, Options: e.Rules[j].Options})
		}
		s.Engines = append(s.Engines, t)
	}
	return s
}

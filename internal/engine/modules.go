package engine

import (
	"slices"

	"poly/internal/lang"
	"poly/internal/wasm/pack"
)

// Module is a Wasm module an engine runs.
type Module struct {
	Name  string    // in internal/wasm/pack
	Langs []lang.ID // it is run for; nil: all languages of the engine
}

// BuiltIn reports whether the modules of the engine are built in; true if it
// has none.
func (s *Spec) BuiltIn() bool {
	for _, m := range s.Modules {
		if _, ok := pack.Find(m.Name); !ok {
			return false
		}
	}
	return true
}

// Optional reports whether the engine needs a module of an optional pack.
func (s *Spec) Optional() bool {
	return slices.ContainsFunc(s.Modules, func(m Module) bool { return pack.Command(m.Name) != pack.Command("") })
}

// BuildIn returns the command that builds poly with the modules of the engine.
func (s *Spec) BuildIn() string {
	for _, m := range s.Modules {
		if _, ok := pack.Find(m.Name); !ok {
			return pack.Command(m.Name)
		}
	}
	return pack.Command("")
}

// ModulesFor returns the names of the modules the engine runs for a language,
// those of all languages if l is "".
func (s *Spec) ModulesFor(l lang.ID) []string {
	var names []string
	for _, m := range s.Modules {
		if l == "" || m.Langs == nil || slices.Contains(m.Langs, l) {
			names = append(names, m.Name)
		}
	}
	return names
}

// AppendModules appends what names these modules in cache keys: versions and
// sums. It appends nothing if there are none.
func (s *Spec) AppendModules(b []byte, l lang.ID) []byte {
	for _, name := range s.ModulesFor(l) {
		if m, ok := pack.Find(name); ok {
			b = append(b, m.Name+"\x00"+m.Version+"\x00"+m.Sum+"\x00"...)
		}
	}
	return b
}

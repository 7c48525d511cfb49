package engine

import "poly/internal/wasm/pack"

// BuiltIn reports whether the modules of the engine are built in; true if it
// has none.
func (s *Spec) BuiltIn() bool {
	for _, name := range s.Modules {
		if _, ok := pack.Find(name); !ok {
			return false
		}
	}
	return true
}

// AppendModules appends what names the modules of the engine in cache keys:
// versions and sums. It appends nothing if the engine has none.
func (s *Spec) AppendModules(b []byte) []byte {
	for _, name := range s.Modules {
		if m, ok := pack.Find(name); ok {
			b = append(b, m.Name+"\x00"+m.Version+"\x00"+m.Sum+"\x00"...)
		}
	}
	return b
}

//go:build !extra

package all

import "poly/internal/engine"

// extra is empty: this build lacks the engines whose libraries cost every start
// of poly too much. all_extra_gen.go, with the tag, lists them.
func extra() []engine.Engine { return nil }

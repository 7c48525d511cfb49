// Package all lists the engines that are built in. Only cmd/poly and tests
// import it: the runner is handed its engines.
package all

import (
	"slices"
	"strings"

	"poly/internal/engine"
)

//go:generate go run poly/internal/gen/lists

// Engines returns every engine that is built in, by name.
func Engines() []engine.Engine {
	more := extra()
	if len(more) == 0 {
		return builtIn()
	}
	all := append(builtIn(), more...)
	slices.SortFunc(all, func(a, b engine.Engine) int { return strings.Compare(a.Name, b.Name) })
	return all
}

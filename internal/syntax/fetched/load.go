//go:build cgo && !notreesitter

package fetched

// #cgo CFLAGS: -std=c11 -fPIC -g0 -w
// #include "fetched.h"
// GRAMMAR(dart)
// GRAMMAR(dockerfile)
// GRAMMAR(elixir)
// GRAMMAR(haskell)
// GRAMMAR(hcl)
// GRAMMAR(kotlin)
// GRAMMAR(markdown)
// GRAMMAR(nix)
// GRAMMAR(php_only)
// GRAMMAR(scala)
// GRAMMAR(solidity)
// GRAMMAR(sql)
// GRAMMAR(swift)
import "C"

import "unsafe"

// Load returns the TSLanguage of a grammar, or nil if it is not built in.
func Load(name string) unsafe.Pointer {
	switch name {
	case "dart":
		return C.poly_dart()
	case "dockerfile":
		return C.poly_dockerfile()
	case "elixir":
		return C.poly_elixir()
	case "haskell":
		return C.poly_haskell()
	case "hcl":
		return C.poly_hcl()
	case "kotlin":
		return C.poly_kotlin()
	case "markdown":
		return C.poly_markdown()
	case "nix":
		return C.poly_nix()
	case "php":
		return C.poly_php_only()
	case "scala":
		return C.poly_scala()
	case "solidity":
		return C.poly_solidity()
	case "sql":
		return C.poly_sql()
	case "swift":
		return C.poly_swift()
	}
	return nil
}

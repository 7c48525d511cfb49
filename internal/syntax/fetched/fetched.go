// Package fetched holds the grammars of tree-sitter that no Go module has, at
// the versions of ast-grep 0.51.1. Their sources are not tracked: internal/gen/grammars
// has cargo fetch the crates that Cargo.toml names, checks them against
// Cargo.lock and grammars.sum, and lays them down here (make engines). Without
// them the package builds as well, and [Load] returns nil.
package fetched

import "embed"

//go:embed all:notices
var notices embed.FS

// Notice returns the text of a licence, of a grammar or the runtime by the last
// part of its repository's name, or "" without make engines.
func Notice(repository string) string {
	text, err := notices.ReadFile("notices/" + repository + ".txt")
	if err != nil {
		return ""
	}
	return string(text)
}

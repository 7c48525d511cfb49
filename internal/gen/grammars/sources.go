package main

// source says where a grammar comes from.
type source struct {
	name   string // of the language, as internal/syntax has it
	crate  string
	dir    string // of parser.c in the crate
	symbol string // the C function is tree_sitter_ and this
}

// sources are all of them, by name.
var sources = []source{
	{"dart", "tree-sitter-dart", "src", "dart"},
	{"dockerfile", "tree-sitter-dockerfile", "src", "dockerfile"},
	{"elixir", "tree-sitter-elixir", "src", "elixir"},
	{"haskell", "tree-sitter-haskell", "src", "haskell"},
	{"hcl", "tree-sitter-hcl", "src", "hcl"},
	{"kotlin", "tree-sitter-kotlin-sg", "src", "kotlin"},
	{"markdown", "tree-sitter-md", "tree-sitter-markdown/src", "markdown"},
	{"nix", "tree-sitter-nix", "src", "nix"},
	{"php", "tree-sitter-php", "php_only/src", "php_only"},
	{"scala", "tree-sitter-scala", "src", "scala"},
	{"solidity", "tree-sitter-solidity", "src", "solidity"},
	{"sql", "tree-sitter-sequel", "src", "sql"},
	{"swift", "tree-sitter-swift", "src", "swift"},
}

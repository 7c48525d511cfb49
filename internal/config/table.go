package config

// EngineConfig is what [lint.<lang>.<engine>] or [fmt.<lang>.<engine>] says, the
// table [lint.<engine>] of a cross engine beneath it, defaults included.
type EngineConfig struct {
	Values Values
	// Select, ExtendSelect and Ignore are codes as written; lint only.
	Select, ExtendSelect, Ignore []string
	// Levels are rules.<code>.level, ordered by code; lint only.
	Levels []Level
	// Params are the parameters of rules.<code>, for codes of the schema that
	// have any, defaults included.
	Params map[string]Values
	// Enabled is the key `enabled`; nil if it is not set.
	Enabled *bool
	// IndentWidth is the key `indent_width`; 0: the language's default.
	IndentWidth int
	// Configured: a table for it was written somewhere.
	Configured bool

	layers [2]*node // [lint.<engine>], then [lint.<lang>.<engine>]; nil: none
	sum    [32]byte
	full   [32]byte
}

// Level sets the severity of a code.
type Level struct {
	Code     string
	Severity string // error, warning, info or hint
	Origin   Origin
}

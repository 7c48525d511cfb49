package config

// Effective is the configuration in force for one directory and what lies
// below it. It is immutable and may be used by many goroutines; what it
// returns must not be modified.
type Effective struct {
	// Dir is the registered directory it stands for, "." for the root.
	Dir       string
	Defaults  Defaults
	Discovery Discovery
	// Exclude are the globs of every governing file, outermost first, in
	// gitignore order: the last that matches wins.
	Exclude []Pattern
	// Ignores are the [per-file-ignores] of every governing file, outermost first.
	Ignores []Ignore
	Rules   Rules
	Cache   Cache
	// Workspace is [lint] workspace: whether the whole-project phase may run.
	Workspace bool

	merged *node
	x      *index
	tables tableCache
	sums   digests
}

// Defaults are the [defaults].
type Defaults struct {
	LineLength             int
	LineEnding             string // "lf", "crlf", or "" if nothing was configured
	CRLF                   bool   // line_ending = "crlf"
	FinalNewline           bool
	TrimTrailingWhitespace bool
}

// Discovery is [discovery] without its globs, which are [Effective.Exclude].
type Discovery struct {
	MaxFileSize  int64 // bytes; a larger file is skipped
	ForceExclude bool  // has no effect: named files always obey exclude
}

// Pattern is one exclude glob, relative to the directory Base.
type Pattern struct {
	Base   string // slash-separated from the root, "." for the root
	Glob   string // as written
	Origin Origin
}

// Ignore is one entry of [per-file-ignores]: the codes are not reported for
// paths that Glob, relative to Base, matches.
type Ignore struct {
	Base   string
	Glob   string
	Codes  []string
	Origin Origin
}

// Rules is the table [rules].
type Rules struct {
	Dirs    []RuleDir
	Disable []string
}

// RuleDir is a directory of rules.
type RuleDir struct {
	Path    string // slash-separated from the root of the tree, or of the git base
	Outside string // absolute path, if it is outside the tree; then Path is ""
	Git     string // url, if it is in a git base
	OID     string // of the git base
	Origin  Origin
}

// Cache is the table [cache].
type Cache struct {
	Enabled bool
	Dir     string // as written; relative means from the root; "": the default
	Hooks   string // off, safe or aggressive
	SCCache SCCache
}

// SCCache is the table [cache.sccache].
type SCCache struct {
	Enabled bool
	Bin     string
	Dir     string
	MaxSize string
}

// Origin tells where a value was written. The zero value is a default.
type Origin struct {
	File string // as shown in messages: "poly.toml", "pkg/poly.local.toml", "<url>@<oid>:poly.toml"
	Line int    // 1-based; 0: not known
	Col  int    // 1-based, in code points
}

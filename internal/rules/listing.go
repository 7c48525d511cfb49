package rules

// Listed is a rule as poly rules list and the tool rules show it.
type Listed struct {
	ID              string
	Language        string
	Source          string // builtin or user
	DefaultSeverity string
	Severity        string // under the configuration
	Enabled         bool
	Message         string
	File            string
}

// Listing is the rules that a run applies, and more on demand.
type Listing struct {
	Dirs     []string // that were looked at
	Rules    []Listed // by language, then by id
	Problems []Problem
	Unbuilt  []Problem
	Notes    []Problem
	Tested   *Tested // nil: the tests were not run
}

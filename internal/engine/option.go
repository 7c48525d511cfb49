package engine

import "poly/internal/usererr"

// OptionError is a value in poly.toml that Bind cannot use. The runner tells
// the user the file and line of it.
type OptionError struct {
	Rule   string // whose parameter it is; "": it is an option of the engine
	Option string // "": the parameters of the rule as a whole
	Item   string // of a list or a table; "": the value as a whole
	Err    error  // what is wrong, a sentence without the option's name
	Hint   string // what to do; may be empty
}

func (e *OptionError) Error() string {
	name := e.Option
	switch {
	case e.Rule != "" && name == "":
		name = "rules." + e.Rule
	case e.Rule != "":
		name = "rules." + e.Rule + "." + name
	}
	return name + ": " + e.Err.Error()
}

func (e *OptionError) Unwrap() error {
	return &usererr.Error{Code: "bad-value", Msg: "bad value", Hint: e.Hint, Err: e.Err}
}

// Keys are the keys of the table of the engine that lead to the value.
func (e *OptionError) Keys() []string {
	var keys []string
	if e.Rule != "" {
		keys = append(keys, "rules", e.Rule)
	}
	if e.Option != "" {
		keys = append(keys, e.Option)
	}
	return keys
}

// BadRegexp is the [OptionError] of a regular expression that does not compile.
func BadRegexp(rule, option, text string, err error) error {
	return &OptionError{Rule: rule, Option: option, Item: text, Err: err, Hint: "the syntax is RE2's: https://golang.org/s/re2syntax"}
}

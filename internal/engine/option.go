package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"poly/internal/usererr"
)

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

// Broken returns the error of a configuration file of a tool, one of the
// engine's Inputs, that the tool would refuse: Bind returns it, or Lint and
// Format, which makes the file in hand errored. line 0 is not known.
func Broken(path string, line int, format string, args ...any) error {
	where := path
	if line > 0 {
		where = fmt.Sprintf("%s:%d", path, line)
	}
	return usererr.Newf("broken-config", "%s: %s", where, fmt.Sprintf(format, args...))
}

// BrokenBy is [Broken] for the error of a decoder: one of JSON, one that tells
// its Offset, or one whose text names the line.
func BrokenBy(in Input, err error) error {
	msg, line := strings.ReplaceAll(err.Error(), "\n", " "), 0
	var placed interface{ Offset() int }
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		line = in.Line(int(e.Offset))
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		line = in.Line(int(e.Offset))
	} else if errors.As(err, &placed) {
		line = in.Line(placed.Offset())
	} else if _, rest, ok := strings.Cut(msg, "line "); ok {
		_, _ = fmt.Sscanf(rest, "%d", &line)
	}
	return Broken(in.Path, line, "%s", msg)
}

// Line returns the line, from 1, that an offset in the text is in.
func (in Input) Line(offset int) int {
	return 1 + bytes.Count(in.Text[:min(max(offset, 0), len(in.Text))], []byte("\n"))
}

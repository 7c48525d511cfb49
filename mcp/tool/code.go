package tool

import (
	"context"
	"errors"
	"slices"

	"poly/internal/usererr"
)

// Error is a failed call as data.
type Error struct {
	Code      string `json:"code"` // one of [Codes]
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"` // the same call may succeed later
	Hint      string `json:"hint"`      // what to do about it; "" if there is nothing to say
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// NewError returns an error with a code of [Codes].
func NewError(code, message, hint string) *Error {
	c := codeOf(code)
	return &Error{Code: c.Name, Message: message, Retryable: c.Retryable, Hint: hint}
}

// Code is an entry of the registry. Names are stable: one is never given
// another meaning.
type Code struct {
	Name      string
	Doc       string
	Retryable bool
	from      []string // codes of [usererr.Error] that it stands for
}

// Codes is the registry of error codes, in the order of the page about them.
func Codes() []Code {
	return []Code{
		{Name: "unknown_argument", Doc: "An argument that the tool does not have, or with other capitals."},
		{Name: "duplicate_argument", Doc: "An argument stands there twice."},
		{Name: "invalid_argument", Doc: "An argument has a value that is not allowed.", from: []string{"wrong-use", "unknown-format", "unknown-rule", "rule-exists", "bad-revision"}},
		{Name: "path_not_found", Doc: "A path does not exist; nothing was checked.", from: []string{"missing-path"}},
		{Name: "path_outside", Doc: "A path is outside of the repository.", from: []string{"outside-path"}},
		{Name: "path_unreadable", Doc: "A path cannot be read.", from: []string{"unreadable-path"}},
		{Name: "config_not_found", Doc: "The file named by config does not exist.", from: []string{"config-missing"}},
		{Name: "config_invalid", Doc: "A configuration is wrong; the message tells where.", from: []string{
			"broken-config", "config-link", "unknown-key", "duplicate-key", "bad-value", "wrong-type", "toml-syntax", "config-unreadable",
			"base-not-cached", "base-not-locked", "base-unresolved",
		}},
		{Name: "repository_unusable", Doc: "There is no worktree here, or git cannot read the repository.", from: []string{
			"bare-repository", "git-dir", "git-format", "unsafe-repository", "no-git", "git-config", "git-file", "git-index", "git-worktree", "missing-object", "shallow", "unmerged", "git", "no-directory", "no-repository",
		}},
		{Name: "place_unusable", Doc: "There is no place for poly's lock and journal, so nothing can be written.", from: []string{"no-home", "relative-home", "state-dir"}},
		{Name: "worktree_locked", Doc: "Another poly is writing to the worktree.", Retryable: true, from: []string{"worktree-locked"}},
		{Name: "commands_disabled", Doc: "The server was started with --no-commands."},
		{Name: "not_built_in", Doc: "This build of poly cannot do it."},
		{Name: "executable_replaced", Doc: "poly's executable is another file now. Restart the MCP server."},
		{Name: "executable_deleted", Doc: "poly's executable is gone. Restart the MCP server."},
		{Name: "cancelled", Doc: "The call was cancelled.", Retryable: true},
		{Name: "refused", Doc: "Another mistake that the message explains."},
		{Name: "internal", Doc: "A fault of poly."},
	}
}

func codeOf(name string) Code {
	all := Codes()
	if i := slices.IndexFunc(all, func(c Code) bool { return c.Name == name }); i >= 0 {
		return all[i]
	}
	panic("no error code " + name) // names are literals of ours
}

// From returns err as data.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.Canceled) {
		return NewError("cancelled", "the call was cancelled", "")
	}
	u, ok := errors.AsType[*usererr.Error](err)
	if !ok {
		return NewError("internal", err.Error(), "")
	}
	code := "refused"
	for _, c := range Codes() {
		if slices.Contains(c.from, u.Code) {
			code = c.Name
		}
	}
	return NewError(code, err.Error(), usererr.Hint(err))
}

package tool

import (
	"context"
	"errors"
	"slices"
	"strings"

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

// NewError returns an error with a code of [Codes]. A hint that is empty is
// that of the code; a message that is too long for a reader is cut.
func NewError(code, message, hint string) *Error {
	c := codeOf(code)
	if hint == "" {
		hint = c.hint
	}
	return &Error{Code: c.Name, Message: bounded(message), Retryable: c.Retryable, Hint: bounded(hint)}
}

// mostMessage is how many bytes of a message are shown. Clients cut errors
// themselves at about three times that.
const mostMessage = 4000

func bounded(s string) string {
	if len(s) > mostMessage {
		s = strings.ToValidUTF8(s[:mostMessage], "") + "…"
	}
	return s
}

// Code is an entry of the registry. Names are stable: one is never given
// another meaning.
type Code struct {
	Name      string
	Doc       string
	Retryable bool
	hint      string   // what to do about it, for errors that do not say
	from      []string // codes of [usererr.Error] that it stands for
}

// Codes is the registry of error codes, in the order of the page about them.
func Codes() []Code {
	return []Code{
		{Name: "unknown_argument", Doc: "An argument that the tool does not have, or with other capitals."},
		{Name: "duplicate_argument", Doc: "An argument stands there twice."},
		{Name: "invalid_argument", Doc: "An argument has a value that is not allowed.", from: []string{"wrong-use", "unknown-format", "unknown-rule", "rule-exists", "bad-revision"}},
		{Name: "path_not_found", Doc: "A path does not exist; nothing was checked.", hint: "mend the path, or leave it out", from: []string{"missing-path"}},
		{Name: "path_outside", Doc: "A path is outside of the repository.", hint: "name paths in the repository around the working directory of the server", from: []string{"outside-path"}},
		{Name: "path_unreadable", Doc: "A path cannot be read.", hint: "make it readable, or leave it out", from: []string{"unreadable-path"}},
		{Name: "config_not_found", Doc: "The file named by config does not exist.", hint: "mend the path, or leave config out", from: []string{"config-missing"}},
		{Name: "config_invalid", Doc: "A configuration is wrong; the message tells where.", hint: "mend the file; \"poly docs configuration\" describes it", from: []string{
			"broken-config", "config-link", "unknown-key", "duplicate-key", "bad-value", "wrong-type", "toml-syntax", "config-unreadable",
			"base-not-cached", "base-not-locked", "base-unresolved", "base-missing", "extends", "extends-cycle", "extends-depth",
		}},
		{Name: "repository_unusable", Doc: "There is no worktree here, or git cannot read the repository.", hint: "start the server in a worktree that git can read", from: []string{
			"bare-repository", "git-dir", "git-format", "unsafe-repository", "no-git", "git-config", "git-file", "git-index", "git-worktree", "missing-object", "shallow", "unmerged", "git", "no-directory", "no-repository",
		}},
		{Name: "place_unusable", Doc: "There is no place for poly's lock and journal, so nothing can be written.", hint: "let HOME name a directory that can be written to", from: []string{"no-home", "relative-home", "state-dir"}},
		{Name: "worktree_locked", Doc: "Another poly is writing to the worktree.", Retryable: true, hint: "call the tool again when it is done", from: []string{"worktree-locked"}},
		{Name: "commands_disabled", Doc: "The server was started with --no-commands.", hint: "use lint, or start the server without --no-commands"},
		{Name: "not_built_in", Doc: "This build of poly cannot do it.", hint: "use a build of poly that can do it"},
		{Name: "executable_replaced", Doc: "poly's executable is another file now. Restart the MCP server.", hint: "Restart the MCP server"},
		{Name: "executable_deleted", Doc: "poly's executable is gone. Restart the MCP server.", hint: "Restart the MCP server"},
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

package dockerfile

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// known are the instructions, with the least number of arguments of each.
func known(name string) (least int, ok bool) {
	switch name {
	case "add", "copy":
		return 2, true
	case "arg", "cmd", "entrypoint", "env", "expose", "from", "healthcheck", "label", "maintainer", "run", "shell",
		"stopsignal", "user", "volume", "workdir":
		return 1, true
	case "onbuild":
		return 0, true
	}
	return 0, false
}

// syntax finds what the parser lets pass and the builder refuses.
func (f *file) syntax() []fault {
	var out []fault
	cascade := false // unknown lines behind an unknown one are of one cause
	for _, in := range f.list {
		t, help := in.syntax()
		_, ok := known(in.name)
		if t != "" && (ok || !cascade) {
			start, end := in.keyword(f.text)
			out = append(out, fault{start: start, end: end, title: t, help: help})
		}
		cascade = !ok
	}
	return out
}

func (in *instruction) syntax() (title, help string) {
	least, ok := known(in.name)
	if !ok {
		return in.unknown()
	}
	upper := strings.ToUpper(in.name)
	switch in.name {
	case "onbuild":
		if in.inner == nil {
			return "ONBUILD defers no instruction", "An instruction follows it, as in `ONBUILD RUN make`."
		}
		return in.inner.syntax()
	case "from":
		return in.fromSyntax()
	case "cmd", "entrypoint", "run":
		return "", "" // empty ones are taken
	case "shell":
		if !in.list {
			return "SHELL is not a JSON array", "It takes the exec form alone, as in `SHELL [\"/bin/bash\", \"-c\"]`."
		}
	case "healthcheck":
		if len(in.args) > 0 {
			return in.healthSyntax()
		}
	}
	if len(in.args) < least || len(in.args) == 1 && in.args[0] == "" && !in.list {
		return upper + " has too few arguments", fmt.Sprintf("It takes at least %d.", least)
	}
	return "", ""
}

func (in *instruction) unknown() (title, help string) {
	help = "A line that continues the one before it needs a `\\` at the end of that one."
	if n := nearest(in.name); n != "" {
		help = "Did you mean " + strings.ToUpper(n) + "?"
	}
	return "Unknown instruction " + strings.ToUpper(short(in.Value)), help
}

func (in *instruction) healthSyntax() (title, help string) {
	switch t := strings.ToUpper(in.args[0]); {
	case t != "CMD" && t != "NONE":
		return "HEALTHCHECK is followed by CMD or NONE", ""
	case t == "CMD" && len(in.args) == 1 && !in.list:
		return "HEALTHCHECK CMD has no command", ""
	}
	return "", ""
}

func (in *instruction) fromSyntax() (title, help string) {
	switch n := len(in.args); {
	case n == 1 && in.args[0] != "", n == 3 && strings.EqualFold(in.args[1], "as"):
	case n == 3:
		return fmt.Sprintf("FROM has %q where AS belongs", short(in.args[1])), "Write `FROM image AS name`."
	default:
		return "FROM takes an image, or an image, AS and a name", ""
	}
	if in.from.alias != "" && !stageName().MatchString(strings.ToLower(in.from.alias)) {
		return fmt.Sprintf("Bad stage name %q", short(in.from.alias)), "It starts with a letter; letters, digits, `-`, `_` and `.` follow."
	}
	return "", ""
}

var stageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-_.]*$`) })

// parseTitle puts an error of the parser into one short line.
func parseTitle(msg string) string {
	msg, _, _ = strings.Cut(msg, "\n")
	msg = strings.TrimPrefix(msg, "Syntax error - ")
	if len(msg) > 120 {
		msg = strings.ToValidUTF8(msg[:120], "") + "…"
	}
	if msg == "" {
		return "Not a Dockerfile"
	}
	return strings.ToValidUTF8(strings.ToUpper(msg[:1])+msg[1:], "\uFFFD")
}

// short bounds a word that is quoted in a title.
func short(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// nearest returns the instruction a misspelt name was meant to be, or "".
func nearest(name string) string {
	for _, k := range [...]string{
		"add", "arg", "cmd", "copy", "entrypoint", "env", "expose", "from", "healthcheck", "label", "maintainer", "onbuild",
		"run", "shell", "stopsignal", "user", "volume", "workdir",
	} {
		if len(name) > 2 && distanceOne(name, k) {
			return k
		}
	}
	return ""
}

// distanceOne tells that one letter is wrong, missing, too much or swapped.
func distanceOne(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(a) == len(b) && len(a) >= 2 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]:
		return true
	case len(a) == len(b):
		return len(a) > 0 && a[1:] == b[1:]
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	}
	return false
}

package yaml

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"poly/internal/diag"
	"poly/internal/yamlevent"
)

// identity returns what makes a scalar key equal to another one: its tag and
// value as the core schema of YAML 1.2 resolves them, so that "1" and 1 differ
// and null and ~ do not.
func identity(e yamlevent.Event) string {
	tag, value := e.Tag, e.Value
	if tag == "" {
		tag = "s"
		if e.Style == yamlevent.Plain {
			tag, value = resolve(value)
		}
	}
	switch tag {
	case "!", "tag:yaml.org,2002:str":
		tag = "s"
	}
	return tag + " " + value
}

var numeric = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-+]?(?:[0-9]+|\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
})

// mergeKey is the identity of a plain `<<`.
const mergeKey = "m <<"

func resolve(plain string) (tag, value string) {
	switch plain {
	case "", "~", "null", "Null", "NULL":
		return "n", ""
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return "b", strings.ToLower(plain)
	case "<<":
		return "m", plain
	}
	if numeric().MatchString(plain) {
		return "d", plain
	}
	return "s", plain
}

var octal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+]?0[0-7_]*[1-7][0-7_]*$`) })

// traps reports a plain value that readers of YAML 1.1 and 1.2 take for
// different things. A document that names another version is left alone, and so
// is a truthy key unless it is asked for: GitHub and others want `on:`.
func (l *linter) traps(e yamlevent.Event, key bool) {
	if e.Style != yamlevent.Plain || e.Tag != "" || l.version != "" && l.version != "1.1" {
		return
	}
	switch {
	case truthy(e.Value):
		if key && !l.keys || slices.Contains(l.allowed, e.Value) {
			return
		}
		title := fmt.Sprintf("Truthy value `%s` is a boolean in YAML 1.1 and text in YAML 1.2", e.Value)
		if e.Value[0]|0x20 == 't' || e.Value[0]|0x20 == 'f' {
			title = fmt.Sprintf("Truthy value `%s` is none of those allowed", e.Value)
		}
		l.report(codeTruthy, diag.Warning, e.Start, e.End, title, "Write `true` or `false`, or quote it if it is meant as text.")
	case l.implicit && octal().MatchString(e.Value):
		l.report(codeOctal, diag.Warning, e.Start, e.End, fmt.Sprintf("`%s` is an octal number in YAML 1.1 and a decimal one in YAML 1.2", e.Value),
			"Quote it if it is meant as text or as a file mode; write the number without its leading zero otherwise.")
	case l.explicit && explicitOctal(e.Value):
		l.report(codeOctal, diag.Warning, e.Start, e.End, fmt.Sprintf("`%s` is an octal number in YAML 1.2 and text in YAML 1.1", e.Value),
			"Quote it if it is meant as text; write a decimal number otherwise.")
	}
}

// truthy reports whether readers of YAML 1.1 make a boolean of a plain value.
func truthy(value string) bool {
	switch value {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "true", "True", "TRUE", "false", "False", "FALSE":
		return true
	}
	return false
}

func explicitOctal(value string) bool {
	digits, ok := strings.CutPrefix(value, "0o")
	return ok && digits != "" && strings.Trim(digits, "01234567") == ""
}

// quote shows a piece of source in a title: its first line, at most 40 characters.
func quote(b []byte) string {
	if i := bytes.IndexAny(b, "\r\n"); i >= 0 {
		b = append(bytes.Clone(b[:i]), "..."...)
	}
	return "`" + short(string(b)) + "`"
}

func short(s string) string {
	r := []rune(strings.ToValidUTF8(s, "\ufffd"))
	if len(r) > 40 {
		r = append(r[:37], '.', '.', '.')
	}
	for i, c := range r {
		if !unicode.IsPrint(c) {
			r[i] = '\ufffd'
		}
	}
	return string(r)
}

package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

const noMin = math.MinInt64

// Constructors of the shapes that recur.

func flag(def bool, doc string) *shape { return &shape{kinds: kindBool, def: def, doc: doc} }

// switchable is a bool without a default worth showing.
func switchable(doc string) *shape { return &shape{kinds: kindBool, doc: doc} }

func text(doc string) *shape { return &shape{kinds: kindString, doc: doc} }

func word(def string, doc string, enum ...string) *shape {
	s := &shape{kinds: kindString, enum: enum, doc: doc}
	if def != "" {
		s.def = def
	}
	return s
}

func whole(minimum int64, doc string) *shape { return &shape{kinds: kindInt, min: minimum, doc: doc} }

// list takes an array of strings or one string.
func list(doc string) *shape {
	return &shape{kinds: kindList, elem: &shape{kinds: kindString}, wrap: true, doc: doc}
}

// array takes an array of strings.
func array(doc string) *shape {
	return &shape{kinds: kindArray, elem: &shape{kinds: kindString}, doc: doc}
}

func tableOf(rest *shape, doc string) *shape { return &shape{kinds: kindTable, rest: rest, doc: doc} }

func table(doc string, keys ...key) *shape { return &shape{kinds: kindTable, keys: keys, doc: doc} }

func freeTable(doc string) *shape {
	return &shape{kinds: kindTable, rest: &shape{free: true}, doc: doc}
}

func environment() *shape {
	return tableOf(text(""), "Environment variables.")
}

// globs are the keys exclude and exclude_mode, which stand together.
func globs(doc string) []key {
	return []key{
		{"exclude", list(doc)},
		{"exclude_mode", word("", "What exclude does to the list it inherits from bases and, in poly.local.toml, from poly.toml.", "extend", "replace")},
	}
}

// notOption refuses values that a command would take for an option.
func notOption(doc string) *shape {
	return &shape{
		kinds: kindString, doc: doc, wants: `a non-empty string that does not start with "-"`,
		accepts: func(s string) bool { return s != "" && s[0] != '-' },
		schema:  map[string]any{"pattern": "^[^-]"},
	}
}

// topShape is the shape of poly.toml.
func topShape(x *index) *shape {
	return &shape{kinds: kindTable, keys: []key{
		{"extends", extendsShape()},
		{"defaults", defaultsShape()},
		{"discovery", discoveryShape()},
		{"workspace", table("The place of this file in the hierarchy.",
			key{"root", flag(false, "Configuration of the directories above has no effect here.")})},
		{"rules", table("Rules of your own.",
			key{"dirs", withDefault(array("Directories of ast-grep rules, relative to this file; [] for none."), []string{defaultRules})},
			key{"disable", array("Rule ids that are off.")})},
		{"per-file-ignores", tableOf(list("Codes, or prefixes of codes."), "Codes that are not reported for the paths a glob matches, relative to this file.")},
		{"lint", x.section(Lint)},
		{"fmt", x.section(Fmt)},
		{"tools", x.toolsShape()},
		{"cache", cacheShape()},
		{"commit", commitShape()},
		{"hooks", hooksShape()},
		{"hook_preferences", &shape{
			kinds: kindTable, doc: "Preferences for hook sources.", dead: "hook sources are not supported",
			keys: []key{{"channels", array("Channels, the preferred one first.")}},
		}},
	}}
}

const defaultRules = ".poly/rules"

func withDefault(s *shape, def any) *shape {
	s.def = def
	return s
}

func defaultsShape() *shape {
	lineLength := whole(1, "Columns a line may have.")
	lineLength.def = defaultLineLength
	ending := word("lf", "Line ending of formatted files.", "lf", "crlf")
	ending.fold = true
	return table("Settings every engine obeys.",
		key{"line_length", lineLength},
		key{"line_ending", ending},
		key{"final_newline", flag(true, "Files end with a line end.")},
		key{"trim_trailing_whitespace", flag(true, "Lines do not end with blanks.")})
}

func discoveryShape() *shape {
	size := &shape{
		kinds: kindInt | kindString, min: 1, def: int64(defaultMaxFileSize),
		doc:   `Larger files are skipped: bytes, or a string such as "10 MiB".`,
		wants: `a size such as "10 MiB"`,
		accepts: func(s string) bool {
			_, ok := parseSize(s)
			return ok
		},
		schema: map[string]any{"pattern": `^0*[1-9][0-9]{0,9} ?([kKmMgG]?[bB]?|[kKmMgG][iI][bB])$`},
	}
	keys := append(globs("Files that are left alone: gitignore patterns, relative to this file."),
		key{"force_exclude", &shape{kinds: kindBool, doc: "Accepted for compatibility.", dead: "exclude applies to named files anyway"}},
		key{"max_file_size", size})
	return &shape{kinds: kindTable, doc: "Which files are looked at.", keys: keys}
}

const (
	defaultLineLength  = 120
	defaultMaxFileSize = 10 << 20
)

// parseSize reads bytes with an optional unit; all units are powers of 1024.
func parseSize(s string) (int64, bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n, err := strconv.ParseInt(s[:i], 10, 64)
	if err != nil || n < 1 || n > 9_999_999_999 {
		return 0, false
	}
	unit := strings.ToLower(strings.TrimPrefix(s[i:], " "))
	switch unit {
	case "", "b":
		return n, true
	case "k", "kb", "kib":
		return n << 10, true
	case "m", "mb", "mib":
		return n << 20, true
	case "g", "gb", "gib":
		return n << 30, true
	}
	return 0, false
}

func cacheShape() *shape {
	bin := &shape{
		kinds: kindString, def: "sccache", doc: "Name or absolute path of the program.",
		wants:   "a bare name or an absolute path",
		accepts: bareOrAbsolute,
		schema:  map[string]any{"pattern": `^([^/\\]+|/.*|\\\\.*|[A-Za-z]:[/\\].*)$`},
	}
	return table("The result cache.",
		key{"enabled", flag(true, "Results are kept.")},
		key{"dir", text("Where; relative to the root.")},
		key{"results", table("What is kept of hooks.",
			key{"hooks", word("safe", "Which hook jobs may be answered from the cache.", "off", "safe", "aggressive")})},
		key{"sccache", table("Compiler cache for jobs that compile.",
			key{"enabled", flag(false, "sccache is used.")},
			key{"bin", bin},
			key{"dir", text("Its directory.")},
			key{"max_size", text("Its size, as sccache reads it.")})})
}

func bareOrAbsolute(s string) bool {
	if s == "" {
		return false
	}
	drive := len(s) > 2 && isLetter(s[0]) && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
	return s[0] == '/' || strings.HasPrefix(s, `\\`) || drive || !strings.ContainsAny(s, `/\`)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func extendsShape() *shape {
	entry := &shape{
		kinds: kindString | kindTable, doc: "A base: a path, or a table.", nonEmpty: true,
		keys: []key{
			{"id", notOption("A name for messages.")},
			{"path", notOption("A file, or a directory that holds `file`; relative to this file.")},
			{"git", notOption("URL of a repository.")},
			{"revision", notOption("Branch, tag or commit.")},
			{"file", relativeFile()},
		},
		check:  checkSource,
		schema: map[string]any{"if": map[string]any{"type": "object"}, "then": sourceSchema()},
	}
	all := *entry
	all.kinds |= kindArray
	all.elem = entry
	all.doc = "Configurations this one is laid over: later ones outrank earlier ones, this file outranks all."
	// An empty array extends nothing.
	all.nonEmpty = false
	all.accepts, all.wants = func(s string) bool { return s != "" }, "a non-empty string"
	all.schema = map[string]any{
		"if": map[string]any{"type": "object"}, "then": sourceSchema(),
		"minLength": 1,
	}
	return &all
}

// relativeFile takes a path that stays where it is joined, on every platform.
func relativeFile() *shape {
	return &shape{
		kinds: kindString, doc: "File in the directory or repository; poly.toml if it is not given.",
		wants:   `a relative path without ".."`,
		accepts: staysInside,
		schema: map[string]any{
			"pattern": `^[^-/\\]`,
			"not":     map[string]any{"pattern": `(^|[/\\])\.\.([/\\]|$)|^[A-Za-z]:`},
		},
	}
}

func staysInside(s string) bool {
	if s == "" || strings.ContainsRune(`-/\`, rune(s[0])) || len(s) > 1 && isLetter(s[0]) && s[1] == ':' {
		return false
	}
	return !slices.Contains(strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// checkSource holds for extends and hook sources: path, or git with revision.
func checkSource(v *validator, n *node, at place) {
	if n.kind != kindTable {
		return
	}
	p, g, r := n.get("path"), n.get("git"), n.get("revision")
	switch {
	case p == nil && g == nil, p != nil && g != nil:
		v.add(n.at, "bad-value", "", "%s must have exactly one of path and git", at)
	case g != nil && r == nil:
		v.add(n.at, "bad-value", "", "%s needs a revision: git bases are pinned", at)
	case p != nil && r != nil:
		v.add(r.at, "bad-value", "", "revision in %s goes with git, not with path", at)
	}
}

func sourceSchema() map[string]any {
	lacks := func(k string) map[string]any { return map[string]any{"not": map[string]any{"required": []string{k}}} }
	return map[string]any{"oneOf": []any{
		map[string]any{"required": []string{"path"}, "allOf": []any{lacks("git"), lacks("revision")}},
		map[string]any{"required": []string{"git", "revision"}, "allOf": []any{lacks("path")}},
	}}
}

func commitShape() *shape {
	described := func(keys ...key) *shape { return table("", keys...) }
	list := func(item *shape, doc string) *shape { return &shape{kinds: kindArray, elem: item, doc: doc} }
	rules := table("Rules for messages.",
		key{"message", described(key{"pattern", text("Regular expression the message must match.")}, key{"description", text("What it means.")})},
		key{"excludes", list(described(key{"pattern", text("Regular expression.")}, key{"message", text("What to say.")}), "Patterns a message must not match.")},
		key{"cleanup", list(described(key{"find", text("Regular expression.")}, key{"replace", text("Replacement.")}, key{"description", text("What it means.")}), "Replacements made with write.")},
		key{"single_line", switchable("A message is one line.")},
		key{"require_body", switchable("A message has a body.")},
		key{"exit_nonzero_on_rewrite", switchable("A rewritten message stops the commit.")},
		key{"no_emojis", switchable("No emoji.")},
		key{"ascii_only", switchable("ASCII only.")},
		key{"title_prefix", text("What titles start with.")},
		key{"title_prefix_separator", text("What stands after it.")},
		key{"title_suffix", text("What titles end with.")},
		key{"title_suffix_separator", text("What stands before it.")},
		key{"types", array("Types of conventional titles instead of the usual ones.")},
		key{"scopes", array("Scopes of conventional titles; none: any.")},
		key{"title_max_length", whole(1, "Characters a title may have; 100 if it is not set.")},
		key{"body_max_length", whole(1, "Characters a line of the body may have; 100 if it is not set.")},
		key{"ai_trailers", word("deny", "Trailers and notices of coding agents.", "deny", "allow")},
		key{"ignores", array("Regular expressions of messages that are not judged.")},
		key{"default_ignores", flag(true, "Merges, reverts and fixup commits are not judged.")})
	rules.check = func(v *validator, n *node, at place) {
		if n.get("single_line").bool(false) && n.get("require_body").bool(false) {
			v.add(n.get("require_body").at, "bad-value", "", "single_line and require_body in [%s] exclude each other", at.path())
		}
	}
	is := func(k string) map[string]any {
		return map[string]any{"properties": map[string]any{k: map[string]any{"const": true}}, "required": []string{k}}
	}
	rules.schema = map[string]any{"not": map[string]any{"allOf": []any{is("single_line"), is("require_body")}}}
	return table("The commit message check.",
		key{"preset", word("conventional", "Set of rules.",
			"conventional", "default", "conventional-body", "conventional_detailed", "conventional-with-body", "simple", "simple-single-line")},
		key{"write", flag(false, "Messages are cleaned up in place.")},
		key{"rules", rules})
}

package config

import (
	"fmt"
	"slices"
	"strings"
)

// upstream is an engine that poly.toml files in the wild name and this build
// may not have. Its tables load; what they mean for an engine that is here is
// carried over, the rest is named once as having no effect.
type upstream struct {
	name  string
	verbs Verbs
	langs string // blank-separated; "" for a cross engine
}

const (
	webLangs    = "javascript typescript jsx tsx"
	markupLangs = "html vue svelte astro angular jinja vento mustache xml"
	// otherLangs are ids without an engine of their own.
	otherLangs = "elixir c cpp proto csharp"
)

var upstreams = [...]upstream{
	{"ruff", Lint | Fmt, "python"},
	{"oxc", Lint | Fmt, webLangs + " json jsonc"},
	{"biome", Lint, webLangs + " css scss graphql json jsonc"},
	{"rumdl", Lint | Fmt, "markdown mdx"},
	{"taplo", Lint | Fmt, "toml"},
	{"sqruff", Lint | Fmt, "sql"},
	{"pretty_yaml", Fmt, "yaml"},
	{"yaml", Lint, "yaml"},
	{"json", Lint, "json jsonc"},
	{"malva", Fmt, "css scss less"},
	{"markup_fmt", Fmt, markupLangs},
	{"pretty_graphql", Fmt, "graphql"},
	{"graphql", Lint, "graphql"},
	{"hcl", Lint | Fmt, "hcl"},
	{"alejandra", Fmt, "nix"},
	{"rubyfmt", Fmt, "ruby"},
	{"mago", Lint | Fmt, "php"},
	{"dockerfile", Lint, "dockerfile"},
	{"gofmt", Fmt, "go"},
	{"rustfmt", Fmt, "rust"},
	{"zigfmt", Fmt, "zig"},
	{"google-java-format", Fmt, "java"},
	{"ktfmt", Fmt, "kotlin"},
	{"styler", Fmt, "r"},
	{"swift-format", Fmt, "swift"},
	{"dartfmt", Fmt, "dart"},
	{"gleamfmt", Fmt, "gleam"},
	{"shfmt", Fmt, "shell"},
	{"shellcheck", Lint, "shell"},
	{"treesitter", Fmt, ""},
	{"typos", Lint, ""},
	{"uncomment", Lint, ""},
	{"astgrep", Lint, ""},
	{"secrets", Lint, ""},
}

// upstreamLangs are the language ids that 0.21.6 has tables for.
func upstreamLangs() []string {
	out := strings.Fields(otherLangs)
	for _, u := range upstreams {
		out = append(out, strings.Fields(u.langs)...)
	}
	return out
}

func isUpstreamLang(name string) bool {
	return slices.Contains(upstreamLangs(), name)
}

// isUpstream reports whether [<verb>.<lang>.<name>] is known; lang "" means
// [<verb>.<name>].
func isUpstream(v Verbs, lang, name string) bool {
	return slices.Contains(upstreamNames(v, lang), name)
}

func upstreamNames(v Verbs, lang string) []string {
	var out []string
	for _, u := range upstreams {
		if u.verbs&v == 0 {
			continue
		}
		if lang == "" && u.langs == "" || lang != "" && slices.Contains(strings.Fields(u.langs), lang) {
			out = append(out, u.name)
		}
	}
	return out
}

// alias carries the keys of an upstream engine's table over to an engine that
// means the same by them.
type alias struct {
	verb     Verbs
	lang     string
	from, to string
	keys     map[string]string // key there -> key here
	set      map[string]any    // holds when the table is there and not switched off
}

// aliases is a function because a table of maps would cost every start.
func aliases() []alias {
	same := func(keys ...string) map[string]string {
		m := map[string]string{"enabled": "enabled", "indent_width": "indent_width"}
		for _, k := range keys {
			m[k] = k
		}
		return m
	}
	return []alias{
		{Fmt, "go", "gofmt", "gofumpt", same(), map[string]any{"mode": "gofmt"}},
		{Fmt, "yaml", "pretty_yaml", "yamlfmt", same(), nil},
		{Lint, "markdown", "rumdl", "markdown", same("select", "extend_select", "ignore", "rules"), nil},
		{Lint, "shell", "shellcheck", "shell", same("select", "extend_select", "ignore", "rules"), nil},
		{Lint, "toml", "taplo", "toml", same(), nil},
		{Lint, "json", "oxc", "json", same(), nil},
		{Lint, "jsonc", "oxc", "json", same(), nil},
		{Fmt, "toml", "taplo", "toml", same("column_width"), nil},
	}
}

// settle takes the tables of engines that this build does not have out of a
// validated document: it carries over what it can and notes the rest.
func (x *index) settle(n *node) (notes []note) {
	for _, v := range []Verbs{Lint, Fmt} {
		section := n.get(v.String())
		if section == nil {
			continue
		}
		for _, name := range section.ordered() {
			c := section.table[name]
			if !x.isLang(name) {
				if isUpstream(v, "", name) && x.engine(v, "", name) == nil {
					delete(section.table, name)
					notes = append(notes, noEffect(c, v.String()+"."+name))
				}
				continue
			}
			notes = append(notes, x.settleLang(v, name, c)...)
			if len(c.table) == 0 {
				delete(section.table, name)
			}
		}
	}
	return notes
}

func (x *index) settleLang(v Verbs, lang string, n *node) (notes []note) {
	cross := x.engine(v, "", lang) // a cross engine with the name of a language
	for _, name := range n.ordered() {
		c := n.table[name]
		if x.engine(v, lang, name) != nil || c.kind != kindTable || cross != nil && engineShape(v, "", cross).find(name) != nil {
			continue
		}
		delete(n.table, name)
		path := strings.Join([]string{v.String(), lang, quoteKey(name)}, ".")
		if a := x.alias(v, lang, name); a != nil {
			notes = append(notes, x.carry(a, c, n, path)...)
			continue
		}
		notes = append(notes, noEffect(c, path))
	}
	return notes
}

func noEffect(n *node, path string) note {
	return note{n.at, "[" + path + "] has no effect: engine not in this build"}
}

func (x *index) alias(v Verbs, lang, from string) *alias {
	for _, a := range aliases() {
		if a.verb == v && a.lang == lang && a.from == from && x.engine(v, lang, a.to) != nil {
			return &a
		}
	}
	return nil
}

// carry lays what c says under the table of the engine that is here; what is
// written there outranks it.
func (x *index) carry(a *alias, c, lang *node, path string) (notes []note) {
	target := engineShape(a.verb, a.lang, x.engine(a.verb, a.lang, a.to))
	out := newTable(c.at)
	var lost []string
	v := &validator{top: x.top}
	for _, k := range c.ordered() {
		to, known := a.keys[k]
		s := target.find(to)
		before := len(v.problems)
		if known && s != nil {
			v.validate(c.table[k], s, place{path, k})
		}
		if !known || s == nil || len(v.problems) > before {
			lost = append(lost, k)
			continue
		}
		out.table[to] = c.table[k]
	}
	if c.get("enabled").bool(true) {
		for _, k := range sortedKeys(a.set) {
			if s := target.find(k); s != nil && accepts(s, a.set[k]) {
				out.table[k] = fromPlain(a.set[k], c.at)
			}
		}
	}
	if len(out.table) > 0 {
		lang.table[a.to] = merge(out, lang.table[a.to], false)
	}
	if len(lost) > 0 {
		notes = append(notes, note{c.at, fmt.Sprintf("%s in [%s] has no effect: %s, which is here instead of %s, has no such key",
			strings.Join(lost, ", "), path, a.to, a.from)})
	}
	return notes
}

func accepts(s *shape, v any) bool {
	check := &validator{top: s}
	check.validate(fromPlain(v, Origin{}), s, place{})
	return len(check.problems) == 0
}

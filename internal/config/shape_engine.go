package config

import (
	"slices"
	"strings"
)

// index answers what the schema and the table of other builds' engines know.
type index struct {
	schema *Schema
	top    *shape
}

func newIndex(s *Schema) *index {
	x := &index{schema: s}
	x.top = topShape(x)
	return x
}

// langs lists the language ids that tables may have, sorted. Load itself needs
// no list: sorting hundreds of names would be most of its time.
func (x *index) langs() []string {
	all := slices.Concat(x.schema.Languages, upstreamLangs())
	for i := range x.schema.Engines {
		all = append(all, x.schema.Engines[i].Langs...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (x *index) isLang(name string) bool {
	if slices.Contains(x.schema.Languages, name) || isUpstreamLang(name) {
		return true
	}
	return slices.ContainsFunc(x.schema.Engines, func(t EngineTable) bool { return slices.Contains(t.Langs, name) })
}

// engine returns the table of an engine of the schema, or nil. lang "" finds
// cross engines only.
func (x *index) engine(v Verbs, lang, name string) *EngineTable {
	for i := range x.schema.Engines {
		if t := &x.schema.Engines[i]; t.Name == name && t.has(v) && (t.cross() || slices.Contains(t.Langs, lang)) {
			return t
		}
	}
	return nil
}

// engines lists the engines of the schema for a language, sorted by name.
func (x *index) engines(v Verbs, lang string) []*EngineTable {
	var out []*EngineTable
	for i := range x.schema.Engines {
		if t := &x.schema.Engines[i]; t.has(v) && (t.cross() || slices.Contains(t.Langs, lang)) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *EngineTable) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

// section is the shape of [lint] or [fmt].
func (x *index) section(v Verbs) *shape {
	s := &shape{kinds: kindTable, doc: "Formatters, by language and engine."}
	if v == Lint {
		s.doc = "Linters, by language and engine."
		s.keys = []key{{"workspace", flag(true, "poly lint has a whole-project phase.")}}
	}
	s.more = func(name string) *shape { return x.languageOrCross(v, name) }
	s.names = func() []string {
		names := x.langs()
		for _, t := range x.engines(v, "") {
			names = append(names, t.Name)
		}
		return append(names, upstreamNames(v, "")...)
	}
	return s
}

// languageOrCross is the shape of [lint.<name>]. A name can be that of a
// language and of a cross engine ("text"): then the table holds engines and
// options side by side, which never have the same names.
func (x *index) languageOrCross(v Verbs, name string) *shape {
	t := x.engine(v, "", name)
	switch {
	case x.isLang(name):
		s := x.language(v, name)
		if t != nil {
			s.keys = engineShape(v, "", t).keys
		}
		return s
	case t != nil:
		return engineShape(v, "", t)
	case isUpstream(v, "", name):
		return upstreamShape()
	}
	return nil
}

func (x *index) language(v Verbs, lang string) *shape {
	return &shape{
		kinds: kindTable, doc: "Engines for " + lang + ".",
		more: func(name string) *shape {
			if t := x.engine(v, lang, name); t != nil {
				return engineShape(v, lang, t)
			}
			if isUpstream(v, lang, name) || isUpstream(v, "", name) {
				return upstreamShape()
			}
			return nil
		},
		names: func() []string {
			var names []string
			for _, t := range x.engines(v, lang) {
				names = append(names, t.Name)
			}
			return append(append(names, upstreamNames(v, lang)...), upstreamNames(v, "")...)
		},
		why: func(name string) string { return x.elsewhere(v, lang, name) },
	}
}

// elsewhere says where an engine may stand that may not stand in a language's table.
func (x *index) elsewhere(v Verbs, lang, name string) string {
	for i := range x.schema.Engines {
		t := &x.schema.Engines[i]
		switch {
		case t.Name != name:
		case t.has(v):
			return name + " is for " + strings.Join(t.Langs, ", ")
		case t.cross() || slices.Contains(t.Langs, lang):
			return name + " has no [" + v.String() + "] table; " + seeKeys
		}
	}
	for _, t := range x.engines(v, lang) {
		if !t.cross() && engineShape(v, lang, t).find(name) != nil {
			return name + " belongs in the table of an engine, such as [" + v.String() + "." + lang + "." + t.Name + "]; " + seeKeys
		}
	}
	return ""
}

func upstreamShape() *shape {
	s := freeTable("Known, without effect in this build.")
	s.ref = "not-built-in"
	return s
}

// engineShape is the shape of an engine's table for a language; lang "" is that
// of a cross engine for all of them.
func engineShape(v Verbs, lang string, t *EngineTable) *shape {
	s := &shape{kinds: kindTable, doc: t.Doc, ref: v.String() + "." + t.Name}
	if slices.ContainsFunc(t.Options, func(o Option) bool { return o.Langs != nil }) {
		s.ref += "." + lang
	}
	s.keys = []key{
		{"enabled", switchable("Whether the engine runs.")},
		{"indent_width", whole(1, "Columns of one level; the language's own if it is not given.")},
	}
	if v == Lint {
		s.keys = append(s.keys,
			key{"select", list("Codes, or prefixes of codes, that replace the default set.")},
			key{"extend_select", list("Codes added to the set.")},
			key{"ignore", list("Codes taken out of the set, last.")},
			key{"rules", rulesShape(t)})
	}
	for i := range t.Options {
		if o := &t.Options[i]; o.in(v, lang) && s.find(o.Name) == nil {
			s.keys = append(s.keys, key{o.Name, optionShape(o)})
		}
	}
	s.why = func(name string) string {
		other := Lint | Fmt
		other &^= v
		if t.has(other) && engineKey(other, lang, t, name) {
			return name + " belongs in the [" + other.String() + "] table of " + t.Name + "; " + seeKeys
		}
		for i := range t.Options {
			o := &t.Options[i]
			switch {
			case strings.HasPrefix(o.Name, name+".") && o.in(v, lang):
				return "a key with a dot stands in quotes: " + quoteKey(o.Name)
			case o.Name == name && !o.For(lang):
				return name + " is for " + strings.Join(o.Langs, ", ")
			}
		}
		return ""
	}
	return s
}

// engineKey reports whether only that verb's table of an engine has the key.
func engineKey(v Verbs, lang string, t *EngineTable, name string) bool {
	return v == Lint && slices.Contains([]string{"select", "extend_select", "ignore", "rules"}, name) ||
		slices.ContainsFunc(t.Options, func(o Option) bool { return o.Name == name && o.in(v, lang) })
}

func rulesShape(t *EngineTable) *shape {
	level := word("", "Severity its findings have.", "error", "warning", "warn", "info", "information", "hint", "help")
	level.fold = true
	s := &shape{kinds: kindTable, doc: "Settings of single rules, by code."}
	s.more = func(code string) *shape {
		for i := range t.Rules {
			if r := &t.Rules[i]; r.Code == code {
				rule := table("", key{"level", level})
				for j := range r.Options {
					rule.keys = append(rule.keys, key{r.Options[j].Name, optionShape(&r.Options[j])})
				}
				return rule
			}
		}
		return nil
	}
	s.names = func() []string {
		var codes []string
		for i := range t.Rules {
			if len(t.Rules[i].Options) > 0 {
				codes = append(codes, t.Rules[i].Code)
			}
		}
		return codes
	}
	s.rest = table("", key{"level", level})
	if len(t.Rules) == 0 {
		s.rest.rest = &shape{free: true}
	}
	return s
}

func optionShape(o *Option) *shape {
	s := &shape{doc: o.Doc, def: o.Default}
	switch o.Type {
	case Bool:
		s.kinds = kindBool
	case Int, Float:
		s.kinds, s.min, s.max = kindInt, int64(o.Min), int64(o.Max)
		if o.Type == Float {
			s.kinds = kindNumber
		}
	case String:
		s.kinds, s.enum = kindString, o.Enum
	case Strings:
		s.kinds, s.wrap = kindList, true
		s.elem = &shape{kinds: kindString, enum: o.Enum}
	case StringMap:
		s.kinds, s.rest = kindTable, &shape{kinds: kindString}
	default:
		s.kinds, s.rest = kindTable, &shape{free: true}
	}
	return s
}

// toolsShape is the shape of [tools].
func (x *index) toolsShape() *shape {
	tool := &shape{
		kinds: kindTable, doc: "An external tool.", ref: "tool",
		keys: append([]key{
			{"enabled", flag(false, "The tool runs.")},
			{"command", text("Which of its commands; \"\" is the default one.")},
			{"args", array("Arguments that replace the command's.")},
			{"stages", stageList("Hook stages it runs at; [] for none.")},
			{"files", list("Globs of files it gets.")},
			{"env", environment()},
			{"root", text("Directory it runs in, from the root.")},
		}, globs("Globs of files it does not get.")...),
	}
	s := &shape{kinds: kindTable, doc: "External tools, by name."}
	if x.schema.Tools == nil {
		s.rest = tool
		return s
	}
	s.names = func() []string { return x.schema.Tools }
	s.more = func(name string) *shape {
		if slices.Contains(x.schema.Tools, name) {
			return tool
		}
		return nil
	}
	return s
}

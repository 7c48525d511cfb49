package rules

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"poly/internal/rules/match"
	"poly/internal/rules/rustre"
)

//go:generate go run ../gen/rulepack

// packLang is the built-in rules of a language, by the name of its file.
type packLang struct {
	name  string
	rules []packFact
}

// packFact is what is known of a built-in rule without parsing it.
type packFact struct {
	id, severity   string
	sum            string // digest of the text
	files, ignores []string
}

// facts is the table of the pack, made once.
var facts = sync.OnceValue(packFacts)

// packed returns the built-in rules of a language.
func packed(lang string) []packFact {
	all := facts()
	if i := slices.IndexFunc(all, func(l packLang) bool { return l.name == lang }); i >= 0 {
		return all[i].rules
	}
	return nil
}

// Packed lists the languages that built-in rules are for, by their names in
// internal/syntax.
func Packed() []string {
	var out []string
	for _, l := range facts() {
		out = append(out, l.name)
	}
	return out
}

// PackDigest stands for the texts of the built-in rules of a language.
func PackDigest(lang string) string {
	var b strings.Builder
	for _, r := range packed(lang) {
		b.WriteString(r.sum)
	}
	return b.String()
}

// scope tells for which paths a rule is.
type scope interface{ Applies(path string) bool }

// packScope is the scope of a built-in rule.
type packScope struct{ files, ignores []*rustre.Glob }

// Applies is [match.Rule.Applies].
func (s *packScope) Applies(path string) bool {
	matches := func(g *rustre.Glob) bool { return g.Match(path) }
	return !slices.ContainsFunc(s.ignores, matches) && (len(s.files) == 0 || slices.ContainsFunc(s.files, matches))
}

// packScopes returns the scopes of the built-in rules of a language that
// depend on the path. Globs that rules share are compiled once.
func packScopes(lang string) ([]scope, error) {
	seen := map[string]*rustre.Glob{}
	compile := func(globs []string) (out []*rustre.Glob, err error) {
		for _, text := range globs {
			g := seen[text]
			if g == nil {
				if g, err = rustre.CompileGlob(text, false); err != nil {
					return nil, err
				}
				seen[text] = g
			}
			out = append(out, g)
		}
		return out, nil
	}
	known := map[string]bool{} // rules with the same globs are one
	var out []scope
	for _, r := range packed(lang) {
		key := strings.Join(r.files, "\x00") + "\x00\x00" + strings.Join(r.ignores, "\x00")
		if len(r.files)+len(r.ignores) == 0 || known[key] {
			continue
		}
		known[key] = true
		files, err := compile(r.files)
		if err != nil {
			return nil, err
		}
		ignores, err := compile(r.ignores)
		if err != nil {
			return nil, err
		}
		out = append(out, &packScope{files, ignores})
	}
	return out, nil
}

// userFile is a rule file of a directory.
type userFile struct {
	name string
	text []byte
	docs func() []userDoc // parsed once
}

// userDoc is a document of a rule file. It is not compiled.
type userDoc struct {
	doc  *match.Document
	head *match.Rule // nil: it is refused
	id   string      // of a document without one
}

func newUserFile(name string, text []byte) *userFile {
	f := &userFile{name: name, text: text}
	f.docs = sync.OnceValue(func() []userDoc {
		docs, _ := match.Documents(text) // those before the error count
		c := match.NewCompiler()
		defer c.Close()
		out := make([]userDoc, 0, len(docs))
		for i, doc := range docs {
			d := userDoc{doc: doc, id: fallbackID(name, i, len(docs))}
			d.head, _ = c.Head(doc, d.id) // a refused rule finds nothing
			out = append(out, d)
		}
		return out
	})
	return f
}

// mayScope reports whether a rule of the file may depend on the path. A key can
// be written with escapes.
func (f *userFile) mayScope() bool {
	return bytes.Contains(f.text, []byte("files")) || bytes.Contains(f.text, []byte("ignores")) || bytes.IndexByte(f.text, '\\') >= 0
}

// userScopes returns the scopes of the rules of the directories for a language.
func userScopes(files []*userFile, lang string) []scope {
	var out []scope
	for _, f := range files {
		if !f.mayScope() {
			continue
		}
		for _, d := range f.docs() {
			if d.head != nil && d.head.Lang.Name == lang && d.head.Scoped() {
				out = append(out, d.head)
			}
		}
	}
	return out
}

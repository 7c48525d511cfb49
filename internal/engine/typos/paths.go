package typos

import (
	"slices"
	"strings"

	"poly/internal/glob"
)

// excluder tells which files are not spell-checked.
type excluder struct{ list *glob.List }

func newExcluder(patterns []string) excluder {
	rules := make([]glob.Rule, len(patterns))
	for i, p := range patterns {
		rules[i].Pattern = p
	}
	return excluder{glob.NewList(rules, glob.Options{})}
}

// class is "skip" for what is excluded, locked, minified or written in another
// language by its name, and "" for the rest.
func (e excluder) class(p string) string {
	if e.list.Excluded(p, false).Ignored() || notProse(p) {
		return "skip"
	}
	return ""
}

// notProse reports whether a file is data by its name: locks, hashes, keys,
// maps, lists of people, translations.
func notProse(p string) bool {
	name := p[strings.LastIndexByte(p, '/')+1:]
	switch name {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb",
		"AUTHORS", "CONTRIBUTORS", "MAINTAINERS", "CODEOWNERS", ".mailmap":
		return true
	}
	switch ext := name[strings.LastIndexByte(name, '.')+1:]; ext {
	case "lock", "sum", "svg", "map", "pem", "crt", "key", "csr", "asc", "po", "pot", "xlf", "xliff", "csv", "tsv", "dic", "aff", "ipynb", "snap":
		return len(ext) < len(name)
	case "js", "css":
		if strings.HasSuffix(name[:len(name)-len(ext)], ".min.") {
			return true
		}
	}
	return foreignName(p)
}

// isLocaleDir reports whether a directory of this name holds translations, one
// file or directory a language.
func isLocaleDir(name string) bool {
	switch name {
	case "locale", "locales", "_locales", "i18n", "l10n", "intl", "nls", "lang", "langs", "language", "languages", "translations":
		return true
	}
	return false
}

// foreignName reports whether a path says that its file is a translation into
// another language than English: README.de.md, locales/fr.json, values-pl/a.xml.
func foreignName(p string) bool {
	slash := strings.LastIndexByte(p, '/') + 1
	dirs, name := p[:slash], p[slash:]
	stem, rest, _ := strings.Cut(name, ".")
	if i := strings.LastIndexByte(rest, '.'); i > 0 && foreignCode(rest[strings.LastIndexByte(rest[:i], '.')+1:i]) {
		return true
	}
	if len(stem) > 7 && strings.EqualFold(stem[:6], "readme") && foreignCode(stem[7:]) {
		return true
	}
	parent := ""
	for dirs != "" {
		var dir string
		dir, dirs, _ = strings.Cut(dirs, "/")
		if lang, ok := strings.CutPrefix(dir, "values-"); ok && foreignCode(lang) || foreignCode(dir) && isLocaleDir(parent) {
			return true
		}
		parent = dir
	}
	return foreignCode(stem) && isLocaleDir(parent)
}

// foreignCode reports whether s is a language code such as de, pt-BR or zh_Hans, but not en.
func foreignCode(s string) bool {
	if len(s) < 2 || len(s) > 7 || len(s) > 2 && s[2] != '-' && s[2] != '_' || len(s) == 3 {
		return false
	}
	for i := 3; i < len(s); i++ {
		if c := classes[s[i]]; c != lower && c != upper && c != digit {
			return false
		}
	}
	_, known := slices.BinarySearch(languageCodes, s[:2])
	return known
}

// languageCodes are ISO 639-1 codes in order, without en and without those
// that are more often something else.
var languageCodes = strings.Fields("af ar az be bg bn bs ca cs cy da de el eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko " +
	"lt lv mk ms nb nl nn no pl pt ro ru sk sl sq sr sv ta th tr uk ur uz vi zh")

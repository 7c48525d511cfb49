package dprint

import (
	"path"
	"slices"
	"strings"

	"poly/internal/guard/dockerfile"
	"poly/internal/guard/js"
	"poly/internal/guard/json"
	"poly/internal/guard/toml"
	"poly/internal/lang"
)

// Languages that package lang has no names for.
const (
	javaScript lang.ID = "javascript"
	jsx        lang.ID = "jsx"
	tsx        lang.ID = "tsx"
)

// dialect is how files of a language are handed to a plugin.
type dialect struct {
	plugin string // its key in dprint.json
	// extensions are those by which the plugin tells dialects apart, without
	// dots; a file with none of them has the first.
	extensions []string
	// special is a file name that the plugin knows, sorting an option that
	// allows it to sort such a file.
	special, sorting string
	defaults         object // settings that are other than the plugin's unless they are written down
	lists            bool   // an option lists paths
	same             func(before, after []byte) error
	front            bool // front matter is not shown to the plugin
	embeds           bool // it formats code of other languages by other engines
	prepares         bool // repair is asked before there is anything to repair
	// repair, unless it is nil, changes lines that the plugin damages so that it
	// does not, and tells what to do with the result.
	repair func(text []byte, lines map[int]bool) (prepared []byte, undo func([]byte) []byte)
	sorted func(before, after []byte) bool // the same but for the order of keys
}

func dialectOf(l lang.ID) dialect {
	switch l {
	case javaScript:
		return script(js.JavaScript, "js", "cjs", "mjs")
	case jsx:
		return script(js.JavaScript, "jsx")
	case lang.TypeScript:
		return script(js.TypeScript, "ts", "cts", "mts")
	case tsx:
		return script(js.TSX, "tsx")
	case lang.TOML:
		return dialect{plugin: "toml", extensions: []string{"toml"}, special: "Cargo.toml", same: toml.Same}
	case lang.Dockerfile:
		return dialect{plugin: "dockerfile", extensions: []string{"dockerfile"}, same: dockerfile.Same, repair: repairDockerfile, prepares: true}
	case lang.Markdown:
		return dialect{plugin: "markdown", extensions: []string{"md"}, same: sameMarkdown, embeds: true, defaults: keepCode(), front: true, repair: repairMarkdown}
	case lang.JSONC:
		return data("jsonc", "json")
	default:
		return data("json", "jsonc")
	}
}

func script(d js.Dialect, extensions ...string) dialect {
	return dialect{
		plugin: "typescript", extensions: extensions, repair: repairScript,
		same: func(before, after []byte) error { return js.Same(before, after, d) },
	}
}

func data(extensions ...string) dialect {
	return dialect{
		plugin: "json", extensions: extensions, special: "package.json", sorting: "packageJson.applyConventions", lists: true, defaults: object{"packageJson.applyConventions": false},
		same: json.Same, sorted: sameKeys,
	}
}

// name returns the base name under which the plugin sees a file.
func (d *dialect) name(p string) string {
	if base := path.Base(p); base == d.special {
		return base
	}
	if ext := strings.ToLower(strings.TrimPrefix(path.Ext(p), ".")); slices.Contains(d.extensions, ext) {
		return "file." + ext
	}
	return "file." + d.extensions[0]
}

// path returns the path the plugin sees: only where lists of paths may matter it
// has folders.
func (d *dialect) path(p string) string {
	if d.lists {
		return "/" + path.Join(path.Dir(p), d.name(p))
	}
	return "/" + d.name(p)
}

// judge is the guard of the language, which allows another order of keys where
// sorts is set.
func (d *dialect) judge(before, after []byte, sorts bool) error {
	err := d.same(before, after)
	if err != nil && sorts && d.sorted(before, after) {
		return nil
	}
	return err
}

// sorts reports whether a file may come out in another order.
func (d *dialect) sorts(p string, s settings) bool {
	on, _ := s.plugin[d.sorting].(bool)
	return on && path.Base(p) == d.special
}

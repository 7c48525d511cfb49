package dprint

import (
	"path"
	"slices"
	"strings"

	"poly/internal/guard/json"
	"poly/internal/lang"
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
	off              bool // sorting is off unless it is asked for
	lists            bool // an option lists paths
	same             func(before, after []byte) error
	sorted           func(before, after []byte) bool // the same but for the order of keys
}

func dialectOf(l lang.ID) dialect {
	d := dialect{
		plugin: "json", extensions: []string{"json", "jsonc"}, special: "package.json", sorting: "packageJson.applyConventions", lists: true, off: true,
		same: json.Same, sorted: sameKeys,
	}
	if l == lang.JSONC {
		d.extensions = []string{"jsonc", "json"}
	}
	return d
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

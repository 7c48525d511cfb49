package ruff

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"poly/internal/engine"
)

// nativeNames are the files ruff looks for in a folder, the first found counts.
var nativeNames = [...]string{".ruff.toml", "ruff.toml", pyproject}

const pyproject = "pyproject.toml"

// maxExtends is how many files may extend one another.
const maxExtends = 16

// native is what a configuration file of ruff's and those it extends come to.
type native struct {
	path     string // of the file
	options  object // without what is listed below
	minor    int    // 0: not named
	src      []string
	ignores  []perFile // in order
	versions []perFile // one version each
	exclude  [3][]pattern
}

// What may be excluded: from everything, from lint, from fmt.
const (
	fromAll = iota
	fromLint
	fromFormat
)

// perFile are codes, or a version, for the files that match.
type perFile struct {
	pattern pattern
	values  []string
}

// nativeIn returns the configuration that counts for files in dir: that of the
// nearest folder that has any. nil: there is none.
func (t *tree) nativeIn(dir string) (*native, error) {
	if found, ok := t.natives[dir]; ok {
		return found.native, found.err
	}
	n, err := t.readDir(dir)
	if n == nil && err == nil && dir != "." {
		n, err = t.nativeIn(path.Dir(dir))
	}
	t.natives[dir] = nativeFound{n, err}
	return n, err
}

type nativeFound struct {
	native *native
	err    error
}

func (t *tree) readDir(dir string) (*native, error) {
	if t.fs == nil {
		return nil, nil
	}
	for _, file := range nativeNames {
		n, err := t.readNative(path.Join(dir, file), 0)
		if n != nil || err != nil {
			return n, err
		}
	}
	return nil, nil
}

// readNative reads a file and what it extends. nil: there is no such file, or
// it is about something else.
func (t *tree) readNative(file string, depth int) (*native, error) {
	text, table, doc, err := t.readTable(file)
	if table == nil || err != nil {
		return nil, err
	}
	if err := checkKeys(file, text, table, ""); err != nil {
		return nil, err
	}
	n := newNative(file, plainTable(table))
	if n.minor == 0 && path.Base(file) == pyproject {
		n.minor = requires(doc)
	}
	base, ok := table["extend"].(string)
	if !ok {
		return n, nil
	}
	if depth >= maxExtends {
		return nil, engine.Broken(file, 0, "it extends too many files")
	}
	parent, err := t.readNative(path.Join(path.Dir(file), base), depth+1)
	if err != nil {
		return nil, err
	}
	if parent == nil {
		return nil, engine.Broken(file, 0, "extend: there is no %s", base)
	}
	n.under(parent)
	return n, nil
}

// readTable reads the table of ruff's settings in a file, and the whole of it.
// nil: there is none.
func (t *tree) readTable(file string) (text []byte, table, doc object, err error) {
	text, err = fs.ReadFile(t.fs, file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	shared := path.Base(file) == pyproject
	doc = object{}
	if _, err := toml.Decode(string(text), &doc); err != nil {
		if shared && !strings.Contains(string(text), "tool.ruff") {
			return nil, nil, nil, nil
		}
		return nil, nil, nil, engine.BrokenBy(engine.Input{Path: file, Text: text}, err)
	}
	if !shared {
		return text, doc, doc, nil
	}
	tool, _ := doc["tool"].(object)
	table, _ = tool["ruff"].(object)
	return text, table, doc, nil
}

// newNative takes apart a table of settings.
func newNative(file string, table object) *native {
	n := &native{path: file, options: table}
	dir := path.Dir(file)
	if v, ok := table["target-version"].(string); ok {
		n.minor, _ = target(v)
	}
	for _, s := range stringsOf(table["src"]) {
		n.src = append(n.src, path.Join(dir, s))
	}
	lint, _ := table["lint"].(object)
	format, _ := table["format"].(object)
	for _, t := range []object{table, lint} {
		for _, key := range []string{"per-file-ignores", "extend-per-file-ignores"} {
			n.ignores = append(n.ignores, perFiles(dir, t[key])...)
			delete(t, key)
		}
	}
	n.versions = perFiles(dir, table["per-file-target-version"])
	for _, e := range []struct {
		of    int
		table object
		keys  []string
	}{{fromAll, table, []string{"exclude", "extend-exclude"}}, {fromLint, lint, []string{"exclude"}}, {fromFormat, format, []string{"exclude"}}} {
		for _, key := range e.keys {
			for _, s := range stringsOf(e.table[key]) {
				n.exclude[e.of] = append(n.exclude[e.of], newPattern(dir, s))
			}
			delete(e.table, key)
		}
	}
	// What is about files, output and fixing is not for the module.
	for _, key := range []string{
		"extend", "src", "per-file-target-version", "include", "extend-include", "extension", "cache-dir", "required-version", "output-format",
		"fix", "fix-only", "unsafe-fixes", "show-fixes", "respect-gitignore", "force-exclude", "namespace-packages",
	} {
		delete(table, key)
	}
	return n
}

// under lays n over what it extends.
func (n *native) under(base *native) {
	if n.minor == 0 {
		n.minor = base.minor
	}
	if n.src == nil {
		n.src = base.src
	}
	n.ignores = slices.Concat(base.ignores, n.ignores)
	n.versions = slices.Concat(base.versions, n.versions)
	for i := range n.exclude {
		n.exclude[i] = slices.Concat(base.exclude[i], n.exclude[i])
	}
	n.options = overlay(base.options, n.options)
}

// overlay returns base with what top sets. Lists of rules add up, unless top
// selects anew.
func overlay(base, top object) object {
	out := maps.Clone(base)
	_, anew := top["select"]
	for _, key := range []string{"extend-select", "ignore", "extend-ignore", "extend-fixable", "extend-unfixable", "extend-safe-fixes", "extend-unsafe-fixes"} {
		if anew {
			delete(out, key)
			continue
		}
		if have, more := stringsOf(base[key]), stringsOf(top[key]); len(have) > 0 && len(more) > 0 {
			top = maps.Clone(top)
			top[key] = listOf(slices.Concat(have, more))
		}
	}
	// The later of two contrary wishes counts.
	if again := stringsOf(top["extend-select"]); !anew && len(again) > 0 {
		ignored := slices.DeleteFunc(stringsOf(base["ignore"]), func(c string) bool { return slices.Contains(again, c) })
		if _, own := top["ignore"]; !own && len(stringsOf(base["ignore"])) > 0 {
			out["ignore"] = listOf(ignored)
		}
	}
	for key, v := range top {
		inner, ok := v.(object)
		if below, both := base[key].(object); ok && both {
			out[key] = overlay(below, inner)
			continue
		}
		out[key] = v
	}
	return out
}

// perFiles reads a table of patterns, in the order of their text: which of them
// match is all that counts.
func perFiles(dir string, v any) []perFile {
	table, _ := v.(object)
	var out []perFile
	for _, key := range slices.Sorted(maps.Keys(table)) {
		values := stringsOf(table[key])
		if one, ok := table[key].(string); ok {
			values = []string{one}
		}
		out = append(out, perFile{newPattern(dir, key), values})
	}
	return out
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func listOf(s []string) []any {
	out := make([]any, len(s))
	for i := range s {
		out[i] = s[i]
	}
	return out
}

// plainTable copies what TOML holds as the values JavaScript knows.
func plainTable(table object) object {
	out := make(object, len(table))
	for key, v := range table {
		out[key] = plainValue(v)
	}
	return out
}

func plainValue(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case object:
		return plainTable(v)
	case []object:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainTable(v[i])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	case bool, string, float64:
		return v
	}
	return fmt.Sprint(v)
}

// requiresIn returns the oldest Python that the nearest project above dir that
// names any requires; 0: none does.
func (t *tree) requiresIn(dir string) int {
	if minor, ok := t.required[dir]; ok {
		return minor
	}
	minor := 0
	if t.fs != nil {
		if text, err := fs.ReadFile(t.fs, path.Join(dir, pyproject)); err == nil {
			doc := object{}
			if _, err := toml.Decode(string(text), &doc); err == nil {
				minor = requires(doc)
			}
		}
	}
	if minor == 0 && dir != "." {
		minor = t.requiresIn(path.Dir(dir))
	}
	t.required[dir] = minor
	return minor
}

// requires reads project.requires-python as ruff does: the smallest version
// among those it names as equal or as a lower bound.
func requires(doc object) int {
	project, _ := doc["project"].(object)
	text, _ := project["requires-python"].(string)
	lowest := 0
	for spec := range strings.SplitSeq(text, ",") {
		spec = strings.TrimSpace(spec)
		version := strings.TrimLeft(spec, "=~>")
		if version == spec {
			continue
		}
		part := strings.SplitN(strings.TrimSpace(version), ".", 3)
		if len(part) < 2 {
			continue
		}
		minor, err := target(part[0] + "." + part[1])
		if err == nil && (lowest == 0 || minor < lowest) {
			lowest = minor
		}
	}
	return lowest
}

package dprint

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strconv"

	"poly/internal/engine"
)

// nativeNames are the files that the dprint command reads its settings from,
// the first found in a folder before the others.
var nativeNames = []string{"dprint.json", "dprint.jsonc", ".dprint.json", ".dprint.jsonc"}

// nearest returns the file that a folder of the tree, or the one above it that
// has any, is configured by; "" if there is none.
func nearest(tree fs.FS, dir string) (string, error) {
	for {
		for _, name := range nativeNames {
			file := path.Join(dir, name)
			fi, err := fs.Stat(tree, file)
			switch {
			case err == nil && fi.Mode().IsRegular():
				return file, nil
			case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
				return "", err
			}
		}
		if dir == "." {
			return "", nil
		}
		dir = path.Dir(dir)
	}
}

// read lays a configuration of dprint's under what poly.toml says, which has no
// table then: its layout, and the table of a plugin.
func (s *settings) read(plugin string) error {
	doc := object{}
	if err := json.Unmarshal(plainJSON(s.native.Text), &doc); err != nil {
		return engine.BrokenBy(s.native, err)
	}
	if doc["extends"] != nil {
		return engine.Skip(s.native.Path + " extends another file, which is not read: give poly.toml a table for dprint")
	}
	for _, k := range []struct {
		key  string
		sort func(v any) bool
	}{{"lineWidth", isWidth}, {"indentWidth", isWidth}, {"useTabs", is[bool]}, {"newLineKind", is[string]}} {
		v, ok := doc[k.key]
		if !ok {
			continue
		}
		if !k.sort(v) {
			return engine.Broken(s.native.Path, lineOf(s.native, k.key), "%s: %v", k.key, v)
		}
		s.global[k.key] = v
	}
	switch table := doc[plugin].(type) {
	case nil:
	case object:
		for key, v := range table {
			// These two are for the command.
			if key != "locked" && key != "associations" {
				s.plugin[key] = v
			}
		}
	default:
		return engine.Broken(s.native.Path, lineOf(s.native, plugin), "%s: not a table", plugin)
	}
	return nil
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

// isWidth reports whether a plugin takes v for a number of columns.
func isWidth(v any) bool {
	n, ok := v.(float64)
	return ok && n >= 0 && n <= 255*255 && n == float64(int(n))
}

// lineOf returns the line that a key is first written on; 0 if it is nowhere.
func lineOf(in engine.Input, key string) int {
	at := bytes.Index(in.Text, []byte(strconv.Quote(key)))
	if at < 0 {
		return 0
	}
	return in.Line(at)
}

// plainJSON blanks comments and commas before a closing bracket.
func plainJSON(text []byte) []byte {
	out := bytes.Clone(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	blank(0, len(out)-len(bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))))
	comma := -1
	for i := 0; i < len(text); {
		n := 1
		switch rest := text[i:]; {
		case rest[0] == '"':
			n = stringLen(rest)
		case bytes.HasPrefix(rest, []byte("//")):
			n = upTo(rest, "\n", 0)
			blank(i, i+n)
		case bytes.HasPrefix(rest, []byte("/*")):
			n = upTo(rest, "*/", len("*/"))
			blank(i, i+n)
		}
		switch text[i] {
		case ',':
			comma = i
		case '}', ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case ' ', '\t', '\r', '\n', '/':
		default:
			comma = -1
		}
		i += n
	}
	return out
}

// stringLen returns how long the string is that text starts with.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// upTo returns where the first end in text stands, and more; else its length.
func upTo(text []byte, end string, more int) int {
	if at := bytes.Index(text[1:], []byte(end)); at >= 0 {
		return 1 + at + more
	}
	return len(text)
}

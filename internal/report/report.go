// Package report writes what a run found, and any other answer of poly, in
// each of poly's output formats. It renders values it is given: it reads no
// file, looks at no environment and decides no exit code.
package report

import (
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/toon"
	"poly/internal/usererr"
)

// Options say for whom a document is written. The zero value suits a machine:
// paths from the root of the tree, no colour, no limit of width.
type Options struct {
	// Prefix is the working directory relative to the root of the tree,
	// slash-separated: "" at the root, else "a/b". Paths are shown relative to it.
	Prefix string
	Color  bool
	Width  int  // columns of the terminal; 0: unlimited
	Quiet  bool // findings and failures only, no summary
	// Verbose shows descriptions, links and metadata, and each skipped file.
	Verbose bool
	Debug   bool // what each engine did for each file
	// Diff writes the patches of the files and nothing else, so that the text
	// can be piped into git apply. It concerns the pretty format.
	Diff bool
}

// Format is one way to write a document. Both functions append to dst, which
// may be nil, and the result goes to stdout as it is.
type Format struct {
	Name string
	Doc  string // one sentence
	// Report writes the outcome of lint or fmt, as r.Verb says.
	Report func(dst []byte, r *diag.Report, o Options) ([]byte, error)
	// Object writes any other answer; nil if the format has no form for it.
	Object func(dst []byte, v Object, o Options) ([]byte, error)
}

// Pretty is the name of the format for people, the default on the command line.
const Pretty = "pretty"

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{
		{Name: Pretty, Doc: "Text for people at a terminal.", Report: appendPretty, Object: appendPrettyObject},
		{Name: "json", Doc: "One JSON document on one line.", Report: appendJSONLine, Object: appendJSONObjectLine},
		{Name: "toon", Doc: "The JSON document in the compact notation TOON.", Report: appendTOON, Object: appendTOONObject},
	}
}

// Find returns the format of that name, or an error that lists the names.
func Find(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	hint := "the formats are " + strings.Join(names, ", ")
	if near := usererr.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return Format{}, usererr.New("unknown-format", "unknown format "+strconv.Quote(name), hint)
}

// Structured reports whether the format is a document for machines: then notes
// for people belong on stderr (see [AppendNotes]).
func (f Format) Structured() bool { return f.Name != Pretty }

func appendJSONLine(dst []byte, r *diag.Report, o Options) ([]byte, error) {
	return append(AppendJSON(dst, r, o), '\n'), nil
}

func appendTOON(dst []byte, r *diag.Report, o Options) ([]byte, error) {
	return toTOON(dst, AppendJSON(nil, r, o))
}

func toTOON(dst, doc []byte) ([]byte, error) {
	text, err := toon.Encode(doc)
	if err != nil {
		return dst, err
	}
	return append(dst, text...), nil
}

// Relative returns a path from the root of the tree as seen from prefix, the
// working directory below that root ("" at the root).
func Relative(prefix, path string) string {
	if prefix == "" || prefix == "." {
		return path
	}
	ups := 1 + strings.Count(prefix, "/")
	rest := path
	for {
		dir, more, _ := strings.Cut(prefix, "/")
		after, below := strings.CutPrefix(rest, dir+"/")
		if !below {
			if rest == dir && ups == 1 {
				return "."
			}
			break
		}
		rest = after
		prefix = more
		if ups--; ups == 0 {
			return rest
		}
	}
	return strings.Repeat("../", ups) + rest
}

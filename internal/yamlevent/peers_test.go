package yamlevent

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/parser"
	libyaml "github.com/google/yamlfmt/pkg/yaml"
)

func goccyAccepts(text string) bool {
	_, err := parser.ParseBytes([]byte(text), 0)
	return err == nil
}

func libyamlAccepts(text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	d := libyaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		var n libyaml.Node
		if err := d.Decode(&n); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// peersRefuse are valid texts that other Go readers take for errors, and which do.
var peersRefuse = map[string]string{
	"...\n":                           "libyaml",
	"a\n---\nb\n...\nc\n...\n...\n":   "goccy libyaml",
	"%YAML 1.2\n---\na\n":             "libyaml",
	"%FUTURE x y\n--- a":              "libyaml",
	"--- |\n%x\n--- x\n":              "libyaml",
	"? a\n: b\n? - c\n: - d\n? e\n":   "goccy",
	": a\nb:\n":                       "goccy libyaml",
	"a:\tb\n\t\n\t# tab\nc: d\t# e\n": "goccy libyaml",
	"- \"a\\tb\\x41\\u00e9\\U0001F600\\/\\\"\\\\\\e\"":       "libyaml",
	"- \"\\ud83d\\ude00\"":                                   "libyaml",
	"a: |+ # c\n\n\nb: >-2\n    c\n  d\n":                    "goccy",
	"a: |#b\n  c\n":                                          "goccy",
	"{\"a\":1, 'b':2, [c]:3, {d: e}:4, \"f\" :5}":            "goccy",
	"{? a : b, ? c, ?d: e, : f}":                             "goccy libyaml",
	"[? a : b, : c]":                                         "goccy libyaml",
	"{a\n b: c, d\n :\n e}":                                  "goccy libyaml",
	"[a, b]: c\n{d: e}: f\n":                                 "goccy",
	"<<: *a\n*b: c":                                          "goccy libyaml",
	"[&a{b: c}, &d[e], *a]":                                  "goccy libyaml",
	"&a: b: c\nd: *a:\n":                                     "libyaml",
	"a: !!str\nb: !!binary |\n  AA==\nc: !<tag:x> d\ne: ! f": "goccy",
	"%TAG !u! tag:u,1:\n--- !u!1 &2\na: b\n--- !u!3\nc: d\n": "libyaml",
}

// peersAccept are invalid texts that other Go readers accept, and which do.
var peersAccept = map[string]string{
	"a: ,b":                        "goccy",
	"a: \"\\uzzzz\"":               "goccy",
	"a: \"\\U99999999\"":           "goccy",
	"a: |\n   \n  b\n":             "goccy",
	"{a: b: c}":                    "goccy",
	"[- a]":                        "goccy",
	"a: !x!y z":                    "goccy",
	"!<a b":                        "goccy",
	"a: \x01":                      "goccy",
	"a: &b{c: d}":                  "goccy",
	"a: *b,c":                      "goccy",
	"a: !!":                        "goccy",
	"a: !!\nb: c":                  "goccy",
	"%TAG !u! tag:u,1:\n--- !u!\n": "goccy",
	"a: !t\"x\"":                   "goccy",
	"a: !t|\n  x\n":                "goccy",
	"a: !\u00e9 b":                 "goccy",
	"a: !t%zz b":                   "goccy",
	"\x00":                         "goccy",
}

// TestPeers holds the parser against two other ones, with every disagreement
// listed: a valid text that all of them refuse, or an invalid one that none of
// them does, needs a look at the specification.
func TestPeers(t *testing.T) {
	t.Parallel()
	for _, tc := range streams {
		want, known := peersRefuse, "refused"
		valid := !invalid(tc.text, tc.want)
		if !valid {
			want, known = peersAccept, "accepted"
		}
		got := ""
		if goccyAccepts(tc.text) != valid {
			got = "goccy"
		}
		if libyamlAccepts(tc.text) != valid {
			got = strings.TrimSpace(got + " libyaml")
		}
		if got != want[tc.text] {
			t.Errorf("%q is %s by %q, listed %q", tc.text, known, got, want[tc.text])
		}
	}
}

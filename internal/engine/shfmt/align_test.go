package shfmt

import (
	"bytes"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/shellfile"
)

// layouts are pairs of texts that say the same.
func layouts() map[string]string {
	return map[string]string{
		"a  b;c\n":                                        "a b\nc\n",
		"if a ; then b\nfi\n":                             "if a; then\n\tb\nfi\n",
		"if a\nthen b; else c; fi\n":                      "if a; then b; else c; fi\n",
		"while a\ndo b\ndone\n":                           "while a; do\n\tb\ndone\n",
		"f ()\n{\n  a\n}\n":                               "f() {\n\ta\n}\n",
		"function f\n{\n  a\n}\n":                         "function f {\n\ta\n}\n",
		"a=`b $c`\n":                                      "a=$(b $c)\n",
		"a > b 2> c\n":                                    "a >b 2>c\n",
		"a \\\n  && b | \\\n c\n":                         "a &&\n\tb |\n\tc\n",
		"case a in (b) c; esac\n":                         "case a in\nb) c ;;\nesac\n",
		"case a in b|c)\n d;; esac\n":                     "case a in\nb | c)\n\td\n\t;;\nesac\n",
		"cat <<E;\n x\nE\na  b\n":                         "cat <<E\n x\nE\na b\n",
		"cat << E\n x\nE\n":                               "cat <<E\n x\nE\n",
		"cat <<-E\n\tx\n\tE\n":                            "cat <<-E\n\t\tx\nE\n",
		"a=( b  'c  d' # e\n  f )\n":                      "a=(b 'c  d' # e\n\tf)\n",
		"[[ ( a  == b )  && c =~ ^(d|e)$ ]]\n":            "[[ (a == b) && c =~ ^(d|e)$ ]]\n",
		"for ((i=0;i<3;i++)) ; do a; done\n":              "for ((i = 0; i < 3; i++)); do a; done\n",
		"a $((b+1)) \"$( c  \"d\" )\" ${e:-\"f\"} # g \n": "a $((b + 1)) \"$(c \"d\")\" ${e:-\"f\"} # g\n",
		"( a;b ) & c\n":                                   "(\n\ta\n\tb\n) &\nc\n",
	}
}

func TestAligned(t *testing.T) {
	t.Parallel()
	for before, after := range layouts() {
		if !aligned([]byte(before), []byte(after), syntax.LangBash) {
			t.Errorf("aligned(%q, %q) = false", before, after)
		}
		if err := Same([]byte(before), []byte(after)); err != nil {
			t.Errorf("Same(%q, %q) = %v: the test is wrong", before, after, err)
		}
	}
}

// TestAlignedChanged damages good results at every place: what is still taken
// for the original must be the same to the guard that parses it.
func TestAlignedChanged(t *testing.T) {
	t.Parallel()
	damages := []string{
		"", " ", "\n", ";", "\t", "\\\n", "(", ")", "'", "\"", "#", "$", "`", "{", "}", "|", "&", "<", ">", " then ", " do\n", "\nesac\n",
		";;", "[", "]", "=", "-", "2", "!", "\n#", " #", "<<E\n", "in",
	}
	var p shellfile.Parser
	for before, after := range layouts() {
		was, err := p.Parse([]byte(before), syntax.LangBash)
		if err != nil {
			t.Fatal(err)
		}
		for i := range after {
			for _, d := range damages {
				for _, rest := range []string{after[i:], after[i+1:]} {
					bad := after[:i] + d + rest
					if !aligned([]byte(before), []byte(bad), syntax.LangBash) {
						continue
					}
					is, err := p.Parse([]byte(bad), syntax.LangBash)
					if err == nil {
						err = sameTrees(was, is, []byte(before), []byte(bad))
					}
					if err != nil {
						t.Errorf("aligned(%q, %q) = true: %v", before, bad, err)
					}
				}
			}
		}
	}
}

// TestNotAligned: what looks like layout and is none.
func TestNotAligned(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ before, after string }{
		{"echo then\na\n", "echo then a\n"},
		{"a 2 >b\n", "a 2>b\n"},
		{"a 'b  c'\n", "a 'b c'\n"},
		{"a \"b  c\"\n", "a \"b c\"\n"},
		{"a ${b:-c  d}\n", "a ${b:-c d}\n"},
		{"a <(b)\n", "a<(b)\n"},
		{"m[a  b]=1\n", "m[a b]=1\n"},
		{"m=([a  b]=1)\n", "m=([a b]=1)\n"},
		{"[[ a =~ (b  c) ]]\n", "[[ a =~ (b c) ]]\n"},
		{"((a + +b))\n", "((a ++b))\n"},
		{"(a) && ( (b) )\n", "(a) && ((b))\n"},
		{"! (a)\n", "!(a)\n"},
		{"a=`b \\$c`\n", "a=$(b \\$c)\n"},
		{"a=`b # c`\n", "a=$(b # c)\n"},
		{"cat <<E\n\tx\nE\n", "cat <<E\nx\nE\n"},
		{"cat <<-E\n\ta \\\n\t\tb\n\tE\n", "cat <<-E\n\ta \\\n\tb\n\tE\n"},
		{"cat <<E\na \\\nE\nb  c\nE\n", "cat <<E\na \\\nE\nb c\nE\n"},
		{"a \\\n  # b \\\n  echo c\n", "a # b \\ echo c\n"},
		{"a # b  c\n", "a # b c\n"},
		{"\n", ";\n"},
		{"a\n", "a\n\x00b\n"},
		{"# shellcheck disable=SC2086\na $b\n", "a $b\n# shellcheck disable=SC2086\n"},
	} {
		if aligned([]byte(tc.before), []byte(tc.after), syntax.LangBash) {
			t.Errorf("aligned(%q, %q) = true", tc.before, tc.after)
		}
	}
	for _, tc := range [][]byte{[]byte("[[ a\n"), []byte("function a\n"), []byte("a $'b\\''\n")} {
		if aligned(append(bytes.Clone(tc), "b  c'\n"...), append(bytes.Clone(tc), "b c'\n"...), syntax.LangPOSIX) {
			t.Errorf("aligned(%q) = true: words of bash", tc)
		}
	}
	if aligned([]byte("a  b\n"), []byte("a b\n"), syntax.LangZsh) {
		t.Error("aligned in zsh = true")
	}
}

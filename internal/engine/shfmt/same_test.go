package shfmt

import (
	"bytes"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after, want string }{
		{"blanks", "a  b;c\n", "a b\nc\n", ""},
		{"back quotes", "a=`b \"\\`c\\`\"`\n", "a=$(b \"$(c)\")\n", ""},
		{"dashed document", "cat <<-E\n  x\n\ty\n\tE\n", "cat <<-E\n\t  x\n\t\ty\nE\n", ""},
		{"case without end", "case a in (b) c; esac\n", "case a in\nb) c ;;\nesac\n", ""},
		{"word lost", "a b c\n", "a b\n", "code changed"},
		{"word twice", "run it\n", "run it it\n", "code changed"}, //nolint:dupword // the point of it
		{"quotes lost", "a \"$b\"\n", "a $b\n", "code changed"},
		{"blank in quotes", "a 'b  c'\n", "a 'b c'\n", "code changed"},
		{"document", "cat <<E\n x\nE\n", "cat <<E\nx\nE\n", "code changed"},
		{"continued line of a document", "cat <<-E\n\ta \\\n\t\tb\n\tE\n", "cat <<-E\n\ta \\\n\tb\n\tE\n", "code changed"},
		{"quoted document", "cat <<-'E'\n\ta \\\n\t\tb\n\tE\n", "cat <<-'E'\n\ta \\\n\tb\n\tE\n", ""},
		{"key", "declare -A m\nm[a-b]=1\n", "declare -A m\nm[a - b]=1\n", "code changed"},
		{"unknown key", "echo ${m[a-b]}\n", "echo ${m[a - b]}\n", "code changed"},
		{"index", "m=(1 2)\necho ${m[1-1]}\n", "m=(1 2)\necho ${m[1 - 1]}\n", ""},
		{"comment lost", "a # b\n", "a\n", "comment"},
		{"comment changed", "a # b\n", "a # c\n", "comments changed"},
		{"directive moved", "# shellcheck disable=SC2086\na $b\nc $d\n", "a $b\n# shellcheck disable=SC2086\nc $d\n", "moved to another command"},
		{"directive moved into a block", "# shellcheck disable=SC2086\n{\n\ta $b\n}\n", "{\n\t# shellcheck disable=SC2086\n\ta $b\n}\n", "moved to another command"},
		{"directive stays", "# shellcheck disable=SC2086\n  a   $b\n", "# shellcheck disable=SC2086\na $b\n", ""},
		{"background", "a &\n", "a\n", "code changed"},
		{"operator", "a && b\n", "a || b\n", "code changed"},
		{"negation", "! a\n", "a\n", "code changed"},
		{"redirection", "a >b\n", "a >>b\n", "code changed"},
		{"expansion", "a ${b:-c}\n", "a ${b-c}\n", "code changed"},
		{"assignment", "a+=b\n", "a=b\n", "code changed"},
		{"does not parse", "a\n", "if a\n", "the result does not parse"},
		{"original does not parse", "if a\n", "if a\n", "the original does not parse"},
		{"test", "[[ -a b ]]\n", "[[ -e b ]]\n", ""},
		{"zsh", "#!/bin/zsh\na &>! b &!\n", "#!/bin/zsh\na &>|b &|\n", ""},
	} {
		err := Same([]byte(tc.before), []byte(tc.after))
		switch {
		case tc.want == "" && err != nil, tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("%s: Same(%q, %q) = %v, want %q", tc.name, tc.before, tc.after, err, tc.want)
		}
	}
}

// TestGuard prints without the work-arounds: the guard must see what they are for.
func TestGuard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"#!/bin/bash\ndeclare -A m\nm[foo-bar]=1\n",
		"#!/bin/bash\nm=([no-bold]=1)\ndeclare -A m\n",
		"f() {\n\tcat <<-E\n\ta \\\n\tb\n\tE\n}\n",
		"if true; then\n  echo a \\\n  # b \\\n  echo c\nfi\n",
	} {
		file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
		if err != nil {
			t.Fatal(err)
		}
		var bare bytes.Buffer
		if err := syntax.NewPrinter().Print(&bare, file); err != nil {
			t.Fatal(err)
		}
		if err := Same([]byte(text), bare.Bytes()); err == nil {
			t.Errorf("Same(%q, %q) = nil: a damage that is not seen", text, bare.Bytes())
		}
	}
}

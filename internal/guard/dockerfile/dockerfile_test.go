package dockerfile

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"poly/internal/guard"
)

const sample = "# syntax=docker/dockerfile:1\n# escape=\\\n\n# base\nFROM --platform=$P a:1 AS b\nENV K=\"v w\" L='x'\nLABEL m=n\n" +
	"RUN apt-get update \\\n    # more\n    && echo \"a  b\" \\\n    && true\nCOPY --from=b [\"c d\", \"/e\"]\n" +
	"RUN <<EOF\n  cd  /\nEOF\nONBUILD CMD [\"f\"]\nHEALTHCHECK --interval=5m CMD g || exit 1\n"

func TestLayoutIsFree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"keywords", "from a as b\nrun c", "FROM a AS b\nRUN c"},
		{"blanks", "FROM   a\nRUN b   c", "FROM a\nRUN b c"},
		{"continued", "RUN a \\\n  && b", "RUN a \\\n    && b"},
		{"joined", "RUN \\\n  a", "RUN a"},
		{"lists", `CMD [ "a","b" ]`, `CMD ["a", "b"]`},
		{"old form", "ENV a b c", `ENV a="b c"`},
		{"escaped blank", `ENV a=b\ c`, `ENV a="b c"`},
		{"comments in an instruction", "RUN a \\\n  # x\n  b", "# x\nRUN a \\\n  b"},
		{"comment", "#a", "# a"},
		{"indented", "  RUN a", "RUN a"},
		{"blank lines", "FROM a\n\n\nRUN b \\\n\n  c", "FROM a\n\nRUN b \\\n  c"},
		{"CRLF", "FROM a\r\nRUN b \\\r\n c\r\n", "FROM a\nRUN b \\\n c\n"},
		{"other escape", "# escape=`\nRUN a `\n  b\nCOPY c\\ d", "# escape=`\nRUN a `\n    b\nCOPY c\\ d"},
		{"health", "healthcheck --a=b   cmd c", "HEALTHCHECK --a=b \\\n  CMD c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := Same([]byte(c.before), []byte(c.after)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after string }{
		{"quoted blanks", `RUN echo "a  b"`, `RUN echo "a b"`},
		{"quoted lines", "RUN echo \"a\\\n   b\"", "RUN echo \"a\\\n b\""},
		{"words become one", "RUN a \\\nb", "RUN a\\\nb"},
		{"no list any more", `CMD ["a"]`, `CMD ['a']`},
		{"a list that was none", `CMD ['a']`, `CMD ["a"]`},
		{"a directive becomes a comment", "# escape=`\nFROM a", "\n# escape=`\nFROM a"},
		{"a comment becomes a directive", "# x\n# escape=`\nFROM a", "# escape=`\n# x\nFROM a"},
		{"a comment goes", "# a\nRUN b", "RUN b"},
		{"a comment moves", "# a\nRUN b\nRUN c", "RUN b\n# a\nRUN c"},
		{"the indentation of a comment", "#   a", "# a"},
		{"a variable that was quoted", `ENV a='$b'`, `ENV a="$b"`},
		{"a value", `ENV a=b\ c`, `ENV a=b c`},
		{"a value in two", "ENV A=b \\\n  C=d", "ENV A=b \\\n  C =d"},
		{"a here-document", "RUN <<E\n  a\nE", "RUN <<E\na\nE"},
		{"the end of a here-document", "RUN <<-E\n\ta\n\tE\n", "RUN <<-E\n\ta\n\tF\n\tE\n"},
		{"an escape at the end", "RUN a \\\n&& b", "RUN a\n&& b"},
		{"a flag", "COPY --from=a b c", "COPY --from=b b c"},
		{"an escaped blank", `COPY a\ b c`, `COPY a b c`},
		{"an instruction comes", "FROM a", "FROM a\nRUN b"},
		{"the case of a word", "RUN a", "RUN A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if Same([]byte(c.before), []byte(c.after)) == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestNotJudged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"RUN <<E\na\n", "a\xff", "# escape=x\nFROM a"} {
		if _, ok := errors.AsType[*guard.CannotJudge](Same([]byte(text), []byte("FROM a"))); !ok {
			t.Errorf("judged: %q", text)
		}
		if _, ok := errors.AsType[*guard.Broken](Same([]byte("FROM a"), []byte(text))); !ok {
			t.Errorf("not broken: %q", text)
		}
	}
}

// TestMutations takes a character away, doubles it or puts another in its place:
// the guard must say so.
func TestMutations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 4000 {
		i := r.IntN(len(sample))
		if strings.IndexByte("# \n\\\"'", sample[i]) >= 0 {
			continue
		}
		got := sample[:i] + sample[i+1:]
		switch r.IntN(3) {
		case 0:
			got = sample[:i] + string(sample[i]) + sample[i:]
		case 1:
			got = sample[:i] + "_" + sample[i+1:]
		}
		if Same([]byte(sample), []byte(got)) == nil || Same([]byte(got), []byte(sample)) == nil {
			t.Fatalf("offset %d: accepted:\n%s", i, got)
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add(sample, "FROM a")
	f.Add("# escape=`\nRUN a `\n", "ONBUILD onbuild Onbuild oNBUILD a")
	f.Fuzz(func(t *testing.T, before, after string) {
		_ = Same([]byte(before), []byte(after))
		err := Same([]byte(before), []byte(before+"\n"))
		if _, ok := errors.AsType[*guard.Difference](err); ok && !strings.HasSuffix(before, "\\") && !strings.HasSuffix(before, "`") {
			t.Errorf("a line ending at the end is a difference: %v", err)
		}
	})
}

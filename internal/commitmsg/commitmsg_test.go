package commitmsg_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/commitmsg"
	"poly/internal/diag"
)

func checker(tb testing.TB, o commitmsg.Options) *commitmsg.Checker {
	tb.Helper()
	c, err := commitmsg.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func codes(r commitmsg.Result) string {
	var out []string
	for _, d := range r.Diagnostics {
		out = append(out, d.Code)
	}
	return strings.Join(out, " ")
}

const long = "a line that is much longer than what anybody would want to read in the log of a project, or in a mail on a phone"

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, want string
		o                commitmsg.Options
		g                commitmsg.Git
	}{
		{name: "good", text: "feat(parser)!: read byte order marks\n\nBecause they are there.\n\nSigned-off-by: A <a@example.org>\n"},
		{name: "empty", text: "\n# comment\n", want: "empty-message"},
		{name: "no type", text: "a parser\n", want: "type-empty"},
		{name: "no type but a colon", text: ": a parser\n", want: "type-empty"},
		{name: "unknown type", text: "feet: a parser\n", want: "type-enum"},
		{name: "type in capitals", text: "Feat: a parser\n", want: "type-case"},
		{name: "unknown type in capitals", text: "Feet: a parser\n", want: "type-case type-enum"},
		{name: "own types", text: "feet: a parser\n", o: commitmsg.Options{Types: []string{"feet"}}},
		{name: "no subject", text: "feat:\n", want: "subject-empty"},
		{name: "no space", text: "feat:a parser\n", want: "title-format"},
		{name: "empty scope", text: "feat(): a parser\n", want: "scope-enum"},
		{name: "scope", text: "feat(lexer): a parser\n", want: "scope-enum", o: commitmsg.Options{Scopes: []string{"parser"}}},
		{name: "scopes", text: "feat(lexer,parser): a parser\n", o: commitmsg.Options{Scopes: []string{"parser", "lexer"}}},
		{name: "full stop", text: "feat: a parser.\n", want: "subject-full-stop"},
		{name: "ellipsis", text: "feat: a parser...\n"},
		{name: "sentence", text: "feat: Add a parser\n", want: "subject-case"},
		{name: "sentence with a name", text: "feat: GitHub login\n"},
		{name: "start", text: "feat: Add Parser\n", want: "subject-case"},
		{name: "pascal", text: "feat: AddParser\n", want: "subject-case"},
		{name: "upper", text: "feat: ADD A PARSER\n", want: "subject-case"},
		{name: "a version", text: "chore: 1.0.0-RC1\n"},
		{name: "another script", text: "feat: Добавить парсер\n"},
		{name: "umlaut", text: "feat: Übersetzung\n"},
		{name: "long title", text: "feat: " + long + "\n", want: "title-max-length"},
		{name: "long title in characters", text: "feat: " + strings.Repeat("é", 94) + "\n"},
		{name: "long body", text: "feat: x y\n\n" + long + "\n", want: "body-max-line-length"},
		{name: "long URL", text: "feat: x y\n\nsee https://example.org/" + strings.Repeat("a b", 40) + "\n"},
		{name: "long code", text: "feat: x y\n\n    " + long + "\n\n```\n" + long + "\n```\n"},
		{name: "long footer", text: "feat: x y\n\nRefs: " + long + "\n", want: "footer-max-line-length"},
		{name: "long name", text: "feat: x y\n\nCo-authored-by: " + long + " <a@b.c>\n"},
		{name: "no blank", text: "feat: x y\nbody\n", want: "body-leading-blank"},
		{name: "footer without blank", text: "feat: x y\n\nbody\nSigned-off-by: A <a@b.c>\n", want: "footer-leading-blank"},
		{name: "footer below the title", text: "feat: x y\nSigned-off-by: A <a@b.c>\n", want: "footer-leading-blank"},
		{name: "prose with a colon", text: "feat: x y\n\nthe following\nNote: it works\n"},
		{name: "breaking in small letters", text: "feat: x y\n\nBreaking change: a b\n", want: "breaking-change-case"},
		{name: "breaking in prose", text: "feat: x y\n\nThis is a\nbreaking change: run the script\n"},
		{name: "breaking without words", text: "feat: x y\n\nBREAKING CHANGE:\n", want: "breaking-change-empty"},
		{name: "breaking on the next line", text: "feat: x y\n\nBREAKING CHANGE:\nthe flag is gone\n"},
		{name: "body wanted", text: "feat: x y\n\nSigned-off-by: A <a@b.c>\n", want: "body-empty", o: commitmsg.Options{Preset: "conventional-body"}},
		{name: "body there", text: "feat: x y\n\nbody\n", o: commitmsg.Options{RequireBody: true}},
		{name: "simple", text: "Add a parser\n", o: commitmsg.Options{Preset: "simple"}},
		{name: "simple with body", text: "Add a parser\n\nbody\n", want: "single-line", o: commitmsg.Options{Preset: "simple-single-line"}},
		{name: "simple without letter", text: "123\n", want: "message-pattern", o: commitmsg.Options{Preset: "simple"}},
		{name: "single line and conventional", text: "feat: x y\n\nbody\n", want: "single-line", o: commitmsg.Options{SingleLine: true}},
		{name: "pattern", text: "ABC-1 Add.\n\nbody\n", o: commitmsg.Options{Pattern: `^ABC-\d+ .+$`}},
		{name: "pattern fails", text: "Add\n", want: "message-pattern", o: commitmsg.Options{Pattern: `^ABC-\d+ .+$`}},
		{name: "excluded", text: "feat: wip parser\n", want: "excluded", o: commitmsg.Options{Excludes: []commitmsg.Exclude{{Pattern: `(?i)\bwip\b`, Message: "no"}}}},
		{name: "emoji", text: "feat: ✨ sparkle\n", want: "no-emojis", o: commitmsg.Options{NoEmojis: true}},
		{name: "umlaut is no emoji", text: "feat: für alle ½\n", o: commitmsg.Options{NoEmojis: true}},
		{name: "ascii", text: "feat: für alle\n", want: "ascii-only", o: commitmsg.Options{ASCIIOnly: true}},
		{name: "prefix", text: "JIRA * feat: x y\n", o: commitmsg.Options{TitlePrefix: commitmsg.Affix{Text: "JIRA", Separator: " * "}}},
		{name: "no prefix", text: "feat: x y\n", want: "title-prefix", o: commitmsg.Options{TitlePrefix: commitmsg.Affix{Text: "JIRA", Separator: " * "}}},
		{name: "no suffix", text: "feat: x y\n", want: "title-suffix", o: commitmsg.Options{TitleSuffix: commitmsg.Affix{Text: "[ci]", Separator: " "}}},
		{name: "Claude", text: "feat: x y\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n", want: "ai-trailer"},
		{name: "Claude of a model", text: "feat: x y\n\nCo-authored-by: Claude Opus 4.1 <x@y.z>\n", want: "ai-trailer"},
		{name: "a person called Claude", text: "feat: x y\n\nCo-authored-by: Claude Monet <claude@giverny.fr>\nCo-authored-by: Devin <1+devin@users.noreply.github.com>\n"},
		{name: "GPT", text: "feat: x y\n\nCo-authored-by: GPT-5 <a@b.c>\n", want: "ai-trailer"},
		{name: "Copilot", text: "feat: x y\n\nCo-authored-by: Copilot <1+Copilot@users.noreply.github.com>\n", want: "ai-trailer"},
		{name: "not an author", text: "feat: x y\n\nAssisted-by: Claude\nReviewed-by: Claude\n"},
		{name: "dependabot", text: "feat: x y\n\nCo-authored-by: dependabot[bot] <4+dependabot[bot]@users.noreply.github.com>\n"},
		{name: "notice", text: "feat: x y\n\n🤖 Generated with [Claude Code](https://claude.ai/code)\n", want: "ai-notice"},
		{name: "plain notice", text: "feat: x y\n\nGenerated with Claude Code\n", want: "ai-notice"},
		{name: "what a tool generated", text: "feat: x y\n\nGenerated by protoc.\ngenerated with gemini constellation data\n"},
		{name: "allowed", text: "feat: x y\n\n🤖 Generated with x\n\nCo-Authored-By: Claude\n", o: commitmsg.Options{AllowAI: true}},
		{name: "cleanup", text: "feat: a  b\n", want: "cleanup", o: commitmsg.Options{Cleanups: []commitmsg.Cleanup{{Find: "  ", Replace: " "}}}},
		{name: "comments", text: "# Feat: x\nfeat: x y\n# " + long + "\n"},
		{name: "own comment string", text: "feat: x y\n\n;; " + long + "\n", g: commitmsg.Git{Comment: ";;"}},
		{name: "hash is text then", text: "feat: x y\n\n# " + long + "\n", want: "body-max-line-length", g: commitmsg.Git{Comment: ";"}},
		{name: "scissors", text: "feat: x y\n# " + dashes + " >8 " + dashes + "\n# below\ndiff --git\n+" + long + "\n"},
		{name: "scissors with CRLF", text: "feat: x y\r\n# " + dashes + " >8 " + dashes + "\r\n+" + long + "\r\n"},
		{name: "not the scissors", text: "feat: x y\n\n#" + dashes + " >8 " + dashes + "\n\n" + long + "\n", want: "body-max-line-length"},
		{name: "auto", text: "feat: x y\n\n#1 is closed\n\n; Please enter\n; " + long + "\n", g: commitmsg.Git{Comment: "auto"}},
		{name: "auto with scissors", text: "feat: x y\n\n#1 is closed\n@ " + dashes + " >8 " + dashes + "\n" + long + "\n", g: commitmsg.Git{Comment: "auto"}},
		{name: "commit -m with a hash", text: "#12 is closed\n", want: "type-empty", g: commitmsg.Git{Unedited: true}},
		{name: "git's notes are none of it", text: "feat: x y\n\n# " + long + "\n", g: commitmsg.Git{Unedited: true}},
		{name: "verbatim", text: "feat: x y\n# " + long + "\n\nb\n", want: "body-leading-blank body-max-line-length", g: commitmsg.Git{Cleanup: "verbatim"}},
		{name: "CRLF", text: "feat: x y\r\n\r\nbody\r\n"},
		{name: "byte order mark", text: "\xef\xbb\xbffeat: x y\n"},
		{name: "latin1", text: "feat: gr\xfc\xdfe an alle\n\nK\xf6nig\n"},
		{name: "no final line end", text: "feat: x y"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := checker(t, tc.o).Check([]byte(tc.text), tc.g)
			if got := codes(r); got != tc.want || r.Ignored != "" {
				t.Errorf("Check(%q) = %q %q, want %q", tc.text, got, r.Ignored, tc.want)
			}
		})
	}
}

var dashes = strings.Repeat("-", 24)

func TestIgnored(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"fixup! feat: x": "fixup", "squash! x": "squash", "amend! x": "amend", `Revert "feat: x"`: "revert", `Reapply "x"`: "revert",
		"Merge branch 'a' into b": "merge", "Merge pull request #3 from a/b": "merge", "Merge tag 'v1'": "merge", "Merge main into topic": "merge",
		"Merge remote-tracking branch 'origin/main'": "merge", "Merge the two parsers into one": "", "fixup the parser": "", "Revert the parser": "", "WIP: x": "ignores has `^WIP`",
	} {
		c := checker(t, commitmsg.Options{Ignores: []string{"^WIP"}})
		if r := c.Check([]byte(title+"\n"), commitmsg.Git{}); r.Ignored != want {
			t.Errorf("%q is ignored: %q, want %q", title, r.Ignored, want)
		}
		strict := checker(t, commitmsg.Options{NoDefaultIgnores: true})
		if r := strict.Check([]byte(title+"\n"), commitmsg.Git{}); r.Ignored != "" || !r.Failed() {
			t.Errorf("%q is not judged though nothing is ignored: %v", title, r)
		}
	}
	if r := checker(t, commitmsg.Options{}).Check([]byte("anything\n"), commitmsg.Git{Merging: true}); r.Ignored != "merge" {
		t.Errorf("the message of a merge is judged: %v", r)
	}
}

func TestSpans(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf# note\r\n\r\nfeat: é is a parser.\r\n\r\nwip\r\n"
	c := checker(t, commitmsg.Options{Excludes: []commitmsg.Exclude{{Pattern: "wip"}}})
	var got []string
	for _, d := range c.Check([]byte(text), commitmsg.Git{}).Diagnostics {
		got = append(got, text[d.Span.Start:d.Span.End])
		if d.Code == "subject-full-stop" && (d.Span.StartLine != 3 || d.Span.StartCol != 20) {
			t.Errorf("full stop at %d:%d, want 3:20", d.Span.StartLine, d.Span.StartCol)
		}
	}
	if diff := cmp.Diff([]string{".", "wip"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	ai := "🤖 Generated with [Claude Code](https://claude.ai/code)\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n"
	for _, tc := range []struct {
		name, text, want string
		o                commitmsg.Options
		g                commitmsg.Git
	}{
		{name: "nothing", text: "feat: x y\n\nbody\n\n# note\n", want: "feat: x y\n\nbody\n\n# note\n"},
		{name: "nothing without final line end", text: "feat: x y", want: "feat: x y"},
		{name: "comment between blank lines", text: "feat: x y\n\n# note\n\nbody\n# end", want: "feat: x y\n\n# note\n\nbody\n# end"},
		{name: "agent", text: "feat: x y\n\nbody\n\n" + ai, want: "feat: x y\n\nbody\n"},
		{name: "agent above notes", text: "feat: x y\n\n" + ai + "\n# note\n#\n", want: "feat: x y\n\n# note\n#\n"},
		{name: "agent beside a person", text: "feat: x y\n\nSigned-off-by: A <a@b.c>\nCo-Authored-By: Claude <noreply@anthropic.com>\nReviewed-by: B <b@b.c>\n", want: "feat: x y\n\nSigned-off-by: A <a@b.c>\nReviewed-by: B <b@b.c>\n"},
		{name: "layout", text: "\n\nFeat:x y.  \nbody \t\n\n\n\nmore\nSigned-off-by: A <a@b.c>\n\n\n# note  \n", want: "feat: x y\n\nbody\n\nmore\n\nSigned-off-by: A <a@b.c>\n\n# note  \n"},
		{name: "CRLF", text: "feat: x y\r\n\r\nbody\r\n# note\r\n", want: "feat: x y\n\nbody\n# note\r\n"},
		{name: "scissors", text: "feat: x y \n# " + dashes + " >8 " + dashes + "\n+a \r\n\n\n\n+b", want: "feat: x y\n# " + dashes + " >8 " + dashes + "\n+a \r\n\n\n\n+b"},
		{name: "cleanup", text: "feat: x y (#12)\n# (#12)\n\nb (#12)\n", want: "feat: x y\n# (#12)\n\nb\n", o: commitmsg.Options{Cleanups: []commitmsg.Cleanup{{Find: ` \(#\d+\)`}}}},
		{name: "groups", text: "feat: x y [T-1]", want: "feat: T-1 x y", o: commitmsg.Options{Cleanups: []commitmsg.Cleanup{{Find: `^feat: (.*) \[(.*)\]`, Replace: "feat: $2 $1"}}}},
		{name: "a message does not vanish", text: "feat: x y\n", want: "feat: x y\n", o: commitmsg.Options{Cleanups: []commitmsg.Cleanup{{Find: `(?s).*`}}}},
		{name: "affixes", text: "feat: x y\n", want: "A * feat: x y B\n", o: commitmsg.Options{TitlePrefix: commitmsg.Affix{Text: "A", Separator: " * "}, TitleSuffix: commitmsg.Affix{Text: "B", Separator: " "}}},
		{name: "ignored", text: "fixup! x  \n\n\n" + ai, want: "fixup! x  \n\n\n" + ai},
		{name: "verbatim", text: "feat: x y  \n", want: "feat: x y  \n", g: commitmsg.Git{Cleanup: "verbatim"}},
		{name: "byte order mark", text: "\xef\xbb\xbffeat: x y  \n", want: "\xef\xbb\xbffeat: x y\n"},
		{name: "comments alone", text: "# a  \n\n\n", want: "# a  \n\n\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := checker(t, tc.o)
			got := string(c.Clean([]byte(tc.text), tc.g))
			if got != tc.want {
				t.Errorf("Clean = %q, want %q", got, tc.want)
			}
			if again := string(c.Clean([]byte(got), tc.g)); again != got {
				t.Errorf("Clean of that = %q", again)
			}
			for _, d := range c.Check([]byte(got), tc.g).Diagnostics {
				if len(d.Fix) > 0 {
					t.Errorf("%s is left to be fixed", d.Code)
				}
			}
		})
	}
}

// FuzzClean: what git drops stays as it is, byte by byte; the result is
// settled; no text makes it panic or lose a word of a message without faults.
func FuzzClean(f *testing.F) {
	f.Add("feat: x\n\n# note\nbody\n\n\n# "+dashes+" >8 "+dashes+"\nx \n", false)
	f.Add("\xef\xbb\xbf\r\nFeat:x\r\n# a\r\n\r\nbreaking-change: a\n", true)
	f.Add("x\nCo-Authored-By: Claude\n#\n \n", true)
	f.Fuzz(func(t *testing.T, text string, unedited bool) {
		c := checker(t, commitmsg.Options{Cleanups: []commitmsg.Cleanup{{Find: "wip ?", Replace: ""}}})
		g := commitmsg.Git{Unedited: unedited}
		out := string(c.Clean([]byte(text), g))
		if again := string(c.Clean([]byte(out), g)); again != out {
			t.Fatalf("Clean(%q) = %q, then %q", text, out, again)
		}
		if a, b := comments(text), comments(out); !unedited && !slices.Equal(a, b) {
			t.Fatalf("comments %q became %q", a, b)
		}
		for _, d := range c.Check([]byte(text), g).Diagnostics {
			if d.Severity == diag.SeverityUnset || d.Title == "" || d.Span == nil || d.Span.StartLine == 0 {
				t.Fatalf("not a whole finding: %+v", d)
			}
		}
	})
}

func comments(text string) []string {
	var out []string
	for l := range strings.Lines(strings.TrimPrefix(text, "\xef\xbb\xbf")) {
		if strings.HasPrefix(l, "#") {
			out = append(out, strings.TrimRight(l, "\n"))
		}
	}
	return out
}

func TestRulesAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range commitmsg.Rules() {
		if r.Code == "" || r.Severity == diag.SeverityUnset || len(r.Doc) < 20 || seen[r.Code] {
			t.Errorf("not a whole rule: %+v", r)
		}
		seen[r.Code] = true
	}
}

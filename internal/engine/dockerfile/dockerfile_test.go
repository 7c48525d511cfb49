package dockerfile

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// run lints a text with every rule on.
func run(tb testing.TB, text string, in ...engine.Input) ([]diag.Diagnostic, error) {
	tb.Helper()
	sel, err := engine.NewSelection(&Engine.Spec, engine.Picks{Select: []string{engine.AllCodes}})
	if err != nil {
		tb.Fatal(err)
	}
	b, err := Engine.Bind(tb.Context(), engine.Env{Lang: lang.Dockerfile, Rules: sel, Options: config.Values{}})
	if err != nil {
		tb.Fatalf("Bind: %v", err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	d, err := w.Lint(tb.Context(), engine.Source{Path: "Dockerfile", Lang: lang.Dockerfile, Text: []byte(text), Inputs: in})
	for _, x := range d {
		if s := x.Span; s.Start < 0 || s.End < s.Start || s.End > len(text) {
			tb.Errorf("Lint(%.80q): span %d-%d of %q is not inside %d bytes", text, s.Start, s.End, x.Title, len(text))
		}
		if !utf8.ValidString(x.Title) || strings.Contains(x.Title, "\n") {
			tb.Errorf("Lint(%.80q): title %q", text, x.Title)
		}
	}
	return d, err
}

// TestSpans: what is reported is the word itself, wherever the line goes on.
func TestSpans(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, code, want string }{
		{"plain", "FROM a:1\nRUN cd /x", "DL3003", "cd"},
		{"continued", "FROM a:1\nRUN make \\\n  && cd /x", "DL3003", "cd"},
		{"comment between", "FROM a:1\nRUN make \\\n  # cd\n\n  && cd /x", "DL3003", "cd"},
		{"blanks behind the mark", "FROM a:1\nRUN make \\ \t\n  && \\\n cd /x", "DL3003", "cd"},
		{"word across lines", "FROM a:1\nRUN apt-get install -y ab\\\ncd", "DL3008", "ab\\"},
		{"CRLF", "FROM a:1\r\nRUN make \\\r\n  && sudo x\r\n", "DL3004", "sudo"},
		{"mark", "\ufeffFROM abc\n", "DL3006", "abc"},
		{"indented", "  FROM a:1\n\t RUN \t sudo x", "DL3004", "sudo"},
		{"flags", "FROM a:1\nRUN --mount=type=cache,target=/a --network=none  sudo x", "DL3004", "sudo"},
		{"onbuild", "FROM a:1\nONBUILD RUN make && sudo x", "DL3004", "sudo"},
		{"heredoc", "FROM a:1\nRUN <<EOF\nmake\nsudo x\nEOF\n", "DL3004", "sudo"},
		{"second heredoc", "FROM a:1\nRUN cat <<A && sh <<B\nx\nA\necho\nB\nRUN sudo x", "DL3004", "sudo"},
		{"exec form", "FROM a:1\nRUN [\"sudo\", \"x\"]", "DL3004", "RUN"},
		{"directive", "# escape=`\nFROM a:1\nWORKDIR `\n  app", "DL3000", "app"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := run(t, tc.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range d {
				if x.Code == tc.code {
					if got := tc.text[x.Span.Start:x.Span.End]; got != tc.want {
						t.Errorf("Lint(%q): %s at %q, want %q", tc.text, tc.code, got, tc.want)
					}
					return
				}
			}
			t.Errorf("Lint(%q) does not report %s: %v", tc.text, tc.code, d)
		})
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 60_000
	for _, tc := range []struct{ name, text, skip string }{
		{"onbuild", "FROM a\n" + strings.Repeat("ONBUILD ", 900) + "RUN x", ""},
		{"many onbuild", strings.Repeat("ONBUILD ", n), "more than 1000 ONBUILD"},
		{"subshells", "FROM a\nRUN " + strings.Repeat("(", n), ""},
		{"substitutions", "FROM a\nRUN echo " + strings.Repeat("$(", n/2) + strings.Repeat(")", n/2), ""},
		{"ifs", "FROM a\nRUN " + strings.Repeat("if ", n/3), ""},
		{"long script", "FROM a\nRUN echo \\\n" + strings.Repeat(strings.Repeat("x", 1000)+"\\\n", 200) + "y", "longer than 128 KiB"},
		{"large", "FROM a\n" + strings.Repeat("# x\n", 1<<18), "larger than 1 MiB"},
		{"long line", "FROM a\nENV A=" + strings.Repeat("x", 1<<17), ""},
		{"many stages", strings.Repeat("FROM a AS b\nRUN apt-get update | x\n", n/4), ""},
		{"many pairs", "FROM a\nENV " + strings.Repeat("A=$B ", 4000), ""},
		{"many continued", "FROM a\nRUN x " + strings.Repeat("\\\n", n) + "y", ""},
		{"zero", strings.Repeat("\x00", n), ""},
		{"not UTF-8", "FROM \xff\nRUN sudo \xfe\nLABEL \xfd=1\n\xfc", ""},
		{"heredocs", "FROM a\nRUN " + strings.Repeat("<<A ", 5000) + "\nA\n", ""},
		{"mark alone", "\ufeff", "no instructions"},
		{"empty", "", "no instructions"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := run(t, tc.text)
			reason, skipped := engine.SkipReason(err)
			if skipped != (tc.skip != "") || !strings.Contains(reason, tc.skip) || err != nil && !skipped {
				t.Errorf("Lint = %v, want a skip with %q", err, tc.skip)
			}
		})
	}
}

func TestNativeFails(t *testing.T) {
	t.Parallel()
	_, err := run(t, "FROM a:1\n", engine.Input{Path: ".hadolint.yaml", Text: []byte("ignored: [")})
	if _, skipped := engine.SkipReason(err); err == nil || skipped || !strings.Contains(err.Error(), ".hadolint.yaml") {
		t.Errorf("a broken .hadolint.yaml: %v", err)
	}
}

// TestEveryRuleIsRun: the table of documents and the table of checks agree.
func TestEveryRuleIsRun(t *testing.T) {
	t.Parallel()
	all := checks()
	if len(all) != len(rules)-1 {
		t.Fatalf("%d checks, %d rules", len(all), len(rules))
	}
	for i, c := range all {
		if rules[i+1].Code != c.code {
			t.Errorf("check %d is %s, rule %s", i, c.code, rules[i+1].Code)
		}
	}
}

func FuzzLint(f *testing.F) {
	for _, s := range []string{
		"FROM a AS b\nRUN --mount=type=cache,target=/x apt-get install a \\\n # c\n && cd b | c\n", "# escape=`\nFROM a\nCOPY a b c`\n\nUSER x",
		"FROM a\nRUN <<-EOF cat\n\tx\n\tEOF\nONBUILD ADD x y", "FROM a\nENV a=b c=\"$a\"\nLABEL \"a b\"=c\nCMD [\"a\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := run(t, text); err != nil && !errors.As(err, new(*engine.SkipError)) {
			t.Errorf("Lint(%q): %v", text, err)
		}
	})
}

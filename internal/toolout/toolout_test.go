package toolout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes findings one a line.
func show(found []Finding) string {
	var b strings.Builder
	for _, f := range found {
		at := "-"
		if s := f.Span; s != nil {
			at = fmt.Sprintf("%d:%d-%d:%d", s.StartLine, s.StartCol, s.EndLine, s.EndCol)
		}
		fmt.Fprintf(&b, "%s %s %s/%s %s %q\n", f.Path, at, f.Engine, f.Code, f.Severity, f.Title)
	}
	return b.String()
}

func TestReaders(t *testing.T) {
	t.Parallel()
	msg := `{"reason":"compiler-message","message":{"level":"error","message":"useless use of vec","rendered":"error: useless\n","code":{"code":"clippy::useless_vec"},"spans":[{"file_name":"lib.rs","byte_start":1,"byte_end":2,"line_start":9,"line_end":9,"column_start":9,"column_end":9,"is_primary":false},{"file_name":"src/main.rs","byte_start":40,"byte_end":52,"line_start":3,"line_end":3,"column_start":13,"column_end":25,"is_primary":true}],"children":[{"level":"help","message":"use an array"}]}}` + "\n"
	for _, tc := range []struct {
		name, text, want, rest string
		read                   func([]byte) ([]Finding, string)
	}{
		{"cargo", `{"reason":"compiler-artifact"}` + "\n" + msg + msg + `{"reason":"compiler-message","message":{"level":"error","message":"aborting due to 1 previous error","rendered":"error: aborting\n","spans":[]}}` + "\nplain\n{broken\n", `src/main.rs 3:13-3:25 clippy/clippy::useless_vec error "useless use of vec"` + "\n", "error: useless\nerror: aborting\nplain\n{broken\n", Cargo},
		{"cargo, a message of no file", `{"reason":"compiler-message","message":{"level":"error","message":"linking with cc failed","rendered":"e\n","spans":[]}}`, ` - rustc/ error "linking with cc failed"` + "\n", "e\n", Cargo},
		{"cargo, nothing", "", "", "", Cargo},
		{"vet", "# x\n{\n\"x\": {\"printf\": [{\"posn\": \"/t/b.go:5:27\", \"end\": \"/t/b.go:5:29\", \"message\": \"m\"}, {\"posn\": \"/t/a.go:7\", \"message\": \"n\"}]}\n}\n# y\n{\"y\": {\"z\": {\"error\": \"boom\"}}}\nvet: b.go:2: bad\n", " - go vet/z error \"the analyzer failed\"\n/t/a.go 7:1-7:1 go vet/printf error \"n\"\n/t/b.go 5:27-5:29 go vet/printf error \"m\"\n", "# x\n# y\nvet: b.go:2: bad\n", GoVet},
		{"vet, cut", `{"x": {"printf": [`, "", `{"x": {"printf": [`, GoVet},
		{"sarif", `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"staticcheck","rules":[{"id":"SA1","helpUri":"https://x/SA1","defaultConfiguration":{"level":"note"}}]}},"results":[{"ruleId":"SA1","level":"error","message":{"text":"bad"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///t/a%20b.go"},"region":{"startLine":2,"startColumn":3}}}]},{"ruleId":"SA1","message":{"text":"meh"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"c.go"},"region":{}}}]},{"ruleId":"x","kind":"pass","message":{"text":"fine"}},{"ruleId":"x","suppressions":[{"kind":"inSource"}],"message":{"text":"quiet"}},{"ruleId":"y","message":{"text":"no place"}}]}]}`, ` - staticcheck/y warning "no place"` + "\n" + `/t/a b.go 2:3-2:3 staticcheck/SA1 error "bad"` + "\n" + `c.go - staticcheck/SA1 info "meh"` + "\n", ": no place (y)\n/t/a b.go:2:3: bad (SA1)\nc.go: meh (SA1)\n", SARIF},
		{"sarif, not at all", "panic: oops\n", "", "panic: oops\n", SARIF},
		{"colons", "a.go:1:2: bad thing (errcheck)\nlevel=warning msg=x\nb/c d.go:7: worse\n\tcode()\n12:30: no\n", "a.go 1:2-1:2 lint/errcheck error \"bad thing\"\nb/c d.go 7:1-7:1 lint/ error \"worse\"\n", "a.go:1:2: bad thing (errcheck)\nlevel=warning msg=x\nb/c d.go:7: worse\n\tcode()\n12:30: no\n", func(b []byte) ([]Finding, string) { return Colons("lint", b) }},
	} {
		found, rest := tc.read([]byte(tc.text))
		if diff := cmp.Diff(tc.want, show(found)); diff != "" {
			t.Errorf("%s: findings:\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.rest, rest); diff != "" {
			t.Errorf("%s: rest:\n%s", tc.name, diff)
		}
	}
}

func FuzzReaders(f *testing.F) {
	f.Add([]byte(`{"x": {"y": [{"posn": "a:1:2"}]}}`))
	f.Add([]byte(`{"reason":"compiler-message","message":{"spans":[{"is_primary":true,"line_start":-1}]}}`))
	f.Add([]byte(`{"runs":[{"results":[{"ruleIndex":-1}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, read := range []func([]byte) ([]Finding, string){Cargo, GoVet, SARIF, func(b []byte) ([]Finding, string) { return Colons("x", b) }} {
			found, _ := read(b)
			for _, x := range found {
				if s := x.Span; s != nil && (s.StartLine < 1 || s.StartCol < 1 || s.EndLine < s.StartLine) {
					t.Errorf("%+v has the span %+v", x, *s)
				}
			}
		}
	})
}

package main

import (
	"strings"
	"testing"

	"poly/internal/engine"
	"poly/internal/lang"
)

func TestPage(t *testing.T) {
	t.Parallel()
	text := string(page([]engine.Engine{
		{Spec: engine.Spec{
			Name: "gofumpt", Wrapped: "9.9", Licence: "X", Langs: []lang.ID{lang.Go}, Verbs: engine.Lint | engine.Format,
			Rules: []engine.Rule{{Code: "syntax", Default: true, Doc: "Breaks | parses.\n\nMore."}}, Doc: "Formats.",
		}},
		{Spec: engine.Spec{
			Name: "lints", Langs: []lang.ID{"nim"}, Verbs: engine.Lint, Rules: []engine.Rule{{Code: "a"}, {Code: "syntax", Fixable: true}}, Doc: "Lints.",
		}},
		{Spec: engine.Spec{
			Name: "webfmt", Wrapped: "1.2", Modules: []engine.Module{{Name: "web"}}, Langs: []lang.ID{"css"}, Verbs: engine.Format, Doc: "Formats.",
		}},
		{Spec: engine.Spec{Name: "text", Cross: true, Generic: true, Verbs: engine.Lint | engine.Format, Doc: "Lines."}},
	}, "# Comment\ngofumpt\t0.25\t1560000\ntext\tx\ty\n"))
	for _, want := range []string{
		"| [gofumpt](#gofumpt) | 9.9 | X | *syntax only* | yes | 0.25 ms | 1.6 MB |\n",
		"| [lints](#lints) | nothing: our own | MIT | yes | - | not measured | not measured |\n",
		"| [text](#text) | nothing: our own | MIT | every language | lines | not measured | not measured |\n",
		"| Go | `go` | gofumpt (*syntax only*) | gofumpt |\n",
		"| Nim | `nim` | lints | - |\n",
		"| `syntax` |  | on | - | Breaks \\| parses. |\n",
		"| `syntax` |  | off | yes |  |\n",
		"| [webfmt](#webfmt) | 1.2 (Wasm) | MIT | - | yes | not measured | not measured |\n",
		"| CSS | `css` | - | webfmt |\n",
		"HTML (webfmt)",
		"Python (ruff)",
		"`poly fmt` skips them",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("page lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Go (gofumpt)") {
		t.Error("a formatter that is built in is named as missing")
	}
}

package webfmt

import (
	"regexp"
	"sync"
)

// marks are those of languages whose files are named like the HTML they make:
// Go, Jinja, Liquid, Handlebars, Vue and Angular in pages, ERB, EJS, PHP,
// Angular's control flow, FreeMarker, server side includes.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{|\{%|\{#[\s-]|<%|<\?(?:php|=|\s)|(?m:^\s*@(?:if|for|switch|defer|let|case|extends|section|foreach|include)\b)|</?[#@][a-z]|<!--#[a-z]`)
})

// template tells that a page is a template: what its marks stand for may need
// the white space that HTML does not.
func template(text []byte) string {
	if m := marks().Find(text); m != nil {
		return "template language in HTML"
	}
	return ""
}

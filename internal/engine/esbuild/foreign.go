package esbuild

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"poly/internal/lang"
)

// foreign tells by the start of a script that it is not JavaScript, "" if it
// may be.
func foreign(head []byte) string {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case frontMatter(head):
		return "front matter"
	case bytes.HasPrefix(trimmed, []byte("<?xml")), bytes.HasPrefix(trimmed, []byte("<!DOCTYPE")):
		return "XML by its content"
	case bytes.HasPrefix(trimmed, []byte(".pragma ")), bytes.HasPrefix(trimmed, []byte(".import ")):
		return "QML library"
	case flowPragma(trimmed):
		return "Flow types"
	}
	return ""
}

// frontMatter reports whether a file starts as those that Jekyll processes.
func frontMatter(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(head, []byte("---\n")) || bytes.HasPrefix(head, []byte("---\r\n"))
}

// flowPragma reports whether the comments at the start of a file say @flow.
func flowPragma(head []byte) bool {
	for {
		head = bytes.TrimLeft(head, " \t\r\n;")
		var comment []byte
		switch {
		case bytes.HasPrefix(head, []byte("/*")):
			i := bytes.Index(head, []byte("*/"))
			if i < 0 {
				i = len(head) - 2
			}
			comment, head = head[:i], head[i+2:]
		case bytes.HasPrefix(head, []byte("//")), bytes.HasPrefix(head, []byte("#!")):
			comment, head, _ = bytes.Cut(head, []byte("\n"))
		case bytes.HasPrefix(head, []byte("'use strict'")), bytes.HasPrefix(head, []byte(`"use strict"`)):
			head = head[len("'use strict'"):]
			continue
		default:
			return false
		}
		for _, word := range bytes.FieldsFunc(comment, func(r rune) bool { return strings.ContainsRune(" \t\r\n*", r) }) {
			if string(word) == "@flow" {
				return true
			}
		}
	}
}

// hostSyntax are lines of other hosts of JavaScript.
var hostSyntax = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*(?:#\s*(?:include|includepath|target|targetengine|script|ifdef|ifndef|if|else|elif|endif|define|filter|expand|literal)\b` +
		`|\.(?:import|pragma)\s|%(?:ifdef|endif)\b)|%(?:OptimizeFunctionOnNextCall|PrepareFunctionForOptimization|DebugPrint|HasFastProperties|NeverOptimizeFunction)\(`)
})

// placeholder matches what a program fills in before the script is one: a mark
// alone on its line or as a value, or a tag that begins a line.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	const mark = `(?:%[A-Za-z][\w.-]*%|%%[A-Za-z][\w.-]*%%|@@?[A-Za-z][\w.-]*@@?|\$?\{\{[^{}:\n]*\}\}|<<[A-Za-z][\w.-]*>>|#\{[\w.-]+\}#?)`
	return regexp.MustCompile(`^[ \t]*` + mark + `[ \t]*[,;]?[ \t]*$|(?:=[ \t]+|[:(,\[>][ \t]*|\breturn[ \t]+)` + mark + `[ \t]*(?:[,;)\]}]|$)` +
		`|<%[-=_#]?\s|\{%-?\s|\{\{[-#/!>]`)
})

// filledIn reports whether a script does not parse because of a placeholder:
// one stands in the line of the first error, or in the one before.
func filledIn(text []byte, errs []api.Message) bool {
	at := errs[0].Location
	if at == nil {
		return false
	}
	lines := newLines(text)
	for n := max(1, at.Line-1); n <= at.Line; n++ {
		if placeholder().Match(bytes.TrimRight(text[lines.start(n):lines.start(n+1)], "\r\n")) {
			return true
		}
	}
	return false
}

// otherLanguage tells why a script that does not parse is not to be judged as
// one, "" if it is.
func (l linter) otherLanguage(text string) string {
	if l.lang == "css" {
		return ""
	}
	if hostSyntax().MatchString(text) {
		return "syntax of a host of its own"
	}
	if l.lang == lang.TypeScript || l.lang == "tsx" {
		return ""
	}
	for _, loader := range [...]api.Loader{api.LoaderTSX, api.LoaderTS} {
		o := api.TransformOptions{Loader: loader, TsconfigRaw: "{}", Sourcefile: "input", JSX: api.JSXPreserve}
		if res := api.Transform(text, o); len(res.Errors) == 0 {
			return "types of Flow or TypeScript"
		}
	}
	return ""
}

package lang

import (
	"bytes"
	"strings"
)

// Template tells which template language a text is written in although its
// name says id: "Helm template", "Go template", "Jinja template", "Liquid
// template", "Handlebars template", "ERB template", "EJS template", "PHP
// template", "JSP template", "Terraform template", "%%NAME%% template". Such a text must neither be
// judged nor rewritten as id. "" means that it is what its name says: braces
// inside quoted strings, block scalars, code spans and comments do not make a
// template, nor do the ${{ }} of GitHub Actions.
//
// One thing that is no template is told here too, for want of a better place:
// the "Qt translation file" whose name ends in .ts.
func Template(path string, id ID, text []byte) (reason string) {
	text = bytes.TrimPrefix(text, utf8BOM)
	if id == TypeScript {
		if t := bytes.TrimSpace(text[:min(len(text), SniffLen)]); bytes.HasPrefix(t, []byte("<?xml")) || bytes.HasPrefix(t, []byte("<!DOCTYPE TS")) {
			return "Qt translation file"
		}
	}
	if !HasMarks(text) {
		return ""
	}
	at := cookiecutter(path, text)
	if at < 0 {
		at = find(path, id, text)
	}
	if at < 0 {
		return ""
	}
	return classify(path, text, at)
}

// HasMarks reports whether a text may be a template at all: only then does
// [Template] look at the path. It is the cheap test that nearly every file fails.
func HasMarks(text []byte) bool {
	return bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) || bytes.Contains(text, []byte("<%")) ||
		bytes.Contains(text, []byte("{#")) || bytes.Contains(text, []byte("%{")) || bytes.Contains(text, []byte("<?php")) ||
		bytes.Contains(text, []byte("%%"))
}

// ByPath reports whether [Template] may give another answer for the same text
// at another path, so that an answer must not be kept by content alone.
func ByPath(path string, id ID, text []byte) bool {
	if strings.Contains(path, "{{") {
		return true
	}
	return HasMarks(text) && find(path, id, text) >= 0 || id == YAML && HasMarks(text)
}

// find returns the offset of the first mark that makes text a template of id, or -1.
func find(path string, id ID, text []byte) int {
	switch id {
	case YAML:
		return findYAML(path, text)
	case JSON, JSONC, JSON5:
		return findOutsideStrings(text, jsonStrings)
	case TOML:
		return findOutsideStrings(text, tomlStrings)
	case "sql":
		return findOutsideStrings(text, sqlStrings)
	case HTML, "angular", "vue", "svelte", "astro":
		return findHTML(id, text)
	case XML:
		return findXML(text)
	case Markdown, MDX, "quarto", "rst", "asciidoc":
		return findMarkdown(id, text)
	case Dockerfile:
		return findDockerfile(text)
	case Shell:
		return findShell(text)
	case "ini", "dotenv", "properties", "systemd", "nginx", "apacheconf", "hcl", "makefile", "css", "scss", "less":
		return findMarkedLine(text)
	case "jinja", "vento", "mustache", "liquid", "gotemplate", "smarty", "mako", "blade", "latte", "velocity", "freemarker",
		"erb", "ejs", "eex", "heex", "jsp", "aspnet", "php", "templ", "qute", "razor", "cfml", "tex", "txtar", "diff", Text:
		return -1
	}
	return findFirstLine(text)
}

// cookiecutter finds the first mark of a file that lies in a directory whose
// own name is a template.
func cookiecutter(path string, text []byte) int {
	open := strings.Index(path, "{{")
	if open < 0 || !strings.Contains(path[open:], "}}") {
		return -1
	}
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '{' && (text[i+1] == '{' || text[i+1] == '%') && !dollar(text, i) {
			return i
		}
	}
	return -1
}

// dollar reports whether the brace at i is that of "${{".
func dollar(text []byte, i int) bool { return i > 0 && text[i-1] == '$' }

// classify names the template language by the mark at an offset and, where
// that leaves a choice, by the rest of the text.
func classify(path string, text []byte, at int) string {
	rest := text[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("{%")):
		return tagLanguage(path, text)
	case bytes.HasPrefix(rest, []byte("{#")):
		return "Jinja template"
	case bytes.HasPrefix(rest, []byte("<?php")):
		return "PHP template"
	case bytes.HasPrefix(rest, []byte("<%")):
		return percentLanguage(text, rest)
	case bytes.HasPrefix(rest, []byte("%%")):
		return "%%NAME%% template"
	case bytes.HasPrefix(rest, []byte("%{")):
		return "Terraform template"
	}
	return braceLanguage(path, text, rest)
}

var liquidTag = lazy(`\{%-?\s*(assign|capture|unless|endunless|render|highlight|endhighlight|post_url|link|comment|endcomment|hint|endhint|tabs|endtabs|tab|content-ref|embed|include\s+[\w./-]+\.(html|md|svg|liquid)|case|when|cycle|tablerow|layout|section|schema|form|paginate)\b`)

// liquidPath matches the directories of Jekyll.
var liquidPath = lazy(`(^|/)_(includes|layouts|posts|docs|drafts|pages|sass)/`)

func tagLanguage(path string, text []byte) string {
	if liquidPath().MatchString(path) || liquidTag().Match(text) {
		return "Liquid template"
	}
	return "Jinja template"
}

var (
	jspMark = lazy(`<%@\s*(page|taglib|include)\b|<%--`)
	ejsMark = lazy(`<%[-=_]?\s*(//|include\(|const |let |var |if ?\(|for ?\(|locals\.|htmlWebpackPlugin|process\.env|_\.|\w+\.forEach\()|<%- |<%_|<%[^%]*(=>|===|\{\s*%>)`)
)

func percentLanguage(text, rest []byte) string {
	switch {
	case jspMark().Match(text):
		return "JSP template"
	case ejsMark().Match(rest):
		return "EJS template"
	}
	return "ERB template"
}

var helmObject = lazy(`\.(Values\b|Release\.|Chart\.|Capabilities\.|Files\.Get|Template\.(Name|BasePath))|\{\{-?\s*(include|template) "`)

// cottleCode matches what only Cottle has: a colon between a condition and its
// text, a caret between statements, and the helper of dotnet-docker.
var cottleCode = lazy(`\{\{\s*(if|for|set|while|_)\s(?:[^}"]|"[^"]*")*(:|\^\s*\n)|\{\{InsertTemplate\(`)

// braceLanguage decides about a text whose mark is "{{".
func braceLanguage(path string, text, rest []byte) string {
	action := action(rest)
	switch {
	case cottleCode().Match(text):
		return "Cottle template"
	case goAction(action):
		if helmPath(path) || helmObject().Match(text) {
			return "Helm template"
		}
		if bytes.Contains(text, []byte("{{#")) {
			return "Handlebars template"
		}
		return "Go template"
	case action != "" && strings.IndexByte("#/^!>&{", action[0]) >= 0:
		return "Handlebars template"
	case bytes.Contains(text, []byte("{%")):
		return tagLanguage(path, text)
	}
	return "Jinja template"
}

// action returns what stands between "{{" and "}}", without trim marks.
func action(rest []byte) string {
	rest = bytes.TrimPrefix(rest, []byte("{{"))
	end := bytes.Index(rest[:min(len(rest), SniffLen)], []byte("}}"))
	if end < 0 {
		end = min(len(rest), SniffLen)
	}
	inner := strings.TrimPrefix(string(rest[:end]), "-")
	return strings.TrimSpace(strings.TrimSuffix(inner, "-"))
}

// goWord are the words a Go or Helm action begins with, goApply is a function
// applied without brackets, and jinjaInfix what looks like it in Jinja.
var (
	goWord     = lazy(`^(if|else|end|range|with|define|template|block|include|break|continue|printf|print|println|index|len|toYaml|toJson|tpl|lookup|required|requiredEnv|readFile|env|default|quote|eq|ne|lt|gt|le|ge)(\s|$|\()`)
	goApply    = lazy(`^[A-Za-z]\w*\s+[.$"\x60(\d]`)
	jinjaInfix = lazy(`^[A-Za-z]\w*\s+(if|is|in|and|or|not|else)\s`)
)

// goAction reports whether a "{{" action reads as one of text/template.
func goAction(s string) bool {
	if s == "" || jinjaInfix().MatchString(s) {
		return false
	}
	switch {
	case s[0] == '.' || s[0] == '$' || strings.HasPrefix(s, "/*"):
		return true
	case s[0] == '"' || s[0] == '`' || s[0] == '(':
		return strings.Contains(s, " | ") || s[0] == '`' || s[0] == '(' && goApply().MatchString(s[1:])
	}
	return goWord().MatchString(s) || goApply().MatchString(s)
}

// helmPath reports whether a file lies in the templates of a chart.
func helmPath(path string) bool {
	return strings.HasPrefix(path, "templates/") || strings.Contains(path, "/templates/")
}

// Package docs holds the reference pages shown by poly docs. A page is a
// Markdown file beside this one; its first line is its title.
package docs

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:generate go run -tags extra ../gen/docs

//go:embed *.md
var files embed.FS

// Page is one reference page.
type Page struct {
	Name  string // what to type after poly docs
	Title string
	Text  string
}

// Pages returns all pages by name.
func Pages() []Page {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are part of the binary
	}
	var out []Page
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		out = append(out, Page{Name: strings.TrimSuffix(e.Name(), path.Ext(e.Name())), Title: strings.TrimLeft(first, "# "), Text: string(text)})
	}
	slices.SortFunc(out, func(a, b Page) int { return strings.Compare(a.Name, b.Name) })
	return out
}

package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// document is a Markdown page that grows. The zero value is empty.
type document struct{ text bytes.Buffer }

func (d *document) heading(title string) { fmt.Fprintf(&d.text, "\n## %s\n", title) }

func (d *document) line(format string, args ...any) { fmt.Fprintf(&d.text, "\n"+format+"\n", args...) }

// list writes a titled list, or nothing if it is empty.
func (d *document) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	d.line("%s:\n", title)
	for _, it := range items {
		fmt.Fprintf(&d.text, "- %s\n", clean(it))
	}
}

// block writes what a program printed.
func (d *document) block(text string) {
	fmt.Fprintf(&d.text, "\n```text\n%s\n```\n", strings.TrimRight(text, "\n"))
}

// bytes returns the page with the number of faults below its title.
func (d *document) bytes(faults int) []byte {
	verdict := "No faults.\n"
	if faults > 0 {
		verdict = fmt.Sprintf("**%d faults.**\n", faults)
	}
	return fmt.Appendf(nil, "# Proof\n\n%s%s", verdict, d.text.Bytes())
}

// table is rows of cells under names.
type table struct {
	names []string
	rows  [][]string
}

func newTable(names ...string) *table { return &table{names: names} }

// row adds a row; its cells are printed with %v.
func (t *table) row(cells ...any) {
	if len(cells) != len(t.names) {
		panic(fmt.Sprintf("%d cells under %d names", len(cells), len(t.names)))
	}
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

// table writes t, or says that there is nothing.
func (d *document) table(t *table) {
	if len(t.rows) == 0 {
		d.line("Nothing to show.")
		return
	}
	fmt.Fprintf(&d.text, "\n| %s |\n|%s\n", strings.Join(t.names, " | "), strings.Repeat("---|", len(t.names)))
	for _, r := range t.rows {
		for i := range r {
			r[i] = strings.ReplaceAll(clean(r[i]), "|", `\|`)
		}
		fmt.Fprintf(&d.text, "| %s |\n", strings.Join(r, " | "))
	}
}

// clean makes s one short line.
func clean(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
	if utf8.RuneCountInString(s) > 400 {
		s = string([]rune(s)[:397]) + "..."
	}
	return s
}

// sample shortens a list of names for a cell.
func sample(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

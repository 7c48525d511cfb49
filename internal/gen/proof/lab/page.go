package lab

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Page is a Markdown page that grows, section by section. The zero value is
// empty. What is written before the first heading is its head.
type Page struct {
	head     bytes.Buffer
	sections []*section
}

// section is what follows a heading.
type section struct {
	title  string
	text   bytes.Buffer
	faults int
}

func (p *Page) w() *bytes.Buffer {
	if len(p.sections) == 0 {
		return &p.head
	}
	return &p.sections[len(p.sections)-1].text
}

// Heading begins a section.
func (p *Page) Heading(title string) { p.sections = append(p.sections, &section{title: title}) }

// Line writes a paragraph.
func (p *Page) Line(format string, args ...any) { fmt.Fprintf(p.w(), "\n"+format+"\n", args...) }

// List writes a titled list, or nothing if it is empty.
func (p *Page) List(title string, items []string) {
	if len(items) == 0 {
		return
	}
	p.Line("%s:\n", title)
	for _, it := range items {
		fmt.Fprintf(p.w(), "- %s\n", Clean(it))
	}
}

// faultsTitle begins the list at the end of a section that Bytes counts.
const faultsTitle = "Faults"

// Faults ends a section with its faults.
func (p *Page) Faults(items []string) {
	p.List(faultsTitle, items)
	p.sections[len(p.sections)-1].faults = len(items)
}

// Block writes what a program printed.
func (p *Page) Block(text string) {
	fmt.Fprintf(p.w(), "\n```text\n%s\n```\n", strings.TrimRight(text, "\n"))
}

// Bytes returns the page with the number of faults below its title.
func (p *Page) Bytes() []byte {
	faults := 0
	for _, s := range p.sections {
		faults += s.faults
	}
	verdict := "No faults.\n"
	if faults > 0 {
		verdict = fmt.Sprintf("**%d faults.**\n", faults)
	}
	out := fmt.Appendf(nil, "# Proof\n\n%s%s", verdict, p.head.Bytes())
	for _, s := range p.sections {
		out = fmt.Appendf(out, "\n## %s\n%s", s.title, s.text.Bytes())
	}
	return out
}

// Keep takes the sections of an earlier page of the same day that this one does
// not have, and sorts all by the titles in order.
func (p *Page) Keep(earlier []byte, order []string) {
	for i, text := range strings.Split("\n"+string(earlier), "\n## ") {
		title, rest, ok := strings.Cut(text, "\n")
		if i == 0 || !ok || slices.ContainsFunc(p.sections, func(s *section) bool { return s.title == title }) {
			continue
		}
		s := &section{title: title}
		s.text.WriteString(strings.TrimRight(rest, "\n") + "\n")
		if _, list, ok := strings.Cut(rest, "\n"+faultsTitle+":\n"); ok {
			s.faults = strings.Count(list, "\n- ")
		}
		p.sections = append(p.sections, s)
	}
	slices.SortStableFunc(p.sections, func(a, b *section) int {
		return slices.Index(order, a.title) - slices.Index(order, b.title)
	})
}

// Table is rows of cells under names.
type Table struct {
	names []string
	Rows  [][]string
}

// NewTable returns a table without rows.
func NewTable(names ...string) *Table { return &Table{names: names} }

// Row adds a row; its cells are printed with %v.
func (t *Table) Row(cells ...any) {
	if len(cells) != len(t.names) {
		panic(fmt.Sprintf("%d cells under %d names", len(cells), len(t.names)))
	}
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// Table writes t, or says that there is nothing.
func (p *Page) Table(t *Table) {
	if len(t.Rows) == 0 {
		p.Line("Nothing to show.")
		return
	}
	fmt.Fprintf(p.w(), "\n| %s |\n|%s\n", strings.Join(t.names, " | "), strings.Repeat("---|", len(t.names)))
	for _, r := range t.Rows {
		for i := range r {
			r[i] = strings.ReplaceAll(Clean(r[i]), "|", `\|`)
		}
		fmt.Fprintf(p.w(), "| %s |\n", strings.Join(r, " | "))
	}
}

// Clean makes s one short line.
func Clean(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
	if utf8.RuneCountInString(s) > 400 {
		s = string([]rune(s)[:397]) + "..."
	}
	return s
}

// Sample shortens a list of names for a cell.
func Sample(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

// Seconds prints a duration for a cell.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }

package filesafety

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/gitstate"
	"poly/internal/lang"
)

// markers finds merge conflicts that HEAD does not have.
func (c *checker) markers(ctx context.Context, b *blob) {
	size := 7
	if n, err := strconv.Atoi(c.Tree.Attr(b.Path, "conflict-marker-size")); err == nil && n > 0 {
		size = n
	}
	first, last := strings.Repeat("<", size), strings.Repeat(">", size)
	if !bytes.Contains(b.text, []byte(first)) && !bytes.Contains(b.text, []byte(last)) {
		return
	}
	s := &search{first: first, middle: strings.Repeat("=", size), last: last}
	var fence fencer
	at := 0
	for line := range bytes.Lines(b.text) {
		body := bytes.TrimRight(line, "\r\n")
		if !fence.inside(b.Path, body) || c.Merging {
			s.line(body, place{at, at + len(body)})
		}
		at += len(line)
	}
	if len(s.found) == 0 && c.Merging {
		s.found = s.alone
	}
	for _, p := range s.found {
		line := b.text[p.start:p.end]
		if !c.had(ctx, b, line) {
			c.spanned(b, codeConflict, fmt.Sprintf("Merge conflict marker %q", strings.ToValidUTF8(string(line[:min(len(line), 80)]), "")), p)
		}
	}
}

// search goes over the lines of a text for conflicts.
type search struct {
	first, middle, last string
	opened              *place // of the conflict that is open
	split               bool   // its middle was seen
	found               []place
	alone               []place // every opener and closer
}

func (s *search) line(body []byte, here place) {
	switch {
	case isMarker(body, s.first):
		s.opened, s.split = &here, false
		s.alone = append(s.alone, here)
	case string(body) == s.middle:
		s.split = s.opened != nil
	case isMarker(body, s.last):
		if s.opened != nil && s.split {
			s.found = append(s.found, *s.opened)
		}
		s.opened = nil
		s.alone = append(s.alone, here)
	}
}

// place is a range of a text.
type place struct{ start, end int }

// isMarker reports whether a line is a marker, with or without a label.
func isMarker(line []byte, mark string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(mark))
	return ok && (len(rest) == 0 || rest[0] == ' ')
}

// fencer follows the code blocks of documents.
type fencer struct{ open string }

// inside reports whether a line of the document at a path is in a code block.
func (f *fencer) inside(p string, line []byte) bool {
	var marks string
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".markdown", ".mdx", ".qmd", ".rmd":
		marks = "`~"
	case ".adoc", ".asciidoc":
		marks = "-.`"
	default:
		return false
	}
	t := strings.TrimLeft(string(line[:min(len(line), 200)]), " \t>")
	n := len(t) - len(strings.TrimLeft(t, t[:min(len(t), 1)]))
	switch {
	case f.open != "":
		if strings.HasPrefix(t, f.open) && strings.Trim(t, f.open[:1]+" \t") == "" {
			f.open = ""
		}
		return true
	case n >= 3 && strings.Contains(marks, t[:1]):
		f.open = t[:n]
		return true
	}
	return false
}

// spanned reports a place of the text.
func (c *checker) spanned(b *blob, code, title string, p place) {
	s := &diag.Span{Start: p.start, End: p.end}
	diag.NewLines(b.text).Fill(s)
	c.report(b.Path, code, title, s)
}

// secrets hands the text to the detector.
func (c *checker) secrets(ctx context.Context, b *blob) error {
	diags, err := c.Secrets.Lint(ctx, engine.Source{Path: b.Path, Lang: lang.Detect(b.Path), Text: b.text, Exec: b.Mode == gitstate.ModeExec})
	if _, skip := engine.SkipReason(err); skip {
		return nil
	}
	if err != nil {
		return c.failed(ctx, b.entry, err)
	}
	lines := diag.NewLines(b.text)
	for _, d := range diags {
		if d.Span == nil {
			d.Span = &diag.Span{}
		}
		lines.Fill(d.Span)
		if line := lines.Line(d.Span.StartLine); len(line) > 0 && c.had(ctx, b, line) {
			continue
		}
		code := codeSecret
		if strings.HasSuffix(d.Code, "private-key") {
			code = codeKey
		}
		r := c.report(b.Path, code, d.Title, d.Span)
		r.Severity, r.Metadata = d.Severity, map[string]string{"rule": d.Code}
	}
	return nil
}

// scripts judges the executable bit by the first line.
func (c *checker) scripts(ctx context.Context, b *blob) {
	exec := b.Mode == gitstate.ModeExec
	code := misfit(b.Path, b.text, b.binary, exec)
	if code == "" || code == codeNoShebang && !c.ExecutablesHaveShebangs || code == codeNotExec && !c.ShebangScriptsAreExecutable {
		return
	}
	if old := c.before(ctx, b); old != nil && misfit(b.Path, old, bytes.IndexByte(old[:min(len(old), 8<<10)], 0) >= 0, b.change.Was == gitstate.ModeExec) == code {
		return // it was so before
	}
	if code == codeNotExec {
		end := bytes.IndexByte(b.text, '\n')
		if end < 0 {
			end = len(b.text)
		}
		c.spanned(b, code, "The script has a shebang and is not executable: git update-index --chmod=+x "+quoted(b.Path), place{0, len(bytes.TrimRight(b.text[:end], "\r"))})
		return
	}
	title := "The file is executable and has no shebang: git update-index --chmod=-x " + quoted(b.Path)
	if bytes.HasPrefix(b.text, []byte("\xef\xbb\xbf#!")) {
		title = "A byte order mark hides the shebang, so the file cannot be executed"
	}
	c.report(b.Path, code, title, nil)
}

func quoted(p string) string {
	if strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == "" {
		return p
	}
	return "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
}

// misfit tells how the executable bit and the first line contradict each
// other, "" if they do not.
func misfit(p string, text []byte, binary, exec bool) string {
	shebang := hasShebang(text)
	switch ext := strings.ToLower(path.Ext(p)); {
	case binary, exec == shebang:
		return ""
	case exec:
		if slices.Contains(windows, ext) || bytes.HasPrefix(text, []byte("[Desktop Entry]")) || bytes.HasPrefix(text, []byte(":")) {
			return "" // a line that begins with a colon is a script of any shell
		}
		return codeNoShebang
	case slices.Contains(passive, ext), fixture(p):
		return ""
	}
	return codeNotExec
}

// hasShebang: "#!" and the path of an interpreter. Attributes of Rust begin
// with "#![", and some languages have other marks there.
func hasShebang(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("#!"))
	rest = bytes.TrimLeft(rest, " \t")
	return ok && len(rest) > 1 && rest[0] == '/'
}

// windows are extensions of what Windows executes.
var windows = []string{".bat", ".cmd", ".ps1", ".psm1", ".vbs", ".exe", ".com", ".wsf", ".reg"}

// passive are extensions of files that show scripts, or are compiled into some.
var passive = []string{
	".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".gotmpl", ".erb", ".in", ".template", ".tt", ".ejs", ".mustache", ".hbs", ".epp", ".md", ".rst", ".txt", ".adoc",
	".patch", ".diff", ".snap", ".golden", ".ts", ".tsx", ".mts", ".cts", ".txtar", ".ipynb", ".html",
}

func fixture(p string) bool {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch strings.ToLower(dir) {
		case "testdata", "fixtures", "fixture", "__fixtures__", "test-data", "test_data", "test-fixtures", "snapshots", "__snapshots__":
			return true
		}
	}
	return false
}

// large judges the size of a new file.
func (c *checker) large(e *entry, size int64) {
	kb := (size + 1023) / 1024
	if kb <= c.MaxAddedKB || isLock(e.Path) || c.moved(e) {
		return
	}
	if c.Tree.Attr(e.Path, "filter") == "lfs" {
		c.report(e.Path, codeLFS, fmt.Sprintf("The file is meant for Git LFS, but its %d KiB themselves are staged", kb), nil)
		return
	}
	c.report(e.Path, codeLarge, fmt.Sprintf("The new file has %d KiB; at most %d are allowed", kb, c.MaxAddedKB), nil)
}

// moved reports whether HEAD has the content at a path that is removed now, or
// another version of it under the same name.
func (c *checker) moved(e *entry) bool {
	return slices.ContainsFunc(c.Changes, func(d gitstate.Difference) bool {
		return d.Is == 0 && d.Was != 0 && (d.WasID == e.ID || path.Base(d.Path) == path.Base(e.Path))
	})
}

func isLock(p string) bool {
	switch name := path.Base(p); name {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "go.work.sum", "bun.lockb", "packages.lock.json", "gradle.lockfile":
		return true
	default:
		return path.Ext(name) == ".lock" && len(name) > len(".lock")
	}
}

var errLoop = errors.New("the link leads back to itself")

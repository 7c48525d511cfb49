package markdown

import (
	"bytes"
	"sort"
	"strings"

	"poly/internal/mdtree"
)

// directive is a comment of markdownlint in the source.
type directive struct {
	line   int // of the document
	action string
	rules  string // what follows the action
}

var actions = [...]string{
	"disable", "enable", "capture", "restore", "disable-file", "enable-file", "disable-line", "disable-next-line", "configure-file",
}

// directives finds the comments of markdownlint: each on one line, but for
// configure-file, which may span lines.
func (f *file) directives() []directive {
	if !bytes.Contains(bytes.ToLower(f.text), []byte("markdownlint-")) {
		return nil
	}
	var out []directive
	for i, l := range f.doc.Lines {
		for at := l.Start; at < l.End; {
			start, action := directiveAt(f.text[:l.End], at)
			if start < 0 {
				break
			}
			limit := l.End
			if action == "configure-file" {
				limit = len(f.text)
			}
			end := bytes.Index(f.text[start:limit], []byte("-->"))
			if end < 0 {
				break
			}
			out = append(out, directive{i, action, string(f.text[start : start+end])})
			at = start + end
		}
	}
	return out
}

// directiveAt finds the next comment in text from i on and returns where what
// follows its action starts, -1 if there is none.
func directiveAt(text []byte, i int) (int, string) {
	for {
		j := bytes.Index(text[i:], []byte("<!--"))
		if j < 0 {
			return -1, ""
		}
		i += j + 4
		rest := bytes.TrimLeftFunc(text[i:], isJSSpace)
		const prefix = "markdownlint-"
		if len(rest) < len(prefix) || !strings.EqualFold(string(rest[:len(prefix)]), prefix) {
			continue
		}
		rest = rest[len(prefix):]
		for _, a := range actions {
			if len(rest) < len(a) || !strings.EqualFold(string(rest[:len(a)]), a) {
				continue
			}
			after := rest[len(a):]
			if len(after) > 0 && !isJSSpace(rune(after[0])) && !bytes.HasPrefix(after, []byte("-->")) {
				continue
			}
			return len(text) - len(after), a
		}
	}
}

// comments applies the comments of the source to the settings, and notes which
// rules are enabled on which line.
func (f *file) comments(s *settings) *settings {
	all := f.directives()
	if len(all) == 0 || s.noInline {
		f.all = s.on
		return s
	}
	for _, d := range all {
		if d.action != "configure-file" {
			continue
		}
		own := *s
		if entries, err := mapping([]byte(d.rules)); err == nil && own.apply(entries) == nil {
			s = &own
		}
	}
	on := s.on
	for _, d := range all {
		if strings.HasSuffix(d.action, "able-file") {
			on = switched(d, on)
		}
	}
	f.onLines(all, on)
	return s
}

// onLines goes through the comments line by line. on is what holds for the file.
func (f *file) onLines(all []directive, on uint64) {
	captured := on
	f.on = make([]uint64, len(f.doc.Lines)+1)
	k := 0
	for i := range f.on {
		for ; k < len(all) && all[k].line == i; k++ {
			switch d := all[k]; d.action {
			case "capture":
				captured = on
			case "restore":
				on = captured
			case "enable", "disable":
				on = switched(d, on)
			}
		}
		f.on[i] = on
	}
	for _, d := range all {
		switch d.action {
		case "disable-line":
			f.on[d.line] = switched(d, f.on[d.line])
		case "disable-next-line":
			f.on[d.line+1] = switched(d, f.on[d.line+1])
		}
	}
}

// switched returns the set with the rules of d in it, or without them.
func switched(d directive, set uint64) uint64 {
	names := strings.Fields(d.rules)
	var which uint64
	for _, n := range names {
		which |= rulesNamed(n)
	}
	if len(names) == 0 {
		which = allRules
	}
	if strings.HasPrefix(d.action, "enable") {
		return set | which
	}
	return set &^ which
}

// cleared returns text with the content of comments replaced by dots, so that
// nothing in them looks like Markdown. What starts in code and ends elsewhere
// is no comment.
func (f *file) cleared(text []byte, start int) []byte {
	if !bytes.Contains(text[start:], []byte("<!--")) {
		return text
	}
	out := bytes.Clone(text)
	for i := start; ; {
		j := bytes.Index(text[i:], []byte("<!--"))
		if j < 0 {
			return out
		}
		i += j
		end := bytes.Index(text[i+2:], []byte("-->"))
		if end < 0 {
			return out
		}
		end += i + 2
		if code := f.codeAt(i); code > 0 && end > code {
			i += 4
			continue
		}
		if end > i+4 && plainComment(text, i, text[i+4:end]) {
			clearRange(out, i+4, end)
		}
		i = end + 3
	}
}

// codeAt returns where the code ends that the offset is in, 0 if it is in none.
func (f *file) codeAt(at int) int {
	for _, k := range [...]mdtree.Kind{mdtree.CodeText, mdtree.CodeFenced, mdtree.CodeIndented} {
		all := f.doc.All(k)
		i := sort.Search(len(all), func(i int) bool { return all[i].Start > at })
		if i > 0 && at < all[i-1].End && !all[i-1].HTML {
			return all[i-1].End
		}
	}
	return 0
}

// plainComment reports whether readers take what stands at text[i] for a
// comment.
func plainComment(text []byte, i int, content []byte) bool {
	before := text[bytes.LastIndexByte(text[:i], '\n')+1 : i]
	if len(bytes.TrimSpace(before)) == 0 {
		return true
	}
	if t := bytes.TrimLeft(before, " "); len(t) > 0 && t[0] == '|' && bytes.IndexByte(content, '\n') >= 0 {
		return false
	}
	return content[0] != '>' && !bytes.HasPrefix(content, []byte("->")) && content[len(content)-1] != '-' && !bytes.Contains(content, []byte("--"))
}

// clearRange dots what is neither a blank nor outside of ASCII, and the blanks
// at the end of lines.
func clearRange(out []byte, start, end int) {
	for i := start; i < end; i++ {
		if b := out[i]; b != ' ' && b != '\n' && b != '\r' && b < 0x80 {
			out[i] = '.'
		}
		if b := out[i]; b == '\n' || b == '\r' {
			for j := i - 1; j >= start && out[j] == ' '; j-- {
				out[j] = '.'
			}
		}
	}
}

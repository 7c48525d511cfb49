package job

import (
	"path"
	"slices"
	"strings"

	"poly/internal/lang"
)

// Match reports whether a path matches the globs: the last that matches
// decides, one that begins with "!" says no. A "*" matches slashes, too, as
// does "**"; a glob without a slash also matches the last element alone, and
// one that matches a directory matches what is in it.
func Match(globs []string, p string) bool {
	ok := false
	for _, g := range globs {
		not := strings.HasPrefix(g, "!")
		if matchOne(strings.TrimPrefix(strings.TrimPrefix(g, "!"), "/"), p) {
			ok = !not
		}
	}
	return ok
}

func matchOne(g, p string) bool {
	g = strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/")
	if g == "" {
		return false
	}
	for _, alt := range braces(g) {
		if wild(alt, p) || !strings.Contains(alt, "/") && wild(alt, path.Base(p)) {
			return true
		}
		for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if wild(alt, dir) || !strings.Contains(alt, "/") && wild(alt, path.Base(dir)) {
				return true
			}
		}
	}
	return false
}

// mostBraces bounds the alternatives of one glob.
const mostBraces = 256

// braces writes out the alternatives of "{a,b}", also nested ones.
func braces(g string) []string {
	out := []string{g}
	for i := 0; i < len(out) && len(out) < mostBraces; {
		open, commas, end := firstBrace(out[i])
		if end < 0 {
			i++
			continue
		}
		s := out[i]
		out = slices.Delete(out, i, i+1)
		start := open + 1
		for _, c := range append(commas, end) {
			out = append(out, s[:open]+s[start:c]+s[end+1:])
			start = c + 1
		}
	}
	return out
}

// firstBrace finds the first brace that is closed and has a comma; end is -1 if
// there is none.
func firstBrace(s string) (open int, commas []int, end int) {
	for open = range len(s) {
		if s[open] != '{' {
			continue
		}
		depth := 0
		commas = nil
		for i := open; i < len(s); i++ {
			switch {
			case s[i] == '{':
				depth++
			case s[i] == ',' && depth == 1:
				commas = append(commas, i)
			case s[i] == '}':
				depth--
			}
			if depth == 0 {
				if commas != nil {
					return open, commas, i
				}
				break
			}
		}
	}
	return 0, nil, -1
}

// wild matches a whole name; "**/" also matches nothing. It looks back to the
// last star only, so that no glob takes more than len(g) x len(s) steps.
func wild(g, s string) bool {
	if strings.HasPrefix(g, "**/") && wild(strings.TrimLeft(g, "*")[1:], s) {
		return true
	}
	if i := strings.Index(g, "/**/"); i >= 0 && wild(g[:i]+g[i+3:], s) {
		return true
	}
	gi, si, star, mark := 0, 0, -1, 0
	for si < len(s) {
		n, ok := 0, false
		if gi < len(g) && g[gi] != '*' {
			n, ok = single(g[gi:], s[si])
		}
		switch {
		case ok:
			gi += n
			si++
		case gi < len(g) && g[gi] == '*':
			star, mark = gi, si
			gi++
		case star >= 0:
			mark++
			gi, si = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(g[gi:], "*") == ""
}

// single matches one byte with the first element of g and returns its length.
func single(g string, c byte) (n int, ok bool) {
	switch g[0] {
	case '?':
		return 1, c != '/'
	case '\\':
		if len(g) > 1 {
			return 2, g[1] == c
		}
	case '[':
		if end := strings.IndexByte(g[min(2, len(g)):], ']'); end >= 0 {
			return end + 3, class(g[1:end+2], c)
		}
	}
	return 1, g[0] == c
}

func class(set string, c byte) bool {
	not := set[0] == '!' || set[0] == '^'
	if not {
		set = set[1:]
	}
	in := false
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			in = in || set[i] <= c && c <= set[i+2]
			i += 2
		} else {
			in = in || set[i] == c
		}
	}
	return in != not
}

// extra are tags of a language that are neither its name nor one of its other
// names.
var extra = map[lang.ID][]string{"jsx": {"javascript"}, "tsx": {"typescript", "ts"}, "bash": {"shell", "sh"}, "zsh": {"shell"}, "jsonc": {"json"}, "cpp": {"c++"}}

// types answers what tags a file has.
type types struct{ head func(File) []byte }

// all reports whether f has each tag.
func (t types) all(f File, tags []string) bool {
	for _, tag := range tags {
		if !t.has(f, strings.ToLower(tag)) {
			return false
		}
	}
	return true
}

func (t types) has(f File, tag string) bool {
	switch tag {
	case "file", "regular":
		return !f.Link
	case "symlink":
		return f.Link
	case "not symlink":
		return !f.Link
	}
	if f.Link {
		return false
	}
	switch tag {
	case "executable":
		return f.Exec
	case "not executable", "non-executable":
		return !f.Exec
	case "text", "binary":
		return t.head != nil && (lang.Content(t.head(f)) != "binary file") == (tag == "text")
	}
	return t.written(f, tag)
}

// written reports whether tag names the language of f, or is its extension.
func (t types) written(f File, tag string) bool {
	if ext := strings.TrimPrefix(path.Ext(f.Path), "."); ext != "" && strings.EqualFold(ext, tag) {
		return true
	}
	id := lang.Detect(f.Path)
	if id == "" && t.head != nil {
		id = lang.Sniff(f.Path, t.head(f))
	}
	info, ok := lang.Lookup(id)
	return ok && (string(id) == tag || strings.EqualFold(info.Name, tag) || slices.Contains(info.Aliases, tag) || slices.Contains(extra[id], tag))
}

package job

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"poly/internal/proc"
	"poly/internal/usererr"
)

// fileWords are the templates that stand for lists of files.
var fileWords = [...]string{"{staged_files}", "{push_files}", "{files}", "{all_files}"}

const allFiles = "{all_files}"

// mostArgs is how many arguments git gives to the hook of a stage.
var mostArgs = map[string]int{
	"commit-msg": 1, "post-merge": 1, "post-rewrite": 1, "pre-push": 2, "pre-rebase": 2, "post-checkout": 3, "prepare-commit-msg": 3,
}

// line is a command line with its templates found. A template is replaced by
// a word that no line holds, then the line is parsed as the shell would: only
// so it is known what quoting a name needs where it goes.
type line struct {
	text  string
	holes []hole
}

// hole is a place for words.
type hole struct {
	start, end int // of line.text
	word       string
	quote      quote
	busy       bool // the quoted text around it has characters that a shell inside it may read
}

// quote is what surrounds a hole.
type quote uint8

const (
	bare     quote = iota // words of their own
	inDouble              // in a string in double quotes with more in it
	inSingle              // in a string in single quotes with more in it
	unknown               // where no quoting is sure to hold
	nowhere               // in a comment
)

// parseLine finds the templates of text. args tells how many arguments of git
// the stage knows: {0} to {n}.
func parseLine(text string, args int) *line {
	l := &line{text: text}
	words := slices.Clone(fileWords[:])
	if args > 0 {
		for i := range args + 1 {
			words = append(words, "{"+strconv.Itoa(i)+"}")
		}
	}
	for i := 0; i < len(text); {
		w := prefixOf(text[i:], words)
		if w == "" || i > 0 && text[i-1] == '$' {
			i++
			continue
		}
		l.holes = append(l.holes, hole{start: i, end: i + len(w), word: w, quote: unknown})
		i += len(w)
	}
	if len(l.holes) > 0 {
		l.look()
	}
	return l
}

func prefixOf(s string, words []string) string {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return w
		}
	}
	return ""
}

// has reports whether a template for files is in the line.
func (l *line) has(word string) bool {
	return slices.ContainsFunc(l.holes, func(h hole) bool { return h.word == word })
}

func (l *line) files() bool {
	return slices.ContainsFunc(l.holes, func(h hole) bool { return slices.Contains(fileWords[:], h.word) })
}

// mark is the word that stands for the hole n while the line is parsed; it has
// the length of the template, so that positions stay.
func mark(n, length int) string {
	s := "Z" + strconv.Itoa(n)
	return s[:min(len(s), length)] + strings.Repeat("z", max(0, length-len(s)))
}

// look sets the quoting of each hole.
func (l *line) look() {
	b := []byte(l.text)
	for i, h := range l.holes {
		copy(b[h.start:h.end], mark(i, h.end-h.start))
	}
	file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(string(b)), "")
	if err != nil {
		return // every hole stays unknown
	}
	for i := range l.holes {
		l.holes[i].quote = nowhere
	}
	var up []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			up = up[:len(up)-1]
			return true
		}
		if leaf(n) {
			l.place(n, up)
		}
		up = append(up, n)
		return true
	})
}

func leaf(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return true
	}
	return false
}

// place judges the holes in the leaf n, whose ancestors are up.
func (l *line) place(n syntax.Node, up []syntax.Node) {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	for i := range l.holes {
		h := &l.holes[i]
		if h.start < from || h.end > to {
			continue
		}
		h.quote = unknown
		if quoteOf(up) == unknown {
			continue
		}
		switch n := n.(type) {
		case *syntax.SglQuoted:
			if !n.Dollar {
				l.inside(h, from, to, inSingle)
			}
		case *syntax.Lit:
			if q, ok := up[len(up)-1].(*syntax.DblQuoted); ok {
				if !q.Dollar {
					l.inside(h, int(q.Pos().Offset()), int(q.End().Offset()), inDouble)
				}
			} else if h.start == 0 || l.text[h.start-1] != '\\' {
				h.quote = bare
			}
		}
	}
}

// inside judges a hole in a string with its quotes at from and to-1. One that is
// all of the string takes the quotes' place.
func (l *line) inside(h *hole, from, to int, q quote) {
	if from+1 == h.start && to-1 == h.end {
		h.start, h.end, h.quote = from, to, bare
		return
	}
	h.quote = q
	h.busy = strings.ContainsAny(l.text[from+1:h.start]+l.text[h.end:to-1], "'\"`$\\")
}

// quoteOf tells whether some ancestor makes quoting unsure.
func quoteOf(up []syntax.Node) quote {
	for i, n := range up {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			if n.Backquotes {
				return unknown
			}
		case *syntax.ParamExp, *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.ExtGlob, *syntax.LetClause:
			return unknown
		case *syntax.Redirect:
			if i+1 < len(up) && n.Hdoc != nil && up[i+1] == syntax.Node(n.Hdoc) {
				return unknown
			}
		}
	}
	return bare
}

// plain reports whether a name is the same in every quoting and shell.
func plain(s string) bool {
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= 0x80, strings.IndexByte("_./@%+=:,-", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

func shellQuote(s string) string {
	if plain(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// fill is s as it goes into the hole.
func (h *hole) fill(s string) (string, error) {
	q := shellQuote(s)
	switch {
	case h.quote == bare, q == s && h.quote != nowhere:
		return q, nil
	case h.quote == nowhere:
		return strings.NewReplacer("\n", "?", "\r", "?").Replace(s), nil
	case h.quote == inDouble && !h.busy:
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(q), nil
	case h.quote == inSingle && !h.busy:
		return strings.ReplaceAll(q, "'", `'\''`), nil
	}
	return "", usererr.New("unsafe-name", fmt.Sprintf("%q cannot be handed over safely where %s stands", s, h.word), "write "+h.word+" outside of quotes, or rename the file")
}

// expand replaces the templates; lists are the files and arguments a template
// stands for. The lines are as many as it takes for none to be longer than
// space; at least one.
func (l *line) expand(lists map[string][]string, space int) ([]string, error) {
	filled := make([][]string, len(l.holes))
	room, total := space-len(l.text), 0
	for i := range l.holes {
		h := &l.holes[i]
		for _, s := range lists[h.word] {
			q, err := h.fill(s)
			if err != nil {
				return nil, err
			}
			filled[i] = append(filled[i], q)
			if slices.Contains(fileWords[:], h.word) {
				total += len(q) + 1
			} else {
				room -= len(q) + 1
			}
		}
	}
	if total <= room {
		return []string{l.join(filled)}, nil
	}
	if room < len(l.text) && room < 1024 {
		return nil, usererr.New("tool-unusable", "the command line is too long", "")
	}
	return l.split(filled, room), nil
}

// split makes lines of at most room bytes of files each: the files of all
// templates are cut in as many parts.
func (l *line) split(filled [][]string, room int) []string {
	parts := make([][][]string, len(filled))
	count := 1
	share := room / len(filled)
	for i, list := range filled {
		if slices.Contains(fileWords[:], l.holes[i].word) {
			parts[i] = proc.Batches(list, share, func(s string) int { return len(s) + 1 })
			count = max(count, len(parts[i]))
		}
	}
	var out []string
	for n := range count {
		one := make([][]string, len(filled))
		for i := range filled {
			switch {
			case parts[i] == nil:
				one[i] = filled[i]
			case n < len(parts[i]):
				one[i] = parts[i][n]
			}
		}
		out = append(out, l.join(one))
	}
	return out
}

// join writes the line with its holes filled. A list without an element leaves
// an empty word where a word of git's arguments is missing.
func (l *line) join(filled [][]string) string {
	var b strings.Builder
	at := 0
	for i, h := range l.holes {
		b.WriteString(l.text[at:h.start])
		s := strings.Join(filled[i], " ")
		if s == "" && h.quote == bare && h.word != "{0}" && !slices.Contains(fileWords[:], h.word) {
			s = "''"
		}
		b.WriteString(s)
		at = h.end
	}
	return b.String() + l.text[at:]
}

// takesArgs reports whether files can be appended to a line as "$@": it ends
// with a simple command and does not name its parameters itself.
func takesArgs(text string) bool {
	for _, own := range []string{"$@", "$*", "${@", "${*", "$1", "${1", "$#"} {
		if strings.Contains(text, own) {
			return false
		}
	}
	file, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil || len(file.Stmts) == 0 {
		return false
	}
	last := file.Stmts[len(file.Stmts)-1]
	for {
		if last.Background || last.Semicolon.IsValid() {
			return false
		}
		b, ok := last.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		last = b.Y
	}
	if slices.ContainsFunc(last.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil }) {
		return false
	}
	// Nothing may stand behind it, such as a comment.
	c, ok := last.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && int(last.End().Offset()) >= len(strings.TrimRight(text, " \t\n"))
}

package makefile

import (
	"slices"
	"strings"

	"poly/internal/diag"
)

func (r *reader) report(code string, sev diag.Severity, start, end int, title string) {
	r.diags = append(r.diags, diag.Diagnostic{
		Engine: engineName, Code: code, Severity: sev, Title: title, Span: &diag.Span{Start: start, End: end},
	})
}

// judge follows one logical line through the order in which GNU make asks what
// a line is.
func (r *reader) judge(l line) {
	if r.foreign {
		return
	}
	text := strings.TrimSpace(l.text)
	word := firstWord(text)
	if len(r.defines) > 0 {
		r.inDefine(l, word)
		return
	}
	if l.first != "" && l.first[0] == r.prefix && r.rule {
		return // a recipe
	}
	if text == "" || text[0] == '#' {
		return
	}
	if r.conditional(l, text, word) {
		return
	}
	if r.directive(l, text, word) {
		return
	}
	r.statement(l, text)
}

// inDefine waits for the endef. A line that starts like a recipe is text.
func (r *reader) inDefine(l line, word string) {
	if l.first != "" && l.first[0] == r.prefix {
		return
	}
	switch word {
	case "endef":
		r.defines = r.defines[:len(r.defines)-1]
	case "define":
		r.defines = append(r.defines, l.start)
	}
}

// conditional follows ifdef, ifeq, else and endif.
func (r *reader) conditional(l line, text, word string) bool {
	switch word {
	case "ifdef", "ifndef", "ifeq", "ifneq":
		if rest := strings.TrimLeft(text[len(word):], " \t"); strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "=") {
			return false // a target or a variable of this name
		}
		r.ifs = append(r.ifs, l.conditional(word))
	case "else":
		r.otherwise(l, text)
	case "endif":
		if len(r.ifs) == 0 {
			if !r.bsd {
				r.report(codeSyntax, diag.Error, l.start, l.start+len(l.first), "endif without ifdef or ifeq")
			}
			return true
		}
		r.ifs = r.ifs[:len(r.ifs)-1]
	default:
		return false
	}
	return true
}

func (r *reader) otherwise(l line, text string) {
	if len(r.ifs) == 0 {
		if !r.bsd {
			r.report(codeSyntax, diag.Error, l.start, l.start+len(l.first), "else without ifdef or ifeq")
		}
		return
	}
	top := &r.ifs[len(r.ifs)-1]
	if top.elses > 0 {
		r.report(codeSyntax, diag.Error, l.start, l.start+len(l.first), "A second else of one conditional")
		return
	}
	switch firstWord(text[len("else"):]) {
	case "ifdef", "ifndef", "ifeq", "ifneq":
	default:
		top.elses++
	}
}

// unclosed reports what the end of the file leaves open.
func (r *reader) unclosed() {
	if r.foreign || r.bsd {
		return
	}
	for _, at := range r.defines {
		r.report(codeSyntax, diag.Error, at, at+len(strings.TrimRight(lineAt(r.text, at), "\r")), "define without endef")
	}
	for _, o := range r.ifs {
		r.report(codeSyntax, diag.Error, o.at, o.at+o.length, "This conditional has no endif")
	}
}

// conditional returns where word opens one: it may stand on a later line than
// the first, which is underlined then.
func (l *line) conditional(word string) open {
	if i := strings.Index(l.first, word); i >= 0 {
		return open{at: l.start + i, length: len(word)}
	}
	return open{at: l.start, length: len(l.first)}
}

func lineAt(text []byte, at int) string {
	s := string(text[at:])
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return s
}

// directive reports whether the line is one, or an assignment.
func (r *reader) directive(l line, text, word string) bool {
	text, word, done := modifiers(text, word)
	rest := strings.TrimLeft(text[len(word):], " \t")
	switch {
	case done:
	case word == "define":
		if rest != "" && !strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, ":=") {
			r.defines = append(r.defines, l.start)
		}
	case word == "endef":
		if !r.bsd {
			r.report(codeSyntax, diag.Error, l.start, l.start+len(l.first), "endef without define")
		}
	case slices.Contains(directives(), word):
		if strings.HasPrefix(rest, ":") {
			return false
		}
	case !assignment(text):
		return false
	default:
		if r.rule && l.first[0] == ' ' && text[0] == '@' {
			r.blanks(l)
		}
		r.recipePrefix(text)
	}
	r.rule = false
	return true
}

func directives() []string {
	return []string{"include", "-include", "sinclude", "vpath", "load", "-load", "undefine", "export", "unexport"}
}

// modifiers strips override, private and export from an assignment or a
// definition. done: the line is a directive of its own, as "export A B".
func modifiers(text, word string) (rest, first string, done bool) {
	for isModifier(word) {
		rest := strings.TrimLeft(text[len(word):], " \t")
		if rest == "" || strings.HasPrefix(rest, ":") {
			break
		}
		text, word = rest, firstWord(rest)
		if word != "define" && !isModifier(word) && !assignment(text) {
			return text, word, true
		}
	}
	return text, word, false
}

func isModifier(word string) bool {
	return word == "override" || word == "private" || word == "export" || word == "unexport"
}

// blanks reports a line that looks like a recipe's and is none.
func (r *reader) blanks(l line) {
	r.report(codeSpaces, diag.Warning, l.start, l.start+len(l.first)-len(strings.TrimLeft(l.first, " \t")),
		"This line is indented with blanks: make does not take it for a recipe")
}

// recipePrefix obeys an assignment to .RECIPEPREFIX.
func (r *reader) recipePrefix(text string) {
	rest, ok := strings.CutPrefix(text, ".RECIPEPREFIX")
	if !ok {
		return
	}
	rest = strings.TrimLeft(strings.TrimLeft(rest, " \t:+?"), "= \t")
	if r.prefix = '\t'; rest != "" {
		r.prefix = rest[0]
	}
	if r.prefix == '$' { // it is computed: any line may be a recipe
		r.foreign = true
	}
}

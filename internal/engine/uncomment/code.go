package uncomment

import (
	"strings"

	"poly/internal/syntax"
)

// isCode reports whether a block is nothing but code: the grammar reads it
// without an error, every line of it looks like code, and none like prose.
func (w *worker) isCode(f *file, b block) bool {
	var lines []string
	for _, c := range b {
		if !c.alone {
			return false
		}
		lines = append(lines, f.strip(string(f.text[c.start:c.end]))...)
	}
	text := strings.Join(lines, "\n")
	if len(text) > 1<<16 || strings.TrimSpace(text) == "" {
		return false
	}
	return f.looks(lines) && w.parses(f, text)
}

// strip returns the lines of a comment without what marks it as one.
func (f *file) strip(text string) []string {
	for m := range strings.FieldsSeq(f.dialect.line) {
		if rest, ok := strings.CutPrefix(text, m); ok {
			return []string{strings.TrimRight(rest, " \t\r")}
		}
	}
	for _, m := range [][2]string{{"/*", "*/"}, {"{-", "-}"}, {"--[[", "]]"}, {"=begin", "=end"}} {
		if rest, ok := strings.CutPrefix(text, m[0]); ok {
			lines := strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), m[1]), "\n")
			for i, l := range lines {
				l = strings.TrimRight(l, " \t\r")
				if bare := strings.TrimLeft(l, " \t"); bare == "*" || strings.HasPrefix(bare, "* ") {
					l = bare[1:]
				}
				lines[i] = l
			}
			return lines
		}
	}
	return []string{text}
}

// parses reports whether the grammar reads a text as it stands, or within what
// may stand around it.
func (w *worker) parses(f *file, text string) bool {
	wraps := f.dialect.wraps
	if f.dialect.grammar != "php" {
		wraps = append([]string{"%\n"}, wraps...)
	}
	text = dedent(text)
	for _, around := range wraps {
		before, after, _ := strings.Cut(around, "%")
		t, err := w.snippet.Parse(f.tree.Language, []byte(before+text+after))
		if err == nil && !t.Nodes[0].Is(syntax.HasError) && len(t.Nodes) > 2 {
			return true
		}
	}
	return false
}

// dedent takes away the blanks that all lines start with.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	least := -1
	for _, l := range lines {
		if n := len(l) - len(strings.TrimLeft(l, " \t")); strings.TrimSpace(l) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines {
		lines[i] = l[min(max(least, 0), len(l)):]
	}
	return strings.Join(lines, "\n")
}

// looks reports whether every line looks like code.
func (f *file) looks(lines []string) bool {
	strong := false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if l == "" {
			continue
		}
		bare := unquote(l)
		switch {
		case f.prose(bare):
			return false
		case f.strong(bare):
			strong = true
		case !weak(bare):
			return false
		}
	}
	return strong
}

// unquote empties the strings of a line, so that what they say is not read.
func unquote(l string) string {
	var out strings.Builder
	for i := 0; i < len(l); i++ {
		c := l[i]
		if c == '"' || c == '`' || c == '\'' && (i == 0 || !letter(l[i-1])) {
			if end := strings.IndexByte(l[i+1:], c); end >= 0 {
				out.WriteByte(c)
				i += end + 1
			}
		}
		out.WriteByte(c)
	}
	return out.String()
}

// codeWords may stand side by side in code.
const codeWords = "abstract and as async await case class const def default defer do echo elif else elseif end enum export extends final fn for foreach from func " +
	"function go guard if implements import in instanceof interface internal is lambda let local match mut namespace new not or override package private protected pub " +
	"public raise readonly rescue return select static struct switch then throw throws trait try type typeof unless until use using val var void where while with yield " +
	"int long char double float bool boolean string unsigned signed size_t"

// prose reports whether words stand side by side in a line as they do in a
// sentence only.
func (f *file) prose(l string) bool {
	if f.dialect.grammar == "sql" || f.dialect.grammar == "dockerfile" {
		return sentence(l)
	}
	run := 0
	for w := range strings.FieldsSeq(l) {
		trimmed := strings.TrimRight(w, ".,:!?")
		switch {
		case !alphabetic(trimmed) || has(codeWords, trimmed):
			run = 0
			continue
		case trimmed != w && !strings.HasSuffix(w, ",") && run > 0:
			return !strings.HasSuffix(w, ":") || run > 1
		}
		if run++; run > 2 || run > 1 && !strings.ContainsAny(l, "=({;") {
			return true
		}
	}
	return sentence(l)
}

// sentence reports whether a line ends as one.
func sentence(l string) bool {
	return strings.HasSuffix(l, ".") && !strings.HasSuffix(l, "..") || strings.HasSuffix(l, "?") || strings.Contains(l, ". ") || strings.Contains(l, "e.g") || strings.Contains(l, "i.e")
}

func alphabetic(w string) bool {
	for i := range len(w) {
		if c := w[i]; !letter(c) || c == '_' || c <= '9' {
			return false
		}
	}
	return w != ""
}

// strong reports whether a line can hardly be anything but code.
func (f *file) strong(l string) bool {
	first, rest, _ := strings.Cut(l, " ")
	switch f.dialect.grammar {
	case "yaml":
		return setting(l)
	case "dockerfile":
		return has("ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL USER VOLUME WORKDIR", first) && rest != ""
	case "sql":
		return has("ALTER CREATE DELETE DROP GRANT INSERT SELECT TRUNCATE UPDATE WITH alter create delete drop grant insert select truncate update with", first) && strings.HasSuffix(l, ";")
	case "bash":
		return shellCode(l, first, rest)
	}
	return f.braces(l, first, rest)
}

// setting reports whether a line of YAML gives a key a value of one word.
func setting(l string) bool {
	key, value, ok := strings.Cut(strings.TrimPrefix(l, "- "), ":")
	if !ok || key == "" || key != strings.ToLower(key) || !plain(key) {
		return false
	}
	return !has("note example default see warning hint tip usage", key) && !strings.Contains(strings.TrimSpace(value), " ")
}

// braces is strong for languages with brackets or blocks.
func (f *file) braces(l, first, rest string) bool {
	if f.dialect.semi {
		return semicolons(l, first)
	}
	if assigns(l) || calls(l) {
		return true
	}
	switch {
	case ends(l, "{", ";"), ends(l, ":") && has("if elif for while def class with try except else: try: finally:", first) && f.dialect.grammar == "python":
		return strings.ContainsAny(l, "=(.;") || has(codeWords, strings.Trim(first, ":{;"))
	case has("return raise import local def", first):
		return has("nil null none None true false True False self this", rest) || rest != "" && !alphabetic(rest) && !strings.Contains(rest, " ")
	case first == "from":
		return strings.Contains(rest, " import ")
	}
	return false
}

// semicolons is strong for languages whose statements end with one.
func semicolons(l, first string) bool {
	return ends(l, ";", "{") && (strings.ContainsAny(l, "=(.[<:") || has("break; continue; return; return else do try throw", first)) || strings.HasPrefix(l, "#include ")
}

// weak reports whether a line is code if those around it are.
func weak(l string) bool {
	return strings.Trim(l, "{}()[];,") == "" || ends(l, ";", "{", ",", "(", "[", "\\", ")", "}", "]", ":", "});", "do", "then") ||
		has("end else fi done esac try begin do ensure break continue pass return", l) || strings.HasPrefix(l, ".") || strings.HasPrefix(l, "@") || assigns(l) ||
		has("case when elsif elif else rescue except return if for while", strings.SplitN(l, " ", 2)[0]) || strings.HasPrefix(l, "&&") || strings.HasPrefix(l, "||")
}

func ends(l string, with ...string) bool {
	for _, s := range with {
		if strings.HasSuffix(l, s) {
			return true
		}
	}
	return false
}

// assigns reports whether a line gives one name, with few words before it, a
// value.
func assigns(l string) bool {
	i := strings.IndexByte(l, '=')
	if i <= 0 || i+1 >= len(l) || l[i+1] == '=' || l[i+1] == '>' || l[i+1] == '~' || strings.IndexByte("=!<>~", l[i-1]) >= 0 {
		return false
	}
	left := strings.Fields(strings.TrimRight(l[:i], "+-*/%|&^:? "))
	if len(left) == 0 || len(left) > 5 || strings.TrimSpace(l[i+1:]) == "" {
		return false
	}
	right := strings.TrimSpace(l[i+1:])
	if strings.Contains(right, " ") && !strings.ContainsAny(right, "([{.\"'`^&|<>?") { // a formula, or a rule of a grammar
		return false
	}
	return letter(left[0][0]) || strings.IndexByte("$@*(_.[{\"'", left[0][0]) >= 0
}

// calls reports whether a line is a call and nothing else.
func calls(l string) bool {
	i := strings.IndexByte(l, '(')
	l = strings.TrimSuffix(l, ";")
	if i <= 0 || !strings.HasSuffix(l, ")") {
		return false
	}
	name := l[:i]
	for _, w := range []string{"await ", "return ", "defer ", "go ", "throw ", "raise ", "new ", "else "} {
		name = strings.TrimPrefix(name, w)
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$:!?@[]") == ""
}

// shellCode reports whether a line is a command for all one can tell.
func shellCode(l, first, rest string) bool {
	if name, _, ok := strings.Cut(first, "="); ok && plain(name) && !strings.Contains(name, "-") && rest == "" {
		return true
	}
	return has("export local readonly declare", first) && strings.Contains(rest, "=") || ends(l, "; then", "; do") ||
		has("apt apt-get cat cd chmod chown cp curl docker echo git grep ln make mkdir mv npm pip printf pushd rm rmdir sed set source ssh sudo systemctl tar touch wget", first) &&
			rest != "" && strings.ContainsAny(rest, "\"'$/-=.")
}

package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// ruleLoad is source code that rules are run over, by poly and by ast-grep.
type ruleLoad struct {
	lang string
	ext  string
	dir  string
	fill func(b *bounds, dir string) error // fetches it into dir
}

// ruleLoads are more than 25 MB of Python, and TypeScript and Go.
func ruleLoads(dir string) []ruleLoad {
	return []ruleLoad{
		{"python", ".py", filepath.Join(dir, "rules-py"), func(b *bounds, dir string) error {
			if err := fetch(b, dir, "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "sympy==1.13.3"); err != nil {
				return err
			}
			return fetch(b, dir, "sh", "-c", "python3 -m zipfile -e *.whl . && rm *.whl")
		}},
		{"typescript", ".ts", filepath.Join(dir, "rules-ts"), func(b *bounds, dir string) error {
			if err := fetch(b, dir, "npm", "pack", "--silent", "effect@3.12.0"); err != nil {
				return err
			}
			return fetch(b, dir, "sh", "-c", "tar xzf *.tgz && rm *.tgz")
		}},
		{"go", ".go", filepath.Join(runtime.GOROOT(), "src"), nil}, //nolint:staticcheck // it runs beside the sources it was built with
	}
}

// fetch runs a command in a directory, which is made.
func fetch(b *bounds, dir string, argv ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(b.ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", argv, err, out)
	}
	return nil
}

// rules measures poly rules scan against the command line of ast-grep: processor
// seconds for 10, 50 and 200 patterns and for 60 relational rules.
func rules(b *bounds, poly, dir string, env []string) error {
	peer := filepath.Join(dir, "ast-grep")
	if err := fetch(b, peer, "sh", "-c", "npm pack --silent @ast-grep/cli-linux-x64-gnu@0.51.1 && tar xzf *.tgz"); err != nil {
		return err
	}
	theirs := filepath.Join(peer, "package", "ast-grep")
	if err := os.Chmod(theirs, 0o755); err != nil { //nolint:gosec // it is a program
		return err
	}
	for _, load := range ruleLoads(dir) {
		if load.fill != nil {
			if err := load.fill(b, load.dir); err != nil {
				return err
			}
		}
		names, size, err := called(load.dir, load.ext)
		if err != nil {
			return err
		}
		for _, row := range []struct {
			name  string
			text  string
			limit float64
		}{
			{"10 patterns", patterns(load.lang, names, 10), 1},
			{"50 patterns", patterns(load.lang, names, 50), 1},
			{"200 patterns", patterns(load.lang, names, 200), 0.6},
			{"60 relational rules", relational(load.lang, names), 0.6},
		} {
			file := filepath.Join(dir, "rules.yml")
			if err := write(file, []byte(row.text)); err != nil {
				return err
			}
			ours := &contender{name: "poly", argv: []string{poly, "rules", "scan", "-r", file, "--json=stream", "-j1", load.dir}}
			other := &contender{name: "ast-grep", argv: []string{theirs, "scan", "-r", file, "--json=stream", "-j1", load.dir}}
			if err := race(b.ctx, dir, env, 1, ours, other); err != nil {
				return err
			}
			name := fmt.Sprintf("rules: %s over %d MB of %s, CPU to ast-grep's", row.name, size>>20, load.lang)
			b.check(name, median(ours.samples, cpu)/median(other.samples, cpu), row.limit, "x")
			b.check(name[:len(name)-len("CPU to ast-grep's")]+"memory", median(ours.samples, rss)/median(other.samples, rss), 3, "x")
		}
	}
	return nil
}

// keywords look like calls and are none.
var keywords = []string{"while", "switch", "return", "import", "function", "catch", "super", "typeof", "await", "yield", "lambda", "assert", "except", "raise", "range", "select", "print"}

// called returns the names of functions that are called below a directory, with
// those first that are called less than the most usual ones, and the size.
func called(dir, ext string) (names []string, size int, err error) {
	call := regexp.MustCompile(`\b([a-z][A-Za-z_]{4,20})\(`)
	count := map[string]int{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ext {
			return err
		}
		text, err := os.ReadFile(name)
		size += len(text)
		for _, m := range call.FindAllSubmatch(text, -1) {
			if !slices.Contains(keywords, string(m[1])) {
				count[string(m[1])]++
			}
		}
		return err
	})
	names = slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	if len(names) < 300 {
		return nil, 0, fmt.Errorf("only %d functions are called below %s", len(names), dir)
	}
	return names[50:], size, err
}

// patterns are calls of the first functions.
func patterns(lang string, names []string, n int) string {
	var b strings.Builder
	for i, name := range names[:n] {
		fmt.Fprintf(&b, "id: p%d\nlanguage: %s\nrule: {pattern: '%s'}\n---\n", i, lang, inContext(lang, name, "$A, $$$B"))
	}
	return strings.TrimSuffix(b.String(), "---\n")
}

// inContext is a call that parses as one alone.
func inContext(lang, name, args string) string {
	if lang == "go" {
		return "$X." + name + "(" + args + ")"
	}
	return name + "(" + args + ")"
}

// relational are sixty rules that look around what they match.
func relational(lang string, names []string) string {
	function := map[string]string{"python": "function_definition", "typescript": "arrow_function", "go": "function_declaration"}[lang]
	call := map[string]string{"python": "call", "typescript": "call_expression", "go": "call_expression"}[lang]
	loop := map[string]string{"python": "for_statement", "typescript": "for_statement", "go": "for_statement"}[lang]
	var b strings.Builder
	for i, name := range names[:20] {
		other := names[20+i]
		fmt.Fprintf(&b, "id: inside%d\nlanguage: %s\nrule: {kind: %s, inside: {kind: %s, stopBy: end}, has: {field: function, regex: '\\b%s$'}, not: {inside: {kind: %s, stopBy: end}}}\n---\n",
			i, lang, call, function, name, loop)
		fmt.Fprintf(&b, "id: has%d\nlanguage: %s\nrule: {kind: %s, all: [{has: {stopBy: end, kind: %s, has: {field: function, regex: ^%s$}}}, {not: {has: {stopBy: end, kind: %s}}}]}\n---\n",
			i, lang, function, call, other, loop)
		fmt.Fprintf(&b, "id: deep%d\nlanguage: %s\nrule: {kind: %s, has: {stopBy: {kind: %s}, kind: %s, inside: {stopBy: end, kind: %s, has: {field: name, regex: '^_?[a-m]'}}}, precedes: {stopBy: end, kind: %s}}\n---\n",
			i, lang, loop, function, call, function, loop)
	}
	return strings.TrimSuffix(b.String(), "---\n")
}

package bindgen

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ReadGlue works out the table of a module from the glue it is shipped with.
// It is slow and for building only. An import whose body is none of those
// known, or an export whose wrapper is of no known shape, is an error that
// names it.
func ReadGlue(glue, wasm []byte) (*Table, error) {
	sig, err := readSignatures(wasm)
	if err != nil {
		return nil, err
	}
	g := glueReader{text: string(glue), sig: sig}
	t := &Table{
		Externref:    strings.Contains(g.text, tableExport),
		Malloc:       g.one(`passStringToWasm0\(\w+, wasm\.(\w+)`),
		Free:         g.one(`wasm\.(\w+)\(deferred\d+_0, deferred\d+_1, 1\)`),
		Throw:        g.one(`(?s)function handleError.*?wasm\.(__wbindgen_\w+)\(`),
		TableAlloc:   g.one(`wasm\.(__externref_table_alloc\w*)`),
		TableFree:    g.one(`wasm\.(__externref_table_dealloc\w*)`),
		StackPointer: g.one(`wasm\.(__wbindgen_add_to_stack_pointer\w*)`),
		Start:        g.one(`wasm\.(__wbindgen_start\w*)\(`),
	}
	if n := g.one(`let heap = new Array\((\d+)\)`); n != "" {
		if t.HeapBase, err = strconv.Atoi(n); err != nil {
			return nil, err
		}
		t.HeapBase += 4 // undefined, null, true and false follow
	}
	if t.Externref == (t.HeapBase > 0) {
		return nil, errors.New("the glue is of no known flavour")
	}
	if err := g.imports(t); err != nil {
		return nil, err
	}
	return t, g.exports(t)
}

type glueReader struct {
	text string
	sig  *signatures
}

func (g *glueReader) one(pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(g.text); m != nil {
		return m[1]
	}
	return ""
}

// imports finds the body of each import and what it does.
func (g *glueReader) imports(t *Table) error {
	head := regexp.MustCompile(`(?m)^\s*(?:export function )?(__wb[\w$]*)(?:: function)?\s*\(([\w, ]*)\)\s*\{`)
	bodies := map[string]string{}
	for _, at := range head.FindAllStringSubmatchIndex(g.text, -1) {
		name := g.text[at[2]:at[3]]
		if _, twice := bodies[name]; !twice {
			bodies[name] = block(g.text[at[1]:])
		}
	}
	known := bodyOps()
	for _, imp := range g.sig.imports {
		if t.Host == "" {
			t.Host = imp.module
		}
		body, ok := bodies[imp.name]
		if !ok || imp.module != t.Host {
			return fmt.Errorf("import %s.%s: the glue has none", imp.module, imp.name)
		}
		out := Import{Name: imp.name}
		if rest, catches := strings.CutPrefix(strings.TrimSpace(body), "return handleError(function"); catches {
			out.Catches = true
			_, inner, _ := strings.Cut(rest, "{")
			body = block(inner)
		}
		body, out.Takes = normalise(body)
		if out.Op, ok = known[body]; !ok {
			return fmt.Errorf("import %s does nothing known: %s", imp.name, body)
		}
		t.Imports = append(t.Imports, out)
	}
	slices.SortFunc(t.Imports, func(a, b Import) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// block returns the text up to the brace that closes what is open before s.
// The glue has no brace in a string or comment of a function we read.
func block(s string) string {
	depth := 1
	for at := range len(s) {
		switch s[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[:at]
			}
		}
	}
	return s
}

// normalise reduces the body of an import to what it does, whatever the flavour
// and the names of exports, and lists the parameters it takes from the heap.
func normalise(body string) (string, []int) {
	var takes []int
	for _, m := range regexp.MustCompile(`takeObject\(arg(\d)\)`).FindAllStringSubmatch(body, -1) {
		takes = append(takes, int(m[1][0]-'0'))
	}
	slices.Sort(takes)
	for _, r := range []struct{ from, to string }{
		{`\s+`, " "},
		{"// Cast intrinsic for `([^`]*)`\\.", "cast $1;"},
		{`(?:getObject|takeObject)\((\w+)\)`, "$1"},
		{`addHeapObject\((\w+)\)`, "$1"},
		{`passStringToWasm0\(ret, wasm\.\w+, wasm\.\w+\)`, "pass(ret)"},
		{`wasm\.\w+\(deferred0_0, deferred0_1, 1\)`, "free"},
		{`getStringFromWasm0\((\w+), (\w+)\)`, "text($1, $2)"},
		{`getDataViewMemory0\(\)\.`, ""},
		{`\b(?:obj|val|v)\b`, "v"},
	} {
		body = regexp.MustCompile(r.from).ReplaceAllString(body, r.to)
	}
	return strings.TrimSpace(body), takes
}

// exports reads the functions and classes the glue offers.
func (g *glueReader) exports(t *Table) error {
	text := g.text
	if at := strings.Index(text, "__wbg_get_imports"); at >= 0 {
		text = text[:at]
	}
	class := regexp.MustCompile(`(?m)^(?:export )?class (\w+) \{`)
	for _, at := range class.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		body := block(text[at[1]:])
		method := regexp.MustCompile(`(?m)^    (static )?(\w+)\(([\w, ]*)\) \{`)
		for _, m := range method.FindAllStringSubmatchIndex(body, -1) {
			what := body[m[4]:m[5]]
			if what == "constructor" {
				what = "new"
			}
			if err := g.export(t, name+"."+what, block(body[m[1]:])); err != nil {
				return err
			}
		}
	}
	function := regexp.MustCompile(`(?m)^(?:export )?function ([a-zA-Z]\w*)\(([\w, ]*)\) \{`)
	for _, at := range function.FindAllStringSubmatchIndex(text, -1) {
		body := block(text[at[1]:])
		name := text[at[2]:at[3]]
		if !g.offered(name) {
			continue
		}
		if err := g.export(t, name, body); err != nil {
			return err
		}
	}
	slices.SortFunc(t.Exports, func(a, b Export) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

func (g *glueReader) offered(name string) bool {
	return strings.Contains(g.text, "export function "+name+"(") || strings.Contains(g.text, "exports."+name+" = ")
}

// export reads how a wrapper calls its export.
func (g *glueReader) export(t *Table, name, body string) error {
	call := regexp.MustCompile(`wasm\.(\w+)\((.*)\);`)
	var fn, args string
	for _, m := range call.FindAllStringSubmatch(body, -1) {
		if f := m[1]; f == t.StackPointer || f == t.Free {
			continue
		}
		fn, args = m[1], m[2]
		break
	}
	if fn == "" {
		if strings.HasSuffix(name, ".__destroy_into_raw") || strings.HasSuffix(name, ".__wrap") {
			return nil
		}
		return fmt.Errorf("export %s calls nothing", name)
	}
	e := Export{Name: name, Func: fn}
	if !slices.Contains(g.sig.exports, fn) {
		return fmt.Errorf("export %s calls %s, which the module lacks", name, fn)
	}
	if err := e.readArguments(args, body, g.sig.params[fn]); err != nil {
		return fmt.Errorf("export %s: %w", name, err)
	}
	if err := e.readResult(body); err != nil {
		return fmt.Errorf("export %s: %w", name, err)
	}
	t.Exports = append(t.Exports, e)
	return nil
}

// readArguments reads the arguments of the call and how they came about. types
// are those of the parameters of the wasm function.
func (e *Export) readArguments(args, body string, types []byte) error {
	if strings.HasSuffix(e.Name, ".free") {
		e.Params = []Kind{KindSelf, KindNumber}
		return nil
	}
	pass := regexp.MustCompile(`(const|var) (ptr\d+) = (isLikeNone\(\w+\) \? 0 : )?passStringToWasm0\(`)
	texts := map[string]Kind{}
	for _, m := range pass.FindAllStringSubmatch(body, -1) {
		texts[m[2]] = KindText
		if m[3] != "" {
			texts[m[2]] = KindMaybe
		}
	}
	for _, m := range regexp.MustCompile(`const (ptr\d+) = passArray8ToWasm0\(`).FindAllStringSubmatch(body, -1) {
		texts[m[1]] = KindBytes
	}
	parts := splitArguments(args)
	for n := 0; n < len(parts); n++ {
		p := parts[n]
		if p == "retptr" {
			continue
		}
		k := texts[p]
		if k != KindNone {
			n++ // its length
		} else {
			var of byte
			if n < len(types) {
				of = types[n]
			}
			k = argumentKind(p, of)
		}
		if k == KindNone {
			return fmt.Errorf("argument %q is passed in no known way", p)
		}
		e.Params = append(e.Params, k)
	}
	return nil
}

// argumentKind reads an argument that is no text; of is the type of the parameter.
func argumentKind(arg string, of byte) Kind {
	switch {
	case regexp.MustCompile(`^(?:\w+\.__wbg_ptr|ptr)$`).MatchString(arg): // ptr is taken from an object that is gone then
		return KindSelf
	case regexp.MustCompile(`^addHeapObject\(\w+\)$`).MatchString(arg):
		return KindValue
	case regexp.MustCompile(`^isLikeNone\(\w+\) \? 0 : (?:addHeapObject|addToExternrefTable0)\(\w+\)$`).MatchString(arg):
		return KindOption
	case !regexp.MustCompile(`^\w+$`).MatchString(arg):
		return KindNone
	case of == typeExternref:
		return KindValue
	case of == typeI32:
		return KindNumber
	}
	return KindNone
}

func splitArguments(args string) []string {
	var parts []string
	depth, from := 0, 0
	for at := range len(args) {
		switch args[at] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(args[from:at]))
				from = at + 1
			}
		}
	}
	if last := strings.TrimSpace(args[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}

// readResult reads what becomes of what the call returns, and checks that the
// results stand where they always do: value or pointer and length, the
// exception, whether there is one.
func (e *Export) readResult(body string) error {
	at := 1
	switch {
	case strings.Contains(body, "return getStringFromWasm0("):
		e.Result, at = KindText, 2
	case strings.Contains(body, "this.__wbg_ptr = ret"), strings.Contains(body, "this.__wbg_ptr = r0"),
		strings.Contains(body, ".__wrap(ret)"):
		e.Result = KindPointer
	case strings.Contains(body, "return takeFromExternrefTable0("), strings.Contains(body, "return takeObject("):
		e.Result = KindValue
	case strings.Contains(body, "return ret;"), strings.Contains(body, "return ret !== 0;"), strings.Contains(body, "return ret[0] !== 0;"):
		e.Result = KindNumber
	case regexp.MustCompile(`\breturn\b`).MatchString(body):
		return errors.New("the result is returned in no known way")
	default:
		at = 0
	}
	m := regexp.MustCompile(`throw (?:takeFromExternrefTable0|takeObject)\(r(?:et\[)?(\d)\]?\)`).FindStringSubmatch(body)
	if m == nil {
		return nil
	}
	e.Fails = true
	flag := regexp.MustCompile(`if \(r(?:et\[)?(\d)\]?\) \{`).FindStringSubmatch(body)
	if flag == nil || m[1] != strconv.Itoa(at) || flag[1] != strconv.Itoa(at+1) {
		return errors.New("the exception stands in no known place")
	}
	return nil
}

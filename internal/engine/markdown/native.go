package markdown

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	upstream "github.com/google/yamlfmt/pkg/yaml"

	"poly/internal/engine"
)

// nativeNames are the files the markdownlint-cli2 command reads its settings
// from, the first of a folder before the others.
var nativeNames = []string{
	".markdownlint.jsonc", ".markdownlint.json", ".markdownlint.yaml", ".markdownlint.yml", ".markdownlint.cjs", ".markdownlint.mjs",
	".markdownlint-cli2.jsonc", ".markdownlint-cli2.yaml", ".markdownlint-cli2.cjs", ".markdownlint-cli2.mjs",
}

// entry is a key of a mapping; their order counts.
type entry struct {
	key   string
	value any
}

// native returns the settings of the files found for nativeNames, nearest
// folder first. A .markdownlint file is read alone; those of .markdownlint-cli2
// add to each other from the top down.
func native(inputs []engine.Input) (*settings, error) {
	s := &settings{on: allRules}
	var chain [][]entry
	for dir := ""; len(inputs) > 0; {
		dir = path.Dir(inputs[0].Path)
		n := 0
		for n < len(inputs) && path.Dir(inputs[n].Path) == dir {
			n++
		}
		plain, options := pick(inputs[:n], ".markdownlint."), pick(inputs[:n], ".markdownlint-cli2.")
		inputs = inputs[n:]
		if options != nil {
			entries, err := decode(options)
			if err != nil {
				return nil, err
			}
			if s.options(entries, &chain); plain == nil {
				continue
			}
		}
		if plain != nil && (options != nil || len(chain) == 0) {
			entries, err := decode(plain)
			if err != nil {
				return nil, err
			}
			chain = [][]entry{entries}
			break
		}
	}
	var all []entry
	for _, c := range slices.Backward(chain) {
		all = append(all, c...)
	}
	return s, s.apply(all)
}

// options reads the keys of a .markdownlint-cli2 file that count here.
func (s *settings) options(entries []entry, chain *[][]entry) {
	for _, e := range entries {
		switch e.key {
		case "config":
			if c, ok := e.value.([]entry); ok {
				*chain = append(*chain, c)
			}
		case "noInlineConfig":
			if b, ok := e.value.(bool); ok {
				s.noInline = b
			}
		}
	}
}

// pick returns the file that counts among those of one folder.
func pick(inputs []engine.Input, prefix string) *engine.Input {
	for _, name := range nativeNames {
		for i := range inputs {
			if strings.HasPrefix(name, prefix) && path.Base(inputs[i].Path) == name {
				return &inputs[i]
			}
		}
	}
	return nil
}

// decode reads a file of settings.
func decode(in *engine.Input) ([]entry, error) {
	switch path.Ext(in.Path) {
	case ".cjs", ".mjs":
		return nil, engine.Skip(in.Path + " is a program, which is not run")
	}
	entries, err := mapping(in.Text)
	if err != nil {
		return nil, engine.BrokenBy(*in, err)
	}
	return entries, nil
}

// mapping reads a mapping in JSON with comments, or in YAML.
func mapping(text []byte) ([]entry, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if t := bytes.TrimSpace(text); len(t) > 0 && (t[0] == '{' || t[0] == '/') {
		text = withoutComments(text)
	}
	var n upstream.Node
	if err := upstream.Unmarshal(text, &n); err != nil {
		return nil, err
	}
	if len(n.Content) == 0 {
		return nil, nil
	}
	entries, ok := value(n.Content[0]).([]entry)
	if !ok {
		return nil, fmt.Errorf("no mapping")
	}
	return entries, nil
}

// value returns what a node of YAML stands for, mappings as entries.
func value(n *upstream.Node) any {
	switch n.Kind {
	case upstream.MappingNode:
		out := []entry{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, entry{n.Content[i].Value, value(n.Content[i+1])})
		}
		return out
	case upstream.SequenceNode:
		out := []any{}
		for _, c := range n.Content {
			out = append(out, value(c))
		}
		return out
	case upstream.ScalarNode:
		var v any
		if n.Decode(&v) == nil {
			return v
		}
		return n.Value
	}
	return nil
}

// withoutComments returns JSON without its comments and without commas before
// closing brackets.
func withoutComments(t []byte) []byte {
	out := make([]byte, 0, len(t))
	for i := 0; i < len(t); {
		switch {
		case t[i] == '"':
			j := stringEnd(t, i)
			out = append(out, t[i:j]...)
			i = j
			continue
		case bytes.HasPrefix(t[i:], []byte("//")), bytes.HasPrefix(t[i:], []byte("/*")):
			i = commentEnd(t, i)
			continue
		case t[i] == '}' || t[i] == ']':
			if o := bytes.TrimRight(out, " \t\r\n"); len(o) > 0 && o[len(o)-1] == ',' {
				out = o[:len(o)-1]
			}
			out = append(out, t[i])
		case t[i] == '\t': // YAML has none
			out = append(out, ' ')
		default:
			out = append(out, t[i])
		}
		i++
	}
	return out
}

// stringEnd returns where the string at t[i] ends, or its line does.
func stringEnd(t []byte, i int) int {
	for i++; i < len(t) && t[i] != '"' && t[i] != '\n'; i++ {
		if t[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(t))
}

// commentEnd returns where the comment at t[i] ends.
func commentEnd(t []byte, i int) int {
	end, size := "\n", 0
	if t[i+1] == '*' {
		end, size = "*/", 2
	}
	if j := bytes.Index(t[i+2:], []byte(end)); j >= 0 {
		return i + 2 + j + size
	}
	return len(t)
}

// apply adds the entries of a configuration: rules, aliases and tags by name,
// `default` for all rules.
func (s *settings) apply(entries []entry) error {
	for _, e := range entries {
		if e.key == "extends" {
			if err := s.extend(e.value); err != nil {
				return err
			}
		}
		if strings.EqualFold(e.key, "default") {
			s.on = 0
			if truthy(e.value) {
				s.on = allRules
			}
		}
	}
	for _, e := range entries {
		set := rulesNamed(e.key)
		on := truthy(e.value)
		own := map[string]any{}
		for _, p := range asEntries(e.value) {
			if p.key == "enabled" {
				on = truthy(p.value)
			}
			own[p.key] = p.value
		}
		for i := range checks {
			if set&(1<<i) != 0 {
				s.params[i] = own
			}
		}
		if s.on |= set; !on {
			s.on &^= set
		}
	}
	return nil
}

// extend applies a configuration that comes with markdownlint.
func (s *settings) extend(v any) error {
	base, ok := v.(string)
	if !ok || base == "" {
		return nil
	}
	style, ok := styles(path.Base(strings.TrimSuffix(base, ".json")))
	if !ok || !strings.HasPrefix(base, "markdownlint/style/") {
		return engine.Skip("the configuration of markdownlint extends " + base + ", which is not read")
	}
	return s.apply(style)
}

func asEntries(v any) []entry {
	e, _ := v.([]entry)
	return e
}

// truthy reports whether JavaScript takes v for true.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int:
		return v != 0
	case float64:
		return v != 0
	}
	return true
}

// styles returns the configurations that come with markdownlint.
func styles(name string) ([]entry, bool) {
	off := map[string]string{
		"all": "",
		"prettier": "blanks-around-fences blanks-around-headings blanks-around-lists code-fence-style emphasis-style heading-start-left " +
			"heading-style hr-style line-length list-indent list-marker-space no-blanks-blockquote no-hard-tabs no-missing-space-atx " +
			"no-missing-space-closed-atx no-multiple-blanks no-multiple-space-atx no-multiple-space-blockquote " +
			"no-multiple-space-closed-atx no-trailing-spaces ol-prefix strong-style ul-indent",
		"relaxed": "whitespace line_length ul-indent no-inline-html no-bare-urls fenced-code-language first-line-h1",
	}
	names, ok := off[name]
	var out []entry
	for n := range strings.FieldsSeq(names) {
		out = append(out, entry{n, false})
	}
	return out, ok
}

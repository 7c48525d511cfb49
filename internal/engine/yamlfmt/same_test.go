package yamlfmt

import "testing"

func TestSameAccepts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ before, after string }{
		{"", ""},
		{"a:   1\n", "a: 1\n"},
		{"a: 1\n", "---\na: 1\n"},
		{"a: 1\n...\n", "a: 1\n"},
		{"\ufeffa: 1\r\nb: |\r\n  c\r\n", "a: 1\nb: |\n  c\n"},
		{"a: [b, c]\n", "a:\n  - b\n  - c\n"},
		{"a: {b: c}\n", "a:\n  b: c\n"},
		{"? a\n: b\n", "a: b\n"},
		{"a: 'b'\n", "a: \"b\"\n"},
		{"a: \"b\\u00e9\"\n", "a: 'bé'\n"},
		{"a: b\n", "a: 'b'\n"},
		{"a: >\n  b\n  c\n", "a: >\n  b c\n"},
		{"a: |\n    b\n     c\n", "a: |\n b\n  c\n"},
		{"a: b\n  c\n", "a: b c\n"},
		{"a: !!str b\n", "a: !<tag:yaml.org,2002:str> b\n"},
		{"*a : b\n", "*a: b\n"},
		{"a: # c\n  - b\n", "# c\na:\n  - b\n"},
		{"# c  \na: 1\n", "# c\na: 1\n"},
		{"a:\n", "a:\n"},
		{"{a, b}", "a:\nb:\n"},
	} {
		if err := Same([]byte(tc.before), []byte(tc.after)); err != nil {
			t.Errorf("Same(%q, %q): %v", tc.before, tc.after, err)
		}
	}
}

func TestSameRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, before, after string }{
		{"unparsable before", "a: [", "a: []"},
		{"unparsable after", "a: b", "a: b: c"},
		{"value", "a: 1", "a: 2"},
		{"number spelled otherwise", "a: 0x10", "a: 16"},
		{"null spelled otherwise", "a: ~", "a:"},
		{"null to text", "{a}", "{a: ''}"},
		{"quotes lost", "a: '1'", "a: 1"},
		{"quotes added", "a: no", "a: 'no'"},
		{"quotes added to a date", "a: 2001-01-01", "a: '2001-01-01'"},
		{"quotes added to a merge key", "<<: *a", "'<<': *a"},
		{"merge tag", "<<: *a", "!!merge <<: *a"},
		{"key order", "a: 1\nb: 2", "b: 2\na: 1"},
		{"item order", "[a, b]", "[b, a]"},
		{"item lost", "[a, b]", "[a]"},
		{"item added", "[a]", "[a, b]"},
		{"nesting", "a:\n  b:\n  c:", "a:\n  b:\nc:"},
		{"sequence to mapping", "- a: b\n  c: d", "- a: b\n- c: d"},
		{"tag lost", "a: !Ref b", "a: b"},
		{"tag added", "a: b", "a: !!str b"},
		{"tag changed", "a: !x b", "a: !y b"},
		{"tag moved", "!x a: b", "a: !x b"},
		{"anchor lost", "a: &x b", "a: b"},
		{"anchor renamed", "a: &x b\nc: *x", "a: &y b\nc: *y"},
		{"anchor moved", "&x a: b", "a: &x b"},
		{"alias resolved", "a: &x b\nc: *x", "a: &x b\nc: b"},
		{"alias to another", "- &x a\n- &y b\n- *x", "- &x a\n- &y b\n- *y"},
		{"folding", "a: >\n  b\n   c\n", "a: >\n  b\n\n   c\n"},
		{"chomping", "a: |\n  b\n", "a: |-\n  b\n"},
		{"kept line ends", "a: |+\n  b\n\n", "a: |+\n  b\n"},
		{"blank line at the start", "a: |\n\n  b\n", "a: |2\n  b\n"},
		{"trailing blanks", "a: |\n  b  \n", "a: |\n  b\n"},
		{"tab to blanks", "a: \"b\tc\"", "a: \"b c\""},
		{"document lost", "a\n---\n---\nb", "a\n---\nb"},
		{"document added", "a\n---\nb", "a\n---\n---\nb"},
		{"empty document at the end", "a\n---\n", "a\n"},
		{"documents joined", "- a\n---\n- b", "- a\n- b"},
		{"directive lost", "%YAML 1.1\n---\na: no", "---\na: no"},
		{"directive changed", "%YAML 1.1\n---\na", "%YAML 1.2\n---\na"},
		{"handle lost", "%TAG !e! x:\n---\n!e!a b", "---\n!<x:a> b"},
		{"comment lost", "a: 1 # c", "a: 1"},
		{"comment added", "a: 1", "a: 1 # c"},
		{"comment changed", "a: 1 # c", "a: 1 # d"},
		{"comments joined", "# a\n# b\nc:", "# a # b\nc:"},
		{"comments in another order", "# a\nb: # c", "# c\nb: # a"},
		{"comment moved behind a value", "a: 1\n# c\nb: 2\n", "a: 1 # c\nb: 2\n"},
		{"comment moved from a dash behind a value", "- # c\n  a: 1\n- b\n", "- a: 1 # c\n- b\n"},
		{"comment moved behind the start of a document", "# c\n---\na: 1\n", "--- # c\na: 1\n"},
		{"comment moved behind a key", "# c\na:\n  b: 2\n", "a: # c\n  b: 2\n"},
		{"comment moved away", "# c\na: 1\nb: 2\n", "a: 1\nb: 2\n# c\n"},
		{"comment into text", "a: |\n  b\n# c\n", "a: |\n  b\n  # c\n"},
		{"text into comment", "a: 'b #c'", "a: b #c"},
		{"quoted line without indentation", "a:\n  b: 'c\n\n    '", "a:\n  b: 'c\n\n'"},
	} {
		if err := Same([]byte(tc.before), []byte(tc.after)); err == nil {
			t.Errorf("%s: Same(%q, %q) accepts", tc.name, tc.before, tc.after)
		}
	}
}

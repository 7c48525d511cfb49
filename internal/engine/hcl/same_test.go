package hcl

import "testing"

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, before, after string
		same                bool
	}{
		{"layout", "a   =  1 # x\n", "a = 1 # x\n", true},
		{"line ends", "a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n", true},
		{"final newline", "a = 1", "a = 1\n", true},
		{"unwrapped", "a = \"${b}\"\n", "a = b\n", true},
		{"unwrapped lines", "a = \"${\nb ?\n1 : 2}\"\n", "a = (b ?\n1 : 2)\n", true},
		{"label", "a b {}\n", "a \"b\" {}\n", true},
		{"type", "variable \"x\" {\n  type = \"map\"\n}\n", "variable \"x\" {\n  type = map(string)\n}\n", true},
		{"comments around", "a /* x */ = /* y */ \"${b}\" /* z */ # end", "a /* x */ = /* y */ b /* z */ # end\n", true},
		{"comment before a value lost", "a = /* y */ b\n", "a = b\n", false},
		{"type elsewhere", "resource \"x\" {\n  type = \"map\"\n}\n", "resource \"x\" {\n  type = map(string)\n}\n", false},
		{"element type", "variable \"x\" {\n  type = \"map\"\n}\n", "variable \"x\" {\n  type = map(any)\n}\n", false},
		{"unwrapped in a list", "a = [\"${b}\"]\n", "a = [b]\n", false},
		{"two interpolations", "a = \"${b}${c}\"\n", "a = b}${c\n", false},
		{"sum", "a = \"${(b)\n+ (c)}\"\n", "a = (b)\n+ (c)\n", false},
		{"comment lost", "a = 1 # x\n", "a = 1\n", false},
		{"comment changed", "/*\n  x\n*/\n", "/*\n x\n*/\n", false},
		{"heredoc indented", "a = <<E\nx\nE\n", "a = <<E\n x\nE\n", false},
		{"string", "a = \"b  c\"\n", "a = \"b c\"\n", false},
		{"order", "a = 1\nb = 2\n", "b = 2\na = 1\n", false},
		{"line joined", "a = 1\n\nb = 2\n", "a = 1\nb = 2\n", false},
		{"token lost", "a = [1, 2]\n", "a = [1 2]\n", false},
		{"end lost", "a = 1\nb {\n}\n", "a = 1\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if err := same([]byte(tc.before), []byte(tc.after)); (err == nil) != tc.same {
				t.Errorf("same(%q, %q) = %v, want same %v", tc.before, tc.after, err, tc.same)
			}
		})
	}
}

package shfmt

import "testing"

func TestSectionApplies(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		section, path string
		want          bool
	}{
		{"*", "a/b.sh", true},
		{"*.sh", "a/b.sh", true},
		{"*.sh", "a.bash", false},
		{"/*.sh", "a/b.sh", false},
		{"a/*.sh", "a/b.sh", true},
		{"a/*.sh", "a/c/b.sh", false},
		{"a/**.sh", "a/c/b.sh", true},
		{"**/b.sh", "b.sh", true},
		{"{*.sh,*.bash}", "x/a.bash", true},
		{"{a,b}{1,2}", "b2", true},
		{"{a}", "{a}", true},
		{"f{1..12}", "f7", true},
		{"f{1..12}", "f13", false},
		{"[ab].sh", "b.sh", true},
		{"[!ab].sh", "b.sh", false},
		{"[a-c].sh", "b.sh", true},
		{"?.sh", "é.sh", true},
		{"?.sh", "/.sh", false},
		{`\*.sh`, "*.sh", true},
		{`\*.sh`, "a.sh", false},
		{"[[shell]]", "x", false},
		{"[shell]", "x", true},
		{"[zsh]", "x", false},
		{"{a,b", "{a,b", true},
		{"[a", "[a", true},
		{"****************a****************b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
	} {
		if got := sectionApplies(tc.section, tc.path, []string{"shell"}); got != tc.want {
			t.Errorf("sectionApplies(%q, %q) = %v, want %v", tc.section, tc.path, got, tc.want)
		}
	}
}

package rustre

import "testing"

// FuzzGlob: the short way to match a glob and the regular expression say the same.
func FuzzGlob(f *testing.F) {
	globs := []string{"test/**", "*.test.*", "*_test.go", "tests.rs", "*bench*", "docker*/**", ".github/workflows/*.yml", "a/**/b", "**/a", "*", "**", "", "/", "a", "a*a", "a***b*", "aa*a/**", "é*"}
	paths := []string{"", "/", "a", "/a", "a/", "aa", "a/a", "test/x", "/test/x", "xtest/x", "x/test/", "x/test", "x/y.test.go", "a_test.go", "x/tests.rs", "xtests.rs", ".github/workflows/a.yml", "é/a/b", "aab/aa/a/", "aba/ab\xff", "a\nb"}
	for _, g := range globs {
		for _, p := range paths {
			f.Add(g, p)
		}
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		short, err := CompileGlob("**/"+glob, false)
		long, err2 := compileGlob("**/"+glob, false)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%q: %v, %v", glob, err, err2)
		}
		if err == nil && short.Match(path) != long.Match(path) {
			t.Errorf("%q on %q: %v in short, by expression %v: %q", "**/"+glob, path, short.Match(path), long.Match(path), short.parts)
		}
	})
}

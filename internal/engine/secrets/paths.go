package secrets

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"poly/internal/glob"
)

// Classes of paths.
const (
	classSkip = "skip" // not looked at
	classTest = "test" // only credentials of a fixed form count
)

// paths tells how much of a file counts. It reads the native files of the
// root when it is first asked.
type paths struct {
	list   *glob.List
	tests  bool // tests are judged like any other file
	native func() *native
}

func newPaths(allow []string, tests bool, tree fs.FS) *paths {
	rules := make([]glob.Rule, len(allow))
	for i, p := range allow {
		rules[i].Pattern = p
	}
	return &paths{
		list: glob.NewList(rules, glob.Options{}), tests: tests,
		native: sync.OnceValue(func() *native { return readNative(tree) }),
	}
}

// class tells what results depend on. A file of which a line is ignored is a
// class of its own.
func (p *paths) class(file string) string {
	n := p.native()
	if p.list.Excluded(file, false).Ignored() || notSource(file) || matches(n.paths, file) {
		return classSkip
	}
	c := ""
	if !p.tests && isTest(file) {
		c = classTest
	}
	if len(n.ignored[file]) > 0 {
		return c + ":" + file
	}
	return c
}

func matches(list []*regexp.Regexp, file string) bool {
	for _, re := range list {
		if re.MatchString(file) {
			return true
		}
	}
	return false
}

// notSource reports whether a file is a lock, a list of checksums, an image,
// minified or somebody else's.
func notSource(p string) bool {
	name := p[strings.LastIndexByte(p, '/')+1:]
	switch name {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.mod", "go.sum", "go.work.sum", "bun.lockb", "deno.lock", "gradlew", "mvnw",
		"verification-metadata.xml", nativeConfig, nativeIgnore, "LICENSE":
		return true
	}
	switch ext := name[strings.LastIndexByte(name, '.')+1:]; strings.ToLower(ext) {
	case "lock", "sum", "svg", "map", "snap", "ipynb", "sha1", "sha256", "sha512", "md5", "lockfile", "crt", "cer", "csr", "pub", "po", "pot", "dic":
		return len(ext) < len(name)
	case "js", "css", "mjs":
		if strings.Contains(name, ".min.") {
			return true
		}
	}
	return inside(p, func(dir string) bool {
		return dir == "node_modules" || dir == "vendor" || dir == "bower_components" || dir == "third_party" || dir == "site-packages"
	})
}

// inside reports whether a directory above a file is one of those.
func inside(p string, is func(dir string) bool) bool {
	for {
		dir, rest, ok := strings.Cut(p, "/")
		if !ok {
			return false
		}
		if is(dir) {
			return true
		}
		p = rest
	}
}

// isTest reports whether a file belongs to tests or examples by its path.
func isTest(p string) bool {
	name := p[strings.LastIndexByte(p, '/')+1:]
	stem, _, _ := strings.Cut(name, ".")
	for _, end := range [...]string{"_test", "_tests", "-test", "_spec"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || strings.Contains(name, ".test.") || strings.Contains(name, ".spec.") || strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") {
		return true
	}
	return inside(p, func(dir string) bool {
		switch strings.ToLower(dir) {
		case "test", "tests", "testdata", "testing", "__tests__", "spec", "specs", "fixtures", "fixture", "__fixtures__", "mock", "mocks", "__mocks__",
			"e2e", "examples", "example", "samples", "integration", "testsuite", "certdata", "testcerts", "test-data", "test_data", "test-fixtures", "idle_test", "docs", "doc":
			return true
		}
		return strings.HasSuffix(dir, "_test") || strings.HasSuffix(dir, "_tests") || strings.HasSuffix(dir, "-tests") || strings.HasSuffix(dir, "-test")
	})
}

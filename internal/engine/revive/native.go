package revive

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	goversion "github.com/hashicorp/go-version"
	"github.com/mgechev/revive/lint"

	"poly/internal/config"
	"poly/internal/engine"
)

// defaultConfidence is that of the revive command.
const defaultConfidence = 0.8

// nativeConfig is a revive.toml. Its keys may be written in kebab-case,
// camelCase or lower case.
type nativeConfig struct {
	confidence float64
	generated  bool // generated files are looked at
	severity   string
	allRules   bool
	defaults   bool
	rules      map[string]nativeRule
	directives lint.DirectivesConfig
	exclude    []*lint.FileFilter
	goVersion  *goversion.Version
}

type nativeRule struct {
	Arguments []any
	Severity  string
	Disabled  bool
	Exclude   []string
}

// parseNative reads a revive.toml. What it does not know it leaves out, as the
// command does.
func parseNative(in engine.Input) (*nativeConfig, error) {
	keys := map[string]toml.Primitive{}
	md, err := toml.Decode(string(in.Text), &keys)
	if err != nil {
		return nil, engine.BrokenBy(in, err)
	}
	n := &nativeConfig{confidence: defaultConfidence}
	version, exclude := "", []string(nil)
	for key, value := range keys {
		var into any
		switch strings.ToLower(strings.ReplaceAll(key, "-", "")) {
		case "confidence":
			into = &n.confidence
		case "ignoregeneratedheader":
			into = &n.generated
		case "severity":
			into = &n.severity
		case "enableallrules":
			into = &n.allRules
		case "enabledefaultrules":
			into = &n.defaults
		case "rule":
			into = &n.rules
		case "directive":
			into = &n.directives
		case "exclude":
			into = &exclude
		case "goversion":
			into = &version
		default:
			continue
		}
		if err := md.PrimitiveDecode(value, into); err != nil {
			return nil, engine.BrokenBy(in, err)
		}
	}
	return n, n.finish(in, exclude, version)
}

func (n *nativeConfig) finish(in engine.Input, exclude []string, version string) error {
	var err error
	if version != "" {
		if n.goVersion, err = goversion.NewVersion(version); err != nil {
			return engine.Broken(in.Path, config.TOMLLine(in.Text, "go-version"), "go-version: %s", oneLine(err))
		}
	}
	for _, e := range exclude {
		f, err := lint.ParseFileFilter(e)
		if err != nil {
			return engine.Broken(in.Path, config.TOMLLine(in.Text, "exclude"), "exclude: %s", oneLine(err))
		}
		n.exclude = append(n.exclude, f)
	}
	if old, ok := n.rules["imports-blacklist"]; ok {
		n.rules["imports-blocklist"] = old
	}
	known := []string{"imports-blacklist", "epoch-naming", "inefficient-map-lookup", "range-val-address", "time-equal", "unhandled-error"}
	for _, u := range library() {
		known = append(known, u.code)
	}
	for _, code := range slices.Sorted(maps.Keys(n.rules)) {
		if !slices.Contains(known, code) {
			return engine.Broken(in.Path, config.TOMLLine(in.Text, "rule", code), "no rule is called %q", code)
		}
	}
	return nil
}

// excludes reports whether files at a path are left out altogether.
func (n *nativeConfig) excludes(path string) bool {
	for _, f := range n.exclude {
		if f.MatchFileName(path) {
			return true
		}
	}
	return false
}

// bytesContainPaths reports whether a revive.toml may exclude files.
func bytesContainPaths(text []byte) bool {
	return bytes.Contains(bytes.ToLower(text), []byte("exclude")) || bytes.Contains(text, []byte("filename-format")) ||
		bytes.Contains(text, []byte("package-directory-mismatch")) || bytes.Contains(text, []byte("package-naming")) ||
		bytes.Contains(bytes.ToLower(bytes.ReplaceAll(text, []byte("-"), nil)), []byte("enableallrules"))
}

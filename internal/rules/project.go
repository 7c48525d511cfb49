package rules

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"poly/internal/rules/match"
	"poly/internal/rules/rustre"
)

// ProjectNames are the names of the file that makes a directory a project of
// ast-grep, the first of which counts.
func ProjectNames() []string { return []string{"sgconfig.yml", "sgconfig.yaml"} }

// Project is what an sgconfig.yml says. Directories are relative to its own.
type Project struct {
	RuleDirs []string
	UtilDirs []string
	TestDirs []string
	Notes    []string // about keys that have no effect
	globs    []langGlob
}

// langGlob gives files a language by their names.
type langGlob struct {
	glob *rustre.Glob
	lang *match.Language
}

// ReadProject reads the text of an sgconfig.yml.
func ReadProject(text []byte) (*Project, error) {
	var raw struct {
		RuleDirs    []string `yaml:"ruleDirs"`
		UtilDirs    []string `yaml:"utilDirs"`
		TestConfigs []struct {
			TestDir     string `yaml:"testDir"`
			SnapshotDir string `yaml:"snapshotDir"`
		} `yaml:"testConfigs"`
		LanguageGlobs      map[string][]string `yaml:"languageGlobs"`
		CustomLanguages    map[string]any      `yaml:"customLanguages"`
		LanguageInjections []any               `yaml:"languageInjections"`
	}
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	p := &Project{RuleDirs: raw.RuleDirs, UtilDirs: raw.UtilDirs}
	for _, t := range raw.TestConfigs {
		p.TestDirs = append(p.TestDirs, t.TestDir)
	}
	names := make([]string, 0, len(raw.LanguageGlobs))
	for name := range raw.LanguageGlobs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		l, ok := match.Find(name)
		if !ok {
			return nil, fmt.Errorf("languageGlobs: unknown language %q", name)
		}
		for _, g := range raw.LanguageGlobs[name] {
			glob, err := rustre.CompileGlob(g, false)
			if err != nil {
				return nil, fmt.Errorf("languageGlobs: %w", err)
			}
			p.globs = append(p.globs, langGlob{glob, l})
		}
	}
	if len(raw.CustomLanguages) > 0 {
		p.Notes = append(p.Notes, "customLanguages has no effect: poly loads no libraries")
	}
	if len(raw.LanguageInjections) > 0 {
		p.Notes = append(p.Notes, "languageInjections has no effect")
	}
	return p, nil
}

// Load compiles the rules of a project, whose directory tree is.
func (p *Project) Load(tree fs.FS) (*Set, error) {
	l := NewLoader()
	defer l.Close()
	if err := l.AddUtils(tree, cleaned(p.UtilDirs)); err != nil {
		return nil, err
	}
	for _, dir := range cleaned(p.RuleDirs) {
		files, err := Files(tree, dir, isYAML)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			text, err := fs.ReadFile(tree, f)
			if err != nil {
				return nil, err
			}
			l.Add(f, text, false)
		}
	}
	return &l.Set, nil
}

func cleaned(dirs []string) []string {
	out := make([]string, len(dirs))
	for i, d := range dirs {
		out[i] = path.Clean(d)
	}
	return out
}

// OfPath returns the language of a file; nil is a project without globs.
func (p *Project) OfPath(file string) (*match.Language, bool) {
	if p != nil {
		for _, g := range p.globs {
			if g.glob.Match(path.Base(file)) {
				return g.lang, true
			}
		}
	}
	return match.OfPath(file)
}

// Package compose checks files of Docker Compose: what `docker compose`
// refuses or ignores in one file alone. It reads no other file of a project
// but those that Compose reads without being told.
package compose

import (
	"context"
	"path"
	"strings"

	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

const name = "compose"

// The codes of the rules.
const (
	codeUnknownKey   = "unknown-key"
	codeWrongType    = "wrong-type"
	codeMissingKey   = "missing-key"
	codeBadValue     = "bad-value"
	codeBadName      = "bad-name"
	codeVariable     = "interpolation"
	codeDuplicate    = "duplicate-item"
	codeExclusive    = "exclusive-keys"
	codeNoImage      = "no-image"
	codeUndefined    = "undefined-reference"
	codeCycle        = "dependency-cycle"
	codePort         = "duplicate-port"
	codeContainer    = "duplicate-container-name"
	codeVersion      = "obsolete-version"
	specification    = "https://docs.docker.com/reference/compose-file/"
	servicesPage     = specification + "services/"
	interpolatedPage = specification + "interpolation/"
)

// Engine is listed in internal/engine/all.
var Engine = engine.Engine{
	Spec: engine.Spec{
		Name:     name,
		Revision: 2,
		Langs:    []lang.ID{lang.YAML},
		Verbs:    engine.Lint,
		UsesPath: true,
		Rules: []engine.Rule{
			{Code: codeUnknownKey, Severity: diag.Error, Default: true, Doc: docUnknownKey, URL: specification},
			{Code: codeWrongType, Severity: diag.Error, Default: true, Doc: docWrongType, URL: servicesPage},
			{Code: codeMissingKey, Severity: diag.Error, Default: true, Doc: docMissingKey, URL: servicesPage},
			{Code: codeBadValue, Severity: diag.Error, Default: true, Doc: docBadValue, URL: servicesPage},
			{Code: codeBadName, Severity: diag.Error, Default: true, Doc: docBadName, URL: specification + "version-and-name/"},
			{Code: codeVariable, Severity: diag.Error, Default: true, Doc: docVariable, URL: interpolatedPage},
			{Code: codeDuplicate, Severity: diag.Error, Default: true, Doc: docDuplicate, URL: servicesPage},
			{Code: codeExclusive, Severity: diag.Error, Default: true, Doc: docExclusive, URL: servicesPage},
			{Code: codeNoImage, Severity: diag.Warning, Default: true, Doc: docNoImage, URL: servicesPage},
			{Code: codeUndefined, Severity: diag.Warning, Default: true, Doc: docUndefined, URL: servicesPage},
			{Code: codeCycle, Severity: diag.Error, Default: true, Doc: docCycle, URL: servicesPage + "#depends_on"},
			{Code: codePort, Severity: diag.Warning, Default: true, Doc: docPort, URL: servicesPage + "#ports"},
			{Code: codeContainer, Severity: diag.Warning, Default: true, Doc: docContainer, URL: servicesPage + "#container_name"},
			{Code: codeVersion, Severity: diag.Info, Default: true, Doc: docVersion, URL: specification + "version-and-name/"},
		},
		Doc: `Checks Docker Compose files: compose.yaml, docker-compose*.yml, compose.*.yaml and the like.

Keys and types are those of the Compose specification; merge keys, anchors, extensions (x-), variables and the tags !reset
and !override are understood. What another file of the project may define is looked for only in compose.yaml,
docker-compose.yml and their .yml and .yaml twins, and only if they have no include and no override file beside or above them. Files of
the first format, without services, are not judged.`,
	},
	Bind: func(_ context.Context, e engine.Env) (engine.Bound, error) {
		return engine.Bound{
			Inputs:    engine.Inputs{Names: beside},
			PathClass: func(path string) string { return classes[classOf(path)] },
			Open:      engine.Stateless(engine.Funcs{LintFunc: (&linter{rules: e.Rules}).lint}),
		}, nil
	},
}

// beside are the files Compose reads without being told, next to a file.
var beside = []string{
	"compose.override.yaml", "compose.override.yml", "docker-compose.override.yaml", "docker-compose.override.yml", ".env",
}

// class tells what a path says about a file.
type class uint8

const (
	other   class = iota // no Compose file
	whole                // Compose reads it by itself
	partial              // Compose has to be told to read it, with others as a rule
)

var classes = [...]string{other: "", whole: "whole", partial: "partial"}

func classOf(p string) class {
	base := strings.ToLower(path.Base(p))
	stem, ok := strings.CutSuffix(base, ".yml")
	if !ok {
		if stem, ok = strings.CutSuffix(base, ".yaml"); !ok {
			return other
		}
	}
	switch {
	case strings.Contains(p, ".github/"):
		return other
	case stem == "compose" || stem == "docker-compose":
		if strings.Contains(p, ".devcontainer/") {
			return partial // it is one of several as a rule
		}
		return whole
	case strings.HasPrefix(stem, "docker-compose"), strings.HasPrefix(stem, "compose."), strings.HasPrefix(stem, "compose-"):
		return partial
	}
	return other
}

// linter holds what was bound.
type linter struct{ rules engine.Selection }

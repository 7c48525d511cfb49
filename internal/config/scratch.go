package config

import (
	"context"
	"errors"
)

type (
	index      struct{}
	tableCache struct{}
	digests    struct{}
)

// Load reads the configuration of o.Tree. An error is a *usererr.Error that
// lists everything that is wrong, with file and line.
func Load(ctx context.Context, o Options) (*Set, error) {
	return nil, errors.ErrUnsupported
}

// Lint returns what is configured for an engine and a language; lang "" is the
// table of a cross engine for every language. The schema must know the engine.
func (e *Effective) Lint(lang, engine string) *EngineConfig { return nil }

// Fmt is Lint for [fmt.<lang>.<engine>].
func (e *Effective) Fmt(lang, engine string) *EngineConfig { return nil }

// Digest stands for the options that may change what the engine reports or
// writes: values, parameters, selection and indent width, not levels.
func (c *EngineConfig) Digest() [32]byte { return c.sum }

// Origin tells where a key of the table was written, e.g. Origin("rules", "E501", "level").
func (c *EngineConfig) Origin(keys ...string) Origin { return Origin{} }

// Digest stands for all effective settings.
func (e *Effective) Digest() [32]byte { return [32]byte{} }

// LintDigest stands for what decides lint results: defaults, lint tables,
// per-file ignores, rules.
func (e *Effective) LintDigest() [32]byte { return [32]byte{} }

// FmtDigest stands for what decides format results: defaults and fmt tables.
func (e *Effective) FmtDigest() [32]byte { return [32]byte{} }

// ScopeDigest stands for what decides which files are in scope.
func (e *Effective) ScopeDigest() [32]byte { return [32]byte{} }

// Origin tells where the value at a path of keys was written; the zero Origin
// means a default.
func (e *Effective) Origin(keys ...string) Origin { return Origin{} }

// Section returns a top-level table as plain values: "hooks", "tools",
// "commit". nil if nothing was configured.
func (e *Effective) Section(name string) map[string]any { return e.merged.get(name).plainMap() }

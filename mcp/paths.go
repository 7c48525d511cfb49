package mcp

import (
	"context"
	"slices"
	"strings"

	"poly/internal/engine"
	"poly/mcp/page"
	"poly/mcp/tool"
)

// pathsIn are the arguments of tools that judge files.
type pathsIn struct {
	Paths   []string    `json:"paths" doc:"Files or directories; none: the working directory."`
	Exclude []string    `json:"exclude" doc:"gitignore-style globs to leave out, at any depth if unanchored."`
	Config  string      `json:"config" doc:"A poly.toml that replaces those of the tree."`
	Format  tool.Format `json:"format"`
}

// formatIn is the only argument of some tools.
type formatIn struct {
	Format tool.Format `json:"format"`
}

// What the documents of runs consist of; see internal/report.
type (
	pathError struct {
		Path  string `json:"path"`
		Bytes string `json:"path_bytes,omitempty"`
		Error string `json:"error"`
	}
	pathSkip struct {
		Path   string `json:"path"`
		Bytes  string `json:"path_bytes,omitempty"`
		Reason string `json:"reason"`
	}
	counts struct {
		Checked int `json:"checked"`
		Skipped int `json:"skipped"`
		Errored int `json:"errored"`
	}
	configHash struct {
		Hash string `json:"hash"`
	}
	span struct {
		StartLine int `json:"start_line"`
		StartCol  int `json:"start_col"`
		EndLine   int `json:"end_line"`
		EndCol    int `json:"end_col"`
	}
	edit struct {
		StartByte   int    `json:"start_byte"`
		EndByte     int    `json:"end_byte"`
		Replacement string `json:"replacement"`
	}
	diagnostic struct {
		Engine      string          `json:"engine"`
		Code        *string         `json:"code"`
		Severity    string          `json:"severity"`
		Title       string          `json:"title"`
		Description *string         `json:"description"`
		Span        *span           `json:"span"`
		URL         *string         `json:"url"`
		Fix         *[]edit         `json:"fix"`
		Metadata    *map[string]any `json:"metadata"`
	}
	lintRecord struct {
		Path        string       `json:"path"`
		Bytes       string       `json:"path_bytes,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
		Total       int          `json:"diagnostics_total,omitempty"`
		Config      int          `json:"config,omitempty"`
		Fixed       int          `json:"fixed,omitempty"`
		Withheld    bool         `json:"fix_withheld_generated,omitempty"`
		Skipped     string       `json:"skipped,omitempty"`
		Error       string       `json:"error,omitempty"`
	}
	lintOut struct {
		Results   []lintRecord   `json:"results"`
		Errors    []pathError    `json:"errors"`
		Skipped   []pathSkip     `json:"skipped"`
		Summary   counts         `json:"summary"`
		Configs   []configHash   `json:"configs"`
		Truncated map[string]any `json:"truncated,omitempty"`
	}
	formatRecord struct {
		Path     string `json:"path"`
		Bytes    string `json:"path_bytes,omitempty"`
		Changed  bool   `json:"changed"`
		Withheld bool   `json:"fix_withheld_generated,omitempty"`
		Skipped  string `json:"skipped,omitempty"`
		Error    string `json:"error,omitempty"`
		Config   int    `json:"config,omitempty"`
	}
	formatOut struct {
		Results   []formatRecord `json:"results"`
		Errors    []pathError    `json:"errors"`
		Skipped   []pathSkip     `json:"skipped"`
		Summary   counts         `json:"summary"`
		Configs   []configHash   `json:"configs"`
		Truncated map[string]any `json:"truncated,omitempty"`
	}
)

// check judges files, and mends them if fix.
func (s *session) check(ctx context.Context, verb engine.Verb, fix bool, in pathsIn) (tool.Answer, error) {
	run := func() (tool.Answer, error) {
		config := s.config(in.Config)
		c, err := s.Check(ctx, Check{Verb: verb, Fix: fix, Paths: in.Paths, Exclude: in.Exclude, Config: config})
		if err != nil {
			return tool.Answer{}, err
		}
		failed := c.Report.Summary.Errored > 0
		key := strings.Join(slices.Concat([]string{verb.String(), config}, in.Exclude), "\x00")
		doc := s.pager.Document(c.Report, page.Request{Key: key, Paths: in.Paths, Scope: c.Scope, Prefix: c.Prefix})
		return tool.Answer{Doc: doc, Failed: failed}, nil
	}
	if fix {
		return s.write(ctx, run)
	}
	return run()
}

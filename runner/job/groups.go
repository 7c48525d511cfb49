package job

import (
	"path"
	"slices"
	"strings"

	"poly/internal/toolout"
)

// Names of the files that make a directory a project of a group.
const (
	CargoManifest = "Cargo.toml"
	GoManifest    = "go.mod"
)

// member is one tool of a group.
type member struct {
	key, id, probe string
	check, fix     string // fix is "" if it has no such form
	read           func([]byte) ([]Finding, string)
	judge          bool
}

// Groups tells which of the groups' tools the configuration runs, as jobs of
// the stages their builtins name. manifests are the directories with a Cargo.toml and those with a go.mod, "."
// for the root; what lies in one of vendor, node_modules or testdata is left
// out.
func (c *Config) Groups(manifests Manifests) []Group {
	return slices.Concat(c.cargo(prune(manifests.Cargo)), c.goTools(prune(manifests.Go)))
}

// Manifests are the directories of projects.
type Manifests struct{ Cargo, Go []string }

// Group is a job of a group, with the stages it is of.
type Group struct {
	Job
	Stages []string
	Lint   bool // it is part of the whole-project phase
	// Lang is the language that the tool judges: "rust", "go" or "".
	Lang string
}

// WantsCargo reports whether the cargo group is on if there is a manifest.
func (c *Config) WantsCargo() bool {
	b := c.Builtins["cargo"]
	return b.Enabled || !b.Set && c.Present
}

// cargo is on unless switched off where hooks are configured and the root has a
// manifest. A manifest below another one belongs to it.
func (c *Config) cargo(dirs []string) []Group {
	b := c.Builtins["cargo"]
	on := b.Enabled
	if !b.Set {
		on = c.Present && slices.Contains(dirs, ".")
	}
	if !on {
		return nil
	}
	slices.Sort(dirs)
	var tops []string
	for _, d := range dirs {
		if !slices.ContainsFunc(tops, func(t string) bool { return t == "." || strings.HasPrefix(d, t+"/") }) {
			tops = append(tops, d)
		}
	}
	flags := "--workspace --all-targets -- -D warnings"
	if own, ok := b.Strings("clippy_args"); ok {
		flags = strings.Join(own, " ")
	}
	tools := []member{
		{
			key: "clippy", id: "cargo-clippy", probe: "cargo-clippy", read: toolout.Cargo,
			check: "cargo clippy --message-format=json " + flags,
			fix:   "cargo clippy --fix --allow-dirty --allow-staged --allow-no-vcs --message-format=json " + flags,
		},
		{key: "sort", id: "cargo-sort", probe: "cargo-sort", check: "cargo sort --workspace --check --no-format", fix: "cargo sort --workspace --no-format"},
		{key: "machete", id: "cargo-machete", probe: "cargo-machete", check: "cargo-machete", fix: "cargo-machete --fix"},
		{key: "deny", id: "cargo-deny", probe: "cargo-deny", check: "cargo deny check"},
	}
	var out []Group
	for _, t := range tools {
		if !b.Bool(t.key, true) {
			continue
		}
		_, asked := b.Options[t.key]
		out = append(out, group(b, t, tops, asked, Job{
			Serial:  "cargo",
			EnvKeys: []string{"CARGO*", "RUST*", "CC", "CFLAGS", "CXX", "CXXFLAGS"}, Identity: [][]string{{"cargo", "-vV"}, {"rustc", "-vV"}},
			Cache: Caching{Inputs: []string{"**/*.rs", "**/Cargo.toml", "**/Cargo.lock", "deny.toml", "**/clippy.toml", "**/.clippy.toml", "**/.cargo/**", "rust-toolchain.toml", "rust-toolchain"}, Compiler: t.key == "clippy"},
		})...)
	}
	for i := range out {
		if strings.HasPrefix(out[i].ID, "cargo-clippy") {
			out[i].Lang = "rust"
		}
		if strings.HasPrefix(out[i].ID, "cargo-deny") {
			// It asks the net for advisories, which no key knows.
			out[i].Cache = Caching{Mode: Off}
		}
	}
	return out
}

// goTools are off unless switched on: "go = true" means all three, a table those
// that it names.
func (c *Config) goTools(dirs []string) []Group {
	b := c.Builtins["go"]
	if !b.Enabled {
		return nil
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	all := true
	for _, k := range []string{"vet", "staticcheck", "golangci_lint"} {
		if _, named := b.Options[k]; named {
			all = false
		}
	}
	colons := func(out []byte) ([]Finding, string) { return toolout.Colons("golangci-lint", out) }
	tools := []member{
		{key: "vet", id: "go-vet", probe: "go", check: "go vet -json ./... 2>&1", read: toolout.GoVet, judge: true},
		{key: "staticcheck", id: "staticcheck", probe: "staticcheck", check: "staticcheck -f sarif ./...", read: toolout.SARIF},
		{key: "golangci_lint", id: "golangci-lint", probe: "golangci-lint", check: "golangci-lint run ./...", fix: "golangci-lint run --fix ./...", read: colons},
	}
	var out []Group
	for _, t := range tools {
		if !b.Bool(t.key, all) {
			continue
		}
		serial := ""
		if t.key == "golangci_lint" {
			serial = "golangci-lint" // it refuses to run twice at once
		}
		out = append(out, group(b, t, dirs, !all, Job{
			Serial: serial, EnvKeys: []string{"GO*", "CGO*", "CC", "CXX", "GOLANGCI*", "STATICCHECK*"}, Identity: [][]string{{"go", "version"}, {"go", "env", "GOFLAGS", "GOOS", "GOARCH", "GOWORK", "GOTOOLCHAIN"}},
			Cache: Caching{Inputs: []string{"**"}}, // embedded files, too; go has a cache of its own for speed
		})...)
	}
	for i := range out {
		out[i].Lang = "go"
	}
	return out
}

// group makes the jobs of a tool, one a project. asked tells that the
// configuration names the tool.
func group(b *Builtin, t member, dirs []string, asked bool, base Job) []Group {
	var out []Group
	for _, dir := range dirs {
		j := base
		j.ID, j.Origin, j.Run, j.Fix, j.Probe = t.id, b.Origin, t.check, t.fix, t.probe
		j.Files, j.Exclude = b.Files, b.Exclude
		j.Workspace, j.Stdout, j.Judge, j.Required = true, t.read, t.judge, asked
		if dir != "." {
			j.Root, j.ID = dir, t.id+" ("+dir+")"
		}
		if !b.Bool("cache", true) {
			j.Cache = Caching{Mode: Off}
		}
		out = append(out, Group{Job: j, Stages: b.Stages, Lint: b.Bool("lint", true)})
	}
	return out
}

// prune leaves out projects that are somebody else's, or tests of tools.
func prune(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		d = path.Clean(d)
		foreign := slices.ContainsFunc(strings.Split(d, "/"), func(s string) bool {
			return s == "vendor" || s == "node_modules" || s == "testdata" || s == "target" || len(s) > 1 && (s[0] == '.' || s[0] == '_')
		})
		if !foreign {
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

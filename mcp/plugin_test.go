package mcp

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/version"
)

// top is the root of the module, seen from here.
const top = ".."

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The manifests have the version of the binary, and what they name is there.
func TestManifests(t *testing.T) {
	t.Parallel()
	var market struct {
		Name     string
		Owner    struct{ Name string }
		Metadata struct{ Version string }
		Plugins  []struct{ Name, Source, Version string }
	}
	readJSON(t, ".claude-plugin/marketplace.json", &market)
	if market.Name != "poly" || market.Owner.Name == "" || len(market.Plugins) != 1 || market.Plugins[0].Name != "poly" || market.Plugins[0].Source != "./mcp/plugin" {
		t.Errorf("marketplace: %+v", market)
	}
	versions := map[string]string{"marketplace": market.Metadata.Version, "its plugin": market.Plugins[0].Version}
	for _, dir := range []string{".codex-plugin", "mcp/plugin/.claude-plugin"} {
		var m struct{ Name, Version, Skills, McpServers string }
		readJSON(t, dir+"/plugin.json", &m)
		versions[dir] = m.Version
		root := filepath.Dir(dir)
		if m.Name != "poly" || !strings.HasPrefix(m.McpServers, "./") {
			t.Errorf("%s: %+v", dir, m)
		}
		for _, p := range []string{m.Skills, m.McpServers} {
			if _, err := os.Stat(filepath.Join(top, root, p)); err != nil {
				t.Errorf("%s: %v", dir, err)
			}
		}
	}
	for name, v := range versions {
		if v != version.Version {
			t.Errorf("%s has version %q, poly %q", name, v, version.Version)
		}
	}
	var servers struct {
		McpServers map[string]struct {
			Command string
			Args    []string
		}
	}
	readJSON(t, "mcp/plugin/.mcp.json", &servers)
	if s := servers.McpServers["poly"]; s.Command != "poly" || !slices.Equal(s.Args, []string{"mcp"}) {
		t.Errorf(".mcp.json: %+v", servers)
	}
}

var front = regexp.MustCompile(`(?s)^---\n(.*?)\n---\n\n`)

// pages returns the texts of the plugin by their path in it.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := filepath.Join(top, "mcp", "plugin")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(root, name)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Five skills and two commands, each with what a client shows of it.
func TestSkills(t *testing.T) {
	t.Parallel()
	var names []string
	for name, text := range pages(t) {
		names = append(names, name)
		head := front.FindStringSubmatch(text)
		if head == nil || !strings.Contains(head[1], "description: ") {
			t.Errorf("%s has no description", name)
			continue
		}
		if strings.HasSuffix(name, "SKILL.md") && !strings.Contains(head[1], "name: "+filepath.Base(filepath.Dir(name))+"\n") {
			t.Errorf("%s is not named like its folder", name)
		}
		if n := len(text); n > 6000 {
			t.Errorf("%s has %d bytes: an agent reads all of it", name, n)
		}
		for _, tool := range regexp.MustCompile("tools? `([a-z_]+)`").FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc((&session{}).all(), func(o offer) bool { return o.Name == tool[1] }) {
				t.Errorf("%s names the tool %s, which there is none of", name, tool[1])
			}
		}
	}
	slices.Sort(names)
	want := []string{
		"commands/poly-check.md", "commands/poly-fix.md", "skills/poly-configuration/SKILL.md", "skills/poly-hooks/SKILL.md", "skills/poly-lint-and-format/SKILL.md",
		"skills/poly-mcp/SKILL.md", "skills/poly-rules/SKILL.md",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var (
	inBlock  = regexp.MustCompile("(?m)^poly .*$")
	inLine   = regexp.MustCompile("`(poly [^`]+)`")
	exitCode = regexp.MustCompile(`^poly [0-9]{1,3} `)
)

// Each command that the plugin teaches is run by a script of the command line.
func TestCommandsOfSkillsAreScripts(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"poly mcp": true} // every test here runs it
	scripts, err := filepath.Glob(filepath.Join(top, "testdata", "script", "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, s := range scripts {
		text, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			known[exitCode.ReplaceAllString(strings.TrimSpace(line), "poly ")] = true
		}
	}
	n := 0
	for name, text := range pages(t) {
		var lines []string
		for _, m := range inBlock.FindAllString(text, -1) {
			if !strings.HasPrefix(m, "poly is ") && !strings.HasPrefix(m, "poly applies ") && !strings.HasPrefix(m, "poly runs ") {
				lines = append(lines, m)
			}
		}
		for _, m := range inLine.FindAllStringSubmatch(text, -1) {
			lines = append(lines, m[1])
		}
		for _, l := range lines {
			if n++; !known[l] {
				t.Errorf("%s: no script of testdata/script runs %q", name, l)
			}
		}
	}
	if n < 15 {
		t.Errorf("found %d commands: the test looks for the wrong thing", n)
	}
}

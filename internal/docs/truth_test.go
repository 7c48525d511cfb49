package docs_test

import (
	"encoding/json"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"poly/internal/config"
	"poly/internal/engine/all"
	"poly/runner"
)

// TestConfigurationsLoad: every poly.toml that is shown loads, without a note
// that something in it has no effect.
func TestConfigurationsLoad(t *testing.T) {
	t.Parallel()
	n := 0
	for name, text := range texts(t) {
		for _, block := range blocks(text, "toml") {
			n++
			set, err := config.Load(t.Context(), config.Options{
				Schema: runner.Schema(all.Engines()), Dirs: []string{"."},
				Tree: fstest.MapFS{"poly.toml": {Data: []byte(block)}},
			})
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, block)
			} else if notes := set.Notes(); len(notes) > 0 {
				t.Errorf("%s: %v", name, notes)
			}
		}
	}
	if n < 3 {
		t.Errorf("found %d configurations: the test looks in the wrong place", n)
	}
}

// TestReadmeConfigurationIsAScript: the ten lines are those that are tested.
func TestReadmeConfigurationIsAScript(t *testing.T) {
	t.Parallel()
	shown := blocks(read(t, filepath.Join(top, "README.md")), "toml")[0]
	tested := file(t, script(t, "readme_config.txtar"), "poly.toml")
	for line := range strings.Lines(shown) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "]\n"), "]    #")
		if !strings.Contains(tested, line) && !strings.Contains(line, "typo") && !strings.Contains(line, "per-file") {
			t.Errorf("the script does not test %q", line)
		}
	}
	if n := strings.Count(shown, "\n"); n != 10 {
		t.Errorf("the ten lines are %d", n)
	}
}

// TestReadmeTableIsTrue: what the README says lints or formats a language is
// what the page of the engines says.
func TestReadmeTableIsTrue(t *testing.T) {
	t.Parallel()
	known := map[string][]string{}
	for cells := range tableRows(read(t, "engines.md")) {
		if len(cells) == 4 {
			known[cells[0]] = []string{cells[2], cells[3]}
		}
	}
	n := 0
	for cells := range tableRows(read(t, filepath.Join(top, "README.md"))) {
		if len(cells) != 3 || cells[0] == "files" {
			continue
		}
		for language := range strings.SplitSeq(cells[0], ", ") {
			n++
			is, ok := known[language]
			if !ok {
				t.Errorf("the page of the engines has no %q", language)
				continue
			}
			for i, names := range cells[1:] {
				names, _, _ = strings.Cut(names, ":")
				for name := range strings.SplitSeq(names, ", ") {
					if name != "-" && !strings.Contains(is[i], name) {
						t.Errorf("%s: the README names %s, the page of the engines %q", language, name, is[i])
					}
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("found %d languages: the test looks in the wrong place", n)
	}
}

// tableRows yields the cells of each row of the tables of a Markdown text.
func tableRows(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if !yield(cells) {
				return
			}
		}
	}
}

// TestConfigurationNamesEveryKey: what the schema has outside of engines is
// on the page.
func TestConfigurationNamesEveryKey(t *testing.T) {
	t.Parallel()
	page := read(t, "configuration.md")
	var schema struct {
		Properties map[string]struct {
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(config.SchemaJSON(runner.Schema(all.Engines())), &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Properties) < 10 {
		t.Fatalf("the schema has %d tables", len(schema.Properties))
	}
	for _, table := range slices.Sorted(maps.Keys(schema.Properties)) {
		if !strings.Contains(page, "["+table) && !strings.Contains(page, "### "+table) {
			t.Errorf("[%s] is not on the page", table)
		}
		switch table {
		case "defaults", "discovery", "workspace", "rules", "cache":
			for key := range schema.Properties[table].Properties {
				if !strings.Contains(page, "`"+key+"`") && !strings.Contains(page, "["+table+"."+key+"]") {
					t.Errorf("%s of [%s] is not on the page", key, table)
				}
			}
		}
	}
}

const engineTest = `package todo

import (
	"os"
	"testing"

	"poly/internal/engine/enginetest"
)

func TestEngine(t *testing.T) {
	enginetest.Run(t, Engine, enginetest.Options{Dir: os.Getenv("FIXTURES"), Update: os.Getenv("UPDATE") != ""})
}
`

// TestNewEngineWorks: the engine and the fixture on the page obey the laws.
func TestNewEngineWorks(t *testing.T) {
	t.Parallel()
	page := read(t, "new-engine.md")
	tmp := t.TempDir()
	root, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range map[string]string{"todo.go": blocks(page, "go")[0], "todo_test.go": engineTest} {
		to := filepath.Join(tmp, name)
		write(t, to, text)
		replace[filepath.Join(root, "internal", "engine", "todo", name)] = to
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(tmp, "overlay.json"), string(overlay))
	fixture := filepath.Join(tmp, "fixtures", "todo.txtar")
	rules := filepath.Join(tmp, "fixtures", "rules")
	if err := os.MkdirAll(rules, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, fixture, blocks(page, "text")[0])
	write(t, filepath.Join(rules, "todo.txtar"), blocks(page, "text")[1])
	// Built, not run by the go command: that would enter a folder which is not there.
	bin := filepath.Join(tmp, "todo.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", bin, "-overlay", filepath.Join(tmp, "overlay.json"), "./internal/engine/todo")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	for _, update := range []string{"yes", ""} {
		cmd := exec.CommandContext(t.Context(), bin)
		cmd.Dir = tmp
		cmd.Env = append(os.Environ(), "FIXTURES="+filepath.Dir(fixture), "UPDATE="+update)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("the engine on the page: %v\n%s", err, out)
		}
	}
	if got := read(t, fixture); !strings.Contains(got, "todo") || !strings.Contains(got, "1:") {
		t.Errorf("-update has filled nothing in:\n%s", got)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

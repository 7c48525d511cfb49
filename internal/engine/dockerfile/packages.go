package dockerfile

import (
	"slices"

	"poly/internal/diag"
)

// yes makes a rule about an option that keeps a package manager from asking.
// The fix puts -y behind the word that says what is to be done.
func yes(title string, bad func(c *command) bool, verbs ...string) func(*reporter, []*instruction) {
	return func(r *reporter, list []*instruction) {
		for _, in := range list {
			var first *finding
			for i := range in.commands() {
				c := &in.commands()[i]
				if !bad(c) {
					continue
				}
				if first == nil {
					first = r.part(in, c.start, c.end, title)
				}
				at := slices.IndexFunc(c.args, func(a arg) bool { return slices.Contains(verbs, a.value) })
				if at < 0 || !in.exact(r.file.text, c.args[at].start, c.args[at].end) {
					first.Fix = nil
					break
				}
				_, end := in.scriptSpan(r.file.text, c.args[at].start, c.args[at].end)
				first.Fix = append(first.Fix, diag.Edit{Start: end, End: end, Replacement: " -y"})
			}
		}
	}
}

func aptAsks(c *command) bool {
	return c.is("apt-get", "install") && !c.hasFlag("y", "yes", "qq", "assume-yes") &&
		c.countFlag("q") != 2 && c.countFlag("quiet") != 2 && !c.hasArg("-q=2")
}

func yumAsks(c *command) bool {
	return c.is("yum", "install", "groupinstall", "localinstall") && !c.hasFlag("y", "assumeyes")
}

func dnfAsks(c *command) bool {
	return (c.name == "dnf" || c.name == "microdnf") && c.hasArg("install", "groupinstall", "localinstall") && !c.hasFlag("y", "assumeyes")
}

func zypperAsks(c *command) bool {
	return c.is("zypper", "install", "in", "remove", "rm", "source-install", "si", "patch") &&
		!c.hasFlag("non-interactive", "n", "no-confirm", "y")
}

func recommends(c *command) bool {
	return c.is("apt-get", "install") && !c.hasFlag("no-install-recommends") && !c.hasArg("APT::Install-Recommends=false")
}

func distUpgrade(c *command) bool { return c.is("zypper", "dist-upgrade", "dup") }

// cleaned makes a rule about caches: what install picks must be followed, in
// the same RUN, by what clean picks.
func cleaned(title string, install, clean func(c *command) bool, mounts ...string) func(*reporter, []*instruction) {
	return func(r *reporter, list []*instruction) {
		for _, in := range list {
			cmds := in.commands()
			i := slices.IndexFunc(cmds, func(c command) bool { return install(&c) })
			j := slices.IndexFunc(cmds, func(c command) bool { return clean(&c) })
			if i < 0 || j > i || slices.ContainsFunc(mounts, in.mounted) {
				continue
			}
			r.part(in, cmds[i].start, cmds[i].end, title)
		}
	}
}

func yumInstall(c *command) bool { return c.is("yum", "install") }

func yumClean(c *command) bool {
	return c.is("yum", "clean", "all") || c.is("rm", "-rf", "/var/cache/yum/*")
}

func zypperInstall(c *command) bool { return c.is("zypper", "install", "in") }

func zypperClean(c *command) bool { return c.is("zypper", "clean", "cc") }

// dnf makes the functions of one of its programs for cleaned.
func dnf(program string) (install, clean func(c *command) bool) {
	install = func(c *command) bool {
		return c.is(program, "install", "in", "upgrade", "up", "upgrade-minimal", "up-min", "reinstall", "rei")
	}
	clean = func(c *command) bool {
		return c.is(program, "clean", "all") || c.is("rm", "-rf", "/var/cache/libdnf5*")
	}
	return install, clean
}

func checkDnfClean(r *reporter, list []*instruction) {
	for _, program := range [...]string{"dnf", "microdnf"} {
		install, clean := dnf(program)
		cleaned("What "+program+" has downloaded stays in the layer", install, clean, "/var/cache/libdnf5", ".cache/libdnf5")(r, list)
	}
}

func checkApkCache(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.mounted("/var/cache/apk") {
			continue
		}
		eachRun(says("apk leaves its index in the layer"),
			func(c *command) bool { return c.is("apk", "add") && !c.hasFlag("no-cache") })(r, []*instruction{in})
	}
}

// leftover is something a stage leaves behind; only stages that are used count.
type leftover struct {
	in   *instruction
	at   *command
	from *instruction // of the stage; nil: none yet
}

// used reports the leftovers of the last stage and of those it is built on.
func used(r *reporter, list []*instruction, title string, left []leftover) {
	var last *instruction
	bases := map[string]bool{}
	for _, in := range list {
		if in.name == "from" {
			last = in
			bases[in.from.name] = true
		}
	}
	for _, l := range left {
		if l.from == last || l.from != nil && last != nil && l.from.from == last.from || l.from != nil && l.from.from.alias != "" && bases[l.from.from.alias] {
			r.part(l.in, l.at.start, l.at.end, title)
		}
	}
}

func checkAptLists(r *reporter, list []*instruction) {
	var left []leftover
	var from *instruction
	for _, in := range list {
		if in.name == "from" {
			from = in
		}
		cmds := in.commands()
		i := slices.IndexFunc(cmds, func(c command) bool {
			return (c.name == "apt" || c.name == "apt-get" || c.name == "aptitude") && c.hasArg("update")
		})
		clean := slices.ContainsFunc(cmds, func(c command) bool { return c.is("rm", "-rf", "/var/lib/apt/lists/*") })
		if i < 0 || clean || in.mounted("/var/lib/apt/lists") || in.mounted("/var/lib/apt") && in.mounted("/var/cache/apt") {
			continue
		}
		left = append(left, leftover{in, &cmds[i], from})
	}
	used(r, list, "The package lists of apt stay in the layer", left)
}

func checkYarnCache(r *reporter, list []*instruction) {
	var left []leftover
	var from *instruction
	for _, in := range list {
		if in.name == "from" {
			from = in
		}
		cmds := in.commands()
		i := slices.IndexFunc(cmds, func(c command) bool { return c.is("yarn", "install") })
		j := slices.IndexFunc(cmds, func(c command) bool { return c.is("yarn", "cache", "clean") })
		if i < 0 || j > i || j < 0 && in.mounted(".cache/yarn") {
			continue
		}
		left = append(left, leftover{in, &cmds[i], from})
	}
	used(r, list, "The cache of yarn stays in the layer", left)
}

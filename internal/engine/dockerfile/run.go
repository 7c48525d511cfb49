package dockerfile

import (
	"fmt"
	"slices"
	"strings"

	"poly/internal/diag"
)

// hasArg tells that an argument is one of values.
func (c *command) hasArg(values ...string) bool {
	return slices.ContainsFunc(c.args, func(a arg) bool { return slices.Contains(values, a.value) })
}

// is tells that a command runs name with one of values among its arguments.
func (c *command) is(name string, values ...string) bool {
	return c.name == name && c.hasArg(values...)
}

// sequence tells that values stand side by side among the arguments.
func (c *command) sequence(values ...string) bool {
	for i := 0; i+len(values) <= len(c.args); i++ {
		same := true
		for j, v := range values {
			same = same && c.args[i+j].value == v
		}
		if same {
			return true
		}
	}
	return false
}

// flags returns the names of options in an argument: -xy has two of them.
func (a arg) flags() []string {
	if a.value == "-" || a.value == "--" || !strings.HasPrefix(a.value, "-") {
		return nil
	}
	if long, ok := strings.CutPrefix(a.value, "--"); ok {
		long, _, _ = strings.Cut(long, "=")
		return []string{long}
	}
	return strings.Split(a.value[1:], "")
}

// countFlag counts an option.
func (c *command) countFlag(names ...string) int {
	n := 0
	for _, a := range c.args {
		for _, f := range a.flags() {
			if slices.Contains(names, f) {
				n++
			}
		}
	}
	return n
}

func (c *command) hasFlag(names ...string) bool { return c.countFlag(names...) > 0 }

// plain returns the arguments that are no options, nor the value of an option
// of valued.
func (c *command) plain(valued ...string) []arg {
	var out []arg
	for i, a := range c.args {
		if len(a.flags()) > 0 && a.value != "-" {
			continue
		}
		if i > 0 {
			p := c.args[i-1]
			if !strings.Contains(p.value, "=") && slices.ContainsFunc(p.flags(), func(f string) bool { return slices.Contains(valued, f) }) {
				continue
			}
		}
		out = append(out, a)
	}
	return out
}

// without returns the arguments but for words.
func without(args []arg, words ...string) []arg {
	return slices.DeleteFunc(slices.Clone(args), func(a arg) bool { return slices.Contains(words, a.value) })
}

// commands returns what an instruction runs.
func (in *instruction) commands() []command {
	if in.script == nil {
		return nil
	}
	return in.script.cmds
}

// mounted tells that RUN has a cache or tmpfs at a path with a fragment in it.
func (in *instruction) mounted(fragment string) bool {
	for _, m := range in.flag("mount") {
		kind, target := "bind", ""
		for field := range strings.SplitSeq(m, ",") {
			key, value, _ := strings.Cut(field, "=")
			switch strings.ToLower(key) {
			case "type":
				kind = value
			case "target", "dst", "destination":
				target = value
			}
		}
		if (kind == "cache" || kind == "tmpfs") && strings.Contains(target, fragment) {
			return true
		}
	}
	return false
}

// eachRun makes a rule that reports the first command of every RUN that bad picks.
func eachRun(title func(c *command) string, bad func(c *command) bool) func(*reporter, []*instruction) {
	return func(r *reporter, list []*instruction) {
		for _, in := range list {
			cmds := in.commands()
			if i := slices.IndexFunc(cmds, func(c command) bool { return bad(&c) }); i >= 0 {
				r.part(in, cmds[i].start, cmds[i].end, title(&cmds[i]))
			}
		}
	}
}

// says makes a title that is always the same.
func says(title string) func(*command) string { return func(*command) string { return title } }

// uses makes a rule that reports a program.
func uses(title string, programs ...string) func(*reporter, []*instruction) {
	return eachRun(func(c *command) string { return strings.ReplaceAll(title, "%", c.name) },
		func(c *command) bool { return slices.Contains(programs, c.name) })
}

func checkShellLink(r *reporter, list []*instruction) {
	eachRun(says("The default shell is replaced by a link"), func(c *command) bool { return c.is("ln", "/bin/sh") })(r, list)
}

func checkUseradd(r *reporter, list []*instruction) {
	eachRun(says("useradd with a high user id and without -l"), func(c *command) bool {
		if c.name != "useradd" || c.hasFlag("l", "no-log-init") || !c.hasFlag("u", "uid") {
			return false
		}
		for i, a := range c.args {
			if i > 0 && slices.Contains(c.args[i-1].flags(), "u") && len(a.value) > 5 {
				return true
			}
		}
		return false
	})(r, list)
}

func checkWget(r *reporter, list []*instruction) {
	eachRun(says("wget draws its progress bar into the log"), func(c *command) bool {
		return c.name == "wget" && !c.hasArg("-nv") &&
			!c.hasFlag("progress", "q", "quiet", "o", "output-file", "a", "append-output", "no-verbose")
	})(r, list)
}

func checkCurlWget(r *reporter, list []*instruction) {
	curl, wget := false, false
	for _, in := range list {
		if in.name == "from" {
			curl, wget = false, false
		}
		at := -1
		cmds := in.commands()
		for i := range cmds {
			if n := cmds[i].name; n == "curl" || n == "wget" {
				curl, wget = curl || n == "curl", wget || n == "wget"
				at = i
			}
		}
		if at >= 0 && curl && wget {
			r.part(in, cmds[at].start, cmds[at].end, "Both curl and wget are used in this stage")
		}
	}
}

func checkPipefail(r *reporter, list []*instruction) {
	safe := false
	for _, in := range list {
		switch {
		case in.name == "from":
			safe = false
		case in.name == "shell":
			safe = pipefail(in)
		case in.name == "run" && in.script != nil && in.script.pipes && !safe:
			r.name(in, "Without pipefail only the last command of a pipe can fail")
		}
	}
}

// pipefail tells that SHELL sets the option, or that it is none that has it.
func pipefail(in *instruction) bool {
	text := in.joined()
	for _, p := range [...]string{"pwsh", "powershell", "cmd"} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return false
	}
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "bash", "zsh", "ash":
	default:
		return false
	}
	c := command{}
	for _, w := range words[1:] {
		c.args = append(c.args, arg{value: w})
	}
	return c.hasFlag("o") && c.hasArg("pipefail")
}

func checkManyRuns(r *reporter, list []*instruction) {
	before, flags := 0, ""
	open := false
	for _, in := range list {
		if in.name != "run" {
			open = false
			continue
		}
		count, own := 0, strings.Join(slices.Sorted(slices.Values(in.Flags)), "\x00")
		if in.script != nil {
			count = in.script.count
			if !in.script.known {
				count = 2 // it may be many
			}
		}
		if open && own == flags && count <= 1 && before <= 1 {
			r.name(in, "RUN follows RUN and could be joined with it")
			continue
		}
		open, before, flags = true, count, own
	}
}

func checkExecForm(r *reporter, list []*instruction) {
	for _, in := range list {
		switch {
		case in.name == "cmd" || in.name == "entrypoint":
			if !in.list && len(in.args) > 0 {
				r.name(in, strings.ToUpper(in.name)+" is run by a shell")
			}
		case in.name == "healthcheck" && !in.list && len(in.args) > 1:
			r.name(in, "HEALTHCHECK is run by a shell")
		}
	}
}

func checkUser(r *reporter, list []*instruction) {
	var order []*instruction
	last := map[*instruction]*instruction{}
	var from *instruction
	for _, in := range list {
		switch in.name {
		case "from":
			from = in
		case "user":
			if from == nil || len(in.args) == 0 {
				continue
			}
			u := in.args[0]
			if u != "root" && u != "0" && !strings.HasPrefix(u, "root:") && !strings.HasPrefix(u, "0:") {
				delete(last, from)
				continue
			}
			if last[from] == nil {
				order = append(order, from)
			}
			last[from] = in
		}
	}
	for _, f := range order {
		if in := last[f]; in != nil {
			r.word(in, in.args[0], "The last USER is root")
			delete(last, f)
		}
	}
}

func checkUserID(r *reporter, list []*instruction) {
	var args []string
	for _, in := range list {
		switch in.name {
		case "arg":
			for _, a := range in.args {
				n, _, _ := strings.Cut(a, "=")
				args = append(args, n)
			}
		case "user":
			if len(in.args) == 0 {
				continue
			}
			id, _, _ := strings.Cut(in.args[0], ":")
			known := slices.ContainsFunc(args, func(a string) bool {
				return strings.Contains(in.args[0], "${"+a+"}") || strings.Contains(in.args[0], "$"+a)
			})
			if strings.Trim(id, "0123456789") != "" && !known {
				r.word(in, in.args[0], fmt.Sprintf("User %s is a name, not a number", short(id)))
			}
		}
	}
}

func checkLabels(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.name != "label" {
			continue
		}
		for _, p := range in.pairs() {
			if k := p.key; badLabel(k) {
				r.word(in, k, fmt.Sprintf("Label key %q is not well formed", short(k)))
				break
			}
		}
	}
}

func badLabel(k string) bool {
	lower := func(c byte) bool { return 'a' <= c && c <= 'z' }
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	if k == "" || !lower(k[0]) || !lower(k[len(k)-1]) && !digit(k[len(k)-1]) || strings.Contains(k, "..") || strings.Contains(k, "--") {
		return true
	}
	for i := range len(k) {
		if c := k[i]; !lower(c) && !digit(c) && !strings.ContainsRune(".-_/", rune(c)) {
			return true
		}
	}
	return strings.HasPrefix(k, "com.docker.") || strings.HasPrefix(k, "io.docker.") || strings.HasPrefix(k, "org.dockerproject.")
}

func checkIgnorePragma(r *reporter, _ []*instruction) {
	for _, at := range r.file.pragmas().places {
		lines := splitLines(r.file.text)
		start, end := trimSpan(r.file.text, lines[at-1], lines[at])
		r.out = append(r.out, &finding{Diagnostic: diag.Diagnostic{
			Engine: name, Code: r.code, Severity: r.severity, Title: "A comment silences hadolint", Span: &diag.Span{Start: start, End: end},
		}})
	}
}

func checkMaintainer(r *reporter, list []*instruction) {
	for _, in := range list {
		if in.name == "maintainer" {
			r.name(in, "MAINTAINER is deprecated")
		}
	}
}

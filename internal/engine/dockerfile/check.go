package dockerfile

import (
	"context"
	"slices"

	"poly/internal/diag"
	"poly/internal/engine"
)

// check is one rule at work.
type check struct {
	code string
	run  func(r *reporter, list []*instruction)
	// deferred: the rule looks at what ONBUILD defers, too, as a list of its own.
	deferred bool
}

// checks are the rules at work, in the order of their codes.
func checks() []check {
	return []check{
		{"DL1001", checkIgnorePragma, false},
		{"DL3000", checkWorkdir, false},
		{"DL3001", uses("`%` makes no sense in a build", "free", "kill", "mount", "ps", "service", "shutdown", "ssh", "top", "vim"), true},
		{"DL3002", checkUser, false},
		{"DL3003", uses("cd where WORKDIR could stand", "cd"), false},
		{"DL3004", uses("sudo in a build", "sudo"), true},
		{"DL3006", checkTag, false},
		{"DL3007", checkLatest, false},
		{"DL3008", pinned(aptPackages, aptFixed), true},
		{"DL3009", checkAptLists, true},
		{"DL3010", checkUnpack, false},
		{"DL3011", checkPorts, false},
		{"DL3012", once("healthcheck", "Only the last HEALTHCHECK counts"), false},
		{"DL3013", pinned(pipPackages, pipFixed), true},
		{"DL3014", yes("apt-get install asks before it works", aptAsks, "install"), true},
		{"DL3015", eachRun(says("apt-get installs recommended packages, too"), recommends), true},
		{"DL3016", pinned(npmPackages, npmFixed), true},
		{"DL3018", pinned(apkPackages, apkFixed), true},
		{"DL3019", checkApkCache, true},
		{"DL3020", checkAdd, false},
		{"DL3021", checkCopyMany, false},
		{"DL3022", checkCopyFrom, false},
		{"DL3023", checkCopyOwn, false},
		{"DL3024", checkAliases, false},
		{"DL3025", checkExecForm, false},
		{"DL3026", checkRegistry, false},
		{"DL3027", uses("apt is made for people", "apt"), true},
		{"DL3028", pinned(gemPackages, gemFixed), true},
		{"DL3029", checkPlatform, false},
		{"DL3030", yes("yum install asks before it works", yumAsks, "install", "groupinstall", "localinstall"), true},
		{"DL3032", cleaned("What yum has downloaded stays in the layer", yumInstall, yumClean), true},
		{"DL3033", versioned("yum"), true},
		{"DL3034", yes("zypper asks before it works", zypperAsks, "install", "in", "remove", "rm", "source-install", "si", "patch"), true},
		{"DL3035", eachRun(says("zypper moves to another release"), distUpgrade), true},
		{"DL3036", cleaned("What zypper has downloaded stays in the layer", zypperInstall, zypperClean, "/var/cache/zypp"), true},
		{"DL3037", pinned(zypperPackages, zypperFixed), true},
		{"DL3038", yes("dnf install asks before it works", dnfAsks, "install", "groupinstall", "localinstall"), true},
		{"DL3040", checkDnfClean, true},
		{"DL3041", versioned("dnf", "microdnf"), true},
		{"DL3042", checkPipCache, true},
		{"DL3043", checkOnbuild, false},
		{"DL3044", checkEnvOrder, false},
		{"DL3045", checkRelativeCopy, false},
		{"DL3046", checkUseradd, true},
		{"DL3047", checkWget, true},
		{"DL3048", checkLabels, false},
		{"DL3057", checkMissingHealth, false},
		{"DL3059", checkManyRuns, false},
		{"DL3060", checkYarnCache, true},
		{"DL3061", checkFirst, false},
		{"DL3062", checkGo, true},
		{"DL3063", checkReserved, false},
		{"DL3064", checkSecrets, true},
		{"DL3065", checkTargetPlatform, false},
		{"DL3066", checkUserID, false},
		{"DL3067", checkCopyRoot, false},
		{"DL4000", checkMaintainer, false},
		{"DL4001", checkCurlWget, true},
		{"DL4003", once("cmd", "Only the last CMD counts"), false},
		{"DL4004", once("entrypoint", "Only the last ENTRYPOINT counts"), false},
		{"DL4005", checkShellLink, true},
		{"DL4006", checkPipefail, false},
	}
}

// reporter collects what a rule finds.
type reporter struct {
	file     *file
	settings *settings
	code     string
	severity diag.Severity
	out      []*finding
}

// finding is a diagnostic and the instruction it is about.
type finding struct {
	diag.Diagnostic
	in *instruction
}

func (w *worker) lint(ctx context.Context, src engine.Source) ([]diag.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	set, err := w.settings.with(src.Inputs)
	if err != nil {
		return nil, err
	}
	f, bad, err := read(src.Text)
	if err != nil {
		return nil, err
	}
	var faults []fault
	if bad != nil {
		faults = []fault{*bad}
	} else {
		faults = f.syntax()
	}
	if len(f.list) == 0 && bad != nil && bad.empty {
		return nil, engine.Skip("no instructions")
	}
	if reason := f.notJudged(src.Path, faults); reason != "" {
		return nil, engine.Skip(reason)
	}
	var out []diag.Diagnostic
	for _, t := range faults {
		out = append(out, diag.Diagnostic{
			Engine: name, Code: codeSyntax, Severity: diag.Error, Title: t.title, Description: t.help,
			Span: &diag.Span{Start: t.start, End: t.end},
		})
	}
	if bad != nil {
		return out, ctx.Err()
	}
	if err := f.readScripts(); err != nil {
		return nil, err
	}
	found, err := w.judge(ctx, f, set)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		out = append(out, d.Diagnostic)
	}
	diag.Sort(out)
	return out, nil
}

// notJudged tells why a file is not judged, "" if it is.
func (f *file) notJudged(path string, faults []fault) string {
	switch {
	case f.fragment(path):
		return "a fragment without FROM"
	case f.custom && len(faults) > 0:
		return "written for another frontend than Docker's"
	}
	return ""
}

// judge runs the rules that are on.
func (w *worker) judge(ctx context.Context, f *file, set *settings) ([]*finding, error) {
	var inner []*instruction
	for _, in := range f.list {
		if in.inner != nil {
			inner = append(inner, in.inner)
		}
	}
	pragmas := f.pragmas()
	var out []*finding
	for _, c := range w.checks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		_, asked := set.levels[c.code]
		if !w.rules.Allows(c.code) && !asked || slices.Contains(set.ignored, c.code) {
			continue
		}
		r := &reporter{file: f, settings: set, code: c.code, severity: set.severity(c.code)}
		c.run(r, f.list)
		if c.deferred && len(inner) > 0 {
			c.run(r, inner)
		}
		for _, d := range r.out {
			if set.noPragmas || !pragmas.silences(c.code, d.in) {
				d.Asked = asked
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// at reports a place.
func (r *reporter) at(in *instruction, start, end int, title string) *finding {
	d := &finding{Diagnostic: diag.Diagnostic{
		Engine: name, Code: r.code, Severity: r.severity, Title: title, Span: &diag.Span{Start: start, End: end},
	}, in: in}
	r.out = append(r.out, d)
	return d
}

// name reports the name of an instruction.
func (r *reporter) name(in *instruction, title string) {
	start, end := in.keyword(r.file.text)
	r.at(in, start, end, title)
}

// word reports a word of an instruction.
func (r *reporter) word(in *instruction, word, title string) {
	start, end := in.word(r.file.text, word)
	r.at(in, start, end, title)
}

// part reports a part of the script of RUN.
func (r *reporter) part(in *instruction, from, to int, title string) *finding {
	start, end := in.scriptSpan(r.file.text, from, to)
	return r.at(in, start, end, title)
}

// blank tells that a space or tab stands at an offset.
func (r *reporter) blank(at int) bool {
	return at < len(r.file.text) && (r.file.text[at] == ' ' || r.file.text[at] == '\t')
}

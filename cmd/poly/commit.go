package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poly/internal/atomicfile"
	"poly/internal/commitmsg"
	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/report"
	"poly/internal/usererr"
)

// commitFlags are the flags of poly commit. Those that are given outrank the
// configuration.
type commitFlags struct {
	fromFile, message, configFile, format, color string
	stdin, noColor                               bool

	set   *pflag.FlagSet
	o     commitmsg.Options // what flags say
	write bool

	excludes, cleanups                        []string
	cleanPattern, cleanReplacement, cleanDesc string
	cleanupMode                               string
	allowAI                                   bool
}

func (a *app) commitCommand() *cobra.Command {
	f := &commitFlags{}
	cmd := &cobra.Command{
		Use:   "commit [FILE|-]",
		Short: "Check a commit message, and tidy it up with --write",
		Long: "Check the message in a file, as git hands it to a commit-msg hook: comments and what is below the scissors do not count.\n" +
			"Exit code 0: good, or a message that git made (merge, revert, fixup!). 1: an error-severity finding. 2: wrong use, or it cannot be read.",
		Example: "  poly commit .git/COMMIT_EDITMSG\n  poly commit --write .git/COMMIT_EDITMSG\n  poly commit --message 'feat: read byte order marks'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags()
			return a.commit(cmd.Context(), f, args)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *commitFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.fromFile, "from-file", "", "read the message from `FILE`")
	fs.BoolVar(&f.stdin, "stdin", false, "read the message from standard input, as - does")
	fs.StringVar(&f.message, "message", "", "check this `TEXT`")
	fs.StringVar(&f.configFile, "config", "", "use this `FILE` instead of .gitfluff.toml and poly.toml")
	fs.StringVar(&f.format, "format", report.Pretty, "output format: pretty, json or toon")
	fs.StringVar(&f.color, "color", "auto", "colours: auto, always or never")
	fs.BoolVar(&f.noColor, "no-color", false, "plain text")
	fs.BoolVar(&f.write, "write", false, "tidy the message up in place, or print it if it came from elsewhere")
	fs.StringVar(&f.o.Preset, "preset", "", "set of rules: conventional, conventional-body or simple")
	fs.StringVar(&f.o.Pattern, "msg-pattern", "", "`REGEX` that the message or its title matches, instead of the preset's form")
	fs.StringVar(&f.o.PatternDescription, "msg-pattern-description", "", "what --msg-pattern means")
	fs.StringArrayVar(&f.excludes, "exclude", nil, "`REGEX[:TEXT]` no message may match, and what to say (repeatable)")
	fs.StringArrayVar(&f.cleanups, "cleanup", nil, "`FIND->REPLACE`: a replacement made with --write (repeatable)")
	fs.StringVar(&f.cleanPattern, "cleanup-pattern", "", "`REGEX` replaced with --write")
	fs.StringVar(&f.cleanReplacement, "cleanup-replacement", "", "what replaces --cleanup-pattern")
	fs.StringVar(&f.cleanDesc, "cleanup-description", "", "what --cleanup-pattern means")
	fs.StringVar(&f.cleanupMode, "cleanup-mode", "", "how git tidies up: strip, whitespace, verbatim or scissors; default: commit.cleanup")
	fs.BoolVar(&f.o.NoEmojis, "no-emojis", false, "refuse emojis")
	fs.BoolVar(&f.o.ASCIIOnly, "ascii-only", false, "refuse what is not ASCII")
	fs.StringVar(&f.o.TitlePrefix.Text, "title-prefix", "", "what titles begin with")
	fs.StringVar(&f.o.TitlePrefix.Separator, "title-prefix-separator", commitmsg.PrefixSeparator, "what follows the prefix")
	fs.StringVar(&f.o.TitleSuffix.Text, "title-suffix", "", "what titles end with")
	fs.StringVar(&f.o.TitleSuffix.Separator, "title-suffix-separator", commitmsg.SuffixSeparator, "what comes before the suffix")
	fs.BoolVar(&f.o.SingleLine, "single-line", false, "refuse more than one line")
	fs.BoolVar(&f.o.RequireBody, "require-body", false, "refuse a message without a body")
	fs.BoolVar(&f.allowAI, "allow-ai", false, "allow trailers and notices of coding agents")
	fs.BoolVar(&f.o.ExitNonzeroOnRewrite, "exit-nonzero-on-rewrite", false, "exit 1 if --write changed something")
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		switch name {
		case "message-pattern":
			name = "msg-pattern"
		case "message-description":
			name = "msg-pattern-description"
		case "no-non-ascii":
			name = "ascii-only"
		}
		return pflag.NormalizedName(name)
	})
}

// source is a message and where it came from.
type source struct {
	name string
	path string // of the file; "" for other sources
	text []byte
}

func (a *app) commit(ctx context.Context, f *commitFlags, args []string) error {
	out, err := report.Find(f.format)
	if err != nil {
		return err
	}
	if err := f.validate(); err != nil {
		return err
	}
	src, err := a.messageSource(ctx, f, args)
	if err != nil {
		return err
	}
	if f.write && src.path == "" && out.Name != report.Pretty {
		return wrongUse("--write prints a message that is in no file, so there is no room for --format "+out.Name, "leave one of them out")
	}
	s := &session{app: a}
	defer s.Close()
	if err := s.locate(ctx, target{noCache: true}); err != nil {
		return err
	}
	o, err := s.commitOptions(ctx, f)
	if err != nil {
		return err
	}
	checker, err := commitmsg.New(o)
	if err != nil {
		return err
	}
	return s.judge(f, out, checker, o, src)
}

// judge checks the message and prints what was found, after tidying it up if
// o says so.
func (s *session) judge(f *commitFlags, out report.Format, checker *commitmsg.Checker, o commitmsg.Options, src *source) (err error) {
	git := s.messageGit(f, src.path)
	rewritten := false
	if o.Write {
		if rewritten, err = s.tidyMessage(checker, src, git); err != nil {
			return err
		}
	}
	res := checker.Check(src.text, git)
	if err := s.printMessage(f, out, src, &res, o.Write); err != nil {
		return err
	}
	if rewritten && src.path != "" {
		fmt.Fprintf(s.stderr, "poly: note: tidied up %s\n", src.name)
	}
	if res.Failed() || rewritten && o.ExitNonzeroOnRewrite {
		return &exitError{exitFindings}
	}
	return nil
}

func (f *commitFlags) validate() error {
	switch f.color {
	case "auto", "always", "never":
	default:
		return wrongUse("--color must be auto, always or never", "")
	}
	switch f.cleanupMode {
	case "", "default", "strip", "whitespace", "verbatim", "scissors":
	default:
		return wrongUse("--cleanup-mode must be strip, whitespace, verbatim, scissors or default", "")
	}
	switch {
	case f.o.SingleLine && f.o.RequireBody:
		return wrongUse("--single-line and --require-body exclude each other", "")
	case f.cleanPattern == "" && (f.cleanReplacement != "" || f.cleanDesc != ""):
		return wrongUse("--cleanup-replacement and --cleanup-description need --cleanup-pattern", "")
	}
	for _, e := range f.excludes {
		pattern, message := splitExclude(e)
		f.o.Excludes = append(f.o.Excludes, commitmsg.Exclude{Pattern: pattern, Message: message})
	}
	for _, c := range f.cleanups {
		find, replace, ok := strings.Cut(c, "->")
		if !ok || find == "" {
			return wrongUse("--cleanup "+c+" has no ->", "write FIND->REPLACE; nothing behind the arrow deletes")
		}
		f.o.Cleanups = append(f.o.Cleanups, commitmsg.Cleanup{Find: find, Replace: replace})
	}
	if f.cleanPattern != "" {
		f.o.Cleanups = append(f.o.Cleanups, commitmsg.Cleanup{Find: f.cleanPattern, Replace: f.cleanReplacement, Description: f.cleanDesc})
	}
	return nil
}

// splitExclude splits at the first colon that is not within a group.
func splitExclude(s string) (pattern, message string) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], ':')
		if i < 0 {
			return s, ""
		}
		at += i
		if _, err := commitmsg.New(commitmsg.Options{Ignores: []string{s[:at]}}); at > 0 && err == nil {
			return s[:at], strings.TrimSpace(s[at+1:])
		}
		at++
	}
}

// messageSource reads the message from the one place that was named.
func (a *app) messageSource(ctx context.Context, f *commitFlags, args []string) (*source, error) {
	named := 0
	file := f.fromFile
	for _, given := range []bool{len(args) > 0, f.set.Changed("from-file"), f.stdin, f.set.Changed("message")} {
		if given {
			named++
		}
	}
	if len(args) > 0 {
		file = args[0]
	}
	const places = "name one of FILE, --from-file, --stdin and --message"
	switch {
	case named == 0:
		return nil, wrongUse("no message to check", places)
	case named > 1:
		return nil, wrongUse("more than one message to check", places)
	case f.set.Changed("message"):
		return &source{name: "--message", text: []byte(f.message)}, nil
	case f.stdin || file == "-":
		text, err := a.readStdin(ctx)
		return &source{name: "-", text: text}, err
	case file == "":
		return nil, wrongUse("the name of the file is empty", "poly takes an unset variable for a mistake; "+places)
	}
	text, err := readRegular(a.abs(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usererr.New("missing-path", "no such file: "+file, "git hands its hook the path of the message")
	}
	if err != nil {
		return nil, &usererr.Error{Code: "unreadable-path", Msg: "cannot read " + file, Err: cause(err)}
	}
	return &source{name: filepath.ToSlash(file), path: a.abs(file), text: text}, nil
}

// commitOptions are those of the flags over those of the nearest file.
func (s *session) commitOptions(ctx context.Context, f *commitFlags) (commitmsg.Options, error) {
	table, err := s.commitTable(ctx, f.configFile)
	if err != nil {
		return commitmsg.Options{}, err
	}
	o, err := commitmsg.FromTable(table)
	if err != nil {
		return o, err
	}
	o.Preset = cmp.Or(f.o.Preset, o.Preset)
	if f.o.Pattern != "" {
		o.Pattern, o.PatternDescription = f.o.Pattern, f.o.PatternDescription
	}
	o.Excludes = append(o.Excludes, f.o.Excludes...)
	o.Cleanups = append(o.Cleanups, f.o.Cleanups...)
	for _, b := range []struct {
		flag string
		to   *bool
		v    bool
	}{
		{"write", &o.Write, f.write},
		{"no-emojis", &o.NoEmojis, f.o.NoEmojis},
		{"ascii-only", &o.ASCIIOnly, f.o.ASCIIOnly},
		{"single-line", &o.SingleLine, f.o.SingleLine},
		{"require-body", &o.RequireBody, f.o.RequireBody},
		{"allow-ai", &o.AllowAI, f.allowAI},
		{"exit-nonzero-on-rewrite", &o.ExitNonzeroOnRewrite, f.o.ExitNonzeroOnRewrite},
	} {
		if f.set.Changed(b.flag) {
			*b.to = b.v
		}
	}
	if f.o.SingleLine {
		o.RequireBody = false
	} else if f.o.RequireBody {
		o.SingleLine = false
	}
	for _, t := range []struct {
		flag string
		to   *string
		v    string
	}{
		{"title-prefix", &o.TitlePrefix.Text, f.o.TitlePrefix.Text},
		{"title-prefix-separator", &o.TitlePrefix.Separator, f.o.TitlePrefix.Separator},
		{"title-suffix", &o.TitleSuffix.Text, f.o.TitleSuffix.Text},
		{"title-suffix-separator", &o.TitleSuffix.Separator, f.o.TitleSuffix.Separator},
	} {
		if f.set.Changed(t.flag) {
			*t.to = t.v
		}
	}
	return o, nil
}

// fluffFiles are what gitfluff reads; it has the keys of [commit] at its top.
var fluffFiles = [...]string{".gitfluff.toml", ".fluff.toml"}

// commitTable returns [commit] of the file that was named, of the nearest
// file of gitfluff up to the root, or of poly.toml.
func (s *session) commitTable(ctx context.Context, file string) (map[string]any, error) {
	if file != "" && filepath.Base(file) != config.FileName && strings.HasSuffix(file, "fluff.toml") {
		return decodeFluff(s.abs(file), file)
	}
	for dir := s.cwd; file == ""; dir = filepath.Dir(dir) {
		for _, name := range fluffFiles {
			p := filepath.Join(dir, name)
			if _, err := os.Lstat(p); err == nil {
				return decodeFluff(p, p)
			}
		}
		if dir == s.root || !inside(s.root, dir) {
			break
		}
	}
	if err := s.openConfig(ctx, file); err != nil {
		return nil, err
	}
	return s.config.Root().Section("commit"), nil
}

// openConfig opens the part of the worktree that the configuration of the
// working directory is read from.
func (s *session) openConfig(ctx context.Context, file string) (err error) {
	at := config.FileName
	if s.prefix != "" {
		at = s.prefix + "/" + at
	}
	s.paths = []string{at}
	s.openCache(ctx, true)
	if err := s.openTree(ctx, target{noCache: true}); err != nil {
		return err
	}
	o, err := s.configOptions(ctx, file)
	if err != nil {
		return err
	}
	s.config, err = config.Load(ctx, o)
	return err
}

func decodeFluff(path, name string) (map[string]any, error) {
	text, err := readRegular(path)
	if err != nil {
		return nil, &usererr.Error{Code: "unreadable-path", Msg: "cannot read " + name, Err: cause(err)}
	}
	return config.DecodeTOML(name, text)
}

// messageGit tells how git is going to read a message; file is "" for one that
// is in none. What git told its hook counts for git's own file only.
func (s *session) messageGit(f *commitFlags, file string) commitmsg.Git {
	get := func(string) (string, bool) { return "", false }
	editor := ""
	merging := false
	if s.repo != nil {
		get = func(key string) (string, bool) {
			v, ok := s.repo.Config.Get(key)
			return v.Text, ok
		}
		if file != "" && sameDir(filepath.Dir(file), s.repo.GitDir) {
			editor = s.getenv("GIT_EDITOR")
			_, err := os.Lstat(filepath.Join(s.repo.GitDir, "MERGE_HEAD"))
			merging = err == nil
		}
	}
	g := commitmsg.Settings(get, editor)
	if f.set.Changed("message") {
		g.Unedited = true
	}
	g.Cleanup = cmp.Or(f.cleanupMode, g.Cleanup)
	g.Merging = merging
	return g
}

func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// tidyMessage rewrites the message, and src.text with it, and reports whether
// that changed anything.
func (a *app) tidyMessage(c *commitmsg.Checker, src *source, g commitmsg.Git) (bool, error) {
	after := c.Clean(src.text, g)
	changed := string(after) != string(src.text)
	switch {
	case src.path == "":
		if _, err := a.stdout.Write(line(after)); err != nil {
			return false, err
		}
	case changed:
		if err := atomicfile.Write(src.path, after, atomicfile.Options{Sync: true}); err != nil {
			return false, fmt.Errorf("write the message: %w", err)
		}
	}
	src.text = after
	return changed, nil
}

// printMessage writes the document to stdout, or to stderr if stdout has the
// message.
func (a *app) printMessage(f *commitFlags, out report.Format, src *source, res *commitmsg.Result, write bool) error {
	lines := diag.NewLines(src.text)
	for i := range res.Diagnostics {
		d := &res.Diagnostics[i]
		d.Excerpt = string(lines.Line(d.Span.StartLine))
	}
	rep := diag.Report{Verb: "lint", Summary: diag.Summary{Checked: 1}}
	if res.Ignored != "" {
		rep.Summary = diag.Summary{Skipped: 1}
		rep.Files = []diag.FileReport{{Path: src.name, Outcome: diag.Skipped, Reason: "not judged: " + res.Ignored}}
	} else if len(res.Diagnostics) > 0 {
		rep.Files = []diag.FileReport{{Path: src.name, Diagnostics: res.Diagnostics}}
	}
	w := a.stdout
	if write && src.path == "" {
		w = a.stderr
	}
	o := report.Options{Quiet: true}
	if out.Name == report.Pretty {
		o.Color = a.color(w, f.noColor || f.color == "never") || f.color == "always"
		o.Width = width(w)
	}
	doc, err := out.Report(nil, &rep, o)
	if err != nil {
		return err
	}
	if _, err := w.Write(line(doc)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"poly/internal/atomicfile"
	"poly/internal/rules"
	"poly/internal/rules/match"
	"poly/internal/rules/rustre"
)

// scanFlags are those of ast-grep's scan, so that what is written for it works.
type scanFlags struct {
	rule, inline, config, filter, json string
	overwrite                          map[string]*[]string // severity: ids, or "" for all
	noIgnore, globs                    []string
	metadata, update, stdin, names     bool
	threads, most                      int
}

func (a *app) rulesScanCommand() *cobra.Command {
	f := scanFlags{overwrite: map[string]*[]string{}}
	cmd := &cobra.Command{
		Use:   "scan [PATH]...",
		Short: "Run rules as ast-grep's scan does, without configuration or cache",
		Long: "Run the rules of a file (-r), of a text (--inline-rules) or of a project (-c, or the sgconfig.yml above) and print the matches.\n" +
			"The arguments and the JSON are those of ast-grep. Exit code 1: an error-severity match. 2: a rule or a file could not be used.",
		Example: "  poly rules scan -r rule.yml --json=stream src\n  poly rules scan -c sgconfig.yml -U",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.scan(cmd.Context(), &f, args) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.rule, "rule", "r", "", "run the rules in this `FILE`")
	fl.StringVar(&f.inline, "inline-rules", "", "run the rules in this `TEXT`")
	fl.StringVarP(&f.config, "config", "c", "", "the sgconfig.yml `FILE` of the project")
	fl.StringVar(&f.filter, "filter", "", "run the rules whose ids match the `REGEX`")
	fl.StringVar(&f.json, "json", "", "print JSON: pretty, stream or compact")
	fl.Lookup("json").NoOptDefVal = "pretty"
	for _, s := range severities() {
		f.overwrite[s] = fl.StringArray(s, nil, "give the rule `ID`, or all, the severity "+s)
		fl.Lookup(s).NoOptDefVal = everyRule
	}
	fl.StringArrayVar(&f.noIgnore, "no-ignore", nil, "do not heed `WHAT`: hidden, dot, vcs, parent, exclude or global")
	fl.StringArrayVar(&f.globs, "globs", nil, "look at files that the `GLOB` matches, or, after !, at others")
	fl.BoolVar(&f.metadata, "include-metadata", false, "print the metadata of rules, in JSON")
	fl.BoolVarP(&f.update, "update-all", "U", false, "apply all fixes")
	fl.BoolVar(&f.stdin, "stdin", false, "look at standard input")
	fl.BoolVar(&f.names, "files-with-matches", false, "print the names of files with matches only")
	fl.IntVarP(&f.threads, "threads", "j", 0, "goroutines; 0: one a core")
	fl.IntVar(&f.most, "max-results", 0, "stop after `N` matches; 0: never")
	for _, name := range []string{"color", "inspect", "report-style", "after", "before", "context"} {
		fl.String(name, "", "taken, and without effect")
	}
	return cmd
}

// everyRule stands for a severity flag without an id.
const everyRule = "\x00"

func severities() []string { return []string{"error", "warning", "info", "hint", "off"} }

// scanRun is one run of poly rules scan.
type scanRun struct {
	*app
	flags   *scanFlags
	project *rules.Project // nil: none
	base    string         // absolute directory that globs are relative to
	set     *rules.Set
	index   *rules.Index
	unused  string // severity of comments that suppress nothing; "": they are not told
	out     output
	bad     int // rules and files that could not be used
}

func (a *app) scan(ctx context.Context, f *scanFlags, args []string) error {
	if f.json != "" && !slices.Contains([]string{"pretty", "stream", "compact"}, f.json) {
		return wrongUse("--json is pretty, stream or compact, not "+f.json, "")
	}
	keepSmall()
	s := &scanRun{app: a, flags: f}
	if err := s.load(); err != nil {
		return err
	}
	if err := s.choose(); err != nil {
		return err
	}
	a.printProblems(s.set.Problems, "error")
	a.printProblems(s.set.Unbuilt, "error")
	a.printProblems(s.set.Notes, "note")
	s.bad = len(s.set.Problems) + len(s.set.Unbuilt)
	s.out = output{w: a.stdout, flags: f}
	if err := s.out.begin(); err != nil {
		return err
	}
	var err error
	if f.stdin {
		err = s.scanStdin(ctx)
	} else {
		err = s.scanPaths(ctx, args)
	}
	if err != nil {
		return err
	}
	if err := s.out.end(); err != nil {
		return err
	}
	switch {
	case s.bad > 0:
		return &exitError{exitUnverified}
	case s.out.errors > 0:
		return &exitError{exitFindings}
	}
	return nil
}

// load reads the rules.
func (s *scanRun) load() error {
	l := rules.NewLoader()
	defer l.Close()
	l.Lenient = true
	switch {
	case s.flags.rule != "":
		text, err := os.ReadFile(s.abs(s.flags.rule))
		if err != nil {
			return wrongUse("cannot read "+s.flags.rule+": "+cause(err).Error(), "")
		}
		l.Add(filepath.ToSlash(s.flags.rule), text, false)
		s.base, s.set = filepath.Dir(s.abs(s.flags.rule)), &l.Set
		return nil
	case s.flags.inline != "":
		l.Add("INLINE_RULES", []byte(s.flags.inline), false)
		s.base, s.set = s.cwd, &l.Set
		return nil
	}
	return s.loadProject()
}

func (s *scanRun) loadProject() error {
	file := s.flags.config
	if file == "" {
		for dir := s.cwd; file == ""; dir = filepath.Dir(dir) {
			for _, name := range rules.ProjectNames() {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					file = filepath.Join(dir, name)
					break
				}
			}
			if file == "" && dir == filepath.Dir(dir) {
				return wrongUse("no sgconfig.yml here or above", "-r names a rule file; poly lint runs the rules of [rules] dirs")
			}
		}
	}
	text, err := os.ReadFile(s.abs(file))
	if err != nil {
		return wrongUse("cannot read "+file+": "+cause(err).Error(), "")
	}
	if s.project, err = rules.ReadProject(text); err != nil {
		return wrongUse(file+": "+err.Error(), "")
	}
	for _, n := range s.project.Notes {
		fmt.Fprintf(s.stderr, "poly: note: %s: %s\n", file, n)
	}
	s.base = filepath.Dir(s.abs(file))
	s.set, err = s.project.Load(os.DirFS(s.base))
	if err == nil && s.flags.filter == "" && !s.overwritten() {
		s.unused = "hint"
	}
	return err
}

// overwritten reports whether a severity flag names rules.
func (s *scanRun) overwritten() bool {
	for _, ids := range s.flags.overwrite {
		if len(*ids) > 0 {
			return true
		}
	}
	return false
}

// choose applies --filter and the severity flags, and makes the index.
func (s *scanRun) choose() error {
	var filter *rustre.Regexp
	if s.flags.filter != "" {
		var err error
		if filter, err = rustre.Compile(s.flags.filter); err != nil {
			return wrongUse("--filter: "+err.Error(), "")
		}
	}
	for i := range s.set.Rules {
		r := *s.set.Rules[i].Rule
		for _, exact := range [...]bool{false, true} {
			for _, sev := range severities() {
				for _, id := range *s.flags.overwrite[sev] {
					if exact && id == r.ID || !exact && id == everyRule {
						r.Severity = sev
					}
				}
			}
		}
		s.set.Rules[i].Rule = &r
	}
	s.index = rules.NewIndex(s.set.Rules, func(r *rules.Rule) bool {
		return r.Severity != "off" && (filter == nil || filter.Match([]byte(r.ID)))
	})
	return nil
}

func (s *scanRun) scanStdin(ctx context.Context) error {
	text, err := s.readStdin(ctx)
	if err != nil {
		return err
	}
	if len(s.set.Rules) == 0 || rules.Unreadable(text) != "" {
		return nil
	}
	var w rules.Worker
	defer w.Close()
	res, err := s.judge(ctx, &w, s.set.Rules[0].Lang, "STDIN", "STDIN", text)
	if err != nil {
		return err
	}
	return s.out.write(res)
}

// file is a file that is looked at.
type file struct {
	shown string // as it is printed
	abs   string
	lang  *match.Language
}

func (s *scanRun) scanPaths(ctx context.Context, args []string) error {
	files, err := s.walk(args)
	if err != nil {
		return err
	}
	n := s.flags.threads
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	results := make([]chan *found, len(files))
	for i := range results {
		results[i] = make(chan *found, 1)
	}
	next := make(chan int)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(next)
		for i := range files {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range n {
		g.Go(func() error {
			w := rules.Worker{Unused: s.unused != ""}
			defer w.Close()
			for i := range next {
				results[i] <- s.look(ctx, &w, &files[i])
			}
			return nil
		})
	}
	g.Go(func() error { return s.print(ctx, results) })
	return g.Wait()
}

func (s *scanRun) print(ctx context.Context, results []chan *found) error {
	for _, c := range results {
		select {
		case res := <-c:
			if res.err != nil {
				fmt.Fprintf(s.stderr, "poly: error: %s: %v\n", res.file, res.err)
				s.bad++
				continue
			}
			if err := s.out.write(res); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// found is what was found in one file.
type found struct {
	file    string
	matches []rules.JSON
	applied int
	err     error
}

// look judges one file. With --update-all it writes it.
func (s *scanRun) look(ctx context.Context, w *rules.Worker, f *file) (res *found) {
	res = &found{file: f.shown}
	defer func() {
		if v := recover(); v != nil {
			res = &found{file: f.shown, err: fmt.Errorf("panic: %v", v)}
			*w = rules.Worker{Unused: s.unused != ""}
		}
	}()
	text, err := os.ReadFile(f.abs)
	if err != nil {
		res.err = cause(err)
		return res
	}
	if rules.Unreadable(text) != "" {
		return res
	}
	rel, err := filepath.Rel(s.base, f.abs)
	if err != nil || strings.HasPrefix(rel, "..") {
		rel = f.shown
	}
	got, err := s.judge(ctx, w, f.lang, filepath.ToSlash(rel), f.shown, text)
	if err != nil {
		res.err = err
		return res
	}
	if s.flags.update && s.flags.json == "" {
		res.applied, res.err = s.apply(f.abs, text, got)
		res.matches = slices.DeleteFunc(got.matches, func(j rules.JSON) bool { return j.Replacement != nil })
		return res
	}
	return got
}

// apply writes a file with the fixes applied, and counts them.
func (s *scanRun) apply(name string, text []byte, got *found) (int, error) {
	var b bytes.Buffer
	at, n := 0, 0
	for i := range got.matches {
		j := &got.matches[i]
		if j.Replacement == nil || j.ReplacementOffsets.Start < at {
			continue
		}
		b.Write(text[at:j.ReplacementOffsets.Start])
		b.WriteString(*j.Replacement)
		at = j.ReplacementOffsets.End
		n++
	}
	if n == 0 {
		return 0, nil
	}
	b.Write(text[at:])
	return n, atomicfile.Write(name, b.Bytes(), atomicfile.Options{})
}

// judge runs the rules over a text.
func (s *scanRun) judge(ctx context.Context, w *rules.Worker, l *match.Language, rel, shown string, text []byte) (*found, error) {
	res := &found{file: shown}
	err := w.Scan(ctx, s.index, l, rel, text, func(f *rules.Found) error {
		for i := range f.Matches {
			j, err := f.AsJSON(ctx, &f.Matches[i], shown, s.flags.metadata)
			if err != nil {
				return err
			}
			res.matches = append(res.matches, j)
		}
		if s.unused != "" {
			res.matches = append(res.matches, f.UnusedJSON(shown, s.unused)...)
		}
		return nil
	})
	return res, err
}

// output prints matches.
type output struct {
	w       io.Writer
	flags   *scanFlags
	buf     []byte // of the last file, to be used again
	printed int
	errors  int
	applied int
}

func (o *output) begin() error {
	if o.flags.json == "pretty" || o.flags.json == "compact" {
		_, err := io.WriteString(o.w, "[")
		return err
	}
	return nil
}

func (o *output) end() error {
	tail := ""
	switch {
	case o.flags.json == "compact" || o.flags.json == "pretty" && o.printed == 0:
		tail = "]\n"
	case o.flags.json == "pretty":
		tail = "\n]\n"
	case o.flags.update && o.flags.json == "":
		tail = fmt.Sprintf("Applied %d changes\n", o.applied)
	}
	_, err := io.WriteString(o.w, tail)
	return err
}

func (o *output) write(res *found) error {
	o.applied += res.applied
	b := o.buf[:0]
	var err error
	for i := range res.matches {
		j := &res.matches[i]
		if o.flags.most > 0 && o.printed >= o.flags.most {
			break
		}
		if j.Severity == "error" {
			o.errors++
		}
		if b, err = o.append(b, j); err != nil {
			return err
		}
		if len(b) >= flushAt {
			if _, err := o.w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		o.printed++
		if o.flags.names {
			break
		}
	}
	o.buf = b
	_, err = o.w.Write(b)
	return err
}

// flushAt is how many bytes of a file's matches are kept before they are written.
const flushAt = 64 << 10

func (o *output) append(b []byte, j *rules.JSON) ([]byte, error) {
	switch o.flags.json {
	case "stream":
		b, err := rules.AppendJSON(b, j, false)
		return append(b, '\n'), err
	case "compact":
		if o.printed > 0 {
			b = append(b, ',')
		}
		return rules.AppendJSON(b, j, false)
	case "pretty":
		if o.printed > 0 {
			b = append(b, ',')
		}
		return rules.AppendJSON(append(b, '\n'), j, true)
	}
	if o.flags.names {
		return append(append(b, j.File...), '\n'), nil
	}
	return fmt.Appendf(b, "%s:%d:%d: %s[%s]: %s\n", j.File, j.Range.Start.Line+1, j.Range.Start.Column+1, j.Severity, j.RuleID, firstLine(j.Message)), nil
}

// walk lists the files of the paths that rules are for.
func (s *scanRun) walk(args []string) ([]file, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	w := scanWalk{run: s, hidden: slices.Contains(s.flags.noIgnore, "hidden")}
	w.noDot, w.noVCS, w.noParent = slices.Contains(s.flags.noIgnore, "dot"), slices.Contains(s.flags.noIgnore, "vcs"), slices.Contains(s.flags.noIgnore, "parent")
	for _, arg := range args {
		if _, err := os.Lstat(s.abs(arg)); err != nil {
			fmt.Fprintf(s.stderr, "poly: error: %s: %v\n", arg, cause(err))
			s.bad++
			continue
		}
		if err := w.add(arg); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return w.files, nil
}

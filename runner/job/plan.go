package job

import (
	"context"
	"slices"
	"strings"
)

// plan is a job of a run and what is known before it begins.
type plan struct {
	job    *Job
	files  []File // that match, in path order; none of a job that gets no files
	skip   *Result
	line   *line // of Run or Fix
	takes  bool  // it gets files
	whole  bool  // it may look at every file
	writes bool
	key    *[32]byte // of its result, nil if it is not kept
	inputs []File    // what the key was made of
}

// Planned tells, without running a command, what a run would do with a job.
type Planned struct {
	Job     *Job
	Files   []File
	Skip    string   // why it would not run; ""
	Asks    []string // commands that are asked first: guards and the precondition
	After   []string // ids of jobs of its priority that it waits for
	Whole   bool     // it may look at every file
	Command string   // the line, or the script
}

// Plan tells what Run would do. Guards that are commands, and preconditions, are
// listed and not run.
func (x *Executor) Plan(ctx context.Context, st *Stage) []Planned {
	r := x.begin(ctx, st)
	plans := r.plan()
	out := make([]Planned, len(plans))
	for i, p := range plans {
		out[i] = Planned{Job: p.job, Files: p.files, Whole: p.whole, Command: p.job.command(x.Fix), Asks: asks(p.job)}
		if p.skip != nil {
			out[i].Skip = p.skip.Reason
		}
		for k := range i {
			if plans[k].job.Priority == p.job.Priority && p.skip == nil && plans[k].skip == nil && r.inTheWay(plans[k], p) {
				out[i].After = append(out[i].After, plans[k].job.ID)
			}
		}
	}
	return out
}

func asks(j *Job) []string {
	var out []string
	for _, g := range slices.Concat(j.Skip, j.Only) {
		if g.Run != "" {
			out = append(out, g.Run)
		}
	}
	if j.Precondition != "" {
		out = append(out, j.Precondition)
	}
	return out
}

// command is what a job runs, for people; "" for a function.
func (j *Job) command(fix bool) string {
	switch {
	case fix && j.Fix != "":
		return j.Fix
	case j.Run != "":
		return j.Run
	}
	return strings.TrimSpace(j.Runner + " " + j.Script)
}

// plan matches files with jobs and decides what needs no command to be decided.
func (r *run) plan() []*plan {
	out := make([]*plan, len(r.stage.Jobs))
	for i := range r.stage.Jobs {
		p := &plan{job: &r.stage.Jobs[i]}
		out[i] = p
		if why := r.leaveOut(p.job); why != "" {
			p.skip = &Result{Outcome: Skipped, ExitCode: -1, Reason: why}
			continue
		}
		r.match(p)
	}
	return out
}

// leaveOut tells why a job is left out whatever its files are.
func (r *run) leaveOut(j *Job) string {
	for _, t := range j.Tags {
		if slices.Contains(r.stage.ExcludeTags, t) {
			return "its tag " + t + " is excluded"
		}
	}
	if len(r.Only) > 0 && !slices.Contains(r.Only, j.ID) {
		return "not asked for"
	}
	if r.Skip != nil {
		if why := r.Skip(j.ID); why != "" {
			return why
		}
	}
	if r.NoCommands != "" && j.Do == nil {
		return r.NoCommands
	}
	return ""
}

// match finds the files of a job, or why it does not run.
func (r *run) match(p *plan) {
	j := p.job
	p.line = parseLine(j.command(r.Fix), r.arguments())
	filter := len(j.Files) > 0 || len(j.Exclude) > 0 || len(j.FileTypes) > 0
	p.takes = p.line.files() || j.namesFiles() || j.Do != nil || filter && !j.Workspace
	p.whole = j.Workspace || !p.takes
	p.writes = j.StageFixed || r.Fix && (j.Fix != "" || j.Do != nil)
	if !FileStage(r.stage.Name) && !r.about() {
		return
	}
	r.choose(p, filter)
}

// choose takes the files that a job gets from those the run is about.
func (r *run) choose(p *plan, filter bool) {
	j := p.job
	from := r.Files
	if p.line.has(allFiles) || slices.Contains(j.Args, allFiles) {
		var err error
		if from, err = r.everything(); err != nil {
			p.skip = &Result{Outcome: Failed, NoVerdict: true, ExitCode: -1, Reason: "cannot list the files: " + err.Error()}
			return
		}
	}
	matched := slices.DeleteFunc(slices.Clone(from), func(f File) bool { return !r.wants(j, f) })
	if p.takes {
		p.files = slices.DeleteFunc(slices.Clone(matched), func(f File) bool { return f.Gone })
		slices.SortFunc(p.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	}
	whole := j.Do != nil && j.Workspace // it judges what is gone, too, and links
	if p.takes && len(p.files) == 0 && !whole || filter && len(matched) == 0 {
		p.skip = &Result{Outcome: Skipped, ExitCode: -1, Reason: "no file matches"}
		if !filter {
			p.skip.Reason = "no files"
		}
	}
}

// namesFiles reports whether a template for files is among the arguments.
func (j *Job) namesFiles() bool {
	return slices.ContainsFunc(j.Args, func(a string) bool { return slices.Contains(fileWords[:], a) })
}

// about reports whether the run is about files although its stage is not, as
// with --all-files.
func (r *run) about() bool { return len(r.Files) > 0 && !MessageStage(r.stage.Name) }

// arguments is how many of git's arguments templates may name.
func (r *run) arguments() int { return max(len(r.Args), mostArgs[r.stage.Name]) }

func (r *run) wants(j *Job, f File) bool {
	if len(j.Files) > 0 && !Match(j.Files, f.Path) || Match(j.Exclude, f.Path) {
		return false
	}
	if j.Root != "" && j.Root != "." && !strings.HasPrefix(f.Path, j.Root+"/") {
		return false
	}
	if f.Gone {
		return len(j.FileTypes) == 0
	}
	return r.types.all(f, j.FileTypes)
}

package hooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Command is something a stage would execute, for people to see beforehand.
type Command struct {
	Stage string
	Job   string // "" for the stage's own precondition, before and after
	Line  string // as written
}

// Commands lists what the stages of [hooks] would execute: the commands of
// jobs, of what runs around them and of conditions. Builtins are part of poly
// and not listed.
func Commands(hooks map[string]any, stages []string) []Command {
	var out []Command
	for _, stage := range stages {
		for _, table := range []string{stage, "always"} {
			t, _ := hooks[table].(map[string]any)
			l := lister{stage: stage}
			l.around("", t)
			for i, v := range list(t["jobs"]) {
				j, _ := v.(map[string]any)
				name, _ := j["name"].(string)
				if name == "" {
					name = fmt.Sprintf("job %d", i+1)
				}
				l.job(name, "", j)
			}
			for _, kind := range []string{"commands", "scripts"} {
				m, _ := t[kind].(map[string]any)
				for _, name := range slices.Sorted(maps.Keys(m)) {
					j, _ := m[name].(map[string]any)
					script := ""
					if kind == "scripts" {
						script = name
					}
					l.job(name, script, j)
				}
			}
			out = append(out, l.out...)
		}
	}
	return out
}

type lister struct {
	stage string
	out   []Command
}

func (l *lister) add(job, line string) { l.out = append(l.out, Command{l.stage, job, line}) }

// around lists what t executes besides its jobs.
func (l *lister) around(job string, t map[string]any) {
	if s, _ := t["precondition"].(string); s != "" {
		l.add(job, s)
	}
	for _, k := range []string{"skip", "only"} {
		for _, g := range list(t[k]) {
			if m, _ := g.(map[string]any); m != nil {
				if s, _ := m["run"].(string); s != "" {
					l.add(job, s)
				}
			}
		}
	}
	for _, k := range []string{"before", "after"} {
		for _, s := range texts(t[k]) {
			l.add(job, s)
		}
	}
}

func (l *lister) job(name, script string, j map[string]any) {
	l.around(name, j)
	if s, _ := j["script"].(string); s != "" {
		script = s
	}
	if s, _ := j["run"].(string); s != "" {
		l.add(name, s)
	} else if script != "" {
		runner, _ := j["runner"].(string)
		l.add(name, strings.TrimSpace(strings.Join(append([]string{runner, script}, texts(j["args"])...), " ")))
	}
	if s, _ := j["fix"].(string); s != "" {
		l.add(name, s)
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

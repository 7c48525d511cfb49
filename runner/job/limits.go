package job

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"poly/internal/proc"
)

// Limits are the time limits of a run. The zero value means the defaults.
type Limits struct {
	File, Workspace, Step, Precondition Timeout // from the environment: they win over what a job says
}

// The default limits: of a job that gets files, of one that looks at the
// project, of a before or after command, and of a precondition or guard.
const (
	FileLimit         = 10 * time.Minute
	WorkspaceLimit    = 30 * time.Minute
	StepLimit         = 10 * time.Minute
	PreconditionLimit = time.Minute
)

// LimitsFrom reads POLY_HOOK_TIMEOUT, POLY_HOOK_WORKSPACE_TIMEOUT,
// POLY_HOOK_STEP_TIMEOUT and POLY_HOOK_PRECONDITION_TIMEOUT. What is no time
// limit is told of, and ignored.
func LimitsFrom(env []string) (l Limits, warnings []string) {
	for _, v := range []struct {
		name string
		to   *Timeout
	}{
		{"POLY_HOOK_TIMEOUT", &l.File},
		{"POLY_HOOK_WORKSPACE_TIMEOUT", &l.Workspace},
		{"POLY_HOOK_STEP_TIMEOUT", &l.Step},
		{"POLY_HOOK_PRECONDITION_TIMEOUT", &l.Precondition},
	} {
		s := proc.Getenv(env, v.name)
		if s == "" {
			continue
		}
		t, err := ParseTimeout(s)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s: %v; it is ignored", v.name, err))
			continue
		}
		*v.to = t
	}
	return l, warnings
}

func (l Limits) of(j *Job) time.Duration {
	env, def := l.File, FileLimit
	switch {
	case j.Workspace:
		env, def = l.Workspace, WorkspaceLimit
	case j.Interactive:
		def = 0
	}
	return pick(env, j.Timeout, def)
}

func (l Limits) step() time.Duration { return pick(l.Step, Timeout{}, StepLimit) }

func (l Limits) precondition() time.Duration {
	return pick(l.Precondition, Timeout{}, PreconditionLimit)
}

func pick(env, own Timeout, def time.Duration) time.Duration {
	switch {
	case env.Set:
		return env.Limit
	case own.Set:
		return own.Limit
	}
	return def
}

// How cargo's lock is waited for.
const (
	cargoPoll  = 100 * time.Millisecond
	cargoFirst = 2 * time.Second
)

// awaitCargo waits until nobody holds cargo's package cache, at most as long as
// most, so that the wait for another cargo is told of and is not taken for a
// hang. cargo itself waits on if it must.
func (r *run) awaitCargo(j *Job, most time.Duration) {
	home := proc.Getenv(r.env(j), "CARGO_HOME")
	if home == "" {
		home = filepath.Join(proc.Getenv(r.env(j), "HOME"), ".cargo")
	}
	name := filepath.Join(home, ".package-cache")
	tell := cargoFirst
	for started := time.Now(); locked(name) && time.Since(started) < most; {
		if d := time.Since(started); d >= tell {
			r.emit(Event{Kind: Waits, Job: j, Text: "waits for another cargo, which holds the lock of the package cache"})
			tell += laterNotice
		}
		select {
		case <-r.ctx.Done():
			return
		case <-time.After(cargoPoll):
		}
	}
}

// locked reports whether another process holds a lock on a file. The file is
// never made.
func locked(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // which lets the lock go
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == unix.EWOULDBLOCK
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// sample is what one run of a command cost.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // KiB, peak
}

// once runs a command and measures it. Exit codes up to 1 are fine.
func once(ctx context.Context, dir string, env []string, argv ...string) (sample, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return sample{}, fmt.Errorf("%v: %w", argv, err)
	}
	ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, errors.New("no resource usage on this platform")
	}
	return sample{wall, time.Duration(ru.Utime.Nano() + ru.Stime.Nano()), ru.Maxrss}, nil
}

// contender is a command that is measured in turn with others. before runs,
// unmeasured, ahead of each run.
type contender struct {
	name    string
	argv    []string
	before  func() error
	samples []sample
}

// race runs the contenders n times, interleaved, after one unmeasured round.
func race(ctx context.Context, dir string, env []string, n int, cs ...*contender) error {
	for i := range n + 1 {
		for _, c := range cs {
			if c.before != nil {
				if err := c.before(); err != nil {
					return err
				}
			}
			s, err := once(ctx, dir, env, c.argv...)
			if err != nil {
				return err
			}
			if i > 0 {
				c.samples = append(c.samples, s)
			}
		}
	}
	return nil
}

func median(s []sample, of func(sample) float64) float64 {
	v := make([]float64, len(s))
	for i := range s {
		v[i] = of(s[i])
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func least(s []sample, of func(sample) float64) float64 {
	v := of(s[0])
	for i := range s {
		v = min(v, of(s[i]))
	}
	return v
}

func wall(s sample) float64 { return float64(s.wall.Microseconds()) / 1000 }
func cpu(s sample) float64  { return float64(s.cpu.Microseconds()) / 1000 }
func rss(s sample) float64  { return float64(s.rss) / 1024 }

func git(ctx context.Context, dir string, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return nil
}

func write(path string, text []byte) error { return os.WriteFile(path, text, 0o644) }

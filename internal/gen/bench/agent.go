package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// agent is the loop of a coding agent in the repository dir of n files: lint,
// read a finding, edit the file, lint again. The second answer is measured, the
// work of the engine included, against git status, in turn. Every other edit
// restores size and modification time.
func agent(b *bounds, poly, dir string, env []string, n, runs int) error {
	cmd := exec.CommandContext(b.ctx, poly, "mcp")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	l := loop{in: in, out: bufio.NewReader(out), file: filepath.Join(dir, "d0", "d0", "d0", "finding.json")}
	var second, status []sample
	for i := range runs + 1 {
		s, err := once(b.ctx, dir, env, "git", "status")
		if err != nil {
			return err
		}
		took, err := l.round(i%2 == 0)
		if err != nil {
			return errors.Join(err, in.Close(), cmd.Wait())
		}
		if i > 0 {
			status, second = append(status, s), append(second, sample{wall: took})
		}
	}
	if err := errors.Join(os.Remove(l.file), in.Close(), cmd.Wait()); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "  %-40s wall %8.1f ms, git status %8.1f ms\n", "poly mcp, second lint of an agent's loop", median(second, wall), median(status, wall))
	b.check(fmt.Sprintf("%d files: agent's second lint / git status, wall", n), median(second, wall)/median(status, wall), 0.7, "x")
	return nil
}

// loop is the agent.
type loop struct {
	in   io.Writer
	out  *bufio.Reader
	file string
	last int
}

// round goes once around and returns how long the second answer took.
func (l *loop) round(sneaky bool) (time.Duration, error) {
	if err := write(l.file, []byte("{\"a\": }\n")); err != nil {
		return 0, err
	}
	first, _, err := l.lint()
	if err != nil {
		return 0, err
	}
	if !strings.Contains(first, "finding.json") {
		return 0, errors.New("the agent's first lint finds nothing")
	}
	fi, err := os.Stat(l.file)
	if err != nil {
		return 0, err
	}
	text := "{\"a\":1}\n"
	if !sneaky {
		text = "{ \"a\": 1 }\n"
	}
	if err := write(l.file, []byte(text)); err != nil {
		return 0, err
	}
	if sneaky {
		if err := os.Chtimes(l.file, fi.ModTime(), fi.ModTime()); err != nil {
			return 0, err
		}
	}
	second, took, err := l.lint()
	if err == nil && strings.Contains(second, "finding.json") {
		err = fmt.Errorf("the agent's second lint does not see the edit (size and time restored: %v)", sneaky)
	}
	return took, err
}

func (l *loop) lint() (string, time.Duration, error) {
	l.last++
	start := time.Now()
	if _, err := fmt.Fprintf(l.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"lint","arguments":{}}}`+"\n", l.last); err != nil {
		return "", 0, err
	}
	answer, err := l.out.ReadString('\n')
	took := time.Since(start)
	if err == nil && (!strings.Contains(answer, `"summary"`) || strings.Contains(answer, `"isError"`)) {
		err = fmt.Errorf("lint: %.300s", answer)
	}
	return answer, took, err
}

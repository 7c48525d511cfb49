//go:build unix && !linux

package proc

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func attributes(alone bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: alone} }

func groupGone(pgid int) bool {
	if pgid == 0 {
		return true
	}
	err := syscall.Kill(-pgid, 0)
	return err != nil && err != syscall.EPERM
}

// offspring lists the processes that descend from the child root as far as
// their parents still live: the system does not show the environment.
func offspring(root int, _ string) []int {
	text, err := exec.CommandContext(context.Background(), "/bin/ps", "-axo", "pid=,ppid=,pgid=,stat=").Output()
	if err != nil {
		return nil
	}
	type row struct{ pid, ppid, pgid int }
	var all []row
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 4 || strings.HasPrefix(f[3], "Z") {
			continue
		}
		var r row
		r.pid, _ = strconv.Atoi(f[0])
		r.ppid, _ = strconv.Atoi(f[1])
		r.pgid, _ = strconv.Atoi(f[2])
		all = append(all, r)
	}
	mine := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		for _, r := range all {
			if !mine[r.pid] && (mine[r.ppid] || r.pgid == root) {
				mine[r.pid], grown = true, true
			}
		}
	}
	delete(mine, root)
	out := make([]int, 0, len(mine))
	for p := range mine {
		out = append(out, p)
	}
	return out
}

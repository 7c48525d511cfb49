package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

func attributes(alone bool) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: alone, Pdeathsig: syscall.SIGKILL}
}

// groupGone reports whether the group has no member but zombies.
func groupGone(pgid int) bool {
	if pgid == 0 {
		return true
	}
	if err := syscall.Kill(-pgid, 0); err != nil {
		return err != syscall.EPERM
	}
	for _, p := range processes() {
		if p.pgrp == pgid && p.state != 'Z' && p.state != 'X' {
			return false
		}
	}
	return true
}

// process is what /proc/<pid>/stat tells.
type process struct {
	pid, ppid, pgrp, session int
	state                    byte
}

// processes lists all processes that can be seen.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1)
	_ = dir.Close()
	out := make([]process, 0, len(names))
	for _, n := range names {
		pid, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		if b, err := os.ReadFile("/proc/" + n + "/stat"); err == nil {
			if p, ok := parseStat(b); ok {
				p.pid = pid
				out = append(out, p)
			}
		}
	}
	return out
}

// parseStat reads "pid (name) state ppid pgrp session ...", where the name may
// hold anything.
func parseStat(b []byte) (p process, ok bool) {
	i := bytes.LastIndexByte(b, ')')
	if i < 0 {
		return p, false
	}
	f := bytes.Fields(b[i+1:])
	if len(f) < 4 || len(f[0]) != 1 {
		return p, false
	}
	p.state = f[0][0]
	for j, to := range []*int{&p.ppid, &p.pgrp, &p.session} {
		n, err := strconv.Atoi(string(f[j+1]))
		if err != nil {
			return p, false
		}
		*to = n
	}
	return p, true
}

// offspring lists the live processes that came from the child root, which has
// the marker tag, but not root itself.
func offspring(root int, tag string) []int {
	all := processes()
	mine := map[int]bool{root: true}
	for _, p := range all {
		if p.pgrp == root || p.session == root || marked(p.pid, []byte(tag)) {
			mine[p.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if !mine[p.pid] && mine[p.ppid] {
				mine[p.pid], grown = true, true
			}
		}
	}
	var out []int
	self := os.Getpid()
	for _, p := range all {
		if mine[p.pid] && p.pid != root && p.pid != self && p.state != 'Z' && p.state != 'X' {
			out = append(out, p.pid)
		}
	}
	return out
}

// marked reports whether a process carries tag in its environment.
func marked(pid int, tag []byte) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(b, tag)
}

package proc

import (
	"syscall"
	"time"
)

// How often it is looked whether processes have ended: the group costs one
// call, the others a walk over all processes.
const (
	pollGroup = 5 * time.Millisecond
	pollAll   = 50 * time.Millisecond
)

// sweep ends what a child left in its group when it ended by itself.
func (k *child) sweep() (left int) {
	gone := func() bool { return groupGone(k.pgid) }
	if gone() {
		return 0
	}
	signalGroup(k.pgid, syscall.SIGTERM)
	if k.pause(Grace, gone) {
		return 0
	}
	signalGroup(k.pgid, syscall.SIGKILL)
	for deadline := time.Now().Add(reach); !gone(); wait(pollGroup) {
		if time.Now().After(deadline) {
			return 1
		}
	}
	return 0
}

// end ends the child and all that came from it: it asks, waits for the grace,
// then kills until nothing is left. It returns how many resisted.
func (k *child) end() (left int) {
	k.signal(syscall.SIGTERM)
	k.signal(syscall.SIGCONT) // what is stopped cannot end
	gone := func() bool { return k.exited() && groupGone(k.pgid) && len(k.offspring()) == 0 }
	if k.pause(Grace, gone) {
		return 0
	}
	for deadline := time.Now().Add(reach); ; wait(pollGroup) {
		n := k.signal(syscall.SIGKILL)
		if n == 0 && gone() {
			return 0
		}
		if time.Now().After(deadline) {
			return max(1, n)
		}
	}
}

// signal sends s to the child and all that came from it, and tells how many
// there are besides it and its group.
func (k *child) signal(s syscall.Signal) int {
	others := k.offspring()
	if !k.exited() {
		_ = k.exec.Process.Signal(s)
	}
	signalGroup(k.pgid, s)
	for _, p := range others {
		_ = syscall.Kill(p, s)
	}
	return len(others)
}

func (k *child) offspring() []int { return offspring(k.exec.Process.Pid, k.tag+":") }

// pause waits until done, but no longer than d, nor than there is no hurry.
func (k *child) pause(d time.Duration, done func() bool) bool {
	deadline := time.Now().Add(d)
	step := pollGroup
	for {
		if done() {
			return true
		}
		if k.hurried() || time.Now().After(deadline) {
			return false
		}
		wait(step)
		step = min(step*2, pollAll)
	}
}

func (k *child) exited() bool {
	select {
	case <-k.ended:
		return true
	default:
		return false
	}
}

func (k *child) hurried() bool {
	select {
	case <-k.owner.hurry:
		return true
	default:
		return false
	}
}

func wait(d time.Duration) { <-time.After(d) }

// signalGroup signals a group; the group 0 is nobody's.
func signalGroup(pgid int, s syscall.Signal) {
	if pgid > 0 {
		_ = syscall.Kill(-pgid, s)
	}
}

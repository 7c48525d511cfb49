package proc

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// watchScript reads lines, each of which lists all that runs: g<process group>
// and t<marker>. When its input ends, it ends what the last line lists.
const watchScript = `state=
while IFS= read -r line; do state=$line; done
[ -n "$state" ] || exit 0
trap '' TERM INT HUP PIPE
hit() {
  for s in $state; do
    case $s in
    g*) kill -s "$1" -- "-${s#g}" 2>/dev/null ;;
    t*)
      for f in $(grep -l -s -F -e "${s#t}" /proc/[0-9]*/environ 2>/dev/null); do
        p=${f#/proc/}
        kill -s "$1" "${p%/environ}" 2>/dev/null
      done
      ;;
    esac
  done
}
hit TERM
sleep 0.5
hit KILL
sleep 0.1
hit KILL
`

// watcher is the shell that outlives poly if poly is killed. A nil watcher, of
// a system without a shell, watches nothing.
type watcher struct {
	cmd *exec.Cmd
	in  *os.File
}

func startWatcher() *watcher {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer func() { _ = r.Close() }()
	cmd := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", watchScript}, Dir: "/", Stdin: r,
		Env: []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}, SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		return nil
	}
	return &watcher{cmd: cmd, in: w}
}

// tell makes live the list of what runs.
func (w *watcher) tell(live map[string]int) {
	if w == nil {
		return
	}
	words := make([]string, 0, 2*len(live))
	for tag, pgid := range live {
		words = append(words, "t"+tag+":")
		if pgid != 0 {
			words = append(words, fmt.Sprintf("g%d", pgid))
		}
	}
	slices.Sort(words)
	_, _ = w.in.WriteString(strings.Join(words, " ") + "\n")
}

// close ends the watcher, which has nothing to end if tell said so.
func (w *watcher) close() error {
	if w == nil {
		return nil
	}
	_ = w.in.Close()
	return w.cmd.Wait()
}

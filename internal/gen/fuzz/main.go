// Command fuzz finds every fuzz test of the module by reading its sources and
// runs each for its share of the time. It exits 1 if one of them fails: what go
// test prints then names the input, which it leaves under testdata/fuzz.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

func main() {
	total := flag.Duration("time", 5*time.Minute, "time for all fuzz tests together, building not counted")
	match := flag.String("run", "", "only fuzz tests whose `package.Name` matches this expression")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := fuzz(ctx, os.Stdout, ".", *total, *match)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// least is a share below which a fuzz test does nothing but start.
const least = 2 * time.Second

// fuzz runs the fuzz tests below root in turn and returns how many failed.
func fuzz(ctx context.Context, w io.Writer, root string, total time.Duration, match string) (failed int, err error) {
	only, err := regexp.Compile(match)
	if err != nil {
		return 0, err
	}
	all, err := find(os.DirFS(root))
	if err != nil {
		return 0, err
	}
	var targets []target
	for _, t := range all {
		if only.MatchString(t.String()) {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return 0, errors.New("no fuzz test found")
	}
	share := max(total/time.Duration(len(targets)), least).Round(time.Second)
	fmt.Fprintf(w, "%d fuzz tests, %v each\n", len(targets), share)
	for _, t := range targets {
		out, err := t.run(ctx, root, share)
		if ctx.Err() != nil {
			return failed, ctx.Err()
		}
		if err != nil {
			failed++
			fmt.Fprintf(w, "%-48s FAILED: %v\n%s\n", t, err, out)
			continue
		}
		fmt.Fprintf(w, "%-48s %s\n", t, summary(out))
	}
	fmt.Fprintf(w, "%d of %d fuzz tests failed\n", failed, len(targets))
	return failed, nil
}

// run fuzzes t for a while. The fuzzing coordinator sometimes takes the end of
// its own time for a failure (golang/go#75804): such a run is done again.
func (t target) run(ctx context.Context, root string, share time.Duration) (out string, err error) {
	for range 3 {
		cmd := exec.CommandContext(ctx, "go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+share.String(), "./"+t.dir)
		cmd.Dir = root
		b, err := cmd.CombinedOutput()
		out = string(b)
		if err == nil {
			return out, nil
		}
		if !strings.Contains(out, "context deadline exceeded") || strings.Contains(out, "Failing input") {
			return out, err
		}
	}
	return out, errors.New("ended by its deadline three times")
}

var progress = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+) \(total: (\d+)\)`)

// summary shortens the last line of progress.
func summary(out string) string {
	all := progress.FindAllStringSubmatch(out, -1)
	if len(all) == 0 {
		return "ok"
	}
	last := all[len(all)-1]
	return fmt.Sprintf("ok  %9s execs  %4s new of %s interesting", last[1], last[2], last[3])
}

package proc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"poly/internal/usererr"
)

const (
	// MaxArg is the most bytes that one argument may have everywhere, the line
	// of "sh -c" among them (Linux: MAX_ARG_STRLEN, 128 KiB with its NUL).
	MaxArg = 128<<10 - 1
	// argSpace is what arguments and environment may use together: below the
	// least limit of the systems poly runs on (macOS: 1 MiB; Linux: a quarter
	// of the stack, 2 MiB as a rule).
	argSpace = 1<<20 - 4096 - 2048
	// argLeast is what is left for arguments at least, whatever the environment.
	argLeast = 16 << 10
)

// ArgSpace returns how many bytes of arguments a program may get that runs with
// env, by the count of [ArgCost].
func ArgSpace(env []string) int {
	n := argSpace
	for _, kv := range env {
		n -= ArgCost(kv)
	}
	return max(n, argLeast)
}

// ArgCost is what an argument, or a variable, costs: its bytes, its NUL and its
// pointer.
func ArgCost(s string) int { return len(s) + 1 + 8 }

// Batches cuts items into runs whose costs are within space each. There is one
// batch at least, of no items if there are none; an item that costs more than
// space is a batch of its own.
func Batches(items []string, space int, cost func(string) int) [][]string {
	var out [][]string
	start, sum := 0, 0
	for i, it := range items {
		c := cost(it)
		if i > start && sum+c > space {
			out = append(out, items[start:i:i])
			start, sum = i, 0
		}
		sum += c
	}
	return append(out, items[start:len(items):len(items)])
}

// Look returns the file that a program name stands for, as a child in dir with
// the environment env would find it.
func Look(name string, env []string, dir string) (string, error) {
	if name == "" {
		return "", usererr.New("tool-missing", "no command is given", "")
	}
	if strings.Contains(name, "/") {
		p := name
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		return p, runnable(p, name)
	}
	var found error
	for _, d := range filepath.SplitList(Getenv(env, "PATH")) {
		if d == "" || !filepath.IsAbs(d) {
			d = filepath.Join(dir, d)
		}
		p := filepath.Join(d, name)
		err := runnable(p, name)
		if err == nil {
			return p, nil
		}
		if e, ok := errors.AsType[*usererr.Error](err); ok && e.Code != "tool-missing" && found == nil {
			found = err
		}
	}
	if found != nil {
		return "", found
	}
	return "", usererr.New("tool-missing", name+" is not installed, or not in PATH", "install "+name+", or add its directory to PATH")
}

func runnable(p, name string) error {
	fi, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usererr.New("tool-missing", name+" does not exist", "mend the path, or create the file")
	case err != nil:
		return &usererr.Error{Code: "tool-unusable", Msg: "cannot look at " + name, Err: cause(err)}
	case fi.IsDir():
		return usererr.New("tool-unusable", name+" is a directory", "name a program")
	case fi.Mode().Perm()&0o111 == 0:
		return usererr.New("tool-unusable", name+" is not executable", "chmod +x "+name)
	}
	return nil
}

// cause is err without the path it names.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Getenv returns a variable of env, the last of its name, or "".
func Getenv(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// Setenv returns env with each "NAME=value" of more in place of what env has
// under that name. Env itself stays as it is.
func Setenv(env []string, more ...string) []string {
	out := make([]string, 0, len(env)+len(more))
	names := make(map[string]bool, len(more))
	for _, kv := range more {
		name, _, _ := strings.Cut(kv, "=")
		names[name] = true
	}
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); !names[name] {
			out = append(out, kv)
		}
	}
	return append(out, more...)
}

package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
	"poly/internal/usererr"
)

// Index opens the index git names. A file that is not there is an index
// without entries. A kind of index that is not read here is read by git.
// The caller closes it.
func (r *Repo) Index(ctx context.Context) (*index.Index, error) {
	if r.AskGit {
		return r.askIndex(ctx)
	}
	x, err := index.Open(r.IndexPath, r.HashLen)
	switch {
	case err == nil:
		return x, nil
	case isMissing(err):
		return index.FromEntries(r.HashLen, index.FileInfo{}, nil)
	case errors.Is(err, index.ErrUnsupported):
		return r.askIndex(ctx)
	case errors.Is(err, index.ErrCorrupt):
		return nil, &usererr.Error{
			Code: "git-index", Msg: "git's index cannot be read", Err: err,
			Hint: "git status tells whether git can; git read-tree HEAD writes a new index",
		}
	}
	return nil, fmt.Errorf("read index: %w", err)
}

// askIndex reads the index through git ls-files, which expands split and
// sparse indexes.
func (r *Repo) askIndex(ctx context.Context) (*index.Index, error) {
	// The file's times are taken first: if it is replaced meanwhile, more
	// entries look racy, not fewer.
	file, err := index.StatFile(r.IndexPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read index: %w", err)
	}
	// Unmerged and sparse entries are listed too; --sparse is not given.
	out, err := r.output(ctx, "-c", "core.fsmonitor=false", "ls-files", "--stage", "--debug", "-z")
	if err != nil {
		return nil, err
	}
	return parseStage(out, r.HashLen, file)
}

// Bits of the "flags" that ls-files --debug prints.
const (
	flagValid        = 0x8000
	flagExtended     = 0x4000
	flagIntentToAdd  = 1 << 29
	flagSkipWorktree = 1 << 30
)

// parseStage reads `git ls-files --stage --debug -z`: for each entry
// "<mode> <hex> <stage>\t<path>\0" and five lines of stat data.
func parseStage(out []byte, hashLen int, file index.FileInfo) (*index.Index, error) {
	b := index.Builder{HashLen: hashLen, File: file}
	text := string(out) // once, so that its parts cost nothing
	for text != "" {
		head, rest, ok := strings.Cut(text, "\x00")
		meta, path, tab := strings.Cut(head, "\t")
		if !ok || !tab {
			return nil, errors.New("git ls-files: truncated output")
		}
		e := index.Entry{Path: path}
		mode, meta, _ := strings.Cut(meta, " ")
		hexID, stage, _ := strings.Cut(meta, " ")
		m, err := strconv.ParseUint(mode, 8, 32)
		id, ok := entry.ParseID(hexID)
		if err != nil || !ok || len(stage) != 1 {
			return nil, fmt.Errorf("git ls-files: unexpected %q", head)
		}
		e.Mode, e.ID, e.Stage = uint32(m), string(id), int(stage[0]-'0')
		if text, ok = debugLines(&e, rest); !ok {
			return nil, fmt.Errorf("git ls-files --debug: unexpected output for %q", path)
		}
		if err := b.Add(&e); err != nil {
			return nil, fmt.Errorf("git ls-files: %w", err)
		}
	}
	return b.Index(), nil
}

// debugLines reads the stat data of one entry and returns what follows it.
func debugLines(e *index.Entry, text string) (rest string, ok bool) {
	s, flags := &e.Stat, uint32(0)
	for _, f := range [...]struct {
		label string
		base  int
		value *uint32
	}{
		{"  ctime: ", 10, &s.CtimeSec},
		{":", 10, &s.CtimeNsec},
		{"\n  mtime: ", 10, &s.MtimeSec},
		{":", 10, &s.MtimeNsec},
		{"\n  dev: ", 10, &s.Dev},
		{"\tino: ", 10, &s.Ino},
		{"\n  uid: ", 10, &s.UID},
		{"\tgid: ", 10, &s.GID},
		{"\n  size: ", 10, &s.Size},
		{"\tflags: ", 16, &flags},
	} {
		if text, ok = strings.CutPrefix(text, f.label); !ok {
			return "", false
		}
		n := 0
		for n < len(text) && text[n] >= '0' && (text[n] <= '9' || f.base == 16 && text[n] >= 'a' && text[n] <= 'f') {
			n++
		}
		v, err := strconv.ParseUint(text[:n], f.base, 32)
		if err != nil {
			return "", false
		}
		*f.value, text = uint32(v), text[n:]
	}
	e.Flags = memoryFlags(flags)
	return strings.CutPrefix(text, "\n")
}

// memoryFlags maps the bits git keeps in memory to ours.
func memoryFlags(flags uint32) (f index.Flags) {
	if flags&flagValid != 0 {
		f |= index.AssumeValid
	}
	if flags&flagExtended != 0 {
		f |= index.Extended
	}
	if flags&flagIntentToAdd != 0 {
		f |= index.IntentToAdd
	}
	if flags&flagSkipWorktree != 0 {
		f |= index.SkipWorktree
	}
	return f
}

// askGit lets git judge a repository whose format is not, or not wholly, known
// here. If git refuses it, its error is returned.
func (r *Repo) askGit(ctx context.Context, why string) error {
	if _, err := r.output(ctx, "rev-parse", "--git-dir"); err != nil {
		return err
	}
	if why != "" {
		return usererr.New("git-format", "the repository at "+r.GitDir+" has "+why+", which is not supported", "")
	}
	r.AskGit = true
	return nil
}

// askHead resolves HEAD through git.
func (r *Repo) askHead(ctx context.Context) (entry.ID, error) {
	args := []string{"rev-parse", "--verify", "-q", "HEAD"}
	out, stderr, err := r.run(ctx, args...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case ok && exit.ExitCode() == 1 && len(stderr) == 0:
		return "", ErrUnborn
	case err != nil:
		return "", gitError(args, stderr, err)
	}
	id, ok := entry.ParseID(strings.TrimSpace(string(out)))
	if !ok {
		return "", fmt.Errorf("git rev-parse HEAD: %q is no object id", out)
	}
	return id, nil
}

// HashFiles lets git convert and hash files of the worktree, with one process.
// It returns an id for each path, "" for those that git refuses and those after
// them.
func HashFiles(ctx context.Context, r *Repo, paths []string) ([]entry.ID, error) {
	ids := make([]entry.ID, len(paths))
	var in strings.Builder
	for _, p := range paths {
		in.WriteString(cQuote(p) + "\n")
	}
	if len(paths) == 0 {
		return ids, nil
	}
	cmd := r.command(ctx, "hash-object", "--stdin-paths")
	cmd.Stdin = strings.NewReader(in.String())
	out, _ := cmd.Output() // it stops at the first path it cannot convert
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for n, word := range strings.Fields(string(out)) {
		if n < len(paths) {
			ids[n], _ = entry.ParseID(word)
		}
	}
	return ids, nil
}

// output runs a git command that only reads and returns what it prints. The
// error carries git's own message.
func (r *Repo) output(ctx context.Context, args ...string) ([]byte, error) {
	out, stderr, err := r.run(ctx, args...)
	if err == nil || ctx.Err() != nil {
		return out, ctx.Err()
	}
	return nil, gitError(args, stderr, err)
}

func (r *Repo) run(ctx context.Context, args ...string) (stdout, stderr []byte, err error) {
	cmd := r.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.Bytes(), errs.Bytes(), err
}

// command prepares a git process for this repository and no other. It never
// takes a lock it can do without: in a hook, git holds index.lock.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, gitProgram(r.env.get("PATH")), args...)
	cmd.Dir = r.Root
	if r.Root == "" {
		cmd.Dir = r.GitDir
	}
	cmd.Env = r.childEnv()
	return cmd
}

// gitProgram finds git on a PATH as git's own processes will see it, but never
// in a directory that is not absolute.
func gitProgram(path string) string {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, "git")
		if fi, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return file
		}
	}
	return "git"
}

// childEnv is the environment of git's processes: the user's, with the places
// made absolute, because git resolves relative ones against other directories.
func (r *Repo) childEnv() []string {
	own := map[string]string{
		"GIT_DIR": r.GitDir, "GIT_INDEX_FILE": r.IndexPath, "GIT_WORK_TREE": r.Root, "GIT_OPTIONAL_LOCKS": "0",
		"GIT_COMMON_DIR": "", "GIT_OBJECT_DIRECTORY": "", "GIT_PREFIX": "", "LC_ALL": "C", "LANGUAGE": "",
	}
	if r.env.get("GIT_COMMON_DIR") != "" {
		own["GIT_COMMON_DIR"] = r.CommonDir
	}
	if r.env.get("GIT_OBJECT_DIRECTORY") != "" {
		own["GIT_OBJECT_DIRECTORY"] = r.ObjectDir
	}
	env := make([]string, 0, len(r.env)+len(own))
	for _, kv := range r.env {
		name, _, _ := strings.Cut(kv, "=")
		if _, ok := own[name]; !ok {
			env = append(env, kv)
		}
	}
	for name, v := range own {
		if v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// gitError makes git's message the error, without its "fatal: ", and its advice
// the hint.
func gitError(args []string, stderr []byte, err error) error {
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		return &usererr.Error{Code: "no-git", Msg: "git cannot be run", Hint: "install git, or put it on PATH", Err: err}
	}
	msg, hint, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	if strings.HasSuffix(msg, ":") { // a list follows
		msg, hint = msg+" "+strings.Join(strings.Fields(hint), " "), ""
	}
	msg = strings.TrimPrefix(strings.TrimPrefix(msg, "fatal: "), "error: ")
	if msg == "" {
		msg = strings.Join(args, " ") + ": " + err.Error()
	}
	return &usererr.Error{Code: "git", Msg: "git: " + msg, Hint: strings.TrimSpace(hint)}
}

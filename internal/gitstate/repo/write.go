package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
)

// Staging is one path of an index that gets another blob.
type Staging struct {
	Path string
	Mode entry.Mode
	// Was is what the index must have now; the path is left alone otherwise.
	Was entry.ID
	ID  entry.ID
}

// WriteFiles makes blobs of files below dir, which stands for the top of the
// worktree: paths are slash-separated and relative to it, and with filtered git
// converts them as git add would. It returns an id a path, by one git process.
func WriteFiles(ctx context.Context, r *Repo, dir string, paths []string, filtered bool) ([]entry.ID, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"hash-object", "-w", "--stdin-paths"}
	if !filtered {
		args = append(args, "--no-filters")
	}
	cmd := r.command(ctx, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "GIT_WORK_TREE="+dir)
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(cQuote(p) + "\n")
	}
	cmd.Stdin = &in
	out, err := output(ctx, cmd, args)
	if err != nil {
		return nil, err
	}
	ids := make([]entry.ID, 0, len(paths))
	for word := range strings.FieldsSeq(string(out)) {
		id, ok := entry.ParseID(word)
		if !ok {
			return nil, fmt.Errorf("git hash-object: unexpected %q", word)
		}
		ids = append(ids, id)
	}
	if len(ids) != len(paths) {
		return nil, fmt.Errorf("git hash-object: %d ids for %d files", len(ids), len(paths))
	}
	return ids, nil
}

// cQuote writes a path so that git reads it back from a line.
func cQuote(p string) string {
	if !strings.ContainsAny(p, "\"\\\n\r\t") && p != "" && p[0] != '"' {
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(p) {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Stage gives paths of an index file other blobs, and returns those it did:
// the others are not, or not any more, what Was says. The index is that git
// names if file is "". What git keeps with an entry besides (skip-worktree,
// assume-unchanged) stays.
func Stage(ctx context.Context, r *Repo, file string, changes []Staging) (done []Staging, err error) {
	at := *r.place()
	if file != "" {
		at.IndexPath = file
	}
	x, err := at.Index(ctx)
	if err != nil {
		return nil, err
	}
	var in bytes.Buffer
	kept := map[index.Flags]*bytes.Buffer{index.SkipWorktree: {}, index.AssumeValid: {}}
	for _, c := range changes {
		i, ok := x.Find(c.Path)
		if !ok || x.Stage(i) != 0 || entry.ID(x.ID(i)) != c.Was || x.Flags(i)&index.IntentToAdd != 0 {
			continue
		}
		done = append(done, c)
		in.WriteString(strconv.FormatUint(uint64(c.Mode), 8) + " " + c.ID.String() + " 0\t" + c.Path + "\x00")
		for flag, list := range kept {
			if x.Flags(i)&flag != 0 {
				list.WriteString(c.Path + "\x00")
			}
		}
	}
	if err := x.Close(); err != nil || len(done) == 0 {
		return nil, err
	}
	if err := at.updateIndex(ctx, &in, "-z", "--index-info"); err != nil {
		return nil, err
	}
	for flag, option := range map[index.Flags]string{index.SkipWorktree: "--skip-worktree", index.AssumeValid: "--assume-unchanged"} {
		if kept[flag].Len() > 0 {
			err = errors.Join(err, at.updateIndex(ctx, kept[flag], option, "-z", "--stdin"))
		}
	}
	return done, err
}

// place is r without its child: for a command on another index.
func (r *Repo) place() *Repo {
	return &Repo{
		Root: r.Root, Prefix: r.Prefix, GitDir: r.GitDir, CommonDir: r.CommonDir, IndexPath: r.IndexPath, ObjectDir: r.ObjectDir,
		HashLen: r.HashLen, Config: r.Config, Ext: r.Ext, AskGit: r.AskGit, env: r.env,
	}
}

func (r *Repo) updateIndex(ctx context.Context, in *bytes.Buffer, args ...string) error {
	args = append([]string{"-c", "core.fsmonitor=false", "update-index"}, args...)
	cmd := r.command(ctx, args...)
	cmd.Stdin = in
	_, err := output(ctx, cmd, args)
	return err
}

// Checkout writes paths of the index that git names below dir, as a checkout
// would, with every conversion, over what lies there; by one git process. The
// attributes are those of the index: git prefers the files of the worktree, so
// that dir, which must not hold others, stands for it if they differ.
func Checkout(ctx context.Context, r *Repo, dir string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	args := []string{"-c", "core.fsmonitor=false", "checkout-index", "-f", "-q", "-z", "--stdin", "--prefix=" + filepath.ToSlash(dir) + "/"}
	cmd := r.command(ctx, args...)
	same, err := r.sameAttributes(ctx, paths)
	if err != nil {
		return err
	}
	if !same {
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "GIT_WORK_TREE="+dir)
	}
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	_, err = output(ctx, cmd, args)
	return err
}

// sameAttributes reports whether the worktree has the .gitattributes of the
// index in each directory that leads to one of paths.
func (r *Repo) sameAttributes(ctx context.Context, paths []string) (bool, error) {
	if r.Root == "" {
		return true, nil
	}
	x, err := r.place().Index(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = x.Close() }()
	seen := map[string]bool{}
	for _, p := range paths {
		for up := path.Dir(p); !seen[up]; up = path.Dir(up) {
			seen[up] = true
			name := path.Join(up, ".gitattributes")
			b, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(name)))
			i, staged := x.Find(name)
			if staged != (err == nil) || staged && entry.ID(x.ID(i)) != entry.BlobID(b, r.HashLen) {
				return false, nil
			}
		}
	}
	return true, nil
}

// Smudged returns what a checkout of a blob as a path would write.
func Smudged(ctx context.Context, r *Repo, id entry.ID, path string) ([]byte, error) {
	return r.output(ctx, "cat-file", "--filters", "--path="+path, id.String())
}

// Merge merges two changes of one file: ours and theirs, made of base, are
// files. clean tells that they do not touch the same lines; without it, or for
// binary files, there is no result.
func Merge(ctx context.Context, r *Repo, ours, base, theirs string) (merged []byte, clean bool, err error) {
	out, _, err := r.run(ctx, "merge-file", "-p", "-q", "--", ours, base, theirs)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return nil, false, nil
	}
	return out, err == nil, err
}

func output(ctx context.Context, cmd *exec.Cmd, args []string) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, gitError(args, errs.Bytes(), err)
	}
	return out.Bytes(), nil
}

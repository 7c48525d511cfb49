package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"poly/internal/gitstate/entry"
	"poly/internal/gitstate/index"
	"poly/internal/usererr"
)

// ReadTree reads what a revision names, a commit, a tag or a tree, in the form
// of an index, and the id of the tree object. The caller closes the index.
func ReadTree(ctx context.Context, r *Repo, rev string) (x *index.Index, id entry.ID, err error) {
	if id, err = r.treeOf(ctx, rev); err != nil {
		return nil, "", err
	}
	out, err := r.output(ctx, "ls-tree", "-r", "-z", id.String())
	if err != nil {
		return nil, "", r.shallowHint(err)
	}
	x, err = parseTree(out, r.HashLen)
	return x, id, err
}

// treeOf resolves a revision to the id of a tree object.
func (r *Repo) treeOf(ctx context.Context, rev string) (entry.ID, error) {
	if rev == "" || rev[0] == '-' || strings.ContainsAny(rev, "\n\x00") {
		return "", usererr.Newf("bad-revision", "%q is not a revision", rev)
	}
	// In two steps: in "HEAD:dir^{tree}" and ":/text^{tree}" the end means
	// something else.
	info, err := r.Objects().Info(ctx, rev)
	if err == nil && info.Type != "tree" {
		info, err = r.Objects().Info(ctx, info.ID.String()+"^{tree}")
	}
	if err == nil {
		return info.ID, nil
	}
	if !errors.Is(err, ErrMissing) {
		return "", err
	}
	// git's own words tell best what is wrong with it.
	if _, gitErr := r.output(ctx, "rev-parse", "--verify", "--end-of-options", rev+"^{tree}"); gitErr != nil {
		err = gitErr
	}
	return "", r.shallowHint(&usererr.Error{
		Code: "bad-revision", Msg: fmt.Sprintf("revision %q cannot be read", rev), Err: err,
		Hint: "git rev-parse --verify " + shellQuote(rev) + " tells what git makes of it",
	})
}

// shallowHint says how to get history that was never fetched.
func (r *Repo) shallowHint(err error) error {
	if _, statErr := os.Stat(filepath.Join(r.CommonDir, "shallow")); statErr != nil || errors.Is(err, context.Canceled) {
		return err
	}
	return &usererr.Error{
		Code: "shallow", Msg: "this is a shallow clone", Err: err,
		Hint: "git fetch --unshallow gets the whole history; in CI, fetch with depth 0",
	}
}

// parseTree reads `git ls-tree -r -z`: "<mode> <type> <hex>\t<path>\0".
func parseTree(out []byte, hashLen int) (*index.Index, error) {
	n := bytes.Count(out, []byte{0})
	b := index.Builder{HashLen: hashLen, Entries: n, Paths: len(out) - n*len("100644 blob \t") - 2*n*hashLen}
	text := string(out) // once, so that its parts cost nothing
	for text != "" {
		head, rest, ok := strings.Cut(text, "\x00")
		meta, path, tab := strings.Cut(head, "\t")
		if !ok || !tab {
			return nil, errors.New("git ls-tree: truncated output")
		}
		text = rest
		mode, rest, _ := strings.Cut(meta, " ")
		_, hexID, _ := strings.Cut(rest, " ")
		m, err := strconv.ParseUint(mode, 8, 32)
		id, ok := entry.ParseID(hexID)
		if err != nil || !ok {
			return nil, fmt.Errorf("git ls-tree: unexpected %q", meta)
		}
		if err := b.Add(&index.Entry{Path: path, ID: string(id), Mode: uint32(m)}); err != nil {
			return nil, fmt.Errorf("git ls-tree: %w", err)
		}
	}
	return b.Index(), nil
}

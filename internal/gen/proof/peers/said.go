package peers

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"poly/internal/gen/proof/lab"
)

// perRun is how long one run of a command may take.
const perRun = 3 * time.Minute

// chunks runs a command over a few files at a time. What takes too long is
// unread.
func (b *bench) chunks(ctx context.Context, t tree, size int, h *heard, use func(out, errs []byte) error, argv ...string) error {
	for files := range slices.Chunk(t.files, size) {
		r, late, err := b.remembered(ctx, t.dir, append(slices.Clone(argv), files...))
		if err != nil {
			return err
		}
		if late {
			for _, f := range files {
				h.unread[f] = true
			}
			continue
		}
		h.cpu += r.CPU
		if err := use(r.Out, r.Errs); err != nil {
			return fmt.Errorf("%s: %w: %s", filepath.Base(argv[0]), err, lab.Clean(string(r.Errs)))
		}
	}
	return nil
}

// remembered runs a command, or says what it said when it was run in the same
// -dir with the same arguments on the same bytes: some take a quarter of an
// hour. late means that it took too long.
func (b *bench) remembered(ctx context.Context, dir string, argv []string) (r lab.Result, late bool, err error) {
	sum := sha256.New()
	for _, a := range argv {
		text, err := os.ReadFile(filepath.Join(dir, a))
		if err != nil {
			text = nil // an option, or the program
		}
		fmt.Fprintf(sum, "%q %d\n%s", a, len(text), text)
	}
	name := filepath.Join(b.lab.Dir, "said", fmt.Sprintf("%x.json", sum.Sum(nil)))
	if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &r) == nil {
		return r, false, nil
	}
	once, cancel := context.WithTimeout(ctx, perRun)
	defer cancel()
	r, err = b.lab.Start(once, dir, nil, argv...)
	if once.Err() != nil && ctx.Err() == nil {
		return r, true, nil
	}
	if err != nil {
		return r, false, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r, false, err
	}
	return r, false, writeFile(name, text)
}

package worktree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"poly/internal/atomicfile"
)

const journalSuffix = ".journal"

// Interrupted is a file that a killed process was about to write.
type Interrupted struct {
	Path string
	// Written: the file holds the new bytes. If not, it holds what it held
	// before, or what somebody wrote since.
	Written bool
}

// record is one line of a journal. Paths are bytes: base64 in JSON.
type record struct {
	Path   []byte `json:"path"`
	Temp   []byte `json:"temp"`
	Before string `json:"before"` // ids of contents
	After  string `json:"after"`
}

// journal names the temporary files that may exist.
//
// Invariant: a temporary file is made only after its record is in the journal,
// and the journal is emptied only when no temporary file is left.
type journal struct {
	f    *os.File
	size int64
}

// newJournal makes a journal of our own beside those of other writers. base is
// the path that all names of this worktree's state begin with.
func newJournal(base string) (*journal, error) {
	f, err := os.CreateTemp(filepath.Dir(base), filepath.Base(base)+"-*"+journalSuffix)
	if err != nil {
		return nil, err
	}
	return &journal{f: f}, nil
}

// begin records changes and waits for the disk.
func (j *journal) begin(changes []Change, temps []string) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	for i, c := range changes {
		if temps[i] == "" {
			continue
		}
		r := record{Path: []byte(c.Path), Temp: []byte(temps[i]), Before: id(c.Before), After: id(c.After)}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	if buf.Len() == 0 {
		return nil
	}
	_, err := j.f.WriteAt(buf.Bytes(), j.size)
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		// Half a record must not hide the next one.
		return fmt.Errorf("write journal: %w", errors.Join(err, j.f.Truncate(j.size)))
	}
	j.size += int64(buf.Len())
	return nil
}

// end forgets everything recorded. If that fails the next Open finds records
// of files that do not exist, which is harmless.
func (j *journal) end() {
	if j.f.Truncate(0) == nil {
		j.size = 0
	}
}

// close removes the journal if it names nothing.
func (j *journal) close() error {
	err := j.f.Close()
	if j.size == 0 {
		err = errors.Join(err, os.Remove(j.f.Name()))
	}
	return err
}

func id(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// recoverAll removes the temporary files that journals of killed processes
// name, and then those journals. A journal is kept if one of its files could
// not be removed.
func (w *Writer) recoverAll(base string) ([]Interrupted, error) {
	entries, err := os.ReadDir(filepath.Dir(base))
	if err != nil {
		return nil, err
	}
	var all []Interrupted
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, filepath.Base(base)+"-") || !strings.HasSuffix(name, journalSuffix) {
			continue
		}
		path := filepath.Join(filepath.Dir(base), name)
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		found, ok := w.recoverJournal(data)
		all = append(all, found...)
		if !ok {
			continue
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (w *Writer) recoverJournal(data []byte) (found []Interrupted, ok bool) {
	ok = true
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var r record
		// A line that was not written to its end has no temporary file yet.
		if json.Unmarshal(line, &r) != nil || checkPath(string(r.Path)) != nil || !isTemp(string(r.Temp)) {
			continue
		}
		i, err := w.recoverRecord(r)
		if err != nil {
			ok = false
			continue
		}
		found = append(found, i)
	}
	return found, ok
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, atomicfile.TempSuffix) && !strings.ContainsAny(name, "/\\\x00")
}

// recoverRecord removes one temporary file, if it is there. A directory that
// was removed, or has become a symlink, holds none of ours.
func (w *Writer) recoverRecord(r record) (Interrupted, error) {
	res := Interrupted{Path: string(r.Path)}
	dir, name, err := w.parent(res.Path)
	if errors.Is(err, ErrPreimage) || errors.Is(err, ErrNotRegular) {
		return res, nil
	}
	if err != nil {
		return res, err
	}
	defer func() { _ = dir.Close() }()
	fi, err := dir.Lstat(string(r.Temp))
	if err == nil && fi.Mode().IsRegular() {
		err = dir.Remove(string(r.Temp))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return res, err
	}
	if f, _, err := openRegular(dir, name, os.O_RDONLY); err == nil {
		data, rerr := io.ReadAll(f)
		res.Written = rerr == nil && id(data) == r.After
		_ = f.Close()
	}
	return res, nil
}

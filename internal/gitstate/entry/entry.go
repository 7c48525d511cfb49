// Package entry holds the words git has for one entry of a tree: path, mode,
// object id and, for the same file in a worktree, the form its bytes lie in.
package entry

import (
	"crypto/sha1" //nolint:gosec // git's object ids
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// ID is a git object id as raw bytes: 20 for sha1, 32 for sha256 repositories;
// "" is unset. It may point into a mapped index: it is valid until its Tree is
// closed. Clone what outlives the tree.
type ID string

// String returns the id in lower-case hex.
func (id ID) String() string { return hex.EncodeToString([]byte(id)) }

// ParseID reads an object id of either length from hex.
func ParseID(s string) (ID, bool) {
	if len(s) != 40 && len(s) != 64 {
		return "", false
	}
	b, err := hex.DecodeString(s)
	return ID(b), err == nil
}

// BlobID is the id git gives to a blob with these bytes. hashLen is that of a
// sha256 id, or anything else for sha1.
func BlobID(b []byte, hashLen int) ID {
	head := make([]byte, 0, 32)
	head = append(head, "blob "...)
	head = strconv.AppendInt(head, int64(len(b)), 10)
	head = append(head, 0)
	if hashLen == sha256.Size {
		h := sha256.New()
		h.Write(head)
		h.Write(b)
		return ID(h.Sum(nil))
	}
	h := sha1.New() //nolint:gosec // git's object ids
	h.Write(head)
	h.Write(b)
	return ID(h.Sum(nil))
}

// Mode is a git file mode.
type Mode uint32

// The modes git records.
const (
	ModeRegular Mode = 0o100644
	ModeExec    Mode = 0o100755
	ModeSymlink Mode = 0o120000
	ModeGitlink Mode = 0o160000
	ModeDir     Mode = 0o040000
)

// Regular reports whether files of mode m have content to judge.
func (m Mode) Regular() bool { return m == ModeRegular || m == ModeExec }

// CanonicalMode maps the modes old versions of git wrote to those it reads.
func CanonicalMode(m uint32) Mode {
	if Mode(m)&0o170000 != 0o100000 {
		return Mode(m)
	}
	if m&0o100 != 0 {
		return ModeExec
	}
	return ModeRegular
}

// Class says how worktree bytes relate to blob bytes for a path: "" if they
// are the same, else a canonical description of the conversions git applies on
// checkout ("crlf", "filter=lfs", "ident", "encoding=UTF-16", joined by ",").
// It is part of every cache key.
type Class string

// Dir returns the directory of a path; "" is the root.
func Dir(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

package entry

import (
	"strings"
	"testing"
)

// TestBlobID: the ids are those of git hash-object.
func TestBlobID(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text    string
		hashLen int
		want    string
	}{
		{"", 20, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
		{"hello\n", 20, "ce013625030ba8dba906f756967f9e9ca394464a"},
		{"", 32, "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"},
		{"hello\n", 32, "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"},
	} {
		id := BlobID([]byte(tc.text), tc.hashLen)
		if id.String() != tc.want || len(id) != tc.hashLen {
			t.Errorf("BlobID(%q, %d) = %s, want %s", tc.text, tc.hashLen, id, tc.want)
		}
		if back, ok := ParseID(tc.want); !ok || back != id {
			t.Errorf("ParseID(%s) = %s, %v", tc.want, back, ok)
		}
	}
	for _, s := range []string{"", "e69d", strings.Repeat("g", 40), strings.Repeat("0", 41)} {
		if id, ok := ParseID(s); ok {
			t.Errorf("ParseID(%q) = %s, want none", s, id)
		}
	}
}

func TestCanonicalMode(t *testing.T) {
	t.Parallel()
	for m, want := range map[uint32]Mode{
		0o100644: ModeRegular, 0o100664: ModeRegular, 0o100600: ModeRegular, 0o100755: ModeExec, 0o100775: ModeExec,
		0o120000: ModeSymlink, 0o160000: ModeGitlink, 0o040000: ModeDir,
	} {
		if got := CanonicalMode(m); got != want {
			t.Errorf("CanonicalMode(%o) = %o, want %o", m, got, want)
		}
	}
}

func TestDir(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"": "", "a": "", "a/b": "a", "a/b/c": "a/b"} {
		if got := Dir(path); got != want {
			t.Errorf("Dir(%q) = %q, want %q", path, got, want)
		}
	}
}

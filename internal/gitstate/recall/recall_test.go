package recall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/gitstate/entry"
)

func encodeNames(names []Name) (b []byte) {
	for _, n := range names {
		b = AppendName(b, n)
	}
	return b
}

// FuzzDecode: any bytes may come back from a Memory.
func FuzzDecode(f *testing.F) {
	f.Add(EncodeDirs("x", []Dir{{Path: "a", Names: AppendName(nil, Name{Name: "x", Kind: 1})}, {Path: "b", Flags: Untracked}}))
	f.Add(EncodeFiles([]File{{Path: "a", ID: entry.BlobID(nil, 20), Conv: "x", Class: "crlf"}}))
	f.Fuzz(func(_ *testing.T, b []byte) {
		dirs := OpenDirs(b)
		for d, ok := dirs.Next(); ok; d, ok = dirs.Next() {
			for n, rest, ok := NextName(d.Names); ok; n, rest, ok = NextName(rest) {
				_ = strings.Clone(n.Name)
			}
		}
		for _, r := range DecodeFiles(b) {
			_ = strings.Clone(r.Path) + strings.Clone(string(r.ID))
		}
		k := Forms{Old: b}
		k.Get(4)
		k.Encode()
	})
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	names := []Name{{"a", 3, true}, {"b c", 2, false}, {"\xff", 1, true}}
	dirs := []Dir{{Path: "", Stamp: Stamp{1, 2, 3, 4}, Digest: 5, Key: 6, Flags: 7, Names: encodeNames(names)}, {Path: "x/y"}}
	r := OpenDirs(EncodeDirs("index", dirs))
	if r.Index != "index" || r.Len != 2 {
		t.Errorf("%q, %d directories", r.Index, r.Len)
	}
	var back []Dir
	for d, ok := r.Next(); ok; d, ok = r.Next() {
		back = append(back, d)
	}
	var got []Name
	for n, rest, ok := NextName(back[0].Names); ok; n, rest, ok = NextName(rest) {
		got = append(got, n)
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Error(diff)
	}
	back[0].Names, dirs[0].Names, back[1].Names = nil, nil, nil
	if diff := cmp.Diff(dirs, back); diff != "" {
		t.Error(diff)
	}
	ids := []File{{"p", Stamp{1, 2, 3, 4}, 5, "conv", "id", "class"}}
	if diff := cmp.Diff(map[string]File{"p": ids[0]}, DecodeFiles(EncodeFiles(ids))); diff != "" {
		t.Error(diff)
	}
	var k Forms
	k.Add(8, Same)
	k.Add(4, CRLF)
	k.Add(1<<63, Converted)
	k = Forms{Old: k.Encode()}
	if k.Get(8) != Same || k.Get(4) != CRLF || k.Get(1<<63) != Converted || k.Get(12) != 0 {
		t.Errorf("forms %x", k.Old)
	}
}

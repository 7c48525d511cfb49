package sums

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list.sum")
	if err := Check(path, map[string][]byte{"b": []byte("1"), "a": nil, "c/d": []byte("2")}, true); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		files map[string][]byte
		wrong string
	}{
		{map[string][]byte{"b": []byte("1"), "a": nil}, ""},
		{map[string][]byte{"b": []byte("2"), "a": nil}, "b is not the file"},
		{map[string][]byte{"d": []byte("2")}, "d is not the file"},
		{map[string][]byte{"e": []byte("1")}, "e is not the file"},
	} {
		err := Check(path, tc.files, false)
		if tc.wrong == "" && err != nil || tc.wrong != "" && (err == nil || !strings.Contains(err.Error(), tc.wrong)) {
			t.Errorf("%v: %v, want %q", tc.files, err, tc.wrong)
		}
	}
	if Check(filepath.Join(t.TempDir(), "none"), nil, false) == nil {
		t.Error("a list that is not there holds")
	}
}

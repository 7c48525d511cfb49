package lab

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRecords(t *testing.T) {
	t.Parallel()
	var r Records
	if r.Bytes() != nil {
		t.Errorf("an empty table is %q", r.Bytes())
	}
	r.Add("b", "why\tso", "f:2")
	r.Add("b", "why so", "f:2")
	r.Add("a", "x", "g")
	r.Keep([]byte("# part\tcause\twhich\nb\told\tf\nc\told\th\n"), []string{"a", "b"})
	want := "# part\tcause\twhich\na\tx\tg\nb\twhy so\tf:2\nc\told\th\n"
	if d := cmp.Diff(want, string(r.Bytes())); d != "" {
		t.Errorf("table (-want +got):\n%s", d)
	}
}

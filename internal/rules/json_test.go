package rules

import (
	"strings"
	"testing"
)

// TestAppendJSON: characters of HTML stay as they are, as ast-grep prints them,
// and what was in the slice before.
func TestAppendJSON(t *testing.T) {
	t.Parallel()
	for _, indent := range []bool{false, true} {
		got, err := AppendJSON([]byte("before "), &JSON{Text: "a < b && \"c\" > 'd'"}, indent)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(got); !strings.HasPrefix(s, "before {") || !strings.HasSuffix(s, "}") || !strings.Contains(s, `a < b && \"c\" > 'd'"`) || strings.Contains(s, "\n") != indent {
			t.Errorf("indent %v: %s", indent, s)
		}
	}
}

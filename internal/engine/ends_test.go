package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/engine"
)

func TestEnds(t *testing.T) {
	t.Parallel()
	final := engine.Globals{FinalNewline: true}
	for _, tc := range []struct {
		name, text, plain string
		ends              engine.Ends
		globals           engine.Globals
		want              string
	}{
		{"plain", "a\nb\n", "a\nb\n", engine.Ends{}, final, "a\nb\n"},
		{"crlf", "a\r\nb\r\n", "a\nb\n", engine.Ends{CRLF: true}, final, "a\r\nb\r\n"},
		{"mixed, most with CRLF", "a\r\nb\r\nc\n", "a\nb\nc\n", engine.Ends{CRLF: true, Mixed: true}, final, "a\r\nb\r\nc\r\n"},
		{"mixed, as many of each", "a\r\nb\n", "a\nb\n", engine.Ends{Mixed: true}, final, "a\nb\n"},
		{"mark", "\xef\xbb\xbfa\n", "a\n", engine.Ends{Marked: true}, final, "\xef\xbb\xbfa\n"},
		{"open", "a", "a", engine.Ends{Open: true}, final, "a\n"},
		{"open and left so", "a\nb", "a\nb", engine.Ends{Open: true}, engine.Globals{}, "a\nb"},
		{"CRLF demanded", "a\n", "a\n", engine.Ends{}, engine.Globals{CRLF: true}, "a\r\n"},
		{"carriage return", "a\rb\n", "a\rb\n", engine.Ends{}, final, "a\rb\n"},
		{"empty", "", "", engine.Ends{Open: true}, final, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			body, ends := engine.Plain([]byte(tc.text))
			if string(body) != tc.plain {
				t.Errorf("Plain = %q, want %q", body, tc.plain)
			}
			if d := cmp.Diff(tc.ends, ends); d != "" {
				t.Error(d)
			}
			if got := ends.Restore([]byte(tc.plain), tc.globals); string(got) != tc.want {
				t.Errorf("Restore = %q, want %q", got, tc.want)
			}
		})
	}
	if got := (engine.Ends{Open: true}).Restore([]byte("a\n"), engine.Globals{}); string(got) != "a" {
		t.Errorf("a line end that a formatter adds stays: %q", got)
	}
}

//go:build cgo && !notreesitter

package syntax

import (
	"os"
	"strings"
	"testing"
)

// TestLeak: ten thousand parses take no more memory than a hundred.
func TestLeak(t *testing.T) {
	l, _ := ByName("python")
	text := []byte(strings.Repeat("def f(a):\n    return [a, 'x']\n", 20))
	var p Parser
	defer p.Close()
	var before int
	for i := range 10_000 {
		if _, err := p.Parse(l, text); err != nil {
			t.Fatal(err)
		}
		if i == 100 {
			before = resident(t)
		}
	}
	if after := resident(t); after > before+8<<20 {
		t.Errorf("%d bytes are resident, after a hundred parses it was %d", after, before)
	}
}

// resident returns how much memory the process has, in bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text))
	pages := 0
	for _, c := range fields[1] {
		pages = pages*10 + int(c-'0')
	}
	return pages * os.Getpagesize()
}

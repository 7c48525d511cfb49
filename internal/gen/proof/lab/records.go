package lab

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Records are the lines of a table that goes beside a page: what the page
// counts and shows a few of, one by one. The zero value is empty.
type Records struct{ lines []string }

// Add notes of a part that something at a place has a cause.
func (r *Records) Add(part, cause, place string) {
	r.lines = append(r.lines, fmt.Sprintf("%s\t%s\t%s\n", Clean(part), Clean(cause), Clean(place)))
}

// Keep takes the lines of an earlier table whose part is none of those that ran.
func (r *Records) Keep(earlier []byte, ran []string) {
	for line := range bytes.Lines(earlier) {
		part, _, ok := strings.Cut(string(line), "\t")
		if ok && !strings.HasPrefix(part, "#") && !slices.Contains(ran, part) {
			r.lines = append(r.lines, string(line))
		}
	}
}

// Bytes returns the table with a line of names; nil if there is nothing.
func (r *Records) Bytes() []byte {
	if len(r.lines) == 0 {
		return nil
	}
	slices.Sort(r.lines)
	return []byte("# part\tcause\twhich\n" + strings.Join(slices.Compact(r.lines), ""))
}

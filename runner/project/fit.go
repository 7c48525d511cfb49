package project

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"poly/internal/report"
	"poly/runner/job"
)

// Fit shortens what tools printed, then leaves out the last diagnostics of
// those with the most, until the document has at most chars characters, or
// little is left of each. A tool that lost something is marked as truncated.
func (r *Report) Fit(chars int) error {
	for _, most := range [...]struct{ bytes, findings int }{
		{128 << 10, 2000}, {48 << 10, 1000}, {16 << 10, 400}, {4 << 10, 100}, {1 << 10, 25}, {256, 5},
	} {
		doc, err := report.AppendObject(nil, r.Object())
		if err != nil || utf8.RuneCount(doc) <= chars {
			return err
		}
		for i := range r.Tools {
			shorten(&r.Tools[i], most.bytes, most.findings)
		}
	}
	return nil
}

// shorten keeps a quarter of the bytes from the beginning of the output, the
// rest from its end, where tools say what became of them.
func shorten(t *job.Result, bytes, findings int) {
	if n := len(t.Output) - bytes; n > 0 {
		head := strings.ToValidUTF8(t.Output[:bytes/4], "")
		tail := strings.ToValidUTF8(t.Output[len(t.Output)-(bytes-bytes/4):], "")
		t.Output = head + fmt.Sprintf("\n... %d bytes left out ...\n", n) + tail
		t.Truncated = true
	}
	if len(t.Findings) > findings {
		t.Findings = t.Findings[:findings:findings]
		t.Truncated = true
	}
}

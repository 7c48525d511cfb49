package project

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"poly/internal/report"
	"poly/runner/job"
)

func TestFit(t *testing.T) {
	t.Parallel()
	phase := func(tools, output, findings int) *Report {
		r := &Report{}
		for i := range tools {
			x := job.Result{Job: &job.Job{ID: fmt.Sprint("t", i)}, Outcome: job.Failed, ExitCode: 1, Output: "head\n" + strings.Repeat("ä\"\n", output/4) + "tail\n"}
			for j := range findings {
				var f job.Finding
				f.Title = fmt.Sprint("finding ", j)
				x.Findings = append(x.Findings, f)
			}
			r.Tools = append(r.Tools, x)
		}
		return r
	}
	for _, tc := range []struct {
		tools, output, findings int
		cut                     bool
	}{
		{0, 0, 0, false}, {3, 1000, 10, false}, {1, 1 << 20, 0, true}, {6, 256 << 10, 0, true}, {1, 0, 9000, true}, {5, 100 << 10, 2000, true}, {300, 2000, 30, true},
	} {
		r := phase(tc.tools, tc.output, tc.findings)
		if err := r.Fit(400_000); err != nil {
			t.Fatal(err)
		}
		doc, err := report.AppendObject(nil, r.Object())
		if n := utf8.RuneCount(doc); err != nil || n > 400_000 || tc.cut && n < 20_000 || len(r.Tools) != tc.tools {
			t.Errorf("%+v: %d characters, %d tools, %v", tc, n, len(r.Tools), err)
		}
		for i := range r.Tools {
			x := &r.Tools[i]
			if x.Truncated != tc.cut || !strings.HasPrefix(x.Output, "head\n") || !strings.HasSuffix(x.Output, "tail\n") || !utf8.ValidString(x.Output) || (len(x.Findings) > 0) != (tc.findings > 0) {
				t.Errorf("%+v: truncated %v, %d findings, %.100q", tc, x.Truncated, len(x.Findings), x.Output)
				break
			}
		}
	}
}

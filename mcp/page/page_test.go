package page

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
)

// tree is a made-up worktree: the report of a run over paths of it.
type tree []diag.FileReport

// run is a run over paths as a client names them, from the directory prefix.
func (t tree) run(verb, prefix string, paths []string) (*diag.Report, Request) {
	req := Request{Key: verb, Paths: paths, Prefix: prefix}
	for _, p := range paths {
		req.Scope = append(req.Scope, path.Join(prefix, p))
	}
	rep := &diag.Report{Verb: verb, Configs: []string{"1/0123456789abcdef"}}
	for i := range t {
		f := t[i]
		if !slices.ContainsFunc(req.Scope, func(s string) bool { return s == "." || s == f.Path || strings.HasPrefix(f.Path, s+"/") }) {
			continue
		}
		switch f.Outcome {
		case diag.Checked:
			rep.Summary.Checked++
		case diag.Skipped:
			rep.Summary.Skipped++
		case diag.Errored:
			rep.Summary.Errored++
		}
		f.Diagnostics = slices.Clone(f.Diagnostics)
		rep.Files = append(rep.Files, f)
	}
	return rep, req
}

// document is what a client reads of an answer.
type document struct {
	Results []struct {
		Path        string
		Diagnostics []any
		Total       int `json:"diagnostics_total"`
	}
	Errors, Skipped []struct{ Path string }
	Summary         struct{ Checked, Skipped, Errored int }
	Truncated       *struct {
		ShownRecords     int `json:"shown_records"`
		TotalRecords     int `json:"total_records"`
		ShownDiagnostics int `json:"shown_diagnostics"`
		TotalDiagnostics int `json:"total_diagnostics"`
		Next             struct{ Paths []string }
	}
}

func read(t *testing.T, doc []byte) document {
	t.Helper()
	var d document
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatalf("%v: %.200s", err, doc)
	}
	return d
}

// random makes a tree: flat or deep, with names that sort oddly and clean,
// skipped and errored files among those with findings.
func random(r *rand.Rand) tree {
	var t tree
	names := []string{"a", "a-b", "a.b", "b", "ä", "z z", "Z"}
	seen := map[string]bool{}
	for range 1 + r.IntN(400) {
		p := fmt.Sprintf("f%03d.go", r.IntN(900))
		for range r.IntN(4) {
			p = path.Join(names[r.IntN(len(names))], p)
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		f := diag.FileReport{Path: p}
		switch r.IntN(6) {
		case 0:
			f.Outcome, f.Reason = diag.Skipped, "no lint rules for this"
		case 1:
			if r.IntN(5) == 0 {
				f.Outcome, f.Reason = diag.Errored, strings.Repeat("é", r.IntN(90))
			}
		default:
			for i := range 1 + r.IntN(5) {
				f.Diagnostics = append(f.Diagnostics, diag.Diagnostic{Engine: "e", Title: fmt.Sprint(i, strings.Repeat("t", r.IntN(100)))})
			}
			if r.IntN(40) == 0 {
				for range 3000 {
					f.Diagnostics = append(f.Diagnostics, diag.Diagnostic{Engine: "e", Title: strings.Repeat("u", 90)})
				}
			}
		}
		t = append(t, f)
	}
	slices.SortFunc(t, func(a, b diag.FileReport) int { return strings.Compare(a.Path, b.Path) })
	return t
}

// Walking next shows each record of a run once, whole or shortened and said to
// be so, in documents within the budget, and ends.
func TestWalkShowsEachRecordOnce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 80 {
		tr := random(r)
		budget := roomNext + roomError + roomRest + 2000 + r.IntN(60_000)
		prefix := []string{"", "", "a", "a/b"}[r.IntN(4)]
		paths := [][]string{{"."}, {"."}, {"..", "x"}, {"a", "b"}}[r.IntN(4)]
		if prefix == "" && paths[0] == ".." {
			paths = []string{"."}
		}
		walk(t, fmt.Sprintf("round %d", round), &Pager{budget: budget}, tr, "lint", prefix, paths)
	}
}

func walk(t *testing.T, name string, p *Pager, tr tree, verb, prefix string, paths []string) {
	t.Helper()
	whole, req := tr.run(verb, prefix, paths)
	want := map[string]int{} // path: diagnostics
	for _, rec := range read(t, (&Pager{budget: 1 << 40}).Document(whole, req)).Results {
		want[rec.Path] = len(rec.Diagnostics)
	}
	left, leftDiags := len(want), 0
	for _, n := range want {
		leftDiags += n
	}
	for pages := 0; ; pages++ {
		rep, req := tr.run(verb, prefix, paths)
		errored := rep.Summary.Errored
		doc := p.Document(rep, req)
		if n := utf8.RuneCount(doc); n > p.budget {
			t.Fatalf("%s: a document has %d characters, at most %d", name, n, p.budget)
		}
		d := read(t, doc)
		for _, rec := range d.Results {
			n, ok := want[rec.Path]
			switch {
			case !ok:
				t.Fatalf("%s: page %d shows %s again, or it is none", name, pages, rec.Path)
			case rec.Total == 0 && len(rec.Diagnostics) != n, rec.Total > 0 && (rec.Total != n || len(rec.Diagnostics) >= n):
				t.Fatalf("%s: %s has %d diagnostics of %d and says %d", name, rec.Path, len(rec.Diagnostics), n, rec.Total)
			}
			delete(want, rec.Path)
		}
		if (errored > 0) != (len(d.Errors) > 0) {
			t.Fatalf("%s: %d files failed and %d are listed", name, errored, len(d.Errors))
		}
		if d.Truncated == nil {
			break
		}
		u := d.Truncated
		if u.ShownRecords != len(d.Results) || u.TotalRecords != left || u.TotalDiagnostics != leftDiags {
			t.Fatalf("%s: page %d shows %d of %d records, %d diagnostics are left, and says %+v", name, pages, len(d.Results), left, leftDiags, *u)
		}
		left -= u.ShownRecords
		for _, rec := range d.Results {
			leftDiags -= max(len(rec.Diagnostics), rec.Total)
		}
		if len(u.Next.Paths) > 64 {
			t.Fatalf("%s: next names %d paths", name, len(u.Next.Paths))
		}
		if len(u.Next.Paths) == 0 {
			break
		}
		paths = u.Next.Paths
		if pages > 2000 {
			t.Fatalf("%s: the walk does not end", name)
		}
	}
	if len(want) > 0 {
		t.Fatalf("%s: %d records were never shown, such as %v", name, len(want), want)
	}
}

// A document of 400,000 characters is whole, one of 400,001 is not.
func TestBudget(t *testing.T) {
	t.Parallel()
	for _, over := range []int{0, 1} {
		tr := tree{}
		for i := range 1000 {
			tr = append(tr, diag.FileReport{Path: fmt.Sprintf("f%04d", i), Diagnostics: []diag.Diagnostic{{Engine: "é", Title: "t"}}})
		}
		rep, req := tr.run("lint", "", []string{"."})
		n := utf8.RuneCount((&Pager{budget: 1 << 40}).Document(rep, req))
		tr[500].Diagnostics[0].Title = strings.Repeat("ü", 1+Budget+over-n)
		rep, req = tr.run("lint", "", []string{"."})
		doc := (&Pager{}).Document(rep, req)
		if whole := read(t, doc).Truncated == nil; whole != (over == 0) {
			t.Errorf("a document of %d characters: whole is %v", Budget+over, whole)
		}
	}
}

// Many files in one folder are walked, 64 at a time where no folder
// can be named; the last page is the document of its paths, with nothing added.
func TestFlatFolder(t *testing.T) {
	t.Parallel()
	tr := tree{}
	for i := range 2000 {
		tr = append(tr, diag.FileReport{Path: fmt.Sprintf("pkg/f%05d.py", i), Outcome: diag.Skipped, Reason: "ruff for Python is not built in"})
	}
	walk(t, "flat", &Pager{budget: 120_000}, tr, "fmt", "", []string{"."})
}

// Two walks at once do not disturb each other, nor does one that begins anew.
func TestWalksAreApart(t *testing.T) {
	t.Parallel()
	p := &Pager{budget: 100_000}
	for _, verb := range []string{"lint", "fmt"} {
		tr := tree{}
		for i := range 1000 {
			tr = append(tr, diag.FileReport{Path: fmt.Sprintf("pkg/f%05d.py", i), Outcome: diag.Skipped, Reason: "not built in: " + verb})
		}
		rep, req := tr.run(verb, "", []string{"."})
		p.Document(rep, req)
		walk(t, verb, p, tr, verb, "", []string{"."})
	}
	// What was left of a longer walk is not what is left of a shorter one that
	// names the same paths.
	for _, n := range []int{600, 464} {
		tr := tree{}
		for i := range n {
			tr = append(tr, diag.FileReport{Path: fmt.Sprintf("f%05d.py", i), Outcome: diag.Skipped, Reason: strings.Repeat("r", 40+i/400)})
		}
		walk(t, fmt.Sprint(n), p, tr, "lint", "", []string{"."})
	}
}

// One record that is too large alone keeps its first diagnostics.
func TestOneLargeRecord(t *testing.T) {
	t.Parallel()
	f := diag.FileReport{Path: "a"}
	for i := range 9000 {
		f.Diagnostics = append(f.Diagnostics, diag.Diagnostic{Engine: "e", Title: fmt.Sprint(i)})
	}
	rep, req := tree{f}.run("lint", "", []string{"a"})
	d := read(t, (&Pager{}).Document(rep, req))
	if d.Truncated == nil || len(d.Truncated.Next.Paths) != 0 || d.Truncated.TotalDiagnostics != 9000 || d.Results[0].Total != 9000 {
		t.Fatalf("%+v", d.Truncated)
	}
	if n := len(d.Results[0].Diagnostics); n < 1500 || n != d.Truncated.ShownDiagnostics {
		t.Errorf("%d diagnostics are shown, and %d said to be", n, d.Truncated.ShownDiagnostics)
	}
	huge := diag.FileReport{Path: "a", Diagnostics: []diag.Diagnostic{{Engine: "e", Fix: []diag.Edit{{Replacement: strings.Repeat("x", Budget)}}}}}
	rep, req = tree{huge}.run("lint", "", []string{"a"})
	doc := (&Pager{}).Document(rep, req)
	if d := read(t, doc); len(doc) > Budget || len(d.Results) != 1 || d.Results[0].Total != 1 {
		t.Errorf("a diagnostic that is too large alone: %.300s", doc)
	}
}

// A report that fits is the document of the command line.
func TestWhole(t *testing.T) {
	t.Parallel()
	tr := tree{{Path: "a/b", Outcome: diag.Errored, Reason: "boom"}}
	rep, req := tr.run("lint", "a", []string{"."})
	want := `{"results":[{"path":"b","diagnostics":[],"error":"boom"}],"errors":[{"path":"b","error":"boom"}],"skipped":[],` +
		`"summary":{"checked":0,"skipped":0,"errored":1},"configs":[{"hash":"1/0123456789abcdef"}]}`
	if diff := cmp.Diff(want, string((&Pager{}).Document(rep, req))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"poly/internal/diag"
)

func sample() result {
	return result{kind: resultDiags, reason: "r", detail: "d\x00e", diags: []diag.Diagnostic{
		{
			Engine: "e", Code: "c", Severity: diag.Warning, Title: "t", Description: "d", URL: "u", Excerpt: "x",
			Span: &diag.Span{Start: 1, End: 2, StartLine: 3, EndLine: 4, StartCol: 5, EndCol: 6},
			Fix:  []diag.Edit{{Start: 1, End: 2, Replacement: "é"}}, Metadata: map[string]string{"a": "b", "c": ""},
		},
		{Title: "whole file"},
	}}
}

var unexported = cmp.AllowUnexported(result{})

func TestCodecRoundTrip(t *testing.T) {
	t.Parallel()
	for _, want := range []result{{}, sample(), {kind: resultSkip, reason: "why"}, {kind: resultChanged}, {detail: "shell"}} {
		got, err := decodeResult(want.encode())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, unexported); d != "" {
			t.Error(d)
		}
	}
	if (result{}).encode() != nil {
		t.Error("a clean result must be stored as nothing")
	}
}

// TestCodecRefusesDamage: no damaged value decodes to something else than it
// was without an error, at any length, and none panics.
func TestCodecRefusesDamage(t *testing.T) {
	t.Parallel()
	b := sample().encode()
	for n := 1; n < len(b); n++ {
		if _, err := decodeResult(b[:n]); err == nil {
			t.Errorf("a value cut to %d of %d bytes decodes", n, len(b))
		}
	}
	if _, err := decodeResult(append(b, 0)); err == nil {
		t.Error("a value with a byte too many decodes")
	}
}

func FuzzDecodeResult(f *testing.F) {
	f.Add(sample().encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeResult(b)
		if err != nil || b == nil {
			return
		}
		again, err := decodeResult(r.encode())
		if err != nil {
			t.Fatalf("%q decodes to what does not encode: %v", b, err)
		}
		if d := cmp.Diff(r, again, unexported); d != "" {
			t.Error(d)
		}
	})
}

// TestMemoRoundTrip: what a memo says about a file comes back, and appending
// to the diagnostics of one file does not write into those of another.
func TestMemoRoundTrip(t *testing.T) {
	t.Parallel()
	other := sample().diags
	other[0].Engine, other[0].Title = "other", "else"
	m := memo{configs: []string{"1/00"}, files: []diag.FileReport{
		{Path: "a", Outcome: diag.Skipped, Reason: "r"},
		{Path: "b", Diagnostics: append(sample().diags, other...)},
		{Path: "bc", Diagnostics: sample().diags, More: &diag.Extras{Detail: "d"}},
		{Path: "d", Diagnostics: []diag.Diagnostic{{Engine: "e", Title: "no place", Severity: diag.Hint}}},
	}}
	got, err := decodeMemo(m.encode())
	if err != nil {
		t.Fatal(err)
	}
	_ = append(got.files[1].Diagnostics, diag.Diagnostic{Title: "more"})
	if d := cmp.Diff(m.files, got.files); d != "" {
		t.Error(d)
	}
	for n := range len(m.encode()) {
		if _, err := decodeMemo(m.encode()[:n]); err == nil {
			t.Errorf("a memo cut to %d bytes decodes", n)
		}
	}
}

func FuzzDecodeMemo(f *testing.F) {
	m := memo{configs: []string{"1/00"}, files: []diag.FileReport{{Path: "a", Outcome: diag.Skipped, Reason: "r"}, {Path: "b", Diagnostics: sample().diags}}}
	f.Add(m.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeMemo(b)
		if err != nil {
			return
		}
		if _, err := decodeMemo(m.encode()); err != nil {
			t.Fatalf("%q decodes to what does not encode: %v", b, err)
		}
	})
}

package toon_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"poly/internal/diag"
	"poly/internal/report"
	"poly/internal/toon"
)

// The reference implementation and the public fixtures, fetched by the npm
// client at test time: third-party code is not committed.
const (
	reference    = "@toon-format/toon@4.4.0"
	referenceSum = "A6UcsVoWbNdhdLNhJbe6JpRlocmf/DZGG57fur3bd8oQtsjBaKWo2hHbOU2zTuy+byUmLIOyP1xJeitopCZzpQ=="
	published    = "@toon-format/spec@3.3.2"
	publishedSum = "J2TaK9EQNPW5Hp9GhBavS3u7hE2AD/AqhV7UFYQ5quOnBgEAkUMJC6BwYxVyTRT4yy0rDQGyqK7tmMbwTZuStA=="
)

// unpack fetches an npm package, checks its sum and unpacks it.
func unpack(t *testing.T, spec, sum string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	cmd := exec.CommandContext(t.Context(), "npm", "pack", "--silent", "--prefer-offline", "--pack-destination", dir, spec)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm pack %s: %v\n%s", spec, err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(names) != 1 {
		t.Fatalf("npm pack %s left %v, %v", spec, names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	got := sha512.Sum512(data)
	if text := base64.StdEncoding.EncodeToString(got[:]); text != sum {
		t.Fatalf("%s has the sha512 %s, want %s", spec, text, sum)
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, "package")
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
			continue
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, h.Name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// question is a document and our text of it; answer is what the reference says.
type question struct {
	Name, Doc, Text, Delimiter string
	Indent                     int
}

type answer struct {
	Text  string // the reference's encoding of Doc
	Same  bool   // our text decodes to Doc
	Error string
}

const oracleScript = `
const { decode, encode } = await import(process.argv[2]);
const { isDeepStrictEqual } = await import("node:util");
let input = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) input += chunk;
const plain = (v) => JSON.parse(JSON.stringify(v)); // -0 is 0
process.stdout.write(JSON.stringify(JSON.parse(input).map((q) => {
	const value = JSON.parse(q.Doc);
	const a = { Text: encode(value, { delimiter: q.Delimiter, indent: q.Indent }) };
	try {
		a.Same = isDeepStrictEqual(plain(decode(q.Text, { indent: q.Indent })), plain(value));
	} catch (e) {
		a.Error = String(e);
	}
	return a;
})));
`

// ask compares our encoding of each document with the reference's, byte for
// byte, and has the reference decode ours.
func ask(t *testing.T, module string, qs []question) {
	t.Helper()
	for i := range qs {
		q := &qs[i]
		if q.Delimiter == "" {
			q.Delimiter = ","
		}
		if q.Indent == 0 {
			q.Indent = 2
		}
		text, err := toon.EncodeStyle([]byte(q.Doc), q.Indent, q.Delimiter[0])
		if err != nil {
			t.Fatalf("%s: encode(%s): %v", q.Name, q.Doc, err)
		}
		q.Text = string(text)
	}
	in, err := json.Marshal(qs)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "oracle.mjs")
	if err := os.WriteFile(script, []byte(oracleScript), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", script, module)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, &stderr)
	}
	var as []answer
	if err := json.Unmarshal(out, &as); err != nil || len(as) != len(qs) {
		t.Fatalf("node answered %d of %d: %v", len(as), len(qs), err)
	}
	bad := 0
	for i, a := range as {
		q := qs[i]
		if a.Text == q.Text && a.Same {
			continue
		}
		if bad++; bad <= 5 {
			t.Errorf("%s: %.500s\nours: %.500q\nnpm:  %.500q\ndecodes to the document: %v %s", q.Name, q.Doc, q.Text, a.Text, a.Same, a.Error)
		}
	}
	t.Logf("%d documents, %d differ", len(qs), bad)
}

func TestReference(t *testing.T) {
	t.Parallel()
	module := filepath.Join(unpack(t, reference, referenceSum), "dist", "index.mjs")
	t.Run("own fixtures", func(t *testing.T) {
		t.Parallel()
		var qs []question
		for _, f := range fixtures(t) {
			qs = append(qs, question{Name: f.name, Doc: f.doc, Delimiter: string(f.delim), Indent: f.indent})
		}
		ask(t, module, qs)
	})
	t.Run("public fixtures", func(t *testing.T) {
		t.Parallel()
		ask(t, module, publicFixtures(t))
	})
	t.Run("random documents", func(t *testing.T) {
		t.Parallel()
		ask(t, module, randomDocuments(4000))
	})
	t.Run("reports", func(t *testing.T) {
		t.Parallel()
		ask(t, module, randomReports(500))
	})
}

// publicFixtures reads the encode fixtures of the published specification. It is
// older than the encoder, so the newer reference says what is expected today.
func publicFixtures(t *testing.T) []question {
	t.Helper()
	dir := unpack(t, published, publishedSum)
	files, err := filepath.Glob(filepath.Join(dir, "tests", "fixtures", "encode", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var qs []question
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var set struct {
			Tests []struct {
				Name    string
				Input   json.RawMessage
				Options struct {
					Delimiter string
					Indent    int
				}
			}
		}
		if err := json.Unmarshal(text, &set); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range set.Tests {
			qs = append(qs, question{
				Name: filepath.Base(file) + "/" + c.Name, Doc: string(c.Input),
				Delimiter: c.Options.Delimiter, Indent: c.Options.Indent,
			})
		}
	}
	if len(qs) < 120 {
		t.Fatalf("%s has %d fixtures", published, len(qs))
	}
	return qs
}

func randomDocuments(n int) []question {
	r := rand.New(rand.NewPCG(1, 2))
	qs := make([]question, n)
	for i := range qs {
		var b strings.Builder
		writeValue(&b, r, 4)
		qs[i] = question{
			Name: "random " + strconv.Itoa(i), Doc: b.String(),
			Delimiter: []string{",", ",", "\t", "|"}[r.IntN(4)], Indent: 1 + r.IntN(4),
		}
	}
	return qs
}

// writeValue writes random JSON. Half of the arrays and objects hold values of one
// shape, so that tables, nested columns and keyed tables are common.
func writeValue(b *strings.Builder, r *rand.Rand, depth int) {
	kind := r.IntN(8)
	if depth == 0 {
		kind = r.IntN(4)
	}
	switch {
	case kind < 4:
		writeScalar(b, r)
	case kind < 6:
		write, n := writeValue, r.IntN(4)
		if r.IntN(2) == 0 {
			write = shaped(r)
		}
		b.WriteByte('[')
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, r, depth-1)
		}
		b.WriteByte(']')
	default:
		write := writeValue
		if r.IntN(2) == 0 {
			write = shaped(r)
		}
		writeObject(b, randomKeys(r), func(string) { write(b, r, depth-1) })
	}
}

// shaped returns a writer of objects with one set of keys, in any order, some
// of which hold objects of one shape again.
func shaped(r *rand.Rand) func(*strings.Builder, *rand.Rand, int) {
	keys := randomKeys(r)
	sub := map[string][]string{}
	for _, k := range keys {
		if r.IntN(4) == 0 {
			sub[k] = randomKeys(r)
		}
	}
	return func(b *strings.Builder, r *rand.Rand, _ int) {
		writeObject(b, shuffled(r, keys), func(k string) {
			if inner, ok := sub[k]; ok && r.IntN(12) > 0 {
				writeObject(b, shuffled(r, inner), func(string) { writeScalar(b, r) })
				return
			}
			writeScalar(b, r)
		})
	}
}

func shuffled(r *rand.Rand, keys []string) []string {
	keys = append([]string(nil), keys...)
	if r.IntN(2) == 0 {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	return keys
}

func writeObject(b *strings.Builder, keys []string, value func(key string)) {
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		writeString(b, k)
		b.WriteByte(':')
		value(k)
	}
	b.WriteByte('}')
}

// randomKeys avoids what JavaScript objects reorder or treat as their prototype.
func randomKeys(r *rand.Rand) []string {
	var keys []string
	seen := map[string]bool{}
	for range r.IntN(5) {
		k := randomText(r)
		if r.IntN(2) == 0 {
			k = "k" + strconv.Itoa(r.IntN(6))
		}
		if _, err := strconv.Atoi(k); err == nil || k == "__proto__" || seen[k] {
			continue
		}
		seen[k] = true
		keys = append(keys, k)
	}
	return keys
}

func writeScalar(b *strings.Builder, r *rand.Rand) {
	switch r.IntN(8) {
	case 0:
		b.WriteString([]string{"null", "true", "false"}[r.IntN(3)])
	case 1:
		fmt.Fprint(b, r.IntN(2000)-1000)
	case 2:
		exp := []float64{1e-9, 1e-7, 1e-6, 1e-3, 1, 1e3, 1e9, 1e15, 1e19, 1e21, 1e30}[r.IntN(11)]
		b.WriteString(strconv.FormatFloat((r.Float64()-0.5)*exp, "efg"[r.IntN(3)], -1, 64))
	default:
		writeString(b, randomText(r))
	}
}

func writeString(b *strings.Builder, s string) {
	text, _ := json.Marshal(s)
	b.Write(text)
}

func randomText(r *rand.Rand) string {
	words := []string{
		"a", "b", "word", "two words", " ", "  ", "", ":", ",", "|", "\t", "\n", "\r", "-", "- ", "#", "\"", "\\", "[", "]", "[2]", "{", "}", "{a}",
		"1", "05", "1.5", "1e5", "+1", ".", "e", "E3", "true", "false", "null", "é", "日本", "😀", "\u0000", "\u001f", "\u007f", "\u0085", "\u00a0",
		"\u2028", "\u2029", "\ufeff", "\u200b", "x.y", "x_y", "A", "Z9", "'", "`", "<", "&", "%",
	}
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func randomReports(n int) []question {
	r := rand.New(rand.NewPCG(3, 4))
	qs := make([]question, n)
	for i := range qs {
		rep := diag.Report{Verb: "lint", Summary: diag.Summary{Checked: r.IntN(9)}, Configs: []string{"1/0123456789abcdef"}}
		if r.IntN(3) == 0 {
			rep.Verb = "fmt"
		}
		for range r.IntN(5) {
			rep.Files = append(rep.Files, randomFile(r))
		}
		doc := report.AppendJSON(nil, &rep, report.Options{Debug: r.IntN(2) == 0})
		qs[i] = question{Name: "report " + strconv.Itoa(i), Doc: string(doc)}
	}
	return qs
}

func randomFile(r *rand.Rand) diag.FileReport {
	f := diag.FileReport{Path: randomText(r) + "\xff"[:r.IntN(2)], Outcome: diag.Outcome(r.IntN(3)), Changed: r.IntN(2) == 0, Reason: randomText(r)}
	for range r.IntN(4) {
		d := diag.Diagnostic{Engine: "text", Code: randomText(r), Severity: diag.Severity(r.IntN(5)), Title: randomText(r)}
		if r.IntN(3) > 0 {
			d.Span = &diag.Span{StartLine: 1, StartCol: 2, EndLine: 1, EndCol: 1 + r.IntN(9)}
		}
		if r.IntN(3) == 0 {
			d.Fix = []diag.Edit{{Start: 1, End: 2, Replacement: randomText(r)}}
			d.Metadata = map[string]string{"k": randomText(r)}
		}
		f.Diagnostics = append(f.Diagnostics, d)
	}
	return f
}

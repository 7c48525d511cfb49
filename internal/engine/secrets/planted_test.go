package secrets

import (
	"context"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"poly/internal/config"
	"poly/internal/diag"
	"poly/internal/engine"
	"poly/internal/lang"
)

// Nothing in this package is a secret: every planted one is made here, of a
// prefix and random characters.

var blank = regexp.MustCompile(`\{(\w)(\d+)\}|\{crc\}`)

var alphabets = map[string]string{
	"A": base62, "a": "abcdefghijklmnopqrstuvwxyz0123456789", "h": "0123456789abcdef", "g": "0123456789ABCDEF", "d": "0123456789",
	"U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "B": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "w": base62 + "_-", "b": base62 + "+/",
	"L": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
}

func random(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	// Neither end is a character at which a pattern of words would stop.
	for _, i := range [...]int{0, n - 1} {
		for strings.IndexByte("-_+/", b[i]) >= 0 {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
	}
	return string(b)
}

// plant makes a secret of a sample.
func plant(r *rand.Rand, sample string) string {
	return blank.ReplaceAllStringFunc(sample, func(s string) string {
		m := blank.FindStringSubmatch(s)
		if m[1] == "" {
			body := random(r, base62, 30)
			return body + sum62(crc32.ChecksumIEEE([]byte(body)))
		}
		n, _ := strconv.Atoi(m[2])
		return random(r, alphabets[m[1]], n)
	})
}

func sum62(n uint32) string {
	out := ""
	for range 6 {
		out = string(base62[n%62]) + out
		n /= 62
	}
	return out
}

// ageKey makes a key with the checksum of BIP 173, by the polynomial written out.
func ageKey(r *rand.Rand) string {
	const human = "age-secret-key-"
	values := []int{}
	for range 52 {
		values = append(values, r.IntN(32))
	}
	expanded := []int{}
	for _, c := range human {
		expanded = append(expanded, int(c)>>5)
	}
	expanded = append(expanded, 0)
	for _, c := range human {
		expanded = append(expanded, int(c)&31)
	}
	mod := func(values []int) int {
		sum := 1
		for _, v := range values {
			top := sum >> 25
			sum = (sum&0x1ffffff)<<5 ^ v
			for i, g := range []int{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
				if top>>i&1 != 0 {
					sum ^= g
				}
			}
		}
		return sum
	}
	sum := mod(append(append(expanded, values...), 0, 0, 0, 0, 0, 0)) ^ 1
	for i := range 6 {
		values = append(values, sum>>(5*(5-i))&31)
	}
	out := human + "1"
	for _, v := range values {
		out += string(bech32Letters[v])
	}
	return strings.ToUpper(out)
}

func webToken(r *rand.Rand) string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"`+random(r, base62, 8)+`","iat":1516239022}`) + "." + random(r, base62, 43)
}

// pem makes what looks like a private key of a type such as "RSA ".
func pem(r *rand.Rand, kind string) string {
	dashes := strings.Repeat("-", 5)
	out := dashes + "BEGIN " + kind + "PRIVATE KEY" + dashes + "\n"
	for range 5 {
		out += random(r, base62+"+/", 64) + "\n"
	}
	return out + dashes + "END " + kind + "PRIVATE KEY" + dashes + "\n"
}

// planted makes a file that holds a secret of a kind, and nothing else.
func planted(r *rand.Rand, code string) string {
	switch code {
	case "age-secret-key":
		return "key: " + ageKey(r) + "\n"
	case "jwt":
		return "jwt = \"" + webToken(r) + "\"\n"
	case codePrivate:
		return pem(r, []string{"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "}[r.IntN(6)])
	case codePuTTY:
		return "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n" + random(r, base62, 48) + "\nPrivate-MAC: " + random(r, alphabets["h"], 64) + "\n"
	case codeURL:
		return "git clone https://deploy:" + random(r, base62, 20) + "@git.acme.io/x.git\n"
	case codeKey:
		return "session_token = \"" + random(r, base62, 40) + "\"\n"
	case codePassword:
		return "db_password = \"" + random(r, "bcdfghjkmnp", 5) + random(r, "QRTUVWXZ", 4) + random(r, "23456789", 5) + "!\"\n"
	}
	return "x " + plant(r, samples[code]) + "\n"
}

// lintText returns what the engine says about a text.
func lintText(tb testing.TB, env engine.Env, src engine.Source) []diag.Diagnostic {
	tb.Helper()
	b, err := Engine.Bind(tb.Context(), env)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := b.Open(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	diags, err := w.Lint(tb.Context(), src)
	if err != nil {
		tb.Fatal(err)
	}
	return diags
}

// TestPlanted: of every rule's credential 40 are planted and all are found,
// under their own code, and never shown.
func TestPlanted(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, rule := range rules {
		lost, other := 0, map[string]int{}
		for range 40 {
			text := planted(r, rule.Code)
			found := lintText(t, engine.Env{}, engine.Source{Path: "src/settings.conf", Lang: lang.Text, Text: []byte(text)})
			if len(found) == 0 {
				lost++
			}
			for _, d := range found {
				if d.Code != rule.Code {
					other[d.Code]++
				}
				secret := text[d.Span.Start:d.Span.End]
				for n := 0; n+12 <= len(secret) && d.Code != codePrivate && d.Code != codePuTTY; n++ {
					if strings.Contains(d.Title, secret[n:n+12]) {
						t.Errorf("%s: the title %q shows the secret", rule.Code, d.Title)
					}
				}
			}
		}
		// A random string may hold a stop word, or be too little random: once in a hundred.
		if lost > 1 || len(other) > 0 {
			t.Errorf("%s: %d of 40 not found, found as another: %v", rule.Code, lost, other)
		}
	}
	if len(rules) < 40 {
		t.Errorf("%d kinds of credentials", len(rules))
	}
}

// TestNetrc: there, a blank parts a name from its value.
func TestNetrc(t *testing.T) {
	t.Parallel()
	text := "machine git.acme.io login deploy password " + random(rand.New(rand.NewPCG(2, 2)), base62, 20) + "\n"
	for l, want := range map[lang.ID]int{"credentials": 1, lang.Text: 0} {
		if got := lintText(t, engine.Env{}, engine.Source{Path: ".netrc", Lang: l, Text: []byte(text)}); len(got) != want {
			t.Errorf("%s: %d findings, want %d", l, len(got), want)
		}
	}
}

// TestStopWords: what is written in place of a secret is none.
func TestStopWords(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]int{
		"glpat-" + "EXAMPLEr7Rk2Pq9Zt4Lw":                                    0,
		"glpat-" + "xxxxxxxxxxxxxxxxxxxx":                                    0,
		"glpat-" + "r7Rk2Pq9Zt4Lw1Vb6NmA":                                    1,
		"xoxb-" + "123456789012-" + "1234567890123-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8": 1,
		"AKIA" + "IOSFODNN7EXAMPLE":                                          0,
	} {
		got := lintText(t, engine.Env{}, engine.Source{Path: "a.go", Lang: lang.Go, Text: []byte("x := \"" + token + "\"\n")})
		if len(got) != want {
			t.Errorf("%s: %d findings, want %d", token, len(got), want)
		}
	}
}

// TestChecksums: a token whose checksum is wrong is a warning.
func TestChecksums(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for _, prefix := range []string{"ghp_", "gho_", "ghs_", "ghr_", "npm_"} {
		good := plant(r, prefix+"{crc}")
		bad := good[:len(good)-1] + string(base62[(strings.IndexByte(base62, good[len(good)-1])+1)%62])
		for token, want := range map[string]diag.Severity{good: diag.Error, bad: diag.Warning} {
			got := lintText(t, engine.Env{}, engine.Source{Path: "a.go", Lang: lang.Go, Text: []byte("x := \"" + token + "\"\n")})
			if len(got) != 1 || got[0].Severity != want {
				t.Errorf("%s...: %v, want one %v", prefix, got, want)
			}
		}
	}
	key := ageKey(r)
	if !bech32Holds(key) || bech32Holds(key[:len(key)-1]+"Q") && bech32Holds(key[:len(key)-1]+"P") {
		t.Errorf("checksum of %s", key)
	}
	// A token from texts on the format, in two parts.
	if !crcHolds([]byte("ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ" + "0mLq17")) {
		t.Error("the checksum of a token that is known to be right is not accepted")
	}
}

// TestAllowed: every way to allow a secret.
func TestAllowed(t *testing.T) {
	t.Parallel()
	token := plant(rand.New(rand.NewPCG(7, 8)), "glpat-{A20}")
	line := "token: " + token
	for name, tc := range map[string]struct {
		values config.Values
		path   string
		text   string
		want   int
	}{
		"none":           {text: line, want: 1},
		"comment":        {text: line + " # poly:allow-secret"},
		"gitleaks":       {text: line + " # gitleaks:allow"},
		"other line":     {text: "# gitleaks:allow\n" + line, want: 1},
		"allow":          {text: line, values: config.Values{optAllow: []string{`^glpat-`}}},
		"allow another":  {text: line, values: config.Values{optAllow: []string{`^ghp_`}}, want: 1},
		"allow_paths":    {text: line, values: config.Values{optAllowPaths: []string{"conf/**"}}},
		"stop_words":     {text: line, values: config.Values{optStopWords: []string{strings.ToUpper(token[8:14])}}},
		"lock file":      {text: line, path: "a/package-lock.json"},
		"vendored":       {text: line, path: "a/node_modules/b/c.js"},
		"in a test":      {text: line, path: "a/testdata/x.yaml", want: 1},
		"key in a test":  {text: pem(rand.New(rand.NewPCG(1, 2)), "RSA "), path: "a/testdata/x.pem"},
		"key, include":   {text: pem(rand.New(rand.NewPCG(1, 2)), "RSA "), path: "a/testdata/x.pem", values: config.Values{optTests: true}, want: 1},
		"key, elsewhere": {text: pem(rand.New(rand.NewPCG(1, 2)), "RSA "), path: "deploy/x.pem", want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := tc.path
			if path == "" {
				path = "conf/a.yaml"
			}
			got := lintText(t, engine.Env{Options: tc.values}, engine.Source{Path: path, Lang: lang.YAML, Text: []byte(tc.text + "\n")})
			if len(got) != tc.want {
				t.Errorf("%d findings, want %d", len(got), tc.want)
			}
		})
	}
	if _, err := Engine.Bind(t.Context(), engine.Env{Options: config.Values{optAllow: []string{"("}}}); err == nil {
		t.Error("a malformed expression is accepted")
	}
}

// TestAutomaton: it finds what a search for each literal finds.
func TestAutomaton(t *testing.T) {
	t.Parallel()
	a := shared()
	r := rand.New(rand.NewPCG(9, 10))
	var b strings.Builder
	for range 3000 {
		l := a.literals[r.IntN(len(a.literals))].text
		if r.IntN(3) == 0 {
			l = l[:r.IntN(len(l)+1)]
		}
		if r.IntN(2) == 0 {
			l = strings.ToUpper(l)
		}
		b.WriteString(l)
	}
	text := b.String()
	got, want := map[string]int{}, map[string]int{}
	last := 0
	for _, h := range a.scan([]byte(text), nil) {
		l := a.literals[h.literal]
		if h.end < last || !strings.EqualFold(text[h.end-len(l.text):h.end], l.text) {
			t.Fatalf("%q is not at %d, or not in order", l.text, h.end)
		}
		last = h.end
		got[fmt.Sprint(l)]++
	}
	low := strings.ToLower(text)
	for _, l := range a.literals {
		for at := 0; ; at++ {
			i := strings.Index(low[at:], strings.ToLower(l.text))
			if i < 0 {
				break
			}
			at += i
			want[fmt.Sprint(l)]++
		}
	}
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("%s: %d found, want %d", k, got[k], want[k])
		}
	}
	if len(got) > len(want) {
		t.Errorf("%d literals found, want %d", len(got), len(want))
	}
}

func FuzzLint(f *testing.F) {
	f.Add("password = \"", "a.yaml")
	f.Add("https://a:b@c.d", "a/b.go")
	b, err := Engine.Bind(f.Context(), engine.Env{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		w, err := b.Open(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		diags, err := w.Lint(t.Context(), engine.Source{Path: path, Lang: lang.YAML, Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range diags {
			if d.Span.Start < 0 || d.Span.End > len(text) || d.Span.Start >= d.Span.End {
				t.Errorf("%v of %d bytes", d.Span, len(text))
			}
		}
	})
}

func BenchmarkLint(b *testing.B) {
	text := []byte(strings.Repeat("// A worker handles files and looks for tokens, one after another.\nfunc (w *worker) handle(ctx context.Context, key string) error {\n\ts.token = w.next(\"a\")\n", 8000))
	bound, _ := Engine.Bind(b.Context(), engine.Env{})
	w, _ := bound.Open(b.Context())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = w.Lint(b.Context(), engine.Source{Path: "a.go", Lang: lang.Go, Text: text})
	}
}

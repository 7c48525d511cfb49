package secrets

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// Codes of the kinds that have no fixed form.
const (
	codeKey      = "generic-api-key"
	codePassword = "generic-password"
	codeURL      = "basic-auth-url"
	codePrivate  = "private-key"
	codePuTTY    = "putty-private-key"
)

// nameKind is what a name says about its value.
type nameKind uint8

const (
	nameOther nameKind = iota
	nameKey
	namePassword
)

// keyEnds and passwordEnds are how names of secrets end: what follows, as in
// token_type or secretName, makes it the name of something else.
var (
	keyEnds = [...]string{
		"token", "secret", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "appkey", "encryptionkey", "signingkey", "masterkey",
		"accountkey", "clientkey", "credential", "credentials", "secretbase", "storagekey", "apitoken", "secrets", "apisecret",
	}
	passwordEnds = [...]string{"password", "passwd", "passphrase", "pwd", "passwort", "passw"}
	// notSecret are words of names whose values are public.
	notSecret = [...]string{
		"public", "csrf", "xsrf", "foreign", "primary", "hash", "sha", "md5", "digest", "checksum", "fingerprint", "cachekey", "sortkey", "partition",
		"pagetoken", "continuation", "nexttoken", "synctoken", "tokenizer", "placeholder", "label", "title", "message", "regex", "pattern", "publishable",
		"sitekey", "idempotency", "etag", "cursor", "endtoken", "starttoken", "testtoken", "faketoken", "dummy", "example", "mock",
	}
)

func kindOfName(name string) nameKind {
	name = strings.TrimRight(name, "0123456789")
	for _, w := range notSecret {
		if strings.Contains(name, w) {
			return nameOther
		}
	}
	for _, w := range passwordEnds {
		if strings.HasSuffix(name, w) {
			return namePassword
		}
	}
	for _, w := range keyEnds {
		if strings.HasSuffix(name, w) {
			return nameKey
		}
	}
	return nameOther
}

// counts are how many bytes of a text are of each class, and how often the
// class changes between two letters or digits.
type counts struct{ digits, lower, upper, others, turns int }

func count(v []byte) (n counts) {
	before := byte(0)
	for _, c := range v {
		k := class(c)
		switch k {
		case 'd':
			n.digits++
		case 'l':
			n.lower++
		case 'u':
			n.upper++
		default:
			n.others++
		}
		if k != 0 && before != 0 && k != before {
			n.turns++
		}
		before = k
	}
	return n
}

// onlyWith reports whether every byte that is no letter or digit is in marks.
func onlyWith(v []byte, marks string) bool {
	return !bytes.ContainsFunc(v, func(r rune) bool {
		return r > '~' || class(byte(r)) == 0 && strings.IndexByte(marks, byte(r)) < 0
	})
}

// randomKey reports whether a value looks like a key made by a machine.
func randomKey(v []byte) bool {
	if len(v) < 16 || len(v) > 150 || !onlyWith(v, "+/=_-.~") || stopped(v, false) || isUUID(v) || isPath(v) || bytes.Count(v, []byte("."))*8 > len(v) {
		return false
	}
	least := 3.5
	if isHex(v) {
		least = 3.0
		if len(v) < 32 {
			return false
		}
	}
	n := count(v)
	return n.digits > 0 && n.lower+n.upper > 0 && n.turns*4 >= len(v) && entropy(v) >= least
}

// decoded returns the text that a value encodes in base64, if it is one; else
// the value. A Secret of Kubernetes may hold the word "password" like this.
func decoded(v []byte) []byte {
	if len(v)%4 != 0 {
		return v
	}
	plain := make([]byte, base64.StdEncoding.DecodedLen(len(v)))
	n, err := base64.StdEncoding.Decode(plain, v)
	if err != nil || bytes.ContainsFunc(plain[:n], func(r rune) bool { return r < ' ' && r != '\n' || r > '~' }) {
		return v
	}
	return bytes.TrimRight(plain[:n], "\n")
}

// class of a byte: d, l, u for a digit, a small and a capital letter; else 0.
func class(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return 'd'
	case 'a' <= c && c <= 'z':
		return 'l'
	case 'A' <= c && c <= 'Z':
		return 'u'
	}
	return 0
}

func isHex(v []byte) bool {
	for _, c := range v {
		if !hexByte(c|0x20) && !hexByte(c) {
			return false
		}
	}
	return true
}

func isUUID(v []byte) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
}

func isPath(v []byte) bool {
	return bytes.Count(v, []byte("/")) > 1 && bytes.Count(v, []byte("/"))*12 > len(v) || v[0] == '/' || v[0] == '.'
}

// passwordWords are in passwords of examples, and in what is no password.
var passwordWords = [...]string{
	"pass", "secret", "admin", "qwerty", "letmein", "foo", "bar", "default", "user", "root", "todo", "none", "null", "true", "false", "test", "token",
	"key", "env", "config", "1234", "abc", "demo", "hello", "world", "p@ss", "enter", "invalid", "wrong", "correct", "sql", "http", "field", "input",
}

// randomPassword reports whether a value looks like a password somebody uses.
func randomPassword(v []byte, quoted bool) bool {
	if len(v) < 8 || len(v) > 64 || !onlyWith(v, "_-.!@#^&*+=~?") || ordinary(v) {
		return false
	}
	n := count(v)
	classes := min(n.digits, 1) + min(n.lower, 1) + min(n.upper, 1) + min(n.others, 1)
	if n.others > 0 && !bytes.ContainsAny(v, "!@#^&*+=~?") {
		classes-- // dashes and dots part words
	}
	switch {
	case classes >= 3:
		return true
	case classes < 2 || n.others > 0 || !quoted:
		return false
	}
	return n.digits > 1 && n.lower+n.upper > 3 || len(v) >= 16 && n.turns*3 >= len(v)
}

// ordinary reports whether a value is not random, or holds a word of
// passwordWords. One of three letters is in many a long random string.
func ordinary(v []byte) bool {
	if strings.IndexByte(".-#", v[0]) >= 0 || entropy(v) < 2.75 || stopped(v, false) || isUUID(v) {
		return true
	}
	low := strings.ToLower(string(v))
	for _, w := range passwordWords {
		if strings.Contains(low, w) && (len(w) > 3 || len(v) <= 12) {
			return true
		}
	}
	return false
}

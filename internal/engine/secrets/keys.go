package secrets

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"sync"

	"poly/internal/diag"
)

// opening matches the first line of a private key.
var opening = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----`)
})

// privateKey judges a line of dashes that may open a private key.
func (s *scanner) privateKey(start int) {
	if s.test {
		return
	}
	m := opening().Find(s.text[start:min(len(s.text), start+80)])
	if m == nil {
		return
	}
	end := start + len(m)
	body := s.text[end:min(len(s.text), end+1200)]
	if !keyBody(body) || s.allows(codePrivate, start, end) {
		return
	}
	s.report(codePrivate, diag.Error, start, end, "A private key: "+string(bytes.Trim(m, "-")))
}

// keyBody reports whether base64 follows that is long and random enough for a
// key, up to the line that closes it. Line ends may be written as escapes, and
// lines may be strings or comments.
func keyBody(b []byte) bool {
	if i := bytes.Index(b, []byte("-----")); i >= 0 {
		b = b[:i]
	}
	if i := bytes.Index(b, []byte("DEK-Info:")); i >= 0 { // headers of an encrypted key
		_, b, _ = bytes.Cut(b[i:], []byte("\n"))
	}
	var data []byte
	run, longest := 0, 0
	for i := 0; i < len(b) && len(data) < 400; i++ {
		switch c := b[i]; {
		case class(c) != 0 || c == '+' || c == '/':
			data = append(data, c)
			run++
			longest = max(longest, run)
			continue
		case c == '\\':
			i++ // \n of a string
		case c > ' ' && bytes.IndexByte([]byte("=\"',#*;:-.()|&"), c) < 0:
			return false
		}
		run = 0
	}
	return longest >= 40 && len(data) >= 56 && entropy(data) >= 4 && !isPublished(data[:min(len(data), 64)]) && !stopped(data, true)
}

// encodedKey judges the beginning of a private key that is encoded in base64
// once more, as in a Secret of Kubernetes.
func (s *scanner) encodedKey(start int) {
	if s.test {
		return
	}
	end := start
	for end < len(s.text) && end-start < 4000 && (class(s.text[end]) != 0 || s.text[end] == '+' || s.text[end] == '/') {
		end++
	}
	text := s.text[start : end-(end-start)%4]
	plain := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(plain, text)
	if err != nil {
		return
	}
	plain = plain[:n]
	m := opening().Find(plain)
	if m == nil || !keyBody(plain[len(m):]) || s.allows(codePrivate, start, end) {
		return
	}
	s.report(codePrivate, diag.Error, start, end, "A private key in base64: "+string(bytes.Trim(m, "-")))
}

// putty judges the first line of a key of PuTTY.
func (s *scanner) putty(start int) {
	if s.test {
		return
	}
	rest := s.text[start:min(len(s.text), start+16<<10)]
	at := bytes.Index(rest, []byte("Private-Lines:"))
	first := bytes.IndexByte(rest, '\n')
	if at < 0 || first < 0 || len(rest)-at < 60 || s.allows(codePuTTY, start, start+first) {
		return
	}
	end := start + len(bytes.TrimRight(rest[:first], "\r"))
	s.report(codePuTTY, diag.Error, start, end, "A private key of PuTTY")
}

// url judges what follows :// for a name and a password.
func (s *scanner) url(at int) {
	rest := s.text[at:min(len(s.text), at+200)]
	colon, sign := userInfo(rest)
	if s.test || colon < 1 || sign < colon+6 {
		return
	}
	user, password := rest[:colon], rest[colon+1:sign]
	host := rest[sign+1:]
	if n := bytes.IndexFunc(host, func(r rune) bool { return r != '.' && r != '-' && (r > '~' || class(byte(r)) == 0) }); n >= 0 {
		host = host[:n]
	}
	if !realHost(string(host)) || bytes.EqualFold(user, password) || !randomPassword(password, true) {
		return
	}
	start, end := at+colon+1, at+sign
	if !s.allows(codeURL, start, end) {
		s.maybe = append(s.maybe, candidate{codeURL, fmt.Sprintf("The URL holds a password (%d characters)", len(password)), start, end})
	}
}

// userInfo returns where the colon and the at sign of name:password@ are, -1
// if a host, a path or anything else comes first.
func userInfo(rest []byte) (colon, sign int) {
	colon = -1
	for i, c := range rest {
		switch {
		case c == '@':
			return colon, i
		case c == ':' && colon < 0:
			colon = i
		case c <= ' ' || c > '~' || bytes.IndexByte([]byte("/\"'`<>{}()[]$\\?#|,"), c) >= 0:
			return -1, -1
		}
	}
	return -1, -1
}

// realHost reports whether a host is one that may be reached: not the machine
// itself, an example or a name without a dot.
func realHost(host string) bool {
	dot := bytes.LastIndexByte([]byte(host), '.')
	if dot < 1 || dot == len(host)-1 {
		return false
	}
	switch host[dot+1:] {
	case "example", "test", "invalid", "localhost", "local", "internal":
		return false
	}
	for _, w := range [...]string{"example.", "127.0.0.1", "0.0.0.0", "myhost", "yourhost", "foo.", "host.com", "domain.com", "server.com"} {
		if bytes.Contains([]byte(host), []byte(w)) {
			return false
		}
	}
	return true
}

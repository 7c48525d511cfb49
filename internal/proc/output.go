package proc

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// KeepDefault is how many bytes of an output are kept.
const KeepDefault = 256 << 10

// Output keeps the head and the tail of what is written to it and counts what
// it leaves out between them. The zero value keeps [KeepDefault] bytes, a
// quarter of them as head. It may be used concurrently.
type Output struct {
	Keep int // bytes; 0: [KeepDefault]

	mu    sync.Mutex
	head  []byte
	tail  []byte // a ring once it is full
	at    int
	total int64
}

// Write never fails.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	o.total += int64(n)
	headRoom, tailRoom := o.rooms()
	if room := headRoom - len(o.head); room > 0 {
		cut := min(room, len(p))
		o.head = append(o.head, p[:cut]...)
		p = p[cut:]
	}
	if len(p) > tailRoom {
		p = p[len(p)-tailRoom:]
		o.tail, o.at = append(o.tail[:0], p...), 0
		return n, nil
	}
	if room := tailRoom - len(o.tail); room > 0 {
		cut := min(room, len(p))
		o.tail = append(o.tail, p[:cut]...)
		p = p[cut:]
	}
	for len(p) > 0 {
		c := copy(o.tail[o.at:], p)
		o.at = (o.at + c) % tailRoom
		p = p[c:]
	}
	return n, nil
}

func (o *Output) rooms() (head, tail int) {
	keep := o.Keep
	if keep <= 0 {
		keep = KeepDefault
	}
	head = keep / 4
	return head, keep - head
}

// Total returns how many bytes were written.
func (o *Output) Total() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total
}

// Truncated reports whether bytes were left out.
func (o *Output) Truncated() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total > int64(len(o.head)+len(o.tail))
}

// String returns what is kept, as valid UTF-8. If bytes were left out, head and
// tail are whole lines, where there are lines, and a line between them tells
// how many are missing.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	tail := append(append(make([]byte, 0, len(o.tail)), o.tail[o.at:]...), o.tail[:o.at]...)
	if o.total == int64(len(o.head)+len(o.tail)) {
		return text(append(bytes.Clone(o.head), tail...))
	}
	head := o.head
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	} else {
		head = wholeEnd(head)
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	} else {
		tail = wholeStart(tail)
	}
	sep := ""
	if len(head) > 0 && head[len(head)-1] != '\n' {
		sep = "\n"
	}
	return text(head) + fmt.Sprintf("%s... %d bytes left out ...\n", sep, o.total-int64(len(head)+len(tail))) + text(tail)
}

func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// wholeEnd cuts a rune off that is not whole.
func wholeEnd(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if i := len(b) - n; utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

func wholeStart(b []byte) []byte {
	for n := 0; n < utf8.UTFMax && n < len(b); n++ {
		if utf8.RuneStart(b[n]) {
			return b[n:]
		}
	}
	return b
}

// maxLine is how much of a line its callback sees.
const maxLine = 400

// lines cuts what is written into lines and hands them on.
type lines struct {
	fn  func(string)
	mu  sync.Mutex
	buf []byte
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	if l.fn == nil {
		return n, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			l.add(p)
			return n, nil
		}
		l.add(p[:i])
		l.flush()
		p = p[i+1:]
	}
}

func (l *lines) add(p []byte) {
	if room := maxLine - len(l.buf); room > 0 {
		l.buf = append(l.buf, p[:min(room, len(p))]...)
	}
}

// flush hands on a line unless it is empty. The caller holds mu.
func (l *lines) flush() {
	if s := text(wholeEnd(bytes.TrimRight(l.buf, " \t"))); s != "" {
		l.fn(s)
	}
	l.buf = l.buf[:0]
}

// end hands on a last line without an end.
func (l *lines) end() {
	if l.fn == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
}

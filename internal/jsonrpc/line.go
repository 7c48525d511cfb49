package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
)

// line is one line of input, or the last one.
type line struct {
	text []byte // of a line that is too long: its beginning
	tail []byte // of a line that is too long: its end
	over bool   // too long
	end  bool   // nothing follows
}

// read sends the lines of in, the last one with or without its line end.
func read(ctx context.Context, in io.Reader, lines chan<- line) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l, err := readLine(r)
		l.end = err != nil
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
		if l.end {
			return
		}
	}
}

// Of a line that is too long so much is kept to find its id.
const kept = 64 << 10

func readLine(r *bufio.Reader) (l line, err error) {
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case l.over:
			l.tail = append(l.tail, part...)
			l.tail = l.tail[max(0, len(l.tail)-kept):]
		case len(l.text)+len(part) > maxLine:
			l.over = true
			l.tail = bytes.Clone(part)
			l.text = bytes.Clone(l.text[:min(kept, len(l.text))])
		default:
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}

// idKey returns the same text for equal ids, and whether id may be one: a
// string or an integer.
func idKey(id json.RawMessage) (string, bool) {
	if len(id) == 0 {
		return "", false
	}
	if id[0] == '"' {
		var s string
		err := json.Unmarshal(id, &s)
		return "s" + s, err == nil
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	if len(digits) == 0 {
		return "", false
	}
	for _, b := range digits {
		if b < '0' || b > '9' {
			return "", false
		}
	}
	return "n" + string(id), true
}

// salvage looks for the id of a message of which only the beginning and the
// end are at hand, so that its sender need not wait forever; nil: none found.
func salvage(head, tail []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err == nil && t == json.Delim('{') {
		for {
			name, err := d.Token()
			if err != nil {
				break
			}
			var value json.RawMessage
			if d.Decode(&value) != nil {
				break
			}
			if _, ok := idKey(value); ok && name == "id" {
				return value
			}
		}
	}
	tail = bytes.TrimRight(bytes.TrimRight(tail, "\r\n\t "), "}")
	i := bytes.LastIndex(tail, []byte(`"id":`))
	if i < 0 {
		return nil
	}
	value := json.RawMessage(bytes.TrimSpace(tail[i+len(`"id":`):]))
	if _, ok := idKey(value); !ok {
		return nil
	}
	return value
}

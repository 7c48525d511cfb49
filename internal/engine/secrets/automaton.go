package secrets

import (
	"strings"
	"sync"
)

// target is what a literal stands for: a number of a kind, or one of these.
type target uint8

const (
	toAssignment target = 255 - iota // a name that may be given a secret
	toPrivateKey
	toEncodedKey
	toPuTTY
	toURL
)

// words are the parts of names that may be given a secret.
var words = [...]string{
	"token", "secret", "passw", "passphrase", "_pwd", "pwd\"", "pwd=", "credential", "apikey", "_key", "-key", "accesskey", "privatekey", "authkey",
	"appkey", "encryptionkey", "signingkey", "accountkey",
}

// literal is one entry of the automaton.
type literal struct {
	text   string // as it is written; words match in any case
	target target
}

// automaton finds all literals in one pass over a text, in any case. It is an
// Aho-Corasick automaton with one transition for each byte.
type automaton struct {
	class    [256]uint8
	shift    uint8
	next     []uint16  // state << shift | class
	ends     uint16    // literals end in this state and all above it
	lists    [][]uint8 // the literals that end in state ends, ends+1 ...
	longest  int       // bytes of a literal
	literals []literal
}

// shared is made for the first worker that reads a file.
var shared = sync.OnceValue(newAutomaton)

func newAutomaton() *automaton {
	a := &automaton{}
	for i := range kinds {
		for _, l := range kinds[i].literals {
			a.literals = append(a.literals, literal{l, target(i)})
		}
	}
	for _, w := range words {
		a.literals = append(a.literals, literal{w, toAssignment})
	}
	a.literals = append(a.literals, literal{"-----BEGIN", toPrivateKey}, literal{"LS0tLS1CRUdJTi", toEncodedKey},
		literal{"PuTTY-User-Key-File-", toPuTTY}, literal{"://", toURL})
	a.classes()
	a.build()
	return a
}

// classes gives every byte that is in a literal a class of its own; 0 is all others.
func (a *automaton) classes() {
	n := uint8(0)
	for _, l := range a.literals {
		a.longest = max(a.longest, len(l.text))
		for _, c := range []byte(strings.ToLower(l.text)) {
			if a.class[c] == 0 {
				n++
				a.class[c] = n
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	for a.shift = 1; 1<<a.shift <= int(n); a.shift++ {
	}
}

// build makes the trie and then the failure transitions, level by level.
func (a *automaton) build() {
	width := 1 << a.shift
	own := [][]uint8{nil}
	a.next = make([]uint16, width)
	for i, l := range a.literals {
		state := 0
		for _, c := range []byte(l.text) {
			at := state<<a.shift | int(a.class[c])
			if a.next[at] == 0 {
				a.next[at] = uint16(len(own))
				own = append(own, nil)
				a.next = append(a.next, make([]uint16, width)...)
			}
			state = int(a.next[at])
		}
		own[state] = append(own[state], uint8(i))
	}
	fail := make([]uint16, len(own))
	var queue []uint16
	for c := range width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		own[s] = append(own[s], own[fail[s]]...)
		for c := range width {
			at := int(s)<<a.shift | c
			back := a.next[int(fail[s])<<a.shift|c]
			if t := a.next[at]; t != 0 {
				fail[t] = back
				queue = append(queue, t)
			} else {
				a.next[at] = back
			}
		}
	}
	a.number(own)
}

// number gives the states in which literals end the highest numbers, so that
// one comparison tells them.
func (a *automaton) number(own [][]uint8) {
	width := 1 << a.shift
	renamed := make([]uint16, len(own))
	n := 0
	for _, ends := range [...]bool{false, true} {
		if ends {
			a.ends = uint16(n)
		}
		for s, list := range own {
			if len(list) > 0 == ends {
				renamed[s] = uint16(n)
				if n++; ends {
					a.lists = append(a.lists, list)
				}
			}
		}
	}
	next := make([]uint16, len(a.next))
	for s := range own {
		for c := range width {
			next[int(renamed[s])<<a.shift|c] = renamed[a.next[s<<a.shift|c]]
		}
	}
	a.next = next
}

// hit is a literal that ends at an offset.
type hit struct {
	literal uint8
	end     int
}

// lanes is how many parts of a text are scanned in lockstep: the transitions
// of one wait for each other, those of several do not.
const lanes = 4

// scan appends what ends in text to hits, in order.
func (a *automaton) scan(text []byte, hits []hit) []hit {
	n := len(text) / lanes
	if n < 4*a.longest {
		return a.part(text, 0, len(text), 0, hits)
	}
	var state [lanes]uint16
	for i := 1; i < lanes; i++ {
		state[i] = a.warm(text[i*n-a.longest : i*n])
	}
	var found [lanes][]hit
	t0, t1, t2, t3 := text[:n], text[n:2*n], text[2*n:3*n], text[3*n:4*n]
	s0, s1, s2, s3 := state[0], state[1], state[2], state[3]
	next, shift, ends := a.next, a.shift, a.ends
	for j := range n {
		s0 = next[int(s0)<<shift|int(a.class[t0[j]])]
		s1 = next[int(s1)<<shift|int(a.class[t1[j]])]
		s2 = next[int(s2)<<shift|int(a.class[t2[j]])]
		s3 = next[int(s3)<<shift|int(a.class[t3[j]])]
		if max(s0, s1, s2, s3) < ends {
			continue
		}
		for i, s := range [lanes]uint16{s0, s1, s2, s3} {
			found[i] = a.append(found[i], s, i*n+j+1)
		}
	}
	for _, f := range found {
		hits = append(hits, f...)
	}
	return a.part(text, lanes*n, len(text), s3, hits)
}

// warm returns the state behind a text that is longer than any literal.
func (a *automaton) warm(text []byte) uint16 {
	s := uint16(0)
	for _, c := range text {
		s = a.next[int(s)<<a.shift|int(a.class[c])]
	}
	return s
}

// part scans text[from:to] from a state.
func (a *automaton) part(text []byte, from, to int, s uint16, hits []hit) []hit {
	for i := from; i < to; i++ {
		s = a.next[int(s)<<a.shift|int(a.class[text[i]])]
		if s >= a.ends {
			hits = a.append(hits, s, i+1)
		}
	}
	return hits
}

func (a *automaton) append(hits []hit, state uint16, end int) []hit {
	if state < a.ends {
		return hits
	}
	for _, l := range a.lists[state-a.ends] {
		hits = append(hits, hit{l, end})
	}
	return hits
}

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
	ends     []uint16  // by state: index into lists; 0: nothing ends there
	lists    [][]uint8 // literals that end in a state
	literals []literal
}

// shared is made for the first worker that reads a file.
var shared = sync.OnceValue(newAutomaton)

func newAutomaton() *automaton {
	a := &automaton{lists: [][]uint8{nil}}
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
	a.ends = make([]uint16, len(own))
	for s, list := range own {
		if len(list) > 0 {
			a.ends[s] = uint16(len(a.lists))
			a.lists = append(a.lists, list)
		}
	}
}

// scan calls found with the end of each literal, in order.
func (a *automaton) scan(text []byte, found func(l literal, end int)) {
	state := uint16(0)
	next, ends, shift := a.next, a.ends, a.shift
	for i, c := range text {
		state = next[int(state)<<shift|int(a.class[c])]
		if e := ends[state]; e != 0 {
			for _, l := range a.lists[e] {
				found(a.literals[l], i+1)
			}
		}
	}
}

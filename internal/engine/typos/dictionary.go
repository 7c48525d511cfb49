package typos

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/golangci/misspell"
)

const (
	minWord = 3  // letters of the shortest word looked at
	maxWord = 24 // and of the longest
	minPart = 5  // letters of a part of an identifier: shorter ones are abbreviations
)

// removed.txt lists the entries of the wrapped dictionary that are right
// somewhere, with reasons; amended.txt those with a better correction.
var (
	//go:embed removed.txt
	removedText string
	//go:embed amended.txt
	amendedText string
)

// dictionary finds the entries of misspell.DictMain by an open hash table. It
// is read-only once made.
type dictionary struct {
	slots   []slot // a power of two
	removed map[string]bool
	amended map[string]string
}

// slot is 0, or a tag of the word's hash and the number of its entry plus one.
type slot struct{ tag, entry uint16 }

// shared makes the dictionary for the first worker that looks up a word: it
// costs about a millisecond, which a run without a file to check does not pay.
var shared = sync.OnceValue(newDictionary)

func newDictionary() *dictionary {
	d := &dictionary{slots: make([]slot, 1<<16), removed: map[string]bool{}, amended: map[string]string{}}
	for w := range words(removedText) {
		d.removed[w] = true
	}
	for w := range words(amendedText) {
		wrong, right, _ := strings.Cut(w, ">")
		d.amended[wrong] = right
	}
	mask := uint32(len(d.slots) - 1)
	for i := 0; i+1 < len(misspell.DictMain); i += 2 {
		h, ok := hashWord(misspell.DictMain[i])
		if !ok {
			continue
		}
		at, tag := split(h)
		for at &= mask; d.slots[at].entry != 0; at = (at + 1) & mask {
		}
		d.slots[at] = slot{tag, uint16(i/2 + 1)}
	}
	return d
}

// hashWord hashes a word of the dictionary; one that is no plain word, such as
// "coca cola", is not for us.
func hashWord(w string) (h uint32, ok bool) {
	h = hashStart
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return 0, false
		}
		h = hashNext(h, w[i])
	}
	return h, len(w) >= minWord && len(w) <= maxWord
}

// words yields the words of a list; # starts a comment.
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "#")
			for w := range strings.FieldsSeq(line) {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// find returns the correction of a word whose letters in lower case hash to h.
func (d *dictionary) find(word []byte, h uint32) (right string, ok bool) {
	mask := uint32(len(d.slots) - 1)
	at, tag := split(h)
	for at &= mask; d.slots[at].entry != 0; at = (at + 1) & mask {
		s := d.slots[at]
		if s.tag != tag {
			continue
		}
		i := 2 * (int(s.entry) - 1)
		if wrong := misspell.DictMain[i]; equalLower(word, wrong) && !d.removed[wrong] {
			if better := d.amended[wrong]; better != "" {
				return better, true
			}
			return misspell.DictMain[i+1], true
		}
	}
	return "", false
}

func equalLower(word []byte, lower string) bool {
	if len(word) != len(lower) {
		return false
	}
	for i, c := range word {
		if c|0x20 != lower[i] { // both are ASCII letters
			return false
		}
	}
	return true
}

// The hash is FNV-1a over lower-case letters, mixed once at the end.
const hashStart = 2166136261

func hashNext(h uint32, c byte) uint32 { return (h ^ uint32(c|0x20)) * 16777619 }

func split(h uint32) (at uint32, tag uint16) {
	h ^= h >> 15
	return h, uint16(h >> 16)
}

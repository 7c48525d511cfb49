// Package sum has fast digests for sums over many names. They are the same in
// every process, and prove nothing against someone who wants them to be equal.
package sum

import (
	"encoding/binary"
	"unsafe"
)

// String is a digest of s.
func String(s string) uint64 {
	h := uint64(len(s)) + 0x9e3779b97f4a7c15
	for len(s) >= 8 {
		b := unsafe.Slice(unsafe.StringData(s), 8)
		h = Mix(h, binary.LittleEndian.Uint64(b))
		s = s[8:]
	}
	var last uint64
	for i := range len(s) {
		last = last<<8 | uint64(s[i])
	}
	return Mix(h, last)
}

// Mix adds v to the digest h.
func Mix(h, v uint64) uint64 {
	h = (h ^ v) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

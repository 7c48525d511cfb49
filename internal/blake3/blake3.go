// Package blake3 computes the hash function BLAKE3 of short texts: keys of
// caches and digests of configuration. It is written from the specification,
// for the libraries that use vector instructions find out about the processor
// at every start, which costs more than all the hashing of a run.
package blake3

import (
	"encoding/binary"
	"math/bits"
)

const (
	blockLen = 64
	chunkLen = 1024

	chunkStart = 1 << 0
	chunkEnd   = 1 << 1
	parent     = 1 << 2
	root       = 1 << 3
)

var iv = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// order tells which words of a block the rounds take, two a step.
var order = [7][16]uint8{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
	{3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
	{10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
	{12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
	{9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
	{11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
}

// node is the input of the last compression of a chunk or of a parent.
type node struct {
	chain   [8]uint32
	block   [16]uint32
	counter uint64 // of the chunk; 0 for a parent
	length  uint32 // of the block
	flags   uint32
}

// Sum256 returns the first 32 bytes of the hash of text.
func Sum256(text []byte) (sum [32]byte) {
	// Chunks are the leaves of a tree; stack holds the roots of its whole
	// subtrees to the left, one for each bit that is set in counter.
	var stack [64 - 10][8]uint32
	top := 0
	counter := uint64(0)
	for ; len(text) > chunkLen; counter++ {
		n := leaf(text[:chunkLen], counter)
		text = text[chunkLen:]
		chain := n.compress()
		for range bits.TrailingZeros64(counter + 1) {
			top--
			n = join(&stack[top], &chain)
			chain = n.compress()
		}
		stack[top] = chain
		top++
	}
	n := leaf(text, counter)
	for top > 0 {
		top--
		chain := n.compress()
		n = join(&stack[top], &chain)
	}
	n.counter, n.flags = 0, n.flags|root
	for i, w := range n.compress() {
		binary.LittleEndian.PutUint32(sum[4*i:], w)
	}
	return sum
}

// leaf compresses a chunk but for its last block.
func leaf(chunk []byte, counter uint64) node {
	n := node{chain: iv, counter: counter, length: blockLen, flags: chunkStart}
	for ; len(chunk) > blockLen; chunk = chunk[blockLen:] {
		n.fill(chunk[:blockLen])
		n.chain = n.compress()
		n.flags = 0
	}
	var last [blockLen]byte
	n.length = uint32(copy(last[:], chunk))
	n.fill(last[:])
	n.flags |= chunkEnd
	return n
}

func join(left, right *[8]uint32) node {
	n := node{chain: iv, length: blockLen, flags: parent}
	copy(n.block[:8], left[:])
	copy(n.block[8:], right[:])
	return n
}

func (n *node) fill(block []byte) {
	for i := range n.block {
		n.block[i] = binary.LittleEndian.Uint32(block[4*i:])
	}
}

func (n *node) compress() [8]uint32 {
	v0, v1, v2, v3 := n.chain[0], n.chain[1], n.chain[2], n.chain[3]
	v4, v5, v6, v7 := n.chain[4], n.chain[5], n.chain[6], n.chain[7]
	v8, v9, v10, v11 := iv[0], iv[1], iv[2], iv[3]
	v12, v13, v14, v15 := uint32(n.counter), uint32(n.counter>>32), n.length, n.flags
	m := &n.block
	for r := range order {
		o := &order[r]
		v0, v4, v8, v12 = mix(v0, v4, v8, v12, m[o[0]&15], m[o[1]&15])
		v1, v5, v9, v13 = mix(v1, v5, v9, v13, m[o[2]&15], m[o[3]&15])
		v2, v6, v10, v14 = mix(v2, v6, v10, v14, m[o[4]&15], m[o[5]&15])
		v3, v7, v11, v15 = mix(v3, v7, v11, v15, m[o[6]&15], m[o[7]&15])
		v0, v5, v10, v15 = mix(v0, v5, v10, v15, m[o[8]&15], m[o[9]&15])
		v1, v6, v11, v12 = mix(v1, v6, v11, v12, m[o[10]&15], m[o[11]&15])
		v2, v7, v8, v13 = mix(v2, v7, v8, v13, m[o[12]&15], m[o[13]&15])
		v3, v4, v9, v14 = mix(v3, v4, v9, v14, m[o[14]&15], m[o[15]&15])
	}
	return [8]uint32{v0 ^ v8, v1 ^ v9, v2 ^ v10, v3 ^ v11, v4 ^ v12, v5 ^ v13, v6 ^ v14, v7 ^ v15}
}

// mix is the quarter round.
func mix(a, b, c, d, x, y uint32) (_, _, _, _ uint32) {
	a += b + x
	d = bits.RotateLeft32(d^a, -16)
	c += d
	b = bits.RotateLeft32(b^c, -12)
	a += b + y
	d = bits.RotateLeft32(d^a, -8)
	c += d
	b = bits.RotateLeft32(b^c, -7)
	return a, b, c, d
}

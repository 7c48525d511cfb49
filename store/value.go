package store

import (
	"encoding/binary"
	"hash/crc32"
)

const sumSize = 4

// checksum finds what a disk or a torn page does to a value, and a value that
// is stored under another key. Of the polynomials with hardware support this is
// the one that needs no large tables made at every start.
func checksum(value []byte, key ...[]byte) uint32 {
	var sum uint32
	for _, k := range key {
		sum = crc32.Update(sum, crc32.IEEETable, k)
	}
	return crc32.Update(sum, crc32.IEEETable, value)
}

// seal puts a checksum over key and value before the value.
func seal(value []byte, key ...[]byte) []byte {
	b := make([]byte, sumSize, sumSize+len(value))
	binary.BigEndian.PutUint32(b, checksum(value, key...))
	return append(b, value...)
}

// unseal returns the value, which shares memory with sealed, if it is what was sealed.
func unseal(sealed []byte, key ...[]byte) ([]byte, bool) {
	if len(sealed) < sumSize {
		return nil, false
	}
	value := sealed[sumSize:]
	if binary.BigEndian.Uint32(sealed) != checksum(value, key...) {
		return nil, false
	}
	return value, true
}

// nonNil keeps the driver from binding NULL, which equals nothing.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

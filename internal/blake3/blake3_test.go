package blake3

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	lib "lukechampine.com/blake3"
)

// TestVectors: inputs are 0, 1, 2, ... 250, 0, 1, ... as in the official ones.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		length int
		want   string
	}{
		{0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
		{1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
		{1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
		{1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
		{1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
		{2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"},
		{2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"},
		{3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
		{5121, "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff"},
		{8193, "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"},
		{31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
		{100000, "d93c23eedaf165a7e0be908ba86f1a7a520d568d2d13cde787c8580c5c72cc54"},
	} {
		text := make([]byte, tc.length)
		for i := range text {
			text[i] = byte(i % 251)
		}
		sum := Sum256(text)
		if got := hex.EncodeToString(sum[:]); got != tc.want {
			t.Errorf("Sum256 of %d bytes = %s, want %s", tc.length, got, tc.want)
		}
	}
}

// TestLibrary: a library that is written otherwise says the same.
func TestLibrary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := make([]byte, r.IntN(5*chunkLen))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		if got, want := Sum256(text), lib.Sum256(text); got != want {
			t.Fatalf("Sum256(%x) = %x, want %x", text, got, want)
		}
	}
}

func BenchmarkSum256(b *testing.B) {
	text := make([]byte, 4096)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sum256(text)
	}
}

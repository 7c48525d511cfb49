package secrets

import (
	"bytes"
	"encoding/base64"
	"hash/crc32"
	"strings"
)

// holds reports whether a secret passes the check. certain: one that does not
// is none; otherwise it may be one that was altered.
func (c check) holds(secret []byte) (ok, certain bool) {
	switch c {
	case crc62:
		return crcHolds(secret), false
	case bech32:
		return bech32Holds(string(secret)), false
	case header:
		return isHeader(secret), true
	}
	return true, true
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// crcHolds checks tokens of GitHub and npm: prefix_body and six digits to the
// base of 62.
func crcHolds(secret []byte) bool {
	_, body, ok := bytes.Cut(secret, []byte("_"))
	if !ok || len(body) <= 6 {
		return false
	}
	n := crc32.ChecksumIEEE(body[:len(body)-6])
	var digits [6]byte
	for i := 5; i >= 0; i-- {
		digits[i] = base62[n%62]
		n /= 62
	}
	return string(digits[:]) == string(body[len(body)-6:])
}

const bech32Letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// bech32Holds checks the checksum of BIP 173, which age uses without a limit
// of length.
func bech32Holds(s string) bool {
	s = strings.ToLower(s)
	one := strings.LastIndexByte(s, '1')
	if one < 1 {
		return false
	}
	sum := uint32(1)
	for i := range one {
		sum = polymod(sum, uint32(s[i])>>5)
	}
	sum = polymod(sum, 0)
	for i := range one {
		sum = polymod(sum, uint32(s[i])&31)
	}
	for i := one + 1; i < len(s); i++ {
		v := strings.IndexByte(bech32Letters, s[i])
		if v < 0 {
			return false
		}
		sum = polymod(sum, uint32(v))
	}
	return sum == 1
}

func polymod(sum, v uint32) uint32 {
	top := sum >> 25
	sum = (sum&0x1ffffff)<<5 ^ v
	for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
		if top>>i&1 == 1 {
			sum ^= g
		}
	}
	return sum
}

// isHeader reports whether a text starts with the header of a JSON web token,
// and is none of the examples of jwt.io.
func isHeader(secret []byte) bool {
	parts := bytes.SplitN(secret, []byte("."), 3)
	if len(parts) < 3 {
		return false
	}
	head, err := base64.RawURLEncoding.DecodeString(string(parts[0]))
	if err != nil || !bytes.Contains(head, []byte(`"alg"`)) {
		return false
	}
	body, err := base64.RawURLEncoding.DecodeString(string(parts[1]))
	return err == nil && !bytes.Contains(body, []byte("1234567890")) && !bytes.Contains(body, []byte("John Doe")) && !bytes.Contains(body, []byte("example"))
}

package account

import (
	"crypto/rand"
	"hash/crc32"
	"strings"

	"cairn/internal/team/wire"
)

// A token of CI is the prefix, randomLetters of base62 and a CRC-32 of those in
// base62, checkLetters long, as GitHub's tokens have it: a scanner of secrets can
// tell one from a similar word, and a mistyped one costs no query.
const (
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomLetters = 40 // 238 bits
	checkLetters  = 6
	shownLetters  = len(wire.TokenPrefix) + 4 // kept in clear, to tell tokens apart
)

// newCIToken makes one up.
func newCIToken() string {
	letters := make([]byte, 0, randomLetters)
	var b [64]byte
	for len(letters) < randomLetters {
		rand.Read(b[:]) // never fails
		for _, x := range b {
			if x &= 63; x < 62 && len(letters) < randomLetters {
				letters = append(letters, base62[x])
			}
		}
	}
	return wire.TokenPrefix + string(letters) + checksum(string(letters))
}

func checksum(letters string) string {
	n := crc32.ChecksumIEEE([]byte(letters))
	var out [checkLetters]byte
	for i := range out {
		out[len(out)-1-i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// wellFormed says whether a text can be a token of CI.
func wellFormed(token string) bool {
	rest, ok := strings.CutPrefix(token, wire.TokenPrefix)
	return ok && len(rest) == randomLetters+checkLetters && checksum(rest[:randomLetters]) == rest[randomLetters:]
}

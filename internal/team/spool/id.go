package spool

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// digits are Crockford's base 32, which leaves out letters that look like
// figures; their order is that of the values.
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const idLength = 26

// newID makes a ULID (github.com/ulid/spec): 48 bits of milliseconds since 1970
// and 80 random bits, as 26 letters that sort by time. folder is two hex digits
// of its last byte.
func newID(now time.Time) (id, folder string) {
	var b [16]byte
	ms := uint64(max(0, now.UnixMilli()))
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	rand.Read(b[6:]) // never fails
	var text [idLength]byte
	for i := range text {
		text[i] = digits[fiveBits(b, 5*i-2)]
	}
	return string(text[:]), hex.EncodeToString(b[15:])
}

// fiveBits are those from bit at on, the first bit being 0; bits before it are 0.
func fiveBits(b [16]byte, at int) (v byte) {
	for i := at; i < at+5; i++ {
		v <<= 1
		if i >= 0 {
			v |= b[i/8] >> (7 - i%8) & 1
		}
	}
	return v
}

// idTime is when an id was made.
func idTime(id string) (at time.Time, ok bool) {
	if len(id) != idLength {
		return at, false
	}
	ms := int64(0)
	for i := range idLength {
		v := value(id[i])
		if v < 0 || i == 0 && v > 7 {
			return at, false
		}
		if i < 10 {
			ms = ms<<5 | int64(v)
		}
	}
	return time.UnixMilli(ms), true
}

func value(c byte) int {
	for i := range len(digits) {
		if digits[i] == c {
			return i
		}
	}
	return -1
}

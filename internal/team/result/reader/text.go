package reader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

const (
	mostMessage = 2000 // runes of a failure's message
	mostName    = 120  // runes of a name made from other text
)

// asUTF8 returns the text without a byte order mark. UTF-16 with a mark is what
// Windows PowerShell makes of `go test -json > file`.
func asUTF8(data []byte) ([]byte, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:], nil
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return data, nil
	}
	if data = data[2:]; len(data)%2 != 0 {
		return nil, errors.New("UTF-16 that ends in the middle of a character")
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units))), nil
}

// message makes a failure's text fit to keep: no colors, no control characters,
// not longer than needed.
func message(s string) string {
	return text.First(strings.TrimSpace(plain(s, mostMessage+1)), mostMessage)
}

// preview is the beginning of a response.
func preview(s string) string {
	return text.First(strings.TrimSpace(plain(s, result.MostPreview+1)), result.MostPreview)
}

// oneLine puts a text on one line of at most n runes.
func oneLine(s string, n int) string {
	return text.First(strings.Join(strings.Fields(plain(s, 4*n+1)), " "), n)
}

// plain drops terminal sequences and control characters from the first runes
// of a text.
func plain(s string, most int) string {
	var b strings.Builder
	for n := 0; s != "" && n < most; {
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		switch {
		case r == 0x1b && strings.HasPrefix(s, "["):
			end := strings.IndexFunc(s[1:], func(r rune) bool { return r >= '@' && r <= '~' })
			s = s[min(len(s), end+2):]
		case r == '\n' || r == '\t' || r >= ' ' && !(r >= 0x7f && r < 0xa0):
			b.WriteRune(r)
			n++
		}
	}
	return b.String()
}

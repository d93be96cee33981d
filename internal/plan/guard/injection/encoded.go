package injection

import (
	"encoding/base64"
	"strings"
)

const (
	maxDecoded = 64 << 10 // bytes that are decoded of one text
	maxDepth   = 2
)

// encoded looks into the long word at start, which may be base64, and returns where
// it ends.
func (s *scanner) encoded(start, depth int, see func(int)) int {
	end := start
	for end < len(s.text) && (isWord(s.text[end]) && s.text[end] != '_' || s.text[end] == '+' || s.text[end] == '/') {
		end++
	}
	run := s.text[start:end]
	if end == start {
		for end < len(s.text) && isWord(s.text[end]) {
			end++
		}
		return end
	}
	if depth >= maxDepth || s.decoded > maxDecoded {
		return end
	}
	run = run[:len(run)&^3]
	s.decoded += len(run)
	plain, err := base64.StdEncoding.DecodeString(run)
	if err != nil || !readable(plain) {
		return end
	}
	inner := scanner{text: string(plain), decoded: s.decoded}
	inner.scan(depth + 1)
	s.decoded = inner.decoded
	if len(inner.report()) > 0 {
		s.hit(encodedOrder, 12, start, end)
		see(start)
	}
	return end
}

// readable says whether b looks like text of words.
func readable(b []byte) bool {
	spaces := 0
	for _, c := range b {
		switch {
		case c == ' ':
			spaces++
		case c < ' ' && c != '\n' && c != '\t' && c != '\r':
			return false
		}
	}
	return spaces > len(b)/20 && strings.ToValidUTF8(string(b), "") == string(b)
}

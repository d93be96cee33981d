package injection

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
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
	s.decoded += len(run)
	plain, err := hex.DecodeString(run[:len(run)&^1])
	if err != nil {
		plain, err = base64.StdEncoding.DecodeString(run[:len(run)&^3])
	}
	if err == nil && readable(plain) && s.inner(string(plain), depth) {
		s.hit(encodedOrder, 12, start, end)
		see(start)
	}
	return end
}

// inner says whether a text that was decoded holds an order.
func (s *scanner) inner(text string, depth int) bool {
	inner := scanner{text: text, decoded: s.decoded}
	inner.scan(depth + 1)
	s.decoded = inner.decoded
	return len(inner.report()) > 0
}

// turned looks into the line of a word that is written backwards or in rot13.
func (s *scanner) turned(w *word, from, to int) {
	if s.decoded > maxDecoded {
		return
	}
	at := int(w.from)
	from = max(from, strings.LastIndexByte(s.text[:at], '\n')+1)
	if n := strings.IndexByte(s.text[at:to], '\n'); n >= 0 {
		to = at + n
	}
	line := s.text[from:to]
	s.decoded += len(line) + 1<<10
	rot, back := []byte(line), []byte(line)
	slices.Reverse(back)
	for i, c := range rot {
		if isLetter(c) {
			base := c&0x20 | 'A'
			rot[i] = base + (c-base+13)%26
		}
	}
	if s.inner(string(rot), maxDepth) || s.inner(string(back), maxDepth) {
		s.hit(encodedOrder, 12, at, int(w.to))
	}
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

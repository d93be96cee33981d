package redact

import (
	"strings"
	"unicode/utf8"
)

const (
	keyBegin = "-----BEGIN "
	keyEnd   = "-----END "
	dashes   = "-----"

	// maxKeyLines bounds a block whose END never comes; a 16,384-bit RSA key
	// has 198 lines.
	maxKeyLines = 256
)

// AfterCut returns what may be shown of the text behind a cut: the end of a
// private key whose beginning is missing looks like nothing in particular.
func AfterCut(tail string) string {
	if end := strings.Index(tail, keyEnd); end >= 0 && !strings.Contains(tail[:end], keyBegin) {
		return tail[end:]
	}
	return tail
}

// matchKey finds the body of a private key on the line of its BEGIN, which
// ends at END or with the line. It is empty when the body is on the next
// lines; from is then behind the BEGIN.
func matchKey(s string, i int) (from, to int, kind string) {
	const longest = 64 // of the label, such as ENCRYPTED PRIVATE KEY
	label := s[i+len(keyBegin) : min(len(s), i+len(keyBegin)+longest)]
	n := strings.Index(label, dashes)
	if n < 0 || !strings.HasSuffix(strings.TrimSuffix(label[:n], " BLOCK"), "PRIVATE KEY") {
		return 0, 0, ""
	}
	from = i + len(keyBegin) + n + len(dashes)
	body := s[from:]
	if end := strings.Index(body, keyEnd); end >= 0 {
		if end == 0 || strings.Contains(body[:end], "[redacted:") {
			return 0, 0, ""
		}
		return from, from + end, PrivateKey
	}
	if rest := strings.Trim(body, "\"'`,;+\\nr \t"); rest == "" || strings.Contains(body, "[redacted:") {
		return from, from, PrivateKey
	}
	return from, len(s), PrivateKey
}

// A keyBlock is the state between the BEGIN and the END of a private key.
type keyBlock struct {
	open   bool
	prefix int // bytes before BEGIN: a margin, a diff's +, a time stamp
	lines  int
}

// begin opens the block unless END stands on the same line, behind to.
func (k *keyBlock) begin(s string, at, to int) {
	*k = keyBlock{open: !strings.Contains(s[to:], keyEnd), prefix: at}
}

// next returns the line to show and whether s still belongs to the block. A
// line that cannot be part of a key closes it, so that what follows a cut key
// is not lost.
func (k *keyBlock) next(s string) (string, bool) {
	k.lines++
	blank := strings.TrimSpace(s) == ""
	if k.lines > maxKeyLines || !blank && (len(s) <= k.prefix || !utf8.RuneStart(s[k.prefix])) {
		k.open = false
		return "", false
	}
	if blank {
		return s, true
	}
	if strings.Contains(s, keyEnd) {
		k.open = false
		return s, strings.HasPrefix(strings.TrimSpace(s[k.prefix:]), keyEnd)
	}
	body := strings.Trim(s[k.prefix:], "\"'`,;+\\ \t\r")
	body = strings.TrimSuffix(body, `\n`)
	if body == mark(PrivateKey) {
		return s, true
	}
	if name, _, header := strings.Cut(body, ": "); header && strings.Trim(name, "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == "" && k.lines <= 4 {
		return s, true // Proc-Type: 4,ENCRYPTED
	}
	for i := range len(body) {
		if !isBase64(body[i]) {
			k.open = false
			return "", false
		}
	}
	if body == "" {
		return s, true
	}
	return s[:k.prefix] + mark(PrivateKey), true
}

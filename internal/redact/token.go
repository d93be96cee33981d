package redact

import "strings"

// tokens are the secrets that are known by their prefix. The byte at index at
// of the prefix is the telling one. The lengths are those of the issuers'
// documentation, with room where an issuer promises no length.
var tokens = []struct {
	prefix   string
	at       int
	chars    func(byte) bool
	min, max int // characters after the prefix
	kind     string
}{
	{"AKIA", 2, isUpperDigit, 16, 16, AWS},
	{"ASIA", 2, isUpperDigit, 16, 16, AWS},
	{"ghp_", 3, isAlnum, 36, 255, GitHub},
	{"gho_", 3, isAlnum, 36, 255, GitHub},
	{"ghs_", 3, isAlnum, 36, 255, GitHub},
	{"ghu_", 3, isAlnum, 36, 255, GitHub},
	{"ghr_", 3, isAlnum, 36, 255, GitHub},
	{"github_pat_", 6, isURLSafe, 22, 255, GitHub},
	{"glpat-", 5, isURLSafe, 20, 300, GitLab},
	{"xoxa-", 4, isURLSafe, 10, 400, Slack},
	{"xoxb-", 4, isURLSafe, 10, 400, Slack},
	{"xoxp-", 4, isURLSafe, 10, 400, Slack},
	{"xoxr-", 4, isURLSafe, 10, 400, Slack},
	{"xoxs-", 4, isURLSafe, 10, 400, Slack},
	{"AIza", 2, isURLSafe, 35, 35, Google},
	{"sk_live_", 2, isAlnum, 16, 255, Stripe},
	{"rk_live_", 2, isAlnum, 16, 255, Stripe},
	{"npm_", 3, isAlnum, 36, 36, NPM},
	{"pypi-AgE", 4, isURLSafe, 50, 1000, PyPI},
	{"sk-ant-", 2, isURLSafe, 20, 400, Anthropic},
	{"sk-proj-", 2, isURLSafe, 20, 400, OpenAI},
	{"sk-svcacct-", 2, isURLSafe, 20, 400, OpenAI},
	{"sk-", 2, isAlnum, 32, 200, OpenAI},
}

// before are the bytes before the telling ones of the prefixes: of most others in a
// text no row need be looked at.
var before = [256]bool{
	'I': true, 'K': true, 'S': true, 'a': true, 'b': true, 'i': true, 'k': true, 'm': true,
	'o': true, 'p': true, 'r': true, 's': true, 't': true, 'u': true,
}

func matchToken(s string, i int) (from, to int, kind string) {
	if i == 0 || !before[s[i-1]] {
		return 0, 0, ""
	}
	for k := range tokens {
		t := &tokens[k]
		if t.prefix[t.at] != s[i] || t.prefix[t.at-1] != s[i-1] || i < t.at {
			continue
		}
		if to := tokenAt(s, i-t.at, k); to > 0 {
			return i - t.at, to, t.kind
		}
	}
	return 0, 0, ""
}

// tokenAt returns the end of the token of row k that begins at from, or 0. It
// must stand alone: within a longer word or a base64 text it is chance.
func tokenAt(s string, from, k int) int {
	t := &tokens[k]
	if !strings.HasPrefix(s[from:], t.prefix) || from > 0 && (isURLSafe(s[from-1]) || s[from-1] == '+' || s[from-1] == '/') {
		return 0
	}
	start := from + len(t.prefix)
	end := start
	for end < len(s) && end-start <= t.max && t.chars(s[end]) {
		end++
	}
	if n := end - start; n < t.min || n > t.max || end < len(s) && (isURLSafe(s[end]) || s[end] == '+') {
		return 0
	}
	return end
}

// known returns the kind of the prefixed token that s begins with, or "".
func known(s string) string {
	for k := range tokens {
		if tokenAt(s, 0, k) > 0 {
			return tokens[k].kind
		}
	}
	if _, to, kind := matchJWT(s, 2); to > 0 {
		return kind
	}
	return ""
}

// maxSegment bounds a JWT's segment, so that a long base64 text costs little.
const maxSegment = 16 << 10

// matchJWT finds header.payload.signature; both of the first are JSON objects
// and so begin with eyJ in base64url.
func matchJWT(s string, i int) (from, to int, kind string) {
	from = i - 2
	if from < 0 || !strings.HasPrefix(s[from:], "eyJ") || from > 0 && isURLSafe(s[from-1]) {
		return 0, 0, ""
	}
	end := from
	for segment := range 3 {
		start := end
		for end < len(s) && end-start < maxSegment && isURLSafe(s[end]) {
			end++
		}
		if end-start < 8 || segment == 1 && !strings.HasPrefix(s[start:], "eyJ") {
			return 0, 0, ""
		}
		if segment < 2 {
			if end == len(s) || s[end] != '.' {
				return 0, 0, ""
			}
			end++
		}
	}
	return from, end, JWT
}

// matchWebhook finds the path of hooks.slack.com/services/T…/B…/….
func matchWebhook(s string, i int) (from, to int, kind string) {
	const host, path = "hooks.slack.com", "/services/"
	at := i - strings.IndexByte(path, 'v')
	if at < len(host) || !strings.HasPrefix(s[at:], path) || s[at-len(host):at] != host {
		return 0, 0, ""
	}
	from = at + len(path)
	to = from
	for to < len(s) && to-from < 200 && (isAlnum(s[to]) || s[to] == '/') {
		to++
	}
	if to-from < 20 {
		return 0, 0, ""
	}
	return from, to, Slack
}

// matchURL finds the password of scheme://user:password@host; i is behind ://.
func matchURL(s string, i int) (from, to int, kind string) {
	colon, at := 0, 0
	for k := i; k < len(s) && k-i < 1024; k++ {
		c := s[k]
		if c <= ' ' || strings.IndexByte("/?#\"'`<>()\\", c) >= 0 {
			break
		}
		if c == ':' && colon == 0 {
			colon = k
		}
		if c == '@' {
			at = k
		}
	}
	if colon == 0 || at < colon+2 || isPlaceholder(s[colon+1:at]) {
		return 0, 0, ""
	}
	return colon + 1, at, URL
}

func isLetter(c byte) bool     { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool      { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool      { return isLetter(c) || isDigit(c) }
func isUpperDigit(c byte) bool { return c >= 'A' && c <= 'Z' || isDigit(c) }
func isURLSafe(c byte) bool    { return isAlnum(c) || c == '_' || c == '-' }
func isBase64(c byte) bool     { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

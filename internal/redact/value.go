package redact

import "strings"

// secretNames are the ends of the names whose values are secrets, in lower
// case and without - and _, so that one entry stands for DB_PASSWORD,
// userPassword and "db-password".
var secretNames = []string{
	"password", "passwd", "pwd", "passphrase", "secret", "token", "apikey", "accesskey", "accountkey", "secretkey", "privatekey", "authorization",
}

// matchValue finds the value of a name that ends in a secret's name; s[i] is
// the : or = between them.
func matchValue(s string, i int) (from, to int, kind string) {
	start, end, name := nameBefore(s, i)
	if name == "" {
		return 0, 0, ""
	}
	key := s[start:end]
	from = i + 1
	for from < len(s) && (s[from] == '=' || s[from] == '>' || s[from] == ':') { // :=, =>, ==
		from++
	}
	spaced := from < len(s) && s[from] == ' '
	for from < len(s) && (s[from] == ' ' || s[from] == '\t') {
		from++
	}
	if name == "authorization" {
		return authValue(s, from)
	}
	from, to, quoted := valueSpan(s, from)
	v := s[from:to]
	if isPlaceholder(v) || !isSecret(s, name, key, start, to, v, quoted, spaced || s[i] == ':' && !quoted) {
		return 0, 0, ""
	}
	kind = known(v)
	if kind == "" {
		kind = Password
		if strings.Contains(squash(key), "secretaccesskey") {
			kind = AWS
		}
	}
	return from, to, kind
}

// nameBefore returns the identifier s[start:end] before the separator at i,
// and which of the secret names it ends in, or "".
func nameBefore(s string, i int) (start, end int, name string) {
	end = i
	for end > 0 && i-end < 4 && (s[end-1] == ' ' || s[end-1] == '"' || s[end-1] == '\'' || s[end-1] == '\\') {
		end--
	}
	if end == 0 {
		return 0, 0, ""
	}
	switch s[end-1] | 0x20 { // the last letters of secretNames
	case 'd', 'e', 't', 'n', 'y':
	default:
		return 0, 0, ""
	}
	start = end
	for start > 0 && end-start < 64 && isURLSafe(s[start-1]) {
		start--
	}
	var buf [64]byte
	key := buf[:0]
	for k := start; k < end; k++ {
		if c := s[k]; c != '_' && c != '-' {
			if isLetter(c) {
				c |= 0x20
			}
			key = append(key, c)
		}
	}
	for _, n := range secretNames {
		if len(key) >= len(n) && string(key[len(key)-len(n):]) == n {
			return start, end, n
		}
	}
	return 0, 0, ""
}

func squash(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
}

// valueSpan returns where the value at from ends, without its quotes. The
// quotes of JSON inside a string are escaped.
func valueSpan(s string, from int) (start, end int, quoted bool) {
	q := from
	if q < len(s) && s[q] == '\\' {
		q++
	}
	if q < len(s) && (s[q] == '"' || s[q] == '\'' || s[q] == '`') {
		start = q + 1
		n := strings.IndexByte(s[start:min(len(s), start+maxValue)], s[q])
		if n < 0 {
			return start, start, true
		}
		end = start + n
		if q > from && end > start && s[end-1] == '\\' {
			end--
		}
		return start, end, true
	}
	end = from
	for end < len(s) && end-from < maxValue && s[end] > ' ' && strings.IndexByte("\"'`,;&\\<>", s[end]) < 0 {
		end++
	}
	if end-from == maxValue {
		end = from
	}
	return from, end, false
}

// Bounds in bytes: of a secret, and of the look at what stands around it.
const (
	maxValue = 512
	around   = 128
)

// isPlaceholder reports what stands for a value and is none: a variable, a
// template, stars, or a mark that is here already.
func isPlaceholder(v string) bool {
	if v == "" || strings.IndexByte("$%{<*[!&(@|.", v[0]) >= 0 || strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "[redacted:") ||
		strings.Trim(v, "xX*.-_#•…") == "" {
		return true
	}
	low := strings.ToLower(v)
	switch low {
	case "none", "null", "nil", "undefined", "true", "false", "yes", "no", "string", "str", "bytes", "number", "int", "bool", "boolean", "any",
		"object", "text", "unknown", "never", "optional", "required", "invalid", "missing", "expired", "hidden", "redacted", "password", "passwd", "secret", "token",
		"changed", "varchar", "needed", "disabled", "enabled", "default", "file", "stdin", "prompt", "input", "type", "value":
		return true
	}
	return strings.HasPrefix(low, "your") || strings.HasPrefix(low, "example")
}

// isSecret tells a literal from code and prose. name is the secret's name, key
// the whole identifier, s[start] its first byte, v the value ending at to.
// loose says that blanks or a colon stand between, as in code and in YAML.
func isSecret(s, name, key string, start, to int, v string, quoted, loose bool) bool {
	digit, lower, blank := false, true, false
	for i := range len(v) {
		digit = digit || isDigit(v[i])
		lower = lower && v[i] >= 'a' && v[i] <= 'z'
		blank = blank || v[i] <= ' '
	}
	switch {
	case blank, // a message about the password
		name == "token" && !(digit && len(v) >= 8 || quoted && len(v) >= 20),                // a parser's token
		name == "pwd" && (strings.IndexByte("/~.", v[0]) >= 0 || strings.Contains(v, `:\`)), // the working directory
		name == "pwd" && len(v) < 6,        // the module of that name and its version
		strings.HasSuffix(squash(v), name): // wantPassword, _RSAPrivateKey
		return false
	case quoted:
		return len(v) >= 4
	case len(v) < 4 || strings.ContainsAny(v, "()[]{}") || member(v):
		return false
	}
	// A look at the surroundings, bounded so that a long line stays linear.
	before, after := s[max(0, start-around):start], s[to:min(len(s), to+around)]
	last := strings.TrimSpace(after) == ""
	if loose {
		first := start < around && strings.Trim(before, " \t-+") == ""
		return last && (digit || first && lower && len(v) >= 6 && name != "token" && strings.HasSuffix(key, name))
	}
	// Letters only: a setting, or an argument f(password=password).
	argument := start > 0 && strings.IndexByte("(,.", s[start-1]) >= 0 || to < len(s) && s[to] == ',' || strings.Contains(before, "(")
	return digit || !argument
}

// member reports self.password2 and opts.Token: words joined by dots.
func member(v string) bool {
	head, rest, ok := strings.Cut(v, ".")
	if !ok || head == "" || rest == "" || !isLetter(rest[0]) {
		return false
	}
	for i := range len(v) {
		if !isAlnum(v[i]) && v[i] != '_' && v[i] != '.' {
			return false
		}
	}
	return len(head) < 16
}

// authValue finds what follows the scheme in `Authorization: Bearer …`.
func authValue(s string, i int) (from, to int, kind string) {
	for i < len(s) && strings.IndexByte("\\\"'`", s[i]) >= 0 {
		i++
	}
	from = i
	for from < len(s) && from-i < 16 && isLetter(s[from]) {
		from++
	}
	if from == i || from == len(s) || s[from] != ' ' { // a bare key
		if to = credentials(s, i); to-i >= 16 && strings.ContainsAny(s[i:to], "0123456789") && !isPlaceholder(s[i:to]) {
			return i, to, Bearer
		}
		return 0, 0, ""
	}
	from++
	to = credentials(s, from)
	if to-from < 6 || isPlaceholder(s[from:to]) || to < len(s) && strings.IndexByte("([{<$", s[to]) >= 0 {
		return 0, 0, ""
	}
	return from, to, Bearer
}

// matchBearer finds Bearer and Basic credentials that stand without their
// header; there, only what cannot be a word.
func matchBearer(s string, i int) (from, to int, kind string) {
	switch {
	case strings.HasPrefix(s[i:], "Bearer "):
		from = i + len("Bearer ")
	case strings.HasPrefix(s[i:], "Basic "):
		from = i + len("Basic ")
	default:
		return 0, 0, ""
	}
	to = credentials(s, from)
	v := s[from:to]
	if len(v) < 16 || !strings.ContainsAny(v, "0123456789") || strings.HasPrefix(v, "http") || isPlaceholder(v) {
		return 0, 0, ""
	}
	return from, to, Bearer
}

func credentials(s string, i int) int {
	for i < len(s) && (isBase64(s[i]) || strings.IndexByte("-._~", s[i]) >= 0) {
		i++
	}
	return i
}

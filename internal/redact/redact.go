// Package redact takes secrets out of text, line by line, in linear time.
//
// It is a leaf: every package may import it and it imports none of ours. Which
// text is redacted is the caller's decision. There are no regular expressions
// here: a line is scanned once, byte by byte, and only a byte that ends or
// begins something telling (the _ of ghp_, the = of password=) makes the
// scanner look around it.
//
// A secret becomes [redacted:kind] and the rest of its line stays. Only what
// looks like a literal is taken: not $PASSWORD, ***, parser.next() or a type.
package redact

import (
	"slices"
	"strings"
)

// The kinds of secret, as they stand in [redacted:kind] and in the setting
// compact.tee.redact_patterns.
const (
	AWS        = "aws" // access key ids, and secret keys beside their name
	GitHub     = "github"
	GitLab     = "gitlab"
	Slack      = "slack" // tokens and webhook URLs
	JWT        = "jwt"
	Bearer     = "bearer" // Authorization headers of any scheme
	PrivateKey = "ssh-private-key"
	Google     = "google"
	Stripe     = "stripe"
	NPM        = "npm"
	PyPI       = "pypi"
	Anthropic  = "anthropic"
	OpenAI     = "openai"
	URL        = "url"      // the password of scheme://user:password@host
	Password   = "password" // password=, secret:, "api_key": … with a literal value
)

// Kinds returns every kind.
func Kinds() []string {
	return []string{AWS, GitHub, GitLab, Slack, JWT, Bearer, PrivateKey, Google, Stripe, NPM, PyPI, Anthropic, OpenAI, URL, Password}
}

// A Redactor goes through the lines of one text in order, since a private key
// spans several. The zero value takes every kind.
type Redactor struct {
	only []string // nil: every kind
	key  keyBlock
}

// New returns a Redactor for some kinds; none given means every kind. A kind
// that does not exist is ignored.
func New(kinds ...string) *Redactor { return &Redactor{only: kinds} }

// Line returns one line of text without its secrets. A line without any is
// returned as it is, without allocating. A private key is recognized only
// when it stands on this one line, which has no line feed.
func Line(s string) string {
	var r Redactor
	return r.Line(s)
}

// Text returns a text of any number of lines without its secrets. Lines end as
// they did.
func Text(s string) string { return new(Redactor).Text(s) }

// Text is like the function Text; the next call goes on where this one ended.
func (r *Redactor) Text(s string) string {
	var b strings.Builder
	at, done := 0, 0 // in s; what is before done is in b
	for line := range strings.Lines(s) {
		body := strings.TrimSuffix(line, "\n")
		if out := r.Line(body); out != body {
			if done == 0 {
				b.Grow(len(s))
			}
			b.WriteString(s[done:at])
			b.WriteString(out)
			done = at + len(body)
		}
		at += len(line)
	}
	if done == 0 { // nearly always: a copy would be what a hook allocates most
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// Line is like the function Line, and replaces the lines of a private key
// between its BEGIN and END, each by one marker.
func (r *Redactor) Line(s string) string {
	if r.key.open && r.takes(PrivateKey) {
		if out, inside := r.key.next(s); inside {
			return out
		}
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if !telling[s[i]] {
			continue
		}
		from, to, kind := match(s, i)
		if kind == "" || from < done || !r.takes(kind) {
			continue
		}
		if kind == PrivateKey {
			r.key.begin(s, i, to)
		}
		b.WriteString(s[done:from])
		if from < to {
			b.WriteString(mark(kind))
		}
		done, i = to, max(i, to-1)
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func (r *Redactor) takes(kind string) bool {
	return len(r.only) == 0 || slices.Contains(r.only, kind)
}

func mark(kind string) string { return "[redacted:" + kind + "]" }

// telling are the bytes at which match looks for a secret. They are chosen to
// be rare in logs, one for each thing that is looked for.
var telling = [256]bool{
	'_': true, '-': true, // prefixes: ghp_, glpat-
	'J': true, 'I': true, 'z': true, // eyJ, AKIA, ASIA, AIza
	'=': true, ':': true, // password=, token:, ://
	'B': true, // Bearer, Basic
	'v': true, // the webhook's /services/
}

// match returns the secret s[from:to] that the telling byte s[i] belongs to,
// and its kind, or no kind.
func match(s string, i int) (from, to int, kind string) {
	switch s[i] {
	case '-':
		if strings.HasPrefix(s[i:], keyBegin) {
			return matchKey(s, i)
		}
		return matchToken(s, i)
	case '_', 'I', 'z':
		return matchToken(s, i)
	case 'J':
		return matchJWT(s, i)
	case 'B':
		return matchBearer(s, i)
	case 'v':
		return matchWebhook(s, i)
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return matchURL(s, i+3)
		}
		return matchValue(s, i)
	case '=':
		return matchValue(s, i)
	}
	return 0, 0, ""
}

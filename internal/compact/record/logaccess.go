package record

import "strings"

// A served request is a line of an access log in the common or the combined
// format: `10.0.0.1 - - [20/Nov/2026:15:37:22 +0000] "GET / HTTP/1.1" 200 157`.
type served struct {
	status string
	asked  string // method and path, without the query, numbers alike
}

// request reports whether s is a line of an access log.
func request(s string) bool { return strings.Contains(s, ` HTTP/`) && strings.Contains(s, `" `) }

func readRequest(s string) (served, bool) {
	_, rest, ok := strings.Cut(s, `"`)
	if !ok || !request(s) {
		return served{}, false
	}
	asked, rest, _ := strings.Cut(rest, `" `)
	status, _, _ := strings.Cut(rest, " ")
	if len(status) != 3 || !digitsOnly(status) {
		return served{}, false
	}
	asked, _, _ = strings.Cut(asked, "?")
	asked, _, _ = strings.Cut(asked, " HTTP/")
	return served{status, numberless(asked)}, true
}

// failed reports whether the answer was an error.
func (r served) failed() bool { return r.status[0] == '4' || r.status[0] == '5' }

// request keeps the first of equal requests, failed ones before others; who
// asked does not make them different.
func (p *log) request(l Line, r served, emit Emit) {
	key := r.status + " " + r.asked
	limit := logServed
	if r.failed() {
		limit = logRequests
	}
	if !p.requests[key] {
		if len(p.requests) >= limit {
			emit.line(Body, l)
			return
		}
		p.requests.add(key, limit)
	}
	emit(Record{Class: Keep, Key: key, Lines: []Line{l}})
}

// numberless replaces each number by one mark.
func numberless(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch digit := s[i] >= '0' && s[i] <= '9'; {
		case !digit:
			b.WriteByte(s[i])
		case i == 0 || s[i-1] < '0' || s[i-1] > '9':
			b.WriteByte('#')
		}
	}
	return b.String()
}

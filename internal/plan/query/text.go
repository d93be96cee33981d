package query

import (
	"strconv"
	"strings"
	"time"
)

func generateSlug(c *call) result {
	require(c.arg(0) != "", "usage", "text required for slug generation")
	s := slug(c.arg(0))
	return dataRaw(object{{"slug", s}}, s)
}

func currentTimestamp(c *call) result {
	now := time.Now().UTC()
	t := now.Format(millis)
	switch c.arg(0) {
	case "date":
		t = now.Format(time.DateOnly)
	case "filename":
		t = now.Format("2006-01-02T15-04-05")
	}
	return dataRaw(object{{"timestamp", t}}, t)
}

// quotaSigns are how agents' services say that there is no more today, in
// lower case.
var quotaSigns = []string{
	"usage limit", "rate limit", "rate_limit", "ratelimit", "quota", "too many requests", "429", "limit reached",
	"hit your limit", "insufficient credit", "credit balance", "resource_exhausted", "resource exhausted",
}

// classifyFailure tells a spent quota, and a known fault of the host at the
// end of an agent's run, from what an agent did wrong itself.
func classifyFailure(c *call) result {
	lower := strings.ToLower(strings.Join(c.args, " "))
	if strings.Contains(lower, "classifyhandoffifneeded") {
		return dataRaw(object{{"class", "classify-handoff-bug"}}, "classify-handoff-bug")
	}
	for _, sign := range quotaSigns {
		if strings.Contains(lower, sign) {
			o := object{{"class", "quota-exceeded"}, {"sentinel", sign}}
			if seconds, ok := retryAfter(lower); ok {
				o = o.with("retryAfterSeconds", seconds)
			}
			return dataRaw(o, "quota-exceeded")
		}
	}
	return dataRaw(object{{"class", "unknown-failure"}}, "unknown-failure")
}

// retryAfter reads "retry after 30", "retry-after: 30s" and "try again in 5
// minutes".
func retryAfter(lower string) (seconds int, ok bool) {
	for _, phrase := range []string{"retry-after", "retry after", "retry_after", "try again in", "retry in"} {
		_, rest, found := strings.Cut(lower, phrase)
		if !found {
			continue
		}
		rest = strings.TrimLeft(rest, " :=\"'")
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			continue
		}
		unit := strings.TrimLeft(rest[len(digits):], " ")
		switch {
		case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"):
			n = (n + 999) / 1000
		case strings.HasPrefix(unit, "m"):
			n *= 60
		case strings.HasPrefix(unit, "h"):
			n *= 3600
		}
		return n, true
	}
	return 0, false
}

// websearch never opens a socket: a query is answered from the disk.
func websearch(c *call) result {
	switch {
	case c.Getenv("BRAVE_API_KEY") == "":
		return dataRaw(object{{"available", false}, {"reason", "BRAVE_API_KEY not set"}}, "")
	case c.arg(0) == "" || strings.HasPrefix(c.arg(0), "--"):
		return dataRaw(object{{"available", false}, {"error", "Query required"}}, "")
	}
	return dataRaw(object{{"available", false}, {"reason", "cairn plan query opens no socket; use the agent's own search"}}, "")
}

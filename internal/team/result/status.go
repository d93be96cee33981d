package result

import (
	"fmt"
	"strconv"
	"strings"
)

// StatusOf reads the words that runners use for an outcome.
func StatusOf(word string) (Status, error) {
	switch strings.ToLower(word) {
	case "pass", "passed", "ok", "success":
		return Pass, nil
	case "fail", "failed", "failure":
		return Fail, nil
	case "skip", "skipped", "pending", "todo", "disabled":
		return Skip, nil
	case "error", "errored":
		return Error, nil
	}
	return "", fmt.Errorf("%q is no status: pass, fail, skip or error is wanted", word)
}

// Set says how the result ended, in both members that say so.
func (r *Result) Set(s Status) { r.Status, r.Passed = s, s == Pass }

// Count adds one result of a status.
func (c *Counts) Count(s Status) {
	c.Total++
	switch s {
	case Pass:
		c.Passed++
	case Fail:
		c.Failed++
	case Skip:
		c.Skipped++
	case Error:
		c.Errored++
	}
}

// Judged is how many passed or failed: what a pass rate is a share of.
func (c Counts) Judged() int { return c.Passed + c.Failed }

// Rate is the share of what was judged that passed; ok is false where nothing
// was judged.
func (c Counts) Rate() (rate float64, ok bool) {
	if c.Judged() == 0 {
		return 0, false
	}
	return float64(c.Passed) / float64(c.Judged()), true
}

// Bounds returns the lowest and the highest score of the scale.
func (s Scale) Bounds() (lo, hi float64, err error) {
	if s == "" {
		return 0, 1, nil
	}
	low, high, ok := strings.Cut(string(s), "-")
	lo, err1 := strconv.ParseFloat(low, 64)
	hi, err2 := strconv.ParseFloat(high, 64)
	if !ok || err1 != nil || err2 != nil || !(lo < hi) {
		return 0, 0, fmt.Errorf(`%q is no scale: "0-1" or "1-5" is wanted`, string(s))
	}
	return lo, hi, nil
}

// Is reports whether two scales are the same; "" is "0-1".
func (s Scale) Is(t Scale) bool {
	alo, ahi, aerr := s.Bounds()
	blo, bhi, berr := t.Bounds()
	return aerr == nil && berr == nil && alo == blo && ahi == bhi
}

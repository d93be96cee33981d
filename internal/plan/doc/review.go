package doc

import "strings"

// Finding is one of a REVIEW.md: a heading such as `### WR-01: title`.
type Finding struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Line  int    `json:"line"` // from 1
}

// Warning reports whether it is less than critical and more than a remark.
func (f Finding) Warning() bool { return strings.HasPrefix(f.ID, "WR-") }

// Settled reports whether what a review found is dealt with, by its own status.
func Settled(review *Text) bool {
	switch strings.ToLower(review.Front().Get("status").Text()) {
	case "clean", "fixed", "resolved", "skipped", "accepted":
		return true
	}
	return false
}

// ReadFindings reads a review.
func ReadFindings(t *Text) (out []Finding) {
	for _, s := range t.Sections() {
		id, title, ok := strings.Cut(s.Text, ":")
		if prefix, number, dashed := strings.Cut(id, "-"); ok && dashed && len(prefix) == 2 && number != "" && countDigits(number) == len(number) {
			out = append(out, Finding{id, strings.TrimSpace(title), s.Line + 1})
		}
	}
	return out
}

// Unanswered returns the warnings of a review that are open and that a verification does
// not name: they may contradict what it says.
func Unanswered(review, verification *Text) (out []Finding) {
	if Settled(review) {
		return nil
	}
	for _, f := range ReadFindings(review) {
		if f.Warning() && !strings.Contains(verification.String(), f.ID) {
			out = append(out, f)
		}
	}
	return out
}

package dashboard

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Filter is what of a team is shown, as addresses have it:
// ?weeks=12 or ?from=2026-01-05&to=2026-03-01, and repo, person, branch.
type Filter struct {
	Weeks    int // 0 where From and To are given
	From, To time.Time
	Repo     string
	Person   string // a member's id, or the name of a git author
	Branch   string
	asked    bool // the address names a time
}

// usualWeeks is what is shown where nothing is asked for; mostWeeks is all that can be.
const (
	usualWeeks = 12
	mostWeeks  = 260
	mostName   = 1000 // bytes of a repository, a person, a branch: each link of a page repeats them
)

// readFilter reads an address. The range ends with the running week, or with
// the day that was asked for.
func readFilter(q url.Values, now time.Time) (Filter, error) {
	f := Filter{Weeks: usualWeeks, asked: q.Has("weeks") || q.Has("from") || q.Has("to"), Repo: q.Get("repo"), Person: q.Get("person"), Branch: q.Get("branch")}
	for name, values := range q {
		for _, text := range values { // PostgreSQL stores no other text, so nothing can be called so
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return f, fmt.Errorf("%s must be text in UTF-8 without a NUL", strings.ToValidUTF8(name, "?"))
			}
		}
	}
	if max(len(f.Repo), len(f.Person), len(f.Branch)) > mostName {
		return f, fmt.Errorf("repo, person and branch must have at most %d bytes each", mostName)
	}
	if text := q.Get("weeks"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostWeeks {
			return f, fmt.Errorf("weeks must be 1 to %d, not %q", mostWeeks, text)
		}
		f.Weeks = n
	}
	monday := now.UTC().Truncate(24 * time.Hour)
	monday = monday.AddDate(0, 0, -(int(monday.Weekday())+6)%7)
	f.To = monday.AddDate(0, 0, 7)
	f.From = f.To.AddDate(0, 0, -7*f.Weeks)
	for _, end := range [...]struct {
		name string
		to   *time.Time
		plus int
	}{{"from", &f.From, 0}, {"to", &f.To, 1}} {
		text := q.Get(end.name)
		if text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return f, fmt.Errorf("%s must be a day such as 2026-03-02, not %q", end.name, text)
		}
		*end.to = at.AddDate(0, 0, end.plus)
		f.Weeks = 0
	}
	if !f.From.Before(f.To) {
		return f, fmt.Errorf("from %s to %s is not a period", q.Get("from"), q.Get("to"))
	}
	if f.To.Sub(f.From) > mostWeeks*7*24*time.Hour {
		return f, fmt.Errorf("at most %d weeks can be shown at once", mostWeeks)
	}
	return f, nil
}

// presets are the weeks that pages offer.
var presets = [...]int{4, 12, 26, 52, 104}

// reach is the filter with as many weeks as reach back to the newest record, where
// nobody asked for a time and the usual one has none.
func (f Filter) reach(newest time.Time) Filter {
	if f.asked || newest.IsZero() {
		return f
	}
	for _, n := range presets {
		if n > f.Weeks && newest.Before(f.From) {
			f.Weeks, f.From = n, f.To.AddDate(0, 0, -7*n)
		}
	}
	return f
}

// query is the filter as an address has it, without what is usual.
func (f Filter) query() url.Values {
	q := url.Values{}
	switch {
	case f.Weeks == 0:
		q.Set("from", f.From.Format(time.DateOnly))
		q.Set("to", f.To.AddDate(0, 0, -1).Format(time.DateOnly))
	case f.Weeks != usualWeeks || f.asked:
		q.Set("weeks", strconv.Itoa(f.Weeks))
	}
	for name, value := range map[string]string{"repo": f.Repo, "person": f.Person, "branch": f.Branch} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

package retro

import (
	"slices"
	"time"
)

// Two commits of a person are of one session when no more than gap lies between
// them; a deep one lasts at least deep, from its first commit to its last. Where
// the values come from is in docs/retro.md.
const (
	gap  = 45 * time.Minute
	deep = 50 * time.Minute
)

// sessions are a person's, added up.
type sessions struct {
	count, deep int
	total       time.Duration
}

func (s *sessions) add(o sessions) {
	s.count += o.count
	s.deep += o.deep
	s.total += o.total
}

// minutes is the average length.
func (s sessions) minutes() float64 {
	if s.count == 0 {
		return 0
	}
	return rounded(s.total.Minutes()/float64(s.count), 10)
}

// sessionsOf splits times of commits, in seconds; it sorts them.
func sessionsOf(times []int64) sessions {
	var s sessions
	slices.Sort(times)
	for begin := 0; begin < len(times); {
		end := begin
		for end+1 < len(times) && times[end+1]-times[end] <= int64(gap/time.Second) {
			end++
		}
		length := time.Duration(times[end]-times[begin]) * time.Second
		s.count++
		s.total += length
		if length >= deep {
			s.deep++
		}
		begin = end + 1
	}
	return s
}

// days are days on which something was committed, as numbers in a row.
type days map[int]bool

// streak is how many in a row end with last, or with the day before: a day that
// is not over breaks nothing.
func (d days) streak(last int) int {
	if !d[last] {
		last--
	}
	n := 0
	for d[last-n] {
		n++
	}
	return n
}

// dayOf is the number of the day that a time is in, in a zone.
func dayOf(seconds int64, zone *time.Location) int {
	y, m, d := time.Unix(seconds, 0).In(zone).Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

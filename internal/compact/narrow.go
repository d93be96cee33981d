package compact

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/redact"
)

// What nothing could be left out of is cut all the same where the host shows
// only a part of it: its own cut knows nothing of errors and names no way back.
// Long lines lose what is between their ends and around errors in them, and of
// very many lines both ends stay and those that speak of errors.

const (
	narrowHead = 200 // bytes of the header and markers
	narrowLine = 400 // bytes that a line is never cut below
	narrowNear = 120 // bytes around an error in a long line
)

// narrowed is the result for an output of which nothing was left out, if the
// host shows less than all of it and the rest can be stored.
func (s *Stream) narrowed(raw string, m Meta) (Result, bool) {
	room := s.opt.Tee.Most - narrowHead
	if s.nested > 0 || room < narrowLine || len(raw) <= s.opt.Tee.Most || !s.tees() {
		return Result{}, false
	}
	res := s.deliver(narrow(raw, room), m)
	return res, res.Meta.TeeID != ""
}

// narrow cuts a text to so many bytes.
func narrow(raw string, room int) string {
	var secrets redact.Redactor
	var ls []string
	for l := range strings.SplitSeq(strings.TrimSuffix(raw, "\n"), "\n") {
		ls = append(ls, secrets.Line(lines.Clean(l)))
	}
	if most := fits(ls, room); most >= narrowLine {
		for i, l := range ls {
			ls[i] = lines.Around(l, most)
		}
		return strings.Join(ls, "\n") + "\n"
	}
	return fewer(ls, room)
}

// fits returns how long each line may be, so that all have room.
func fits(ls []string, room int) int {
	sizes := make([]int, len(ls))
	for i, l := range ls {
		sizes[i] = len(l) + 1
	}
	slices.Sort(sizes)
	for i, n := range sizes {
		if n*(len(sizes)-i) > room {
			return room/(len(sizes)-i) - 1
		}
		room -= n
	}
	return room
}

// fewer keeps of very many lines those that speak of errors, and both ends.
func fewer(ls []string, room int) string {
	keep := make([]bool, len(ls))
	left := room
	take := func(i, least int) bool {
		n := min(len(ls[i]), narrowLine) + len(Omission(1)) + 1
		if keep[i] || left-n < least {
			return keep[i]
		}
		keep[i] = true
		left -= n
		return true
	}
	for i, l := range ls {
		if lines.Classify(l[:min(len(l), guardMax)]) >= lines.Trouble && !take(i, room/2) {
			break
		}
	}
	for head, tail := 0, len(ls)-1; head <= tail; head, tail = head+1, tail-1 {
		if !take(tail, 0) || !take(head, 0) {
			break
		}
	}
	var b strings.Builder
	gone := 0
	for i, l := range ls {
		if !keep[i] {
			gone++
			continue
		}
		if gone > 0 {
			b.WriteString(Omission(gone))
			gone = 0
		}
		b.WriteString(lines.Around(l, narrowLine) + "\n")
	}
	if gone > 0 {
		b.WriteString(Omission(gone))
	}
	return b.String()
}

package lines

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cairn/internal/text"
)

// A span is a part of a line that stays.
type span struct{ from, to int }

const (
	faultNear = 120 // bytes behind the beginning of a word that speaks of an error
	faultsMax = 200 // such words of one line that are looked at
)

// Around cuts a line to about so many bytes: its ends and what is around errors
// in it stay.
func Around(s string, most int) string {
	const marker = len(" [… 100,000 bytes …] ")
	if len(s) <= most+marker {
		return s
	}
	labelled, words := faultsIn(s)
	return spans(s, most/5, most/5, most-2*(most/5)-2*marker, append(labelled, words...))
}

// spans cuts a line to its ends and to as much around the places as there is room for.
func spans(s string, head, tail, room int, places []int) string {
	keep := []span{{0, head}, {len(s) - tail, len(s)}}
	for _, at := range places {
		sp := span{max(0, at-faultNear/2), min(len(s), at+faultNear)}
		if slices.ContainsFunc(keep, func(k span) bool { return at >= k.from && at < k.to-faultNear/2 }) {
			continue
		}
		if room -= sp.to - sp.from; room < 0 {
			break
		}
		keep = append(keep, sp)
	}
	slices.SortFunc(keep, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	end := 0
	for _, k := range keep {
		for k.from > end && k.from < k.to && !utf8.RuneStart(s[k.from]) {
			k.from++
		}
		for k.to < len(s) && !utf8.RuneStart(s[k.to]) {
			k.to--
		}
		if k.from > end {
			b.WriteString(" [… " + text.Thousands(k.from-end) + " bytes …] ")
			end = k.from
		}
		if k.to > end {
			b.WriteString(s[end:k.to])
			end = k.to
		}
	}
	return b.String()
}

// faultWords are what a long line is searched for, by their first letters.
var faultWords = [...]string{"error", "exception", "fail", "fatal", "panic", "denied", "refused", "not found", "cannot", "undefined", "unexpected", "expected", "invalid", "assert"}

const faultLetters = "eEfFpPdDrRnNcCuUiIaA"

// faultsIn returns where a line speaks of errors: where they are labelled so, and
// where they are only words.
func faultsIn(s string) (labelled, words []int) {
	for i := 0; i < len(s) && len(labelled)+len(words) < faultsMax; i++ {
		if strings.IndexByte(faultLetters, s[i]) < 0 || i > 0 && isLetter(s[i-1]) && (s[i] > 'Z' || s[i-1] < 'a') {
			continue // not one of them, or within a word
		}
		for _, w := range faultWords {
			if len(s)-i < len(w) || !strings.EqualFold(s[i:i+len(w)], w) {
				continue
			}
			if Classify(s[max(0, i-faultNear/3):min(len(s), i+faultNear)]) >= Trouble {
				labelled = append(labelled, i)
			} else {
				words = append(words, i)
			}
			i += len(w)
			break
		}
	}
	return labelled, words
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

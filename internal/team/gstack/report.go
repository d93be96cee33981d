package gstack

import (
	"errors"
	"slices"
	"strings"

	"cairn/internal/team/result"
)

// A Kind is what something becomes.
type Kind string

const (
	Runs     Kind = "eval run"
	Retros   Kind = "retro"
	QA       Kind = "QA report"
	Ships    Kind = "ship"
	Verdicts Kind = "verdict"
	Settings Kind = "setting"
	Others   Kind = "other" // what becomes nothing
)

// kinds are in the order of a report.
var kinds = [...]Kind{Runs, Retros, QA, Ships, Verdicts, Settings, Others}

// A Count says how many there are of a kind. Found is the sum of the others. A
// file that cannot be read, or is not looked into, counts as one.
type Count struct {
	Kind    Kind `json:"kind"`
	Found   int  `json:"found"`
	New     int  `json:"new"`
	Here    int  `json:"already_here"`
	LeftOut int  `json:"left_out"`
}

// Left is what was left out.
type Left struct {
	Kind  Kind   `json:"kind"`
	Path  string `json:"path"`
	Line  int    `json:"line,omitzero"` // from 1
	Name  string `json:"name,omitzero"` // of a setting, or which record of several
	Count int    `json:"count"`         // how many of the kind
	Why   string `json:"why"`
	Bad   bool   `json:"bad,omitzero"` // it ought to have been readable
}

// Taken is a setting that was taken.
type Taken struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// A Report says what became of what was found.
type Report struct {
	Counts   []Count  `json:"kinds"` // of kinds that were found
	Left     []Left   `json:"left_out"`
	Settings []Taken  `json:"settings"`
	Looked   []string `json:"looked_in"` // directories and files that are there
	Notes    []Left   `json:"notes"`     // what of a record that was kept was lost; Count is 0

	wrong map[string]int // what could not be read, by path
}

func newReport() *Report {
	return &Report{Counts: []Count{}, Left: []Left{}, Settings: []Taken{}, Looked: []string{}, Notes: []Left{}, wrong: map[string]int{}}
}

// Bad is how many things could not be read.
func (r *Report) Bad() (n int) {
	for _, l := range r.Left {
		if l.Bad {
			n += l.Count
		}
	}
	return n
}

// Sum adds up all kinds.
func (r *Report) Sum() (sum Count) {
	for _, c := range r.Counts {
		sum.Found, sum.New, sum.Here, sum.LeftOut = sum.Found+c.Found, sum.New+c.New, sum.Here+c.Here, sum.LeftOut+c.LeftOut
	}
	return sum
}

// count is the entry of a kind, in the order of kinds.
func (r *Report) count(kind Kind) *Count {
	at := 0
	for _, k := range kinds {
		if at < len(r.Counts) && r.Counts[at].Kind == k {
			if k == kind {
				return &r.Counts[at]
			}
			at++
		} else if k == kind {
			break
		}
	}
	r.Counts = append(r.Counts[:at], append([]Count{{Kind: kind}}, r.Counts[at:]...)...)
	return &r.Counts[at]
}

func (r *Report) kept(kind Kind, fresh bool) {
	c := r.count(kind)
	c.Found++
	if fresh {
		c.New++
	} else {
		c.Here++
	}
}

func (r *Report) left(l Left) {
	if l.Count == 0 {
		l.Count = 1
	}
	c := r.count(l.Kind)
	c.Found += l.Count
	c.LeftOut += l.Count
	if l.Bad {
		if r.wrong[l.Path]++; r.wrong[l.Path] == mostWrong {
			l.Line, l.Name, l.Why = 0, "", moreWhy
		} else if r.wrong[l.Path] > mostWrong {
			i := slices.IndexFunc(r.Left, func(o Left) bool { return o.Path == l.Path && o.Why == moreWhy })
			r.Left[i].Count += l.Count
			return
		}
	}
	r.Left = append(r.Left, l)
}

const (
	mostWrong = 1000 // of one file
	moreWhy   = "and more of the kind"
)

func (r *Report) bad(kind Kind, path string, line int, why string) {
	r.left(Left{Kind: kind, Path: path, Line: line, Why: why, Bad: true})
}

// broken tells of a file, or of a line of one, that cannot be read.
func (r *Report) broken(kind Kind, path string, line int, err error) {
	at, why := explain(err)
	r.bad(kind, path, max(line, at), why)
}

// explain takes the line out of an error of a file.
func explain(err error) (line int, why string) {
	var one result.Problem
	var all result.Problems
	switch {
	case errors.As(err, &one):
	case errors.As(err, &all) && len(all) > 0:
		one = all[0]
	default:
		return 0, err.Error()
	}
	line, one.Line = one.Line, 0
	return line, strings.TrimSpace(one.Error())
}

package evalpage

import (
	"bytes"
	"cmp"
	_ "embed" // compare.css, compare.js
	"fmt"
	"io"

	"cairn/internal/team/compare"
	"cairn/internal/team/page"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

//go:embed compare.css
var compareCSS []byte

//go:embed compare.js
var compareJS []byte

// Compare writes a comparison as one page that needs nothing else.
func Compare(w io.Writer, c *compare.Comparison) error {
	return page.File(w, (&Linked{Shown: c.Shown()}).Page())
}

// Linked is a comparison whose cases lead to their pages.
type Linked struct {
	compare.Shown
	Bases []string             `json:"bases,omitempty"` // of links to a case of A and of B; its id follows
	IDs   map[string][2]string `json:"ids,omitempty"`   // of the cases, by suite, newline and title; "" where a side has none
	Runs  []string             `json:"runs,omitempty"`  // the pages of A and of B
}

// A Side is one of two runs that are compared: all of it, or one variant.
type Side struct {
	Run     *result.Run
	Variant string // as a page shows it; "" is all
	Link    string // the run's page
	Base    string // of a link to a case of it
}

// Diff compares B with A.
func Diff(a, b Side) (*compare.Comparison, error) {
	var runs [2]*result.Run
	for i, s := range [...]Side{a, b} {
		if runs[i] = s.Run; s.Variant != "" {
			if runs[i] = OfVariant(s.Run, s.Variant); runs[i] == nil {
				return nil, fmt.Errorf("the run has no variant %q", text.First(s.Variant, 100))
			}
		}
	}
	diff := compare.Runs(runs[0], runs[1], compare.Options{})
	for i, s := range [...]Side{a, b} {
		if of := [...]*compare.Side{&diff.A, &diff.B}[i]; s.Variant != "" {
			of.Ref = "variant " + s.Variant
		}
	}
	return diff, nil
}

// Beside compares B with A, and leads to the cases of both.
func Beside(a, b Side, id IDs) (*Linked, error) {
	diff, err := Diff(a, b)
	if err != nil {
		return nil, err
	}
	ids := map[string][2]string{}
	for i, s := range [...]Side{a, b} {
		for k := range s.Run.Results {
			r := &s.Run.Results[k]
			title := r.Title()
			switch {
			case s.Variant == "":
			case Visible(r.Variant) != s.Variant:
				continue
			default:
				title = r.Name
			}
			key := cmp.Or(r.Suite, s.Run.Suite) + "\n" + title
			both := ids[key]
			both[i] = id(s.Run, r)
			ids[key] = both
		}
	}
	l := &Linked{Shown: diff.Shown(), Bases: []string{a.Base, b.Base}, Runs: []string{a.Link, b.Link}, IDs: map[string][2]string{}}
	for _, k := range diff.Cases {
		if k.Class == compare.Passed {
			continue
		}
		key := k.Suite + "\n" + k.Name
		if len(diff.Suites) < 2 { // the page then says no suite
			l.IDs["\n"+k.Name] = ids[key]
		} else {
			l.IDs[key] = ids[key]
		}
	}
	return l, nil
}

// Page is the comparison as a page of its own.
func (l *Linked) Page() page.Page {
	return page.Page{Title: "eval compare: " + string(l.Verdict), CSS: compareCSS, JS: compareScript(), Data: l}
}

func compareScript() []byte { return bytes.Join([][]byte{wordsJS, compareJS}, []byte("\n")) }

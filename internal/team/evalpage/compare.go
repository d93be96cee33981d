package evalpage

import (
	"bytes"
	"cmp"
	_ "embed" // compare.css, compare.js
	"fmt"
	"io"
	"strings"

	"cairn/internal/team/compare"
	"cairn/internal/team/page"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

//go:embed compare.css
var compareCSS []byte

//go:embed compare.js
var compareJS []byte

// Compare writes a comparison of two runs, with what was asked and answered in them,
// as one page that needs nothing else.
func Compare(w io.Writer, c *compare.Comparison, a, b *result.Run) error {
	l := link(c, Side{Run: a}, Side{Run: b}, func(*result.Run, *result.Result) string { return "" })
	l.Bases, l.IDs, l.Runs = nil, nil, nil
	return page.File(w, l.Page())
}

// Linked is a comparison whose cases lead to their pages.
type Linked struct {
	compare.Shown
	Bases []string             `json:"bases,omitempty"` // of links to a case of A and of B; its id follows
	IDs   map[string][2]string `json:"ids,omitempty"`   // of the cases, by suite, newline and title; "" where a side has none
	Runs  []string             `json:"runs,omitempty"`  // the pages of A and of B
	Said  map[string]*Said     `json:"said,omitempty"`  // what was asked and answered in the cases, by the same
}

// Said is what was asked and answered in one case of a comparison.
type Said struct {
	Asked []Text `json:"asked,omitempty"`
	A     []Text `json:"a,omitempty"`
	B     []Text `json:"b,omitempty"`
}

const (
	mostBeside  = 6_000   // bytes of a text in a comparison; the case's page has it whole
	mostSaidAll = 8 << 20 // of all texts in one
)

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
	return link(diff, a, b, id), nil
}

// link leads from a comparison to the cases of both sides.
func link(diff *compare.Comparison, a, b Side, id IDs) *Linked {
	ids, results := map[string][2]string{}, map[string][2]*result.Result{}
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
			went := results[key]
			if went[i] == nil || went[i].Status == result.Pass { // the first that did not pass, or the last
				went[i] = r
			}
			results[key] = went
		}
	}
	l := &Linked{Shown: diff.Shown(), Bases: []string{a.Base, b.Base}, Runs: []string{a.Link, b.Link}, IDs: map[string][2]string{}, Said: map[string]*Said{}}
	left := mostSaidAll
	for _, k := range diff.Cases {
		if k.Class == compare.Passed {
			continue
		}
		key := k.Suite + "\n" + k.Name
		shown := key
		if len(diff.Suites) < 2 { // the page then says no suite
			shown = "\n" + k.Name
		}
		l.IDs[shown] = ids[key]
		if said := saidIn(results[key], &left); said != nil {
			l.Said[shown] = said
		}
	}
	return l
}

// saidIn is what was asked and answered, as long as there are bytes left for it.
func saidIn(went [2]*result.Result, left *int) *Said {
	var s Said
	for i, r := range went {
		if r == nil || *left <= 0 {
			continue
		}
		answer := [...]*[]Text{&s.A, &s.B}[i]
		*answer = brief(answered(r), left)
		if s.Asked == nil {
			texts, _ := asked(r)
			s.Asked = brief(texts, left)
		}
	}
	if s.Asked == nil && s.A == nil && s.B == nil {
		return nil
	}
	return &s
}

func brief(texts []Text, left *int) []Text {
	for i := range texts {
		t := &texts[i]
		if n := len(t.Text); n > mostBeside {
			t.Text = strings.ToValidUTF8(t.Text[:mostBeside], "")
			t.Cut += n - len(t.Text)
		}
		*left -= len(t.Text)
	}
	return texts
}

// Page is the comparison as a page of its own.
func (l *Linked) Page() page.Page {
	return page.Page{Title: "eval compare: " + string(l.Verdict), CSS: compareCSS, JS: compareScript(), Data: l}
}

func compareScript() []byte { return bytes.Join([][]byte{wordsJS, compareJS}, []byte("\n")) }

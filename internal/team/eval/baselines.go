package eval

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/result"
)

// Tiers are the judges' tiers in the order of their cost; a run that names none
// is "".
func Tiers() [4]string { return [4]string{"", "fast", "standard", "full"} }

// A Baseline is where one suite stood under one label: its newest run of each
// judges' tier.
type Baseline struct {
	Repo       string         `json:"repo,omitzero"`
	Suite      string         `json:"suite"`
	Kind       string         `json:"kind,omitzero"`
	Label      string         `json:"label,omitzero"` // without the tier that AutoLabel adds
	Tiers      []TierBaseline `json:"tiers"`          // in the order of Tiers
	Categories []Category     `json:"categories,omitempty"`
	Worst      []Worst        `json:"worst,omitempty"`
	newest     time.Time
}

// A TierBaseline is one run.
type TierBaseline struct {
	Tier string `json:"judge_tier"`
	Point
	Seconds float64  `json:"duration_seconds,omitzero"`
	Scores  []Score  `json:"scores,omitempty"`
	Against *Pairing `json:"against_first,omitempty"` // the first tier's cases and these, where both judged the same commit
}

// A Category has a rate for each tier, nil where nothing was judged.
type Category struct {
	Name  string  `json:"name"`
	Rates []*Rate `json:"pass_rates"`
}

// A Worst is a case that did not always pass.
type Worst struct {
	Title  string   `json:"title"`
	Marks  []string `json:"marks"` // as Tally.Mark, one for each tier; "" where it was not run
	Share  float64  `json:"pass_rate"`
	Reason string   `json:"reason,omitzero"` // as the runner told it
}

// MostWorst is how many of the worst cases a baseline lists.
const MostWorst = 10

// Baselines finds, of entries that are the newest first, the newest run of
// each suite (or of one, unless that is ""), label and tier that is not after a
// time, and reads it. Of each
// suite at most labels labels are told, the newest first; more counts the
// others. 0 labels are all.
func (s *Store) Baselines(entries []Entry, suite string, until time.Time, labels int) (all []Baseline, more int) {
	type key struct{ repo, suite, kind, label string }
	chosen := map[key][]Entry{}
	var order []key
	perSuite := map[key]int{}
	for _, e := range entries {
		if e.Time.After(until) {
			continue
		}
		label := e.baseLabel()
		for _, name := range e.suites() {
			if suite != "" && name != suite {
				continue
			}
			k := key{e.Repo, name, e.Kind, label}
			if chosen[k] == nil {
				series := key{e.Repo, name, e.Kind, ""}
				if perSuite[series]++; labels > 0 && perSuite[series] > labels {
					more++
					chosen[k] = []Entry{} // seen, and not told
					continue
				}
				order = append(order, k)
			} else if len(chosen[k]) == 0 {
				continue
			}
			if !slices.ContainsFunc(chosen[k], func(o Entry) bool { return o.JudgeTier == e.JudgeTier }) {
				chosen[k] = append(chosen[k], e)
			}
		}
	}
	load := s.loader()
	var last *result.Run
	var suites map[string][]*Tally // of that, which is of many baselines
	for _, k := range order {
		b := Baseline{Repo: k.repo, Suite: k.suite, Kind: k.kind, Label: k.label, newest: chosen[k][0].Time.Time}
		for _, e := range chosen[k] {
			run, err := load(e)
			if err != nil {
				continue
			}
			if run != last {
				last, suites = run, bySuite(run)
			}
			b.add(e, pointOf(e, suites[k.suite]))
		}
		if b.settle(); len(b.Tiers) > 0 {
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b Baseline) int {
		return cmp.Or(strings.Compare(a.Repo, b.Repo), strings.Compare(a.Suite, b.Suite), strings.Compare(a.Kind, b.Kind), b.newest.Compare(a.newest))
	})
	return all, more
}

// baseLabel is the label without the tier that AutoLabel adds.
func (e *Entry) baseLabel() string {
	if e.JudgeTier == "" {
		return e.Label
	}
	return strings.TrimSuffix(e.Label, "_"+e.JudgeTier)
}

// OfLabel keeps the entries with a label, at whichever tier.
func OfLabel(entries []Entry, label string) (kept []Entry) {
	return only(entries, func(e *Entry) bool { return e.Label == label || e.baseLabel() == label })
}

func (b *Baseline) add(e Entry, p Point) {
	t := TierBaseline{Tier: e.JudgeTier, Point: p, Scores: Scores(p.tallies)}
	for _, tally := range p.tallies {
		t.Seconds += tally.DurationMS / 1000
	}
	if len(e.suites()) == 1 && e.Seconds > 0 {
		t.Seconds = e.Seconds
	}
	b.Tiers = append(b.Tiers, t)
}

// settle fills in what needs all tiers.
func (b *Baseline) settle() {
	rank := Tiers()
	slices.SortStableFunc(b.Tiers, func(x, y TierBaseline) int {
		return cmp.Or(cmp.Compare(slices.Index(rank[:], x.Tier), slices.Index(rank[:], y.Tier)), strings.Compare(x.Tier, y.Tier))
	})
	for i := range b.Tiers {
		if t := &b.Tiers[i]; i > 0 && sameCommit(t.SHA, b.Tiers[0].SHA) {
			if p := Pair(b.Tiers[0].tallies, t.tallies); p.Cases > 0 {
				t.Against = &p
			}
		}
		for _, g := range GroupBy(b.Tiers[i].tallies, func(t *Tally) string { return t.Category }) {
			at := slices.IndexFunc(b.Categories, func(c Category) bool { return c.Name == g.Name })
			if at < 0 {
				at = len(b.Categories)
				b.Categories = append(b.Categories, Category{g.Name, make([]*Rate, len(b.Tiers))})
			}
			if rate, ok := RateOf(g.Tallies); ok {
				b.Categories[at].Rates[i] = &rate
			}
		}
	}
	slices.SortFunc(b.Categories, func(x, y Category) int { return strings.Compare(x.Name, y.Name) })
	if len(b.Categories) == 1 && b.Categories[0].Name == "" {
		b.Categories = nil
	}
	b.worst()
}

// worst lists the cases that passed least over the tiers.
func (b *Baseline) worst() {
	points := make([]Point, len(b.Tiers))
	reasons := map[string]string{}
	for i := range b.Tiers {
		points[i] = b.Tiers[i].Point
		for _, t := range points[i].tallies {
			if reasons[t.Key] == "" {
				reasons[t.Key] = t.Reason()
			}
		}
	}
	lines := linesOf(points)
	slices.SortStableFunc(lines, func(x, y Line) int { return cmp.Compare(x.Share, y.Share) })
	for _, l := range lines {
		if l.Judged > 0 && l.Share < 1 && len(b.Worst) < MostWorst {
			b.Worst = append(b.Worst, Worst{l.Title, l.Marks, l.Share, reasons[l.Key]})
		}
	}
}

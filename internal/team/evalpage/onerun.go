package evalpage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// Run is what the page of a run shows.
type Run struct {
	Title    string   `json:"title"`
	About    string   `json:"about,omitzero"`
	Links    []Link   `json:"links,omitempty"`
	Facts    []Fact   `json:"facts"`
	Base     string   `json:"base"` // of a link to a case; its id follows
	List     string   `json:"list"` // under which the page stores the order of the cases
	Rows     []Row    `json:"rows"`
	Suites   []string `json:"suites,omitempty"`   // where there are several
	Variants []string `json:"variants,omitempty"` // where there are any
	Compare  []Link   `json:"compare,omitempty"`  // this run beside another
	Pairs    string   `json:"pairs,omitzero"`     // base of a comparison of two variants: &av= and &bv= follow
	Costs    []string `json:"costs,omitempty"`    // by model
	Notes    []string `json:"notes,omitempty"`
	Up       *Link    `json:"up,omitempty"` // the page that lists runs
}

// A Fact is a figure of a run.
type Fact struct {
	What  string `json:"what"`
	Value string `json:"value"`
}

// A Row is one case of a run. Names are short: a page has ten thousands of them.
type Row struct {
	ID      string `json:"id"`
	Title   string `json:"t"`
	Suite   string `json:"s,omitzero"`
	Variant string `json:"v,omitzero"`
	Status  string `json:"st"`
	Tries   string `json:"n,omitzero"`
	Why     string `json:"why,omitzero"`
	Facts   string `json:"f,omitzero"`
}

// IDs name the cases of a run in links.
type IDs func(*result.Run, *result.Result) string

// ranks put first what needs a look.
var ranks = map[string]int{"fail": 0, "error": 1, "flaky": 2, "pass": 3, "skip": 4}

// Rank compares two cases by how they went.
func Rank(a, b *eval.Tally) int { return cmp.Compare(ranks[StatusOf(a)], ranks[StatusOf(b)]) }

// Ordered are a run's cases in the order of its page.
func Ordered(run *result.Run) []*eval.Tally {
	tallies := eval.Tallies(run)
	slices.SortStableFunc(tallies, func(a, b *eval.Tally) int {
		return cmp.Or(Rank(a, b), strings.Compare(a.Suite, b.Suite))
	})
	return tallies
}

// Run begins the page of a run; links are the caller's.
func (s *Site) Run(run *result.Run, id IDs) *Run {
	tallies := Ordered(run)
	p := &Run{Title: Visible(cmp.Or(run.Suite, run.Label, "Run")), About: joined(" · ", s.about(run), Visible(strings.TrimSpace(run.Tool+" "+run.ToolVer)), Visible(run.Hostname)), Links: s.links(run), Rows: make([]Row, 0, len(tallies))}
	suites, variants := map[string]bool{}, map[string]bool{}
	for _, t := range tallies {
		suites[t.Suite], variants[t.Results[0].Variant] = true, true
	}
	for _, t := range tallies {
		r := t.Results[0]
		row := Row{ID: id(run, r), Title: Visible(r.Name), Variant: Visible(r.Variant), Status: StatusOf(t), Why: text.Shorten(Why(t), 240)}
		if len(suites) > 1 {
			row.Suite = Visible(t.Suite)
		}
		if n := t.Counts.Judged(); n > 1 {
			row.Tries = text.Thousands(t.Counts.Passed) + "/" + text.Thousands(n)
		}
		score := ""
		if r.Score != nil && len(t.Results) == 1 {
			score = "score " + scoreText(*r.Score)
		}
		row.Facts = joined(" · ", score, text.Some(t.DurationMS, text.Millis), text.Some(t.CostUSD, text.Dollars))
		p.Rows = append(p.Rows, row)
	}
	if len(suites) > 1 {
		p.Suites = sortedVisible(suites)
	}
	if delete(variants, ""); len(variants) > 0 {
		p.Variants = sortedVisible(variants)
	}
	p.facts(run, tallies)
	return p
}

func (p *Run) facts(run *result.Run, tallies []*eval.Tally) {
	add := func(what, value string) {
		if value != "" {
			p.Facts = append(p.Facts, Fact{what, value})
		}
	}
	if r, ok := eval.RateOf(tallies); ok {
		add("pass rate; 95 % interval "+text.Percent(r.Lo, 0)+" to "+text.Percent(r.Hi, 0)+" (Wilson)", text.Percent(r.Mean, 1))
		add("judged cases", text.Thousands(r.Cases))
	}
	add("cost", text.Some(run.TotalCostUSD, text.Dollars))
	add("duration", text.Some(run.DurationSeconds*1000, text.Millis))
	for _, c := range run.Costs {
		calls := ""
		if c.Calls > 0 {
			calls = text.Thousands(c.Calls) + " calls"
		}
		p.Costs = append(p.Costs, joined(" · ", Visible(c.Model), text.Some(c.CostUSD, text.Dollars), calls, text.Approx(c.InputTokens+c.CacheReadTokens+c.CacheWriteTokens)+" tokens in, "+text.Approx(c.OutputTokens)+" out"))
	}
	if n := run.Total - len(run.Results); n > 0 {
		p.Notes = append(p.Notes, text.Thousands(len(run.Results))+" of the "+text.Thousands(run.Total)+" results are listed in the run.")
	}
}

func sortedVisible(names map[string]bool) (list []string) {
	for _, name := range sortedNames(names) {
		list = append(list, Visible(name))
	}
	return list
}

// OfVariant is what of a run was made with one variant, as a run of its own, in
// which cases are called by their names alone; nil where there is nothing of it.
func OfVariant(run *result.Run, variant string) *result.Run {
	one := *run
	one.ID, one.IngestKey, one.Results, one.Counts, one.TotalCostUSD, one.DurationSeconds, one.Costs = "", "", nil, result.Counts{}, 0, 0, nil
	for i := range run.Results {
		if r := run.Results[i]; Visible(r.Variant) == variant {
			r.Variant, r.CaseID = "", ""
			one.Results = append(one.Results, r)
		}
	}
	if one.Results == nil {
		return nil
	}
	one.Derive()
	return &one
}

func scoreText(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

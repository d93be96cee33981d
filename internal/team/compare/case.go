package compare

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// A Case is one case of a suite in both runs.
type Case struct {
	Suite       string  `json:"suite"`
	Name        string  `json:"name"` // with the variant: name [variant]
	CaseID      string  `json:"case_id,omitempty"`
	Variant     string  `json:"variant,omitempty"`
	Group       string  `json:"-"` // its variant, else its model: what groups without --by are
	Class       Class   `json:"class"`
	Quarantined bool    `json:"quarantined,omitempty"`
	Changed     *Change `json:"changed,omitempty"` // nil: as it was, or not known
	Change      float64 `json:"change"`            // of the pass rate, over as many attempts as both runs have: −1..1
	A           *Ran    `json:"a,omitempty"`
	B           *Ran    `json:"b,omitempty"`
}

// Ran is how a case went in one run.
type Ran struct {
	Passed     int                `json:"passed"` // attempts
	Failed     int                `json:"failed"`
	Errored    int                `json:"errored,omitempty"`
	Skipped    int                `json:"skipped,omitempty"`
	Score      *float64           `json:"score,omitempty"`  // means of the judged attempts
	Scores     map[string]float64 `json:"scores,omitempty"` // of the judges' criteria
	Scale      string             `json:"scale,omitempty"`  // of both; attempts on several scales have no means
	CostUSD    float64            `json:"cost_usd,omitempty"`
	DurationMS float64            `json:"duration_ms,omitempty"` // mean of the judged attempts
	Messages   []string           `json:"messages,omitempty"`    // why it did not pass, one for each that differs
	Preview    string             `json:"preview,omitempty"`     // of the first response that did not pass, or of the first
}

// Judged is how many attempts passed or failed.
func (r *Ran) Judged() int {
	if r == nil {
		return 0
	}
	return r.Passed + r.Failed
}

// Status is how the case went: pass or fail where all judged attempts agree,
// "flaky" where they do not, error or skip where nothing was judged.
func (r *Ran) Status() string {
	switch {
	case r == nil:
		return ""
	case r.Passed > 0 && r.Failed > 0:
		return string(Flaky)
	case r.Passed > 0:
		return string(result.Pass)
	case r.Failed > 0:
		return string(result.Fail)
	case r.Errored > 0:
		return string(result.Error)
	}
	return string(result.Skip)
}

// pair is a case with its attempts, those of a run in their order.
type pair struct {
	Case
	a, b  []*result.Result
	input int // above 0: what the variants of a case have in common

	tested        bool // judged in both runs
	scored        bool // an attempt has a score
	before, after float64

	// The means of the whole score, worked out while the attempts are at hand: of a
	// hundred thousand, fetching them once more takes longer than all tests.
	scoreA, scoreB float64
	scoredWhole    bool // both runs have one

	// Of a hundred thousand cases nearly all have one attempt in each run: what they
	// need is here, in one piece.
	ranA, ranB Ran
	onlyA      [1]*result.Result
	onlyB      [1]*result.Result
}

// pairsOf makes pairs, many at once.
type pairsOf struct{ free []pair }

func (m *pairsOf) pair(c Case) *pair {
	if len(m.free) == 0 {
		const atOnce = 256
		m.free = make([]pair, atOnce)
	}
	p := &m.free[0]
	m.free = m.free[1:]
	p.Case, p.a, p.b = c, p.onlyA[:0], p.onlyB[:0]
	return p
}

// goesBy reports whether a result of a run has the key of the case, as far as names
// say it.
func (p *pair) goesBy(run *result.Run, r *result.Result) bool {
	if len(p.a) == 0 || p.Suite != cmp.Or(r.Suite, run.Suite) {
		return false
	}
	was := p.a[0]
	return was.CaseID == r.CaseID && (r.CaseID != "" || was.Name == r.Name && was.Variant == r.Variant)
}

// match finds the cases of both runs, in the order of suites, classes and names.
func match(a, b *result.Run, opts Options) (pairs []*pair, known *lineage) {
	known = trace(a, b)
	index := make(map[string]*pair, len(a.Results))
	var made pairsOf
	of := func(key string, r *result.Result) *pair {
		suite, _, _ := strings.Cut(key, "\x00")
		if opts.Suite != "" && suite != opts.Suite {
			return nil
		}
		p := index[key]
		if p == nil {
			p = made.pair(Case{Suite: suite, Name: r.Title(), CaseID: r.CaseID, Variant: r.Variant})
			index[key] = p
			pairs = append(pairs, p)
		}
		return p
	}
	for i := range a.Results {
		r := &a.Results[i]
		if p := of(known.of(a.Key(r)), r); p != nil {
			p.a = append(p.a, r)
		}
	}
	if a != b {
		next := 0 // mostly both runs are in one order, and nothing is to be looked up
		for i := range b.Results {
			r := &b.Results[i]
			if known.key == nil && next < len(pairs) && pairs[next].goesBy(b, r) {
				pairs[next].b = append(pairs[next].b, r)
				next++
				continue
			}
			key := b.Key(r)
			if p := of(key, r); p != nil {
				p.follow(known, key, r)
				p.b = append(p.b, r)
			}
		}
	}
	pairs = byModel(pairs)
	numberInputs(pairs)
	for _, p := range pairs {
		if a == b {
			p.b = p.a
		}
		p.settle(opts)
	}
	known.inputs(pairs)
	order(pairs)
	return pairs, known
}

// order sorts the cases by suite, class and name. Names of a class mostly stand in
// their order already, so that looking is cheaper than sorting all.
func order(pairs []*pair) {
	suites := map[string]int{}
	for _, p := range pairs {
		suites[p.Suite] = 0
	}
	for i, name := range slices.SortedFunc(maps.Keys(suites), text.Natural) {
		suites[name] = i
	}
	parts := make([][]*pair, len(suites)*len(classes))
	for _, p := range pairs {
		at := suites[p.Suite]*len(classes) + p.Class.rank()
		parts[at] = append(parts[at], p)
	}
	byName := func(p, q *pair) int {
		if c := text.Natural(p.Name, q.Name); c != 0 {
			return c
		}
		return strings.Compare(p.CaseID, q.CaseID)
	}
	sorted := pairs[:0]
	for _, part := range parts {
		if !slices.IsSortedFunc(part, byName) {
			slices.SortFunc(part, byName)
		}
		sorted = append(sorted, part...)
	}
}

// byModel splits the cases that one of the runs has with several models and no
// variant: those are variants, not repeats.
func byModel(pairs []*pair) []*pair {
	several := func(attempts []*result.Result) bool {
		return len(attempts) > 1 && slices.ContainsFunc(attempts, func(r *result.Result) bool { return r.Model != attempts[0].Model })
	}
	var split []*pair
	for _, p := range pairs {
		if p.Variant != "" || !several(p.a) && !several(p.b) {
			split = append(split, p)
			continue
		}
		parts := map[string]*pair{}
		of := func(r *result.Result) *pair {
			part := parts[r.Model]
			if part == nil {
				one := *r
				one.Variant = r.Model
				part = &pair{Case: Case{Suite: p.Suite, Name: one.Title(), CaseID: p.CaseID, Variant: r.Model}}
				parts[r.Model] = part
				split = append(split, part)
			}
			return part
		}
		for _, r := range p.a {
			part := of(r)
			part.a = append(part.a, r)
		}
		for _, r := range p.b {
			part := of(r)
			part.b = append(part.b, r)
		}
	}
	return split
}

// numberInputs gives the variants of a case one number: by name and, where the runs
// say it, by input. Names that occur again in one variant are several cases, told
// apart by their order.
func numberInputs(pairs []*pair) {
	inputs, seen := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		if p.Variant == "" {
			continue
		}
		name := p.Suite + "\x00" + strings.TrimSuffix(p.Name, " ["+p.Variant+"]")
		if len(p.b) > 0 {
			name += "\x00" + p.b[0].Content().Input
		} else if len(p.a) > 0 {
			name += "\x00" + p.a[0].Content().Input
		}
		variant := name + "\x00" + p.Variant
		seen[variant]++
		key := name + "\x00" + strconv.Itoa(seen[variant])
		if inputs[key] == 0 {
			inputs[key] = len(inputs) + 1
		}
		p.input = inputs[key]
	}
}

// settle says what became of the case.
func (p *pair) settle(opts Options) {
	byTry := func(r, s *result.Result) int { return cmp.Compare(r.Try(), s.Try()) }
	slices.SortStableFunc(p.a, byTry)
	slices.SortStableFunc(p.b, byTry)
	p.A, p.B = ran(&p.ranA, p.a), ran(&p.ranB, p.b)
	for _, attempts := range [...][]*result.Result{p.a, p.b} {
		for _, r := range attempts {
			p.scored = p.scored || r.Score != nil || len(r.JudgeScores) > 0
		}
	}
	if p.scored {
		p.scoreA, p.scoreB, p.scoredWhole = means(p.a, p.b, wholeScore)
	}
	a, b := p.A.Status(), p.B.Status()
	switch {
	case p.A == nil:
		p.Class = New
	case p.B == nil:
		p.Class = Gone
	case a == string(result.Error) || b == string(result.Error):
		p.Class = NotJudged
	case a == string(result.Skip) || b == string(result.Skip):
		p.Class = Skipped
	case a == string(Flaky) || b == string(Flaky):
		p.Class = Flaky
	case a == string(result.Pass) && b == string(result.Pass):
		p.Class = Passed
	case a == string(result.Pass):
		p.Class = Lost
	case b == string(result.Pass):
		p.Class = Gained
	default:
		p.Class = Failed
	}
	if p.before, p.after, p.tested = means(p.a, p.b, passed); p.tested {
		p.Change = p.after - p.before
	}
	p.Quarantined = opts.Quarantined != nil && opts.Quarantined(p.Suite, p.Name, p.CaseID)
	if p.Class != Passed {
		p.A.explain(p.a)
		p.B.explain(p.b)
	}
}

// ran sums the attempts of a case in r; none is nil.
func ran(r *Ran, attempts []*result.Result) *Ran {
	if len(attempts) == 0 {
		return nil
	}
	var n result.Counts
	for _, attempt := range attempts {
		n.Count(attempt.Status)
	}
	*r = Ran{Passed: n.Passed, Failed: n.Failed, Errored: n.Errored, Skipped: n.Skipped}
	if scale, ok := scaleOf(attempts); ok {
		r.scores(attempts, scale)
	}
	r.CostUSD, _ = meanOf(attempts, costOf)
	r.DurationMS, _ = meanOf(attempts, durationOf)
	return r
}

func (r *Ran) scores(attempts []*result.Result, scale string) {
	if len(attempts) == 1 && judged(attempts[0]) { // nearly all
		r.Score = attempts[0].Score
	} else if m, ok := meanOf(attempts, wholeScore); ok {
		r.Score = new(m)
	}
	for _, name := range criteria(attempts) {
		if m, ok := meanOf(attempts, criterion(name)); ok {
			if r.Scores == nil {
				r.Scores = map[string]float64{}
			}
			r.Scores[name] = m
		}
	}
	if r.Score != nil || r.Scores != nil {
		r.Scale = scale
	}
}

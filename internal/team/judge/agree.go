package judge

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/stats"
)

// An Agreement is how far the judges of many cases agree on one criterion.
type Agreement struct {
	Criterion string  `json:"criterion"`
	Judges    int     `json:"judges"` // of each case
	Cases     int     `json:"cases"`  // that all of them judged
	Split     int     `json:"split"`  // cases that some pass and some fail
	Spread    float64 `json:"spread"` // the highest score less the lowest, on average
	Kappa     float64 `json:"kappa"`  // Fleiss' κ of pass and fail
	Known     bool    `json:"known"`  // whether there is a κ: not where all judges say the same of all cases
}

// Agree compares the judges of each criterion over all cases with the same
// number of answers as most have. Criteria with one judge are left out.
func Agree(questions []Question, verdicts []Verdict) (list []Agreement) {
	cases := map[string][]ballot{}
	var names []string
	for i := range questions {
		for _, c := range questions[i].Criteria {
			if b, ok := verdicts[i].ballot(c); ok {
				if cases[c.Name] == nil {
					names = append(names, c.Name)
				}
				cases[c.Name] = append(cases[c.Name], b)
			}
		}
	}
	for _, name := range names {
		list = append(list, agreement(name, cases[name]))
	}
	return list
}

// A ballot is what the judges of one case say of one criterion.
type ballot struct {
	pass, fail int
	spread     float64
}

// ballot is false where fewer than two judges answered, or one did not.
func (v *Verdict) ballot(c Criterion) (b ballot, ok bool) {
	var scores []float64
	for _, o := range v.PerJudge {
		if o.Err != nil {
			return b, false
		}
		scores = append(scores, o.Scores[c.Name])
		if o.Scores[c.Name] >= c.Threshold {
			b.pass++
		} else {
			b.fail++
		}
	}
	if len(scores) < 2 {
		return b, false
	}
	b.spread = slices.Max(scores) - slices.Min(scores)
	return b, true
}

func agreement(name string, ballots []ballot) Agreement {
	sizes := map[int]int{}
	for _, b := range ballots {
		sizes[b.pass+b.fail]++
	}
	a := Agreement{Criterion: name}
	for n, many := range sizes {
		if many > sizes[a.Judges] || many == sizes[a.Judges] && n > a.Judges {
			a.Judges = n
		}
	}
	var counts [][]int
	for _, b := range ballots {
		if b.pass+b.fail != a.Judges {
			continue
		}
		counts = append(counts, []int{b.pass, b.fail})
		a.Spread += b.spread
		if b.pass > 0 && b.fail > 0 {
			a.Split++
		}
	}
	a.Cases = len(counts)
	a.Spread /= float64(a.Cases)
	if a.Kappa, a.Known = stats.FleissKappa(counts); !a.Known {
		a.Kappa = 0 // NaN is no JSON
	}
	return a
}

// A Label is what a person says of one case and criterion, or of the Whole answer.
type Label struct {
	Case      string `json:"case"`
	Criterion string `json:"criterion"`
	Pass      bool   `json:"pass"`
}

// ReadLabels reads labels: CSV with a head of case, criterion and pass in any
// order, or a JSON list of such objects. pass is true or false, yes or no, 1 or
// 0, pass or fail. A case that is labeled twice is an error.
func ReadLabels(data []byte) (labels []Label, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		if err := json.Unmarshal(trimmed, &labels, json.RejectUnknownMembers(true)); err != nil {
			return nil, errors.New(`not a list of {"case": …, "criterion": …, "pass": true}`)
		}
	} else if labels, err = readCSV(data); err != nil {
		return nil, err
	}
	type one struct{ name, criterion string }
	seen := map[one]bool{}
	for _, l := range labels {
		k := one{l.Case, l.Criterion}
		switch {
		case l.Case == "" || l.Criterion == "":
			return nil, errors.New("a label without a case or a criterion")
		case seen[k]:
			return nil, fmt.Errorf("%q of %q is labeled twice", l.Criterion, l.Case)
		}
		seen[k] = true
	}
	if len(labels) == 0 {
		return nil, errors.New("there are no labels in it")
	}
	return labels, nil
}

func readCSV(data []byte) (labels []Label, err error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if err != nil {
		return nil, errors.New("no CSV with a head of case, criterion and pass")
	}
	for i := range head {
		head[i] = strings.ToLower(strings.TrimSpace(head[i]))
	}
	name, criterion, pass := slices.Index(head, "case"), slices.Index(head, "criterion"), slices.Index(head, "pass")
	if name < 0 || criterion < 0 || pass < 0 {
		return nil, fmt.Errorf("line 1: the head is %q; case, criterion and pass are wanted", strings.Join(head, ","))
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return labels, nil
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, fmt.Errorf("line %d: %w", bad.Line, bad.Err)
		} else if err != nil {
			return nil, err
		}
		l := Label{Case: row[name], Criterion: row[criterion]}
		switch strings.ToLower(strings.TrimSpace(row[pass])) {
		case "true", "yes", "1", "pass", "passed", "y":
			l.Pass = true
		case "false", "no", "0", "fail", "failed", "n":
		default:
			line, _ := r.FieldPos(pass)
			return nil, fmt.Errorf("line %d: %q is neither pass nor fail", line, row[pass])
		}
		labels = append(labels, l)
	}
}

// A Validation is how far a judge says what people say of one criterion.
type Validation struct {
	Criterion string  `json:"criterion"`
	Judge     string  `json:"judge"` // a model, or "" for all judges together
	Cases     int     `json:"cases"`
	BothPass  int     `json:"both_pass"`
	BothFail  int     `json:"both_fail"`
	OnlyJudge int     `json:"only_judge"`  // the judge passes what people fail
	OnlyHuman int     `json:"only_people"` // the judge fails what people pass
	Kappa     float64 `json:"kappa"`       // Cohen's κ
	Known     bool    `json:"known"`       // whether there is a κ: not where both put all cases into one class
}

// PassRate is the share of what people pass that the judge passes too (the
// true positive rate), FailRate that of what they fail (the true negative
// rate): k of n, for intervals.
func (v Validation) PassRate() (k, n int) { return v.BothPass, v.BothPass + v.OnlyHuman }
func (v Validation) FailRate() (k, n int) { return v.BothFail, v.BothFail + v.OnlyJudge }

// Validate compares judges with people, criterion by criterion: all judges
// together, then each model where there are several. unmatched are labels of
// cases or criteria that were not judged, or whose case stands more than once.
func Validate(questions []Question, verdicts []Verdict, labels []Label) (list []Validation, unmatched []Label) {
	cases := map[string][]int{}
	for i := range questions {
		cases[questions[i].CaseName] = append(cases[questions[i].CaseName], i)
	}
	type who struct{ criterion, judge string }
	found := map[who]*Validation{}
	var order []who
	count := func(criterion, judge string, pass, human bool) {
		k := who{criterion, judge}
		v := found[k]
		if v == nil {
			v = &Validation{Criterion: criterion, Judge: judge}
			found[k], order = v, append(order, k)
		}
		v.count(pass, human)
	}
	for _, l := range labels {
		at := cases[l.Case]
		if len(at) != 1 {
			unmatched = append(unmatched, l)
			continue
		}
		q, v := &questions[at[0]], &verdicts[at[0]]
		if l.Criterion == Whole {
			count(Whole, "", q.reached(v.Scores), l.Pass)
			for _, o := range v.PerJudge {
				if len(v.PerJudge) > 1 && o.Err == nil && q.scored(o.Scores) {
					count(Whole, o.Model, q.reached(o.Scores), l.Pass)
				}
			}
			continue
		}
		i := slices.IndexFunc(q.Criteria, func(c Criterion) bool { return c.Name == l.Criterion })
		if i < 0 {
			unmatched = append(unmatched, l)
			continue
		}
		least := q.Criteria[i].Threshold
		count(l.Criterion, "", v.Scores[l.Criterion] >= least, l.Pass)
		if len(v.PerJudge) < 2 {
			continue
		}
		for _, o := range v.PerJudge {
			if s, ok := o.Scores[l.Criterion]; ok && o.Err == nil {
				count(l.Criterion, o.Model, s >= least, l.Pass)
			}
		}
	}
	for _, k := range order {
		v := found[k]
		v.Kappa, v.Known = stats.CohenKappa([][]int{{v.BothPass, v.OnlyJudge}, {v.OnlyHuman, v.BothFail}})
		if !v.Known {
			v.Kappa = 0 // NaN is no JSON
		}
		list = append(list, *v)
	}
	slices.SortStableFunc(list, func(a, b Validation) int { return strings.Compare(a.Criterion, b.Criterion) })
	return list, unmatched
}

// reached reports whether every criterion has its threshold, scored whether it
// has a score.
func (q *Question) reached(scores map[string]float64) bool {
	return !slices.ContainsFunc(q.Criteria, func(c Criterion) bool { return scores[c.Name] < c.Threshold })
}

func (q *Question) scored(scores map[string]float64) bool {
	return !slices.ContainsFunc(q.Criteria, func(c Criterion) bool { _, ok := scores[c.Name]; return !ok })
}

func (v *Validation) count(judge, human bool) {
	v.Cases++
	switch {
	case judge && human:
		v.BothPass++
	case judge:
		v.OnlyJudge++
	case human:
		v.OnlyHuman++
	default:
		v.BothFail++
	}
}

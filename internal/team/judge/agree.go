package judge

import (
	"slices"

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

package figures

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
)

// A PassRate is how the runs of a suite ended on a day.
type PassRate struct {
	Day                            string // 2026-03-02
	Suite                          string
	Runs                           int
	Passed, Failed, Errored, Total int
	CostUSD                        float64
}

// PassRates returns the days of each suite, or of one, the oldest first; labels
// other than the asked one are left out, "" is every.
func PassRates(ctx context.Context, tx *db.Tx, r Range, suite, label string) ([]PassRate, error) {
	w := r.days()
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	if suite != "" {
		w.and("suite = ?", suite)
	}
	if label != "" {
		w.and("label = ?", label)
	}
	return db.List(ctx, tx, `select `+text(tx, "day")+`, suite, `+count("sum(runs)")+`, `+count("sum(passed)")+`, `+count("sum(failed)")+`, `+
		count("sum(errored)")+`, `+count("sum(total)")+`, `+dollars(tx, "sum(cost_usd)")+` from daily_evals where `+w.text+` group by day, suite order by day, suite`,
		w.args, func(p *PassRate) []any {
			return []any{&p.Day, &p.Suite, &p.Runs, &p.Passed, &p.Failed, &p.Errored, &p.Total, &p.CostUSD}
		})
}

// A Criterion is what judges gave on one criterion, on average over runs.
type Criterion struct {
	Category string // "" is all of them
	Name     string // with its scale where that is not 0 to 1: clarity (1-5)
	Mean     float64
	Runs     int
	Weeks    []CriterionWeek // the oldest first
}

// A CriterionWeek is a criterion's mean over the runs of a week.
type CriterionWeek struct {
	Week string
	Mean float64
	Runs int
}

// mostJudged is about how many runs criteria are read of: the mean of 500 has a
// standard error of less than a twentieth of their spread.
const mostJudged = 500

// A Judged is what judges gave on one criterion in the runs of a week.
type Judged struct {
	Category, Name, Week string
	Sum                  float64
	Runs                 int
	Of                   float64 // runs that each of these stands for
}

// WeakestCriteria is Weakest of the runs of a range.
func WeakestCriteria(ctx context.Context, tx *db.Tx, r Range, most int) ([]Criterion, error) {
	list, err := JudgedWeeks(ctx, tx, r)
	return Weakest(list, most), err
}

// JudgedWeeks sums what judges gave by week, by category and over all, the
// oldest week first. Of more than mostJudged runs with scores it takes about as
// many, chosen by the last digits of their ids, which are as good as random.
func JudgedWeeks(ctx context.Context, tx *db.Tx, r Range) ([]Judged, error) {
	w := r.times("run_at")
	w.and("judge_averages is not null")
	var n int
	if err := tx.QueryRow(ctx, `select count(*) from eval_runs where `+w.text, w.args...).Scan(&n); err != nil || n == 0 {
		return nil, err
	}
	if n > mostJudged {
		digits := "substr(hex(id), 29) < ?"
		if tx.Dialect() == db.PostgreSQL {
			digits = `upper(right(id::text, 4)) collate "C" < ?`
		}
		w.and(digits, fmt.Sprintf("%04X", 1<<16*mostJudged/n))
	}
	type judged struct {
		week            string
		all, categories []byte
	}
	// Which runs those are is read from an index alone.
	runs, err := db.List(ctx, tx, `select `+weekOf(tx, dayOf(tx, "run_at"))+`, judge_averages, by_category from eval_runs
		where team_id = ? and id in (select id from eval_runs where `+w.text+`) order by run_at, id`,
		append([]any{r.Team}, w.args...), func(j *judged) []any { return []any{&j.week, &j.all, &j.categories} })
	if err != nil {
		return nil, err
	}
	found := judgedWeeks{at: map[judgedWeek]int{}}
	for _, run := range runs {
		found.add("", run.week, run.all)
		var categories map[string]struct {
			JudgeAverages jsontext.Value `json:"judge_averages"`
		}
		if run.categories == nil || json.Unmarshal(run.categories, &categories) != nil {
			continue // another client's
		}
		for name, c := range categories {
			found.add(name, run.week, c.JudgeAverages)
		}
	}
	for i := range found.all {
		found.all[i].Of = float64(n) / float64(len(runs))
	}
	return found.all, nil
}

// Weakest returns the most criteria with the lowest means, the weakest first;
// those on scales of their own come last.
func Weakest(list []Judged, most int) []Criterion {
	at := map[[2]string]*Criterion{}
	var all []*Criterion
	stands := map[*Criterion]float64{}
	for _, j := range list {
		one := at[[2]string{j.Category, j.Name}]
		if one == nil {
			one = &Criterion{Category: j.Category, Name: j.Name}
			at[[2]string{j.Category, j.Name}] = one
			all = append(all, one)
		}
		one.Weeks = append(one.Weeks, CriterionWeek{Week: j.Week, Mean: j.Sum / float64(j.Runs), Runs: j.Runs})
		one.Runs += j.Runs
		one.Mean += j.Of * j.Sum
		stands[one] += j.Of * float64(j.Runs)
	}
	for _, one := range all {
		one.Mean /= stands[one]
	}
	slices.SortFunc(all, func(a, b *Criterion) int {
		return cmp.Or(cmp.Compare(scaled(a.Name), scaled(b.Name)), cmp.Compare(a.Mean, b.Mean), strings.Compare(a.Category, b.Category), strings.Compare(a.Name, b.Name))
	})
	var out []Criterion
	for _, c := range all[:min(most, len(all))] {
		out = append(out, *c)
	}
	return out
}

// scaled is 1 for a criterion on a scale of its own.
func scaled(name string) int {
	if strings.HasSuffix(name, ")") {
		return 1
	}
	return 0
}

type judgedWeek struct{ category, name, week string }

// judgedWeeks sums runs, which come in the order of their weeks.
type judgedWeeks struct {
	at  map[judgedWeek]int
	all []Judged
}

func (j *judgedWeeks) add(category, week string, averages []byte) {
	var means map[string]float64
	if averages == nil || json.Unmarshal(averages, &means) != nil {
		return // another client's
	}
	for name, mean := range means {
		key := judgedWeek{category, name, week}
		i, ok := j.at[key]
		if !ok {
			i = len(j.all)
			j.at[key] = i
			j.all = append(j.all, Judged{Category: category, Name: name, Week: week})
		}
		j.all[i].Runs++
		j.all[i].Sum += mean
	}
}

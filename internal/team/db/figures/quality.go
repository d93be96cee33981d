package figures

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

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

// A Detection is what a run's cases found of the bugs that were planted.
type Detection struct {
	Week, Suite string
	Found       float64 // of a case, on average
	False       float64
	Cases       int
}

// mostDetections bounds the runs whose payloads are read.
const mostDetections = 400

// Detections reads the payloads of the newest run of each suite and week: of
// the main branch, or of the one asked for. The oldest week comes first.
func Detections(ctx context.Context, tx *db.Tx, r Range) ([]Detection, error) {
	w := r.runs()
	if r.Branch == "" {
		w.and("branch in ('main', 'master')")
	}
	w.args = append(w.args, mostDetections)
	type run struct {
		id          uuid.UUID
		week, suite string
		at          time.Time
	}
	week := weekOf(tx, dayOf(tx, "run_at"))
	runs, err := db.List(ctx, tx, `select id, week, suite, run_at from (select id, `+week+` as week, suite, run_at, row_number() over (partition by repo_slug, suite, `+week+` order by run_at desc, id) as nth
		from eval_runs where `+w.text+`) s where nth = 1 order by run_at desc limit ?`, w.args, func(s *run) []any { return []any{&s.id, &s.week, &s.suite, db.Stamp(&s.at)} })
	if err != nil {
		return nil, err
	}
	of := map[uuid.UUID]*run{}
	for i := range runs {
		of[runs[i].id] = &runs[i]
	}
	months, err := tx.Months(ctx, "eval_payloads")
	if err != nil {
		return nil, err
	}
	type payload struct {
		run  uuid.UUID
		text []byte
	}
	sums := map[[2]string]*Detection{}
	if len(runs) == 0 {
		return nil, nil
	}
	var at []time.Time
	for _, s := range runs {
		at = append(at, s.at)
	}
	from, to := span(at)
	said := `cast(payload as text) like '%detection_rate%'`
	if tx.Dialect() == db.PostgreSQL { // by an index of those
		said = `payload -> 'detection_rate' is not null`
	}
	for _, table := range months {
		month := strings.TrimPrefix(table, "eval_payloads_")
		args := []any{r.Team, from, to}
		for _, s := range runs {
			if month == table || month == s.at.UTC().Format("200601") {
				args = append(args, s.id)
			}
		}
		if len(args) == 3 {
			continue
		}
		payloads, err := db.List(ctx, tx, `select run_id, payload from `+table+` where team_id = ? and run_at >= ? and run_at <= ? and run_id in (?`+strings.Repeat(", ?", len(args)-4)+`) and `+said,
			args, func(p *payload) []any { return []any{&p.run, &p.text} })
		if err != nil {
			return nil, err
		}
		for _, p := range payloads {
			var said map[string]jsontext.Value
			if json.Unmarshal(p.text, &said) != nil {
				continue
			}
			found := plainNumber(said["detection_rate"])
			if found == nil {
				continue
			}
			s := of[p.run]
			d := sums[[2]string{s.week, s.suite}]
			if d == nil {
				d = &Detection{Week: s.week, Suite: s.suite}
				sums[[2]string{s.week, s.suite}] = d
			}
			d.Cases++
			d.Found += *found
			if wrong := plainNumber(said["false_positives"]); wrong != nil {
				d.False += *wrong
			}
		}
	}
	var out []Detection
	for _, d := range sums {
		d.Found /= float64(d.Cases)
		d.False /= float64(d.Cases)
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Detection) int {
		if c := strings.Compare(a.Week, b.Week); c != 0 {
			return c
		}
		return strings.Compare(a.Suite, b.Suite)
	})
	return out, nil
}

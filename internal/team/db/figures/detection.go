package figures

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

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
		from eval_runs where `+w.text+`) s where nth = 1 order by run_at desc limit ?`, w.args, func(s *run) []any { return []any{&s.id, &s.week, &s.suite, at{&s.at}} })
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

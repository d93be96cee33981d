package figures

import (
	"context"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
)

// A Retro is what git says of a repository's week.
type Retro struct {
	Week    string // its Monday
	Repo    string
	Metrics Measures
	Authors map[string]Measures // by name
}

// Measures of a retrospective; nil where it does not say, or says no number.
type Measures struct {
	Email      string
	Agent      bool // it is no person's
	Commits    *float64
	Insertions *float64
	Deletions  *float64
	TestRatio  *float64 // 0 to 1
	FeatPct    *float64 // 0 to 1
	FixPct     *float64
	Assisted   *float64 // commits with an agent
	PRs        *float64
	Streak     *float64 // days
}

// Retros returns the weeks of each repository, the oldest first. Of several
// retrospectives of a week, whoever measured them, the one that ends last
// counts, and of those the newest: nothing is counted twice.
func Retros(ctx context.Context, tx *db.Tx, r Range) ([]Retro, error) {
	w := where{}
	w.and("team_id = ? and date >= ? and date < ? and period = '7d'", r.Team, date(tx, r.From), date(tx, r.To))
	// By the index of occurred_at: a retrospective is never made before its day, nor much later than it is sent.
	w.and("occurred_at >= ?", r.From)
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	type row struct {
		week, repo       string
		metrics, authors []byte
	}
	week := weekOf(tx, "date")
	rows, err := db.List(ctx, tx, `select week, repo_slug, metrics, authors from (select `+week+` as week, repo_slug, metrics, authors,
		row_number() over (partition by repo_slug, `+week+` order by date desc, occurred_at desc, id) as nth from retro_snapshots where `+w.text+`) s where nth = 1 order by 1, 2`,
		w.args, func(s *row) []any { return []any{&s.week, &s.repo, &s.metrics, &s.authors} })
	if err != nil {
		return nil, err
	}
	var out []Retro
	for _, s := range rows {
		one := Retro{Week: s.week, Repo: s.repo, Metrics: measures(s.metrics)}
		var authors map[string]jsontext.Value
		if json.Unmarshal(s.authors, &authors) == nil {
			one.Authors = map[string]Measures{}
			for name, v := range authors {
				one.Authors[name] = measures(v)
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// measures reads what is a number of what another client may have written.
func measures(data []byte) (m Measures) {
	var said struct {
		Commits    jsontext.Value `json:"commits"`
		Insertions jsontext.Value `json:"insertions"`
		Deletions  jsontext.Value `json:"deletions"`
		TestRatio  jsontext.Value `json:"test_ratio"`
		FeatPct    jsontext.Value `json:"feat_pct"`
		FixPct     jsontext.Value `json:"fix_pct"`
		Assisted   jsontext.Value `json:"ai_assisted_commits"`
		PRs        jsontext.Value `json:"prs_merged"`
		Streak     jsontext.Value `json:"streak_days"`
		Email      jsontext.Value `json:"email"`
		Agent      jsontext.Value `json:"agent"`
	}
	if json.Unmarshal(data, &said) != nil {
		return m
	}
	for _, of := range [...]struct {
		value jsontext.Value
		to    **float64
	}{{said.Commits, &m.Commits}, {said.Insertions, &m.Insertions}, {said.Deletions, &m.Deletions}, {said.TestRatio, &m.TestRatio}, {said.FeatPct, &m.FeatPct},
		{said.FixPct, &m.FixPct}, {said.Assisted, &m.Assisted}, {said.PRs, &m.PRs}, {said.Streak, &m.Streak}} {
		*of.to = plainNumber(of.value)
	}
	_ = json.Unmarshal(said.Email, &m.Email)
	_ = json.Unmarshal(said.Agent, &m.Agent)
	return m
}

// mostNumber is more than anything that is counted: what is larger is an error of its writer.
const mostNumber = 1e12

func plainNumber(v jsontext.Value) *float64 {
	if len(v) == 0 || v.Kind() != '0' {
		return nil
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || n < 0 || n > mostNumber {
		return nil
	}
	return &n
}

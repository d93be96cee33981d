package figures

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Health is what looks at a repository's running sites found in a week.
type Health struct {
	Week     string
	Repo     string
	Reports  int
	Mean     float64 // of the scores, 0 to 100; 0 where no report has one
	Worst    float64
	Unscored int
}

// QAHealth returns scores by week and repository, the oldest week first.
func QAHealth(ctx context.Context, tx *db.Tx, r Range) ([]Health, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, repo_slug, count(*), `+decimal(tx, "avg(health_score)", "100.0")+`, `+
		decimal(tx, "min(health_score)", "100.0")+`, count(*) - count(health_score) from qa_reports where `+w.text+` group by 1, 2 order by 1, 2`,
		w.args, func(h *Health) []any {
			return []any{&h.Week, &h.Repo, &h.Reports, &h.Mean, &h.Worst, &h.Unscored}
		})
}

// A Triage is what became of review comments of one category.
type Triage struct {
	Category      string
	Fixed         int
	AlreadyFixed  int
	FalsePositive int
}

// Triages returns verdicts by category, the most frequent first.
func Triages(ctx context.Context, tx *db.Tx, r Range) ([]Triage, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select category, sum(case triage_type when 'fix' then 1 else 0 end), sum(case triage_type when 'already-fixed' then 1 else 0 end),
		sum(case triage_type when 'fp' then 1 else 0 end) from greptile_triage where `+w.text+` group by 1 order by count(*) desc, 1`,
		w.args, func(t *Triage) []any { return []any{&t.Category, &t.Fixed, &t.AlreadyFixed, &t.FalsePositive} })
}

// A Hotspot is a file or a directory that changes often.
type Hotspot struct {
	Repo    string
	Path    string
	Changes int // commits that touched it, in the retrospective's period
}

// Hotspots returns what the newest retrospective of a week of each repository
// names, the busiest first: metrics.hotspots, a list of {"path", "changes"}.
// One of another length of time would be compared with what it is not like.
func Hotspots(ctx context.Context, tx *db.Tx, r Range, most int) ([]Hotspot, error) {
	w := r.times("occurred_at")
	w.and("period = '7d'")
	type snapshot struct {
		repo    string
		metrics []byte
	}
	snapshots, err := db.List(ctx, tx, `select repo_slug, metrics from (select repo_slug, metrics,
		row_number() over (partition by repo_slug order by occurred_at desc, id) as nth from retro_snapshots where `+w.text+`) s where nth = 1 order by 1`,
		w.args, func(s *snapshot) []any { return []any{&s.repo, &s.metrics} })
	if err != nil {
		return nil, err
	}
	var out []Hotspot
	for _, s := range snapshots {
		var metrics struct {
			Hotspots []struct {
				Path    string  `json:"path"`
				File    string  `json:"file"` // as older retrospectives call it
				Changes float64 `json:"changes"`
				Commits float64 `json:"commits"`
			} `json:"hotspots"`
		}
		if json.Unmarshal(s.metrics, &metrics) != nil {
			continue // another client's
		}
		for _, h := range metrics.Hotspots {
			out = append(out, Hotspot{s.repo, cmp.Or(h.Path, h.File), int(cmp.Or(h.Changes, h.Commits))})
		}
	}
	slices.SortStableFunc(out, func(a, b Hotspot) int {
		return cmp.Or(cmp.Compare(b.Changes, a.Changes), strings.Compare(a.Repo, b.Repo), strings.Compare(a.Path, b.Path))
	})
	return out[:min(most, len(out))], nil
}

// sender is who sent a log that names nobody.
const sender = "case when author = '' and author_email = '' then user_id end"

// A ShipWeek is what one author shipped in a week.
type ShipWeek struct {
	Week     string
	User     uuid.NullUUID // who sent the log, where it names nobody
	Author   string
	Email    string
	Ships    int
	PRs      int // different pull requests
	Versions int // that have a version
}

// pulls counts different pull requests: by their address, or, of a host whose
// addresses are not known, by the commit that git merged them with.
const pulls = `count(distinct coalesce(pr_url, case when version = '' and author <> '' and git_sha <> '' then git_sha end))`

// ShipWeeks returns ships by week and author, the oldest week first. It counts
// Who and Branch.
func ShipWeeks(ctx context.Context, tx *db.Tx, r Range) ([]ShipWeek, error) {
	w := r.ships()
	return db.List(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, `+sender+`, author, author_email, count(*), `+pulls+`,
		sum(case when version <> '' then 1 else 0 end) from ship_logs where `+w.text+` group by 1, 2, 3, 4 order by 1, 5 desc, 3, 4, 2`, w.args, func(s *ShipWeek) []any {
		return []any{&s.Week, &s.User, &s.Author, &s.Email, &s.Ships, &s.PRs, &s.Versions}
	})
}

// A ShipTest is what a ship says its tests were.
type ShipTest struct {
	User          uuid.NullUUID
	Author, Email string
	Tests         []byte // JSON of another program
}

// ShipTests returns the newest thousand of a range.
func ShipTests(ctx context.Context, tx *db.Tx, r Range) ([]ShipTest, error) {
	w := r.ships()
	return db.List(ctx, tx, `select user_id, author, author_email, test_results from ship_logs where `+w.text+` and test_results is not null order by occurred_at desc, id limit 1000`,
		w.args, func(s *ShipTest) []any { return []any{&s.User, &s.Author, &s.Email, &s.Tests} })
}

// An Author is who made what was shipped, as git names them.
type Author struct{ Name, Email string }

// A Commit of a repository.
type Commit struct{ Repo, SHA string }

// ShipAuthors returns who made commits that were shipped; those that no log
// names are not in it.
func ShipAuthors(ctx context.Context, tx *db.Tx, team uuid.UUID, shas []string) (map[Commit]Author, error) {
	out := map[Commit]Author{}
	shas = slices.DeleteFunc(slices.Clone(shas), func(sha string) bool { return sha == "" })
	if len(shas) == 0 {
		return out, nil
	}
	args := []any{team}
	for _, sha := range shas {
		args = append(args, sha)
	}
	type row struct {
		Commit
		Author
	}
	rows, err := db.List(ctx, tx, `select repo_slug, git_sha, author, author_email from ship_logs where team_id = ? and git_sha in (?`+strings.Repeat(", ?", len(shas)-1)+`)
		and git_sha <> '' and author <> '' order by occurred_at, id`, args, func(s *row) []any { return []any{&s.Repo, &s.SHA, &s.Name, &s.Email} })
	for _, s := range rows { // of several the newest
		out[s.Commit] = s.Author
	}
	return out, err
}

// A PlanWeek is how far a plan was at the end of a week.
type PlanWeek struct {
	Week                      string
	Repo, Project, Workstream string
	Phases, PhasesDone        int
}

// PlanWeeks returns the newest snapshot of each plan and week, the oldest week first.
func PlanWeeks(ctx context.Context, tx *db.Tx, r Range) ([]PlanWeek, error) {
	w := r.times("occurred_at")
	week := weekOf(tx, dayOf(tx, "occurred_at"))
	return db.List(ctx, tx, `select week, repo_slug, project, workstream, phases, phases_done from (select `+week+` as week, repo_slug, project, workstream, phases, phases_done,
		row_number() over (partition by repo_slug, project, workstream, `+week+` order by occurred_at desc, created_at desc, id) as nth from plan_snapshots where `+w.text+`) s
		where nth = 1 order by 1, 2, 3, 4`, w.args, func(p *PlanWeek) []any {
		return []any{&p.Week, &p.Repo, &p.Project, &p.Workstream, &p.Phases, &p.PhasesDone}
	})
}

// A Phase of a plan.
type Phase struct {
	PlanOf
	Number, Name, Status string
	Plans, Done          *float64
}

// Phases returns those of the newest snapshot of each plan.
func Phases(ctx context.Context, tx *db.Tx, r Range) ([]Phase, error) {
	rows, err := newestPlans(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	var out []Phase
	for _, s := range rows {
		var detail struct {
			Phases []struct {
				Number jsontext.Value `json:"number"`
				Name   jsontext.Value `json:"name"`
				Status jsontext.Value `json:"status"`
				Plans  jsontext.Value `json:"plans"`
				Done   jsontext.Value `json:"plans_done"`
			} `json:"phases"`
		}
		if json.Unmarshal(s.detail, &detail) != nil {
			continue // another client's
		}
		for _, p := range detail.Phases {
			one := Phase{PlanOf: s.PlanOf}
			one.Number, one.Name, one.Status = plainText(p.Number), plainText(p.Name), plainText(p.Status)
			one.Plans, one.Done = plainNumber(p.Plans), plainNumber(p.Done)
			out = append(out, one)
		}
	}
	return out, nil
}

// plainText is a text, or a number as it is written.
func plainText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		var s string
		_ = json.Unmarshal(v, &s)
		return s
	case '0':
		return string(v)
	}
	return ""
}

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

package figures

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A ShipDay is a day on which an author shipped.
type ShipDay struct {
	User   uuid.NullUUID // who sent the log, where it names nobody
	Author string
	Email  string
	Day    string // 2026-03-02
}

// ShipDays returns the days with ships of each author, the newest first.
func ShipDays(ctx context.Context, tx *db.Tx, r Range) ([]ShipDay, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select distinct `+sender+`, author, author_email, `+text(tx, dayOf(tx, "occurred_at"))+` from ship_logs where `+w.text+` order by 4 desc`,
		w.args, func(s *ShipDay) []any { return []any{&s.User, &s.Author, &s.Email, &s.Day} })
}

// A MainRun is a run of the main branch.
type MainRun struct {
	Repo, Suite, Kind string
	Tier              string // of judges: other tiers are other measures
	ID                uuid.UUID
	At                time.Time
	SHA               string
	User              uuid.NullUUID
	Passed, Failed    int
}

// OnMain reports whether a branch is one whose runs MainRuns returns.
func OnMain(branch string) bool { return branch == "main" || branch == "master" }

// MainRuns returns the runs of a range, the oldest first.
func MainRuns(ctx context.Context, tx *db.Tx, r Range) ([]MainRun, error) {
	w := r.times("run_at")
	return db.List(ctx, tx, `select repo_slug, suite, kind, coalesce(judge_tier, ''), id, run_at, git_sha, user_id, passed, failed from eval_runs where `+w.text+` and branch in ('main', 'master')
		order by run_at, id`, w.args, func(m *MainRun) []any {
		return []any{&m.Repo, &m.Suite, &m.Kind, &m.Tier, &m.ID, db.Stamp(&m.At), &m.SHA, &m.User, &m.Passed, &m.Failed}
	})
}

// A LastRun is the last day on which a suite ran.
type LastRun struct {
	Repo, Suite string
	Day         string
	Runs        int // in the range
}

// LastRuns returns each suite's last day in a range, the longest ago first.
func LastRuns(ctx context.Context, tx *db.Tx, r Range) ([]LastRun, error) {
	w := r.days()
	return db.List(ctx, tx, `select repo_slug, suite, `+text(tx, "max(day)")+`, `+count("sum(runs)")+` from daily_evals where `+w.text+` group by 1, 2 order by 3, 1, 2`,
		w.args, func(l *LastRun) []any { return []any{&l.Repo, &l.Suite, &l.Day, &l.Runs} })
}

// A PlanState is how far a project's plan was at the end of a range.
type PlanState struct {
	Repo, Project, Workstream, Milestone string
	Phases, PhasesDone                   int
	Plans, PlansDone                     int
	At                                   time.Time
}

// PlanStates returns the newest snapshot of each project and workstream in a range.
func PlanStates(ctx context.Context, tx *db.Tx, r Range) ([]PlanState, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select repo_slug, project, workstream, milestone, phases, phases_done, plans, plans_done, occurred_at from (select *,
		row_number() over (partition by repo_slug, project, workstream order by occurred_at desc, id) as nth from plan_snapshots where `+w.text+`) s where nth = 1 order by 1, 2, 3`,
		w.args, func(p *PlanState) []any {
			return []any{&p.Repo, &p.Project, &p.Workstream, &p.Milestone, &p.Phases, &p.PhasesDone, &p.Plans, &p.PlansDone, db.Stamp(&p.At)}
		})
}

// An Alert is an eval that got worse.
type Alert struct {
	ID                        uuid.UUID
	Repo, Suite, Branch, Kind string
	State                     string // pending, firing, resolved
	Outcome                   string // how it ended
	Run                       uuid.NullUUID
	P, Expected, Observed     float64
	Cases                     int
	Opened                    time.Time
	Fired, Resolved           db.Time
}

// Alerts returns those that are open, or were in a range, the newest first. It
// counts Branch.
func Alerts(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Alert, error) {
	w := where{text: "team_id = ? and opened_at < ? and (state <> 'resolved' or coalesce(resolved_at, opened_at) >= ?)", args: []any{r.Team, r.To, r.From}}
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	if r.Branch != "" {
		w.and("branch = ?", r.Branch)
	}
	after.than(&w, "opened_at")
	w.args = append(w.args, most)
	return db.List(ctx, tx, `select id, repo_slug, suite, branch, kind, state, outcome, run_id, p, expected, observed, cases, opened_at, fired_at, resolved_at from alerts where `+w.text+`
		order by opened_at desc, id desc limit ?`, w.args, func(a *Alert) []any {
		return []any{&a.ID, &a.Repo, &a.Suite, &a.Branch, &a.Kind, &a.State, &a.Outcome, &a.Run, &a.P, &a.Expected, &a.Observed, &a.Cases, db.Stamp(&a.Opened), &a.Fired, &a.Resolved}
	})
}

// A Channel is where a team is told, without its address: that is a secret.
type Channel struct {
	Kind, Name     string
	Alerts, Digest bool
	Created        time.Time
	LastSent       db.Time
	Failed         int // messages that were given up
	Error          string
}

// Channels returns them by name. The database shows them to admins only; who
// asks for another team's admin checks that first.
func Channels(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Channel, error) {
	return db.List(ctx, tx, `select c.kind, c.name, c.alerts, c.digest, c.created_at, max(d.sent_at), count(d.failed_at), coalesce(max(case when d.failed_at is not null then d.error end), '')
		from team_channels c left join deliveries d on d.team_id = c.team_id and d.channel_id = c.id where c.team_id = ? group by c.id, c.kind, c.name, c.alerts, c.digest, c.created_at order by c.name`,
		[]any{team}, func(c *Channel) []any {
			return []any{&c.Kind, &c.Name, &c.Alerts, &c.Digest, db.Stamp(&c.Created), &c.LastSent, &c.Failed, &c.Error}
		})
}

// A Schedule is when a team's digest is made; none where nobody set it.
type Schedule struct {
	Timezone      string
	Weekday, Hour int
}

// Ranked says whether a team's people are ranked; one row, or none.
func Ranked(ctx context.Context, tx *db.Tx, r Range) ([]bool, error) {
	return db.List(ctx, tx, `select people_ranked from team_settings where team_id = ?`, []any{r.Team}, func(b *bool) []any { return []any{b} })
}

// SpendShown says whether all of a team see what each person spends; one row, or none.
func SpendShown(ctx context.Context, tx *db.Tx, r Range) ([]bool, error) {
	return db.List(ctx, tx, `select people_spend from team_settings where team_id = ?`, []any{r.Team}, func(b *bool) []any { return []any{b} })
}

// Schedules returns the team's, if it has one.
func Schedules(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Schedule, error) {
	return db.List(ctx, tx, `select timezone, digest_weekday, digest_hour from team_settings where team_id = ?`, []any{team},
		func(s *Schedule) []any { return []any{&s.Timezone, &s.Weekday, &s.Hour} })
}

package herald

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/quality"
)

// since returns since when a suite of the main branch is worse, as pages show it:
// the newest change of the suite, if that is a fall; else the first bad push,
// which was at began. nil for another branch.
func since(ctx context.Context, tx *db.Tx, w notice.Waiting, began time.Time) *alert.Since {
	if !figures.OnMain(w.Branch) {
		return nil
	}
	to := w.RunAt.Add(time.Second)
	found := must.Get(quality.Of(ctx, tx, w.Team, to))
	i := slices.IndexFunc(found.Changes, func(c quality.Change) bool { return c.Repo == w.Repo && c.Suite == w.Suite && c.Kind == w.Kind })
	if i >= 0 && found.Changes[i].Fell() {
		c := &found.Changes[i]
		s := &alert.Since{Shown: true, At: c.First.At.UTC(), SHA: c.First.SHA, LastSHA: c.Last.SHA, By: by(ctx, tx, w.Team, c.First), Before: c.Before, After: c.After, P: c.P}
		for _, m := range c.Named(quality.Names(ctx, tx, w.Team, found.Changes[i:i+1])) {
			s.Regressed = append(s.Regressed, m.Title())
		}
		return s
	}
	for _, m := range must.Get(figures.MainRuns(ctx, tx, figures.Range{Team: w.Team, From: began, To: to})) {
		if m.Repo == w.Repo && m.Suite == w.Suite && m.Kind == w.Kind {
			return &alert.Since{At: m.At.UTC(), SHA: m.SHA, By: by(ctx, tx, w.Team, m)}
		}
	}
	return nil
}

// by is who made a run's commit, or who pushed the run. Channels get no addresses.
func by(ctx context.Context, tx *db.Tx, team uuid.UUID, m figures.MainRun) string {
	author := must.Get(figures.ShipAuthors(ctx, tx, team, []string{m.SHA}))[figures.Commit{Repo: m.Repo, SHA: m.SHA}]
	if author.Name != "" {
		return author.Name
	}
	address := author.Email
	if address == "" {
		address = must.Get(notice.People(ctx, tx, team))[m.User.UUID]
	}
	if strings.HasSuffix(address, ".invalid") {
		return "CI"
	}
	name, _, _ := strings.Cut(address, "@")
	return name
}

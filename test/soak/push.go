package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
)

// push stores one run more, of now, as a request does.
func (w *world) push(ctx context.Context, d *db.DB) error {
	t := &w.teams[0]
	as := t.member(1)
	repo, suite := rand.IntN(repos), rand.IntN(suites)
	run := wire.EvalRun{
		RunAt: time.Now(), IngestKey: "pushed-" + uuid.NewString(), RepoSlug: repoName(repo), Branch: "main", Label: "main", Suite: suiteName(suite),
		TotalTests: casesPerRun, Passed: 90, Failed: 10, TotalCostUSD: 0.4,
		Costs: []wire.EvalCost{{Model: "model-0", Calls: 100, InputTokens: 40_000, EstimatedCostUSD: 0.4}},
	}
	run.ID = wire.RunID(t.id, run.IngestKey)
	for c, id := range t.cases[repo][suite] {
		score, ms := 0.5, int64(1200)
		run.Cases = append(run.Cases, wire.EvalCase{ID: id, Suite: run.Suite, Name: CaseName(c)})
		one := wire.EvalResult{CaseID: id, Score: &score, DurationMS: &ms}
		if c%10 == 0 {
			one.Status, one.Payload = 1, jsontext.Value(payload(c))
		}
		run.Results = append(run.Results, one)
	}
	return d.Update(ctx, as, func(tx *db.Tx) error {
		got, err := ingest.Push(ctx, tx, as, wire.EvalPush{Team: t.id, Run: run})
		if err == nil && got.Duplicate {
			err = fmt.Errorf("run %s was there already", got.ID)
		}
		return err
	})
}

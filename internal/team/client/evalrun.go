package client

import (
	"cmp"
	"math"

	"github.com/google/uuid"

	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// EvalRun makes the server's shape of a run.
func EvalRun(run *result.Run, team uuid.UUID, repoSlug string) (wire.EvalRun, error) {
	r := wire.EvalRun{
		ID: wire.RunID(team, run.IngestKey), RunAt: run.Timestamp.Time, IngestKey: run.IngestKey, RepoSlug: cmp.Or(run.Repo, repoSlug),
		Branch: run.GitBranch, GitSHA: run.GitSHA, Label: cmp.Or(run.Label, "run"), Suite: run.Suite, Hostname: run.Hostname,
		TotalTests: run.Total, Passed: run.Passed, Failed: run.Failed, Skipped: run.Skipped, Errored: run.Errored,
		TotalCostUSD: run.TotalCostUSD, TotalDurationMS: int64(math.Round(run.DurationSeconds * 1000)),
	}
	return r, nil
}

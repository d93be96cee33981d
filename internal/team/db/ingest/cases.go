package ingest

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
)

// identify computes the ids of a run's cases: what a push says is only how its
// results name them. So no repository can name a case that is another's. It
// returns the ids that results have and no case of the run has.
func identify(run *wire.EvalRun) (strange []int64, err error) {
	own := ownIDs(run)
	ids := make(map[int64]int64, len(run.Cases))
	run.Cases = slices.Clone(run.Cases)
	for i := range run.Cases {
		c := &run.Cases[i]
		if c.Name == "" {
			return nil, violates("eval_cases", "name")
		}
		given := c.ID
		c.ID = wire.CaseID(run.RepoSlug, c.Suite, c.Name, c.Variant)
		if c.OwnID = own(c, given); c.OwnID != "" {
			c.ID = wire.CaseID(run.RepoSlug, c.Suite, "", c.OwnID)
		}
		if before, twice := ids[given]; twice && before != c.ID {
			return nil, &postgrest.Error{Status: 400, Code: "22023", Message: "two cases of the run have the same id"}
		}
		ids[given] = c.ID
	}
	for i := range run.Results {
		r := &run.Results[i]
		id, known := ids[r.CaseID]
		if !known {
			strange = append(strange, r.CaseID)
			continue
		}
		r.CaseID = id
	}
	return strange, nil
}

// ownIDs returns what tells the id that the runner has for a case, "" where it
// goes by its name. Senders that do not say it in the case have it in the
// payloads, which are read when the first of them comes.
func ownIDs(run *wire.EvalRun) func(c *wire.EvalCase, given int64) string {
	var said map[int64]string
	return func(c *wire.EvalCase, given int64) string {
		if c.ID == given || c.OwnID != "" {
			if c.ID == given {
				return ""
			}
			return c.OwnID
		}
		if said == nil {
			said = map[int64]string{}
			for i := range run.Results {
				r := &run.Results[i]
				var payload struct {
					CaseID string `json:"case_id"`
				}
				if _, is := said[r.CaseID]; !is && r.Payload != nil && json.Unmarshal(r.Payload, &payload) == nil && payload.CaseID != "" {
					said[r.CaseID] = payload.CaseID
				}
			}
		}
		return said[given]
	}
}

// known checks that results of cases which the run does not name are of cases
// that its repository has.
func known(ctx context.Context, tx *db.Tx, team uuid.UUID, repo string, strange []int64) error {
	slices.Sort(strange)
	for some := range slices.Chunk(slices.Compact(strange), rowsAtOnce) {
		args := []any{team, repo}
		for _, id := range some {
			args = append(args, id)
		}
		n, err := db.One[int](ctx, tx, `select count(*) from eval_cases where team_id = ? and repo_slug = ? and id in (?`+strings.Repeat(", ?", len(some)-1)+`)`, args...)
		if err != nil {
			return err
		}
		if n < len(some) {
			return &postgrest.Error{Status: 409, Code: "23503", Message: "a result is of a case that neither the run nor its repository has"}
		}
	}
	return nil
}

package wire

import (
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// An EvalLabel is what a member says of the answer to a case in a run: it is right,
// or wrong. It is a row of EvalLabels.
type EvalLabel struct {
	Team      uuid.UUID `json:"team_id"`
	Run       uuid.UUID `json:"run_id"`
	Case      int64     `json:"case_id"`
	Criterion string    `json:"criterion"`
	User      uuid.UUID `json:"user_id"`
	Pass      bool      `json:"pass"`
	At        time.Time `json:"created_at,omitzero"` // the server says it
}

// EvalLabels is the table of labels.
const EvalLabels = "eval_labels"

// UpsertLabel is the query of a POST that gives a label or changes it.
const UpsertLabel = "on_conflict=team_id,run_id,case_id,criterion,user_id"

// Query selects a label, or, of what is left out, all: of a run those of its cases.
func (l EvalLabel) Query() url.Values {
	q := url.Values{"team_id": {"eq." + l.Team.String()}, "run_id": {"eq." + l.Run.String()}}
	if l.Case != 0 {
		q.Set("case_id", "eq."+strconv.FormatInt(l.Case, 10))
	}
	if l.Criterion != "" {
		q.Set("criterion", "eq."+l.Criterion)
	}
	if l.User != (uuid.UUID{}) {
		q.Set("user_id", "eq."+l.User.String())
	}
	return q
}

package figures

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Usage is how somebody worked with an agent on a day, in one repository on
// one machine.
type Usage struct {
	ID                                 uuid.UUID
	At                                 time.Time
	User                               uuid.NullUUID
	Day, Repo, Hostname, Agent         string
	Sessions, Turns, Prompts           int64
	PromptChars                        int64
	Tools                              map[string]float64 // calls
	Outputs, TokensBefore, TokensAfter int64
}

// Usages returns the days of a range, the oldest first; of what was sent
// several times the newest. It counts Who.
func Usages(ctx context.Context, tx *db.Tx, r Range) ([]Usage, error) {
	var w where
	w.and("team_id = ? and date >= ? and date < ?", r.Team, date(tx, r.From), date(tx, r.To))
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	r.by(&w)
	return usages(ctx, tx, `where nth = 1 order by date, repo_slug, hostname, agent, id`, w)
}

const day = 24 * time.Hour

func usages(ctx context.Context, tx *db.Tx, end string, w where, more ...any) ([]Usage, error) {
	type row struct {
		Usage
		tools []byte
	}
	rows, err := db.List(ctx, tx, `select id, occurred_at, user_id, `+text(tx, "date")+`, repo_slug, hostname, agent, sessions, turns, prompts, prompt_chars, tools, outputs, tokens_before, tokens_after
		from (select id, occurred_at, user_id, date, repo_slug, hostname, agent, sessions, turns, prompts, prompt_chars, tools, outputs, tokens_before, tokens_after, row_number() over (partition by user_id, hostname, agent, repo_slug, date order by occurred_at desc, created_at desc, id) as nth from usage_days where `+w.text+`) s `+end,
		append(w.args, more...), func(s *row) []any {
			return []any{&s.ID, db.Stamp(&s.At), &s.User, &s.Day, &s.Repo, &s.Hostname, &s.Agent, &s.Sessions, &s.Turns, &s.Prompts, &s.PromptChars, &s.tools, &s.Outputs, &s.TokensBefore, &s.TokensAfter}
		})
	if err != nil {
		return nil, err
	}
	var out []Usage
	for _, s := range rows {
		var tools map[string]jsontext.Value
		if json.Unmarshal(s.tools, &tools) == nil {
			s.Tools = map[string]float64{}
			for name, v := range tools {
				if n := plainNumber(v); n != nil {
					s.Tools[name] = *n
				}
			}
		}
		out = append(out, s.Usage)
	}
	return out, nil
}

// date is a day as a parameter.
func date(tx *db.Tx, t time.Time) any {
	if tx.Dialect() == db.SQLite {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Truncate(day)
}

// A Spend is what one model was used for in a week, in every repository.
type Spend struct {
	Week         string
	Model        string
	Calls        int64
	InputTokens  int64
	OutputTokens int64
	CostUSD      float64
}

// Spending returns cost by week and model, the oldest week first. It has no
// repositories: daily sums of costs do not.
func Spending(ctx context.Context, tx *db.Tx, r Range) ([]Spend, error) {
	w := r.days()
	return db.List(ctx, tx, `select `+weekOf(tx, "day")+`, model, `+count("sum(calls)")+`, `+count("sum(input_tokens)")+`, `+count("sum(output_tokens)")+`, `+
		dollars(tx, "sum(cost_usd)")+` from daily_costs where `+w.text+` group by 1, 2 order by 1, 6 desc, 2`, w.args, func(s *Spend) []any {
		return []any{&s.Week, &s.Model, &s.Calls, &s.InputTokens, &s.OutputTokens, &s.CostUSD}
	})
}

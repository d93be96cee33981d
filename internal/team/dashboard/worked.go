package dashboard

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

// A worked is how somebody worked with agents in a week, in one repository: what
// pages need of many days of machines and agents.
type worked struct {
	User                      uuid.NullUUID
	Week, Repo                string
	days                      uint8 // a bit for each day of the week
	Sessions, Turns           int64
	Prompts, PromptChars      int64
	TokensBefore, TokensAfter int64
	Tools                     []calls
}

// calls are how often a tool was called.
type calls struct {
	tool string
	n    float64
}

// workedWeeks sums days of a range by person, week and repository.
func workedWeeks(ctx context.Context, tx *db.Tx, r figures.Range) (out []worked, err error) {
	type key struct {
		user       uuid.NullUUID
		week, repo string
	}
	at := map[key]int{}
	type call struct {
		of   int
		tool string
	}
	called := map[call]int{}
	tools := map[string]string{} // each name once
	list, err := figures.Usages(ctx, tx, r)
	for _, u := range list {
		k := key{u.User, week(u.Day), u.Repo}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, worked{User: u.User, Week: k.week, Repo: u.Repo})
		}
		w := &out[i]
		if day, err := time.Parse(time.DateOnly, u.Day); err == nil {
			w.days |= 1 << day.Weekday()
		}
		w.Sessions, w.Turns, w.Prompts, w.PromptChars = w.Sessions+u.Sessions, w.Turns+u.Turns, w.Prompts+u.Prompts, w.PromptChars+u.PromptChars
		w.TokensBefore, w.TokensAfter = w.TokensBefore+u.TokensBefore, w.TokensAfter+u.TokensAfter
		for tool, n := range u.Tools {
			c, ok := called[call{i, tool}]
			if !ok {
				if _, ok := tools[tool]; !ok {
					tools[tool] = tool
				}
				c, w.Tools = len(w.Tools), append(w.Tools, calls{tool: tools[tool]})
				called[call{i, tool}] = c
			}
			w.Tools[c].n += n
		}
	}
	return out, err
}

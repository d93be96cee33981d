package link

import (
	"fmt"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/record"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Enqueue puts rows into the queue. An error comes with the ids of those before it.
func Enqueue(queue *spool.Spool, rows []record.Row) (ids []string, err error) {
	for i, row := range rows {
		id, err := queue.Put(row.Table, row.IngestKey, row.Body)
		if err != nil {
			return ids, term.Hint(fmt.Errorf("%d of %d records are queued for the team, then: %w", i, len(rows), err), "send it again when that is mended: nothing is stored twice")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Share puts rows into the queue, waits shortly for the server, and answers how
// it ended.
func Share(env *command.Env, queue *spool.Spool, kind record.Kind, rows []record.Row) (*answer.Answer, error) {
	ids, err := Enqueue(queue, rows)
	if err != nil {
		return nil, err
	}
	return Shared(env, kind, rows, ids), nil
}

// Shared is Share for rows that are in the queue already.
func Shared(env *command.Env, kind record.Kind, rows []record.Row, ids []string) *answer.Answer {
	type shared struct {
		Table     string `json:"table"`
		IngestKey string `json:"ingest_key"`
		Queued    bool   `json:"queued"`
		Synced    bool   `json:"synced"`
	}
	said, list, worst := Deliver(env, ids), []shared{}, Synced
	for i, row := range rows {
		how := said[ids[i]]
		list = append(list, shared{row.Table, row.IngestKey, true, how == Synced})
		if slices.Index(outcomes, how) > slices.Index(outcomes, worst) {
			worst = how
		}
	}
	a := &answer.Answer{Data: answer.LinesOf(list), Done: true}
	switch {
	case len(rows) == 1 && rows[0].Title != "":
		a.View = answer.Line("%s %s  %s", kind.Noun(), term.Line(rows[0].Title), worst)
	case len(rows) > 0:
		a.View = answer.Line("%s  %s", text.Count(len(rows), kind.Noun()), worst)
	}
	return a
}

// outcomes are those that a line about several names the worst of, the best first.
var outcomes = []string{Synced, Later, Offline, Full, Setup, Refused}

package runs

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/judge"
	"cairn/internal/team/link"
	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// TeamLabels are the labels of the team's members.
type TeamLabels struct {
	client *client.Client
	team   uuid.UUID
	me     uuid.UUID
	repo   string // of runs that name none

	mu    sync.Mutex
	names map[uuid.UUID]string // of members, once they are asked for
}

// OpenLabels finds the team of the checkout.
func OpenLabels(env *command.Env) (*TeamLabels, error) {
	s, err := link.Want(env)
	if err != nil {
		return nil, err
	}
	t := &TeamLabels{}
	if t.client, err = s.Client(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if t.team, err = t.client.Team(ctx, ""); err != nil {
		return nil, err
	}
	t.me, err = t.client.Me(ctx)
	t.repo, _ = Repo(env)
	return t, err
}

// teamTime is how long a page of labels waits for the team's server.
const teamTime = 5 * time.Second

// id is what the team calls a run.
func (t *TeamLabels) id(run *result.Run) (uuid.UUID, error) {
	key := run.IngestKey
	if key == "" {
		var err error
		if key, err = run.ContentKey(); err != nil {
			return uuid.Nil, err
		}
	}
	return wire.RunID(t.team, key), nil
}

func (t *TeamLabels) caseOf(run *result.Run, r *result.Result) int64 {
	return pushed.CaseID(cmp.Or(run.Repo, t.repo), run, r)
}

// Of returns one's own labels of a run, and those of each other member.
func (t *TeamLabels) Of(run *result.Run) (mine []judge.Label, others []judge.Voice, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), teamTime)
	defer cancel()
	id, err := t.id(run)
	if err != nil {
		return nil, nil, err
	}
	list, err := t.client.Labels(ctx, wire.EvalLabel{Team: t.team, Run: id})
	if err != nil || len(list) == 0 {
		return nil, nil, err
	}
	title := map[int64]string{}
	for i := range run.Results {
		title[t.caseOf(run, &run.Results[i])] = run.Results[i].Title()
	}
	at := map[uuid.UUID]int{}
	for _, l := range list {
		name, ok := title[l.Case]
		if !ok { // of a case that the run does not have
			continue
		}
		label := judge.Label{Case: name, Criterion: l.Criterion, Pass: l.Pass}
		if l.User == t.me {
			mine = append(mine, label)
			continue
		}
		i, known := at[l.User]
		if !known {
			i, others = len(others), append(others, judge.Voice{Who: t.name(ctx, l.User)})
			at[l.User] = i
		}
		others[i].Labels = append(others[i].Labels, label)
	}
	return mine, others, nil
}

// name is what a member is called, who may have left.
func (t *TeamLabels) name(ctx context.Context, user uuid.UUID) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		people, err := t.client.People(ctx, t.team)
		if err != nil { // a token of CI may not ask
			return "a member"
		}
		t.names = map[uuid.UUID]string{}
		for _, p := range people {
			t.names[p.UserID], _, _ = strings.Cut(p.Email, "@")
		}
	}
	return cmp.Or(t.names[user], "somebody who left")
}

// Set gives or changes one's own label of the answer to a case; gone takes it back.
func (t *TeamLabels) Set(run *result.Run, r *result.Result, criterion string, pass, gone bool) error {
	id, err := t.id(run)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), teamTime)
	defer cancel()
	return t.client.SetLabel(ctx, wire.EvalLabel{Team: t.team, Run: id, Case: t.caseOf(run, r), Criterion: criterion, Pass: pass}, gone)
}

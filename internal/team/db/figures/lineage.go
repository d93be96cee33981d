package figures

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// A Tried is a run with the prompts that its cases were tried with. Only runs of
// tools that number prompts have any.
type Tried struct {
	ID          uuid.UUID
	At          time.Time
	Repo, Suite string
	Prompts     []result.Prompt
}

// mostTried is how many of a suite's newest runs prompts are followed through, besides
// those that are shown.
const mostTried = 300

// TriedWith returns the prompts of runs, in the order of ids.
func TriedWith(ctx context.Context, tx *db.Tx, team uuid.UUID, ids []uuid.UUID) ([]Tried, error) {
	at := make(map[uuid.UUID]Tried, len(ids))
	const atOnce = 500
	for some := range slices.Chunk(ids, atOnce) {
		args := []any{team}
		for _, id := range some {
			args = append(args, id)
		}
		list, err := tried(ctx, tx, where{text: "team_id = ? and id in (?" + strings.Repeat(", ?", len(some)-1) + ")", args: args}, "")
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			at[one.ID] = one
		}
	}
	out := make([]Tried, len(ids))
	for i, id := range ids {
		out[i] = at[id]
	}
	return out, nil
}

func tried(ctx context.Context, tx *db.Tx, w where, end string) ([]Tried, error) {
	prompts := "case when " + saysPrompts(tx) + " then meta end"
	return db.Each(ctx, tx, `select id, run_at, repo_slug, suite, `+prompts+` from eval_runs where `+w.text+` `+end, w.args, func(scan db.Scan) (t Tried, err error) {
		var meta []byte
		if err := scan(&t.ID, db.Stamp(&t.At), &t.Repo, &t.Suite, &meta); err != nil || meta == nil {
			return t, err
		}
		var said struct {
			Prompts []result.Prompt `json:"prompt_texts"`
		}
		if json.Unmarshal(meta, &said) == nil { // another client's may be anything
			for _, p := range said.Prompts {
				t.Prompts = append(t.Prompts, result.Prompt{Name: p.Name, ID: p.ID, Label: p.Label})
			}
		}
		return t, nil
	})
}

func saysPrompts(tx *db.Tx) string {
	if tx.Dialect() == db.PostgreSQL {
		return "meta->'prompt_texts' is not null"
	}
	return `meta like '%"prompt_texts":%'`
}

// Follow has the cases of runs called as the newest run of their suite calls them,
// where a prompt has another number there: went are how the cases of each run went.
// The cases of a prompt whose number is another's now have an id below 0, and are
// returned.
func Follow(ctx context.Context, tx *db.Tx, team uuid.UUID, runs []Tried, went [][]Ended) (followed [][]Ended, other []Case, err error) {
	followed = went
	known := map[int64]bool{}
	for s, of := range ofSuites(runs) {
		_, called, newest, err := lineage(ctx, tx, team, s, of)
		if err != nil {
			return nil, nil, err
		}
		moved := map[uuid.UUID]*result.Called{}
		ids := map[int64]bool{}
		for i, run := range runs {
			if c := called[run.ID]; run.suite() == s && c != nil && c.Names != nil {
				moved[run.ID] = c
				for _, one := range went[i] {
					ids[one.Case] = true
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		f, err := siblings(ctx, tx, team, s, ids, newest)
		if err != nil {
			return nil, nil, err
		}
		for i, run := range runs {
			c := moved[run.ID]
			if c == nil || run.suite() != s {
				continue
			}
			list := make([]Ended, len(went[i]))
			for k, one := range went[i] {
				now, is, err := f.now(ctx, one.Case, run, c)
				if err != nil {
					return nil, nil, err
				}
				if list[k] = (Ended{Case: now, Status: one.Status}); now < 0 && !known[now] {
					known[now] = true
					other = append(other, is)
				}
			}
			if &followed[0] == &went[0] {
				followed = slices.Clone(went)
			}
			followed[i] = list
		}
	}
	return followed, other, nil
}

type suiteOf struct{ repo, suite string }

func (t *Tried) suite() suiteOf { return suiteOf{t.Repo, t.Suite} }

// ofSuites are the runs by suite, of those that say their prompts.
func ofSuites(runs []Tried) map[suiteOf][]Tried {
	of := map[suiteOf][]Tried{}
	for _, run := range runs {
		if len(run.Prompts) > 0 {
			of[run.suite()] = nil
		}
	}
	for _, run := range runs {
		if _, ok := of[run.suite()]; ok && run.ID != uuid.Nil {
			of[run.suite()] = append(of[run.suite()], run)
		}
	}
	return of
}

// lineage follows the prompts of a suite through some of its runs and the newest of
// all, the oldest first; newest is the last that says its prompts.
func lineage(ctx context.Context, tx *db.Tx, team uuid.UUID, s suiteOf, some []Tried) (list []Tried, called map[uuid.UUID]*result.Called, newest Tried, err error) {
	list, err = tried(ctx, tx, where{text: "team_id = ? and id in (select id from eval_runs where team_id = ? and repo_slug = ? and suite = ? order by run_at desc, id desc limit ?) and " + saysPrompts(tx),
		args: []any{team, team, s.repo, s.suite, mostTried}}, "")
	if err != nil {
		return nil, nil, Tried{}, err
	}
	have := make(map[uuid.UUID]bool, len(list))
	for _, run := range list {
		have[run.ID] = true
	}
	for _, run := range some {
		if !have[run.ID] {
			have[run.ID] = true
			list = append(list, run)
		}
	}
	slices.SortFunc(list, func(a, b Tried) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID.String(), b.ID.String()))
	})
	prompts := make([][]result.Prompt, len(list))
	for i, run := range list {
		if prompts[i] = run.Prompts; len(run.Prompts) > 0 {
			newest = run
		}
	}
	called = make(map[uuid.UUID]*result.Called, len(list))
	for i, c := range result.PromptNames(prompts) {
		called[list[i].ID] = &c
	}
	return list, called, newest, nil
}

// A Line is what a case was in the runs of its suite: the ids that it had, because its
// prompt had other numbers, and which of them in which run.
type Line struct {
	IDs      []int64
	variants map[int64]string
	variant  string // in the newest run
	runs     []Tried
	called   map[uuid.UUID]*result.Called
}

// LineOf follows a case. Its id means what it means in a run, or, for uuid.Nil, in the
// newest that has such a prompt.
func LineOf(ctx context.Context, tx *db.Tx, team uuid.UUID, id int64, in uuid.UUID) (*Line, error) {
	l := &Line{IDs: []int64{id}}
	found, err := Cases(ctx, tx, team, l.IDs)
	if err != nil || len(found) == 0 || found[0].Variant == "" {
		return l, err
	}
	c := found[0]
	s := suiteOf{c.Repo, c.Suite}
	var some []Tried
	if in != uuid.Nil {
		if some, err = TriedWith(ctx, tx, team, []uuid.UUID{in}); err != nil || some[0].suite() != s {
			return l, err
		}
	}
	runs, called, newest, err := lineage(ctx, tx, team, s, some)
	if err != nil {
		return nil, err
	}
	before, has := "", false
	for at, run := range slices.Backward(runs) {
		if after := at + 1; in != uuid.Nil && run.ID != in {
			continue
		} else if len(run.Prompts) == 0 && after < len(runs) { // those of the next that says them
			run.Prompts = runs[after+max(0, slices.IndexFunc(runs[after:], func(t Tried) bool { return len(t.Prompts) > 0 }))].Prompts
		}
		for _, p := range run.Prompts {
			if before, has = p.In(c.Variant); has {
				l.variant = called[run.ID].Variant(c.Variant)
				newest = run
				break
			}
		}
		if has {
			break
		}
	}
	if !has {
		return l, nil
	}
	l.runs, l.called, l.variants = runs, called, map[int64]string{id: c.Variant}
	f, err := siblings(ctx, tx, team, s, map[int64]bool{id: true}, newest)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{c.Variant: true}
	for _, run := range slices.Backward(l.runs) {
		for _, p := range run.Prompts {
			variant := before + p.Name
			if seen[variant] || l.called[run.ID].Variant(variant) != l.variant {
				continue
			}
			seen[variant] = true
			twin, err := f.twin(ctx, c, newest, variant, run)
			if err != nil {
				return nil, err
			}
			if twin != 0 {
				l.IDs = append(l.IDs, twin)
				l.variants[twin] = variant
			}
		}
	}
	return l, nil
}

// Of keeps the outcomes that are of the case, most at most.
func (l *Line) Of(all []Outcome, most int) (kept []Outcome) {
	for _, o := range all {
		if len(kept) < most && l.has(o) {
			kept = append(kept, o)
		}
	}
	return kept
}

func (l *Line) has(o Outcome) bool {
	if l.runs == nil {
		return true
	}
	called := l.called[o.Run]
	if called == nil { // it does not say its prompts: those of the next that does
		next := slices.IndexFunc(l.runs, func(t Tried) bool { return t.At.After(o.RunAt) })
		if next < 0 {
			return l.variants[o.Case] == l.variant
		}
		called = l.called[l.runs[next].ID]
	}
	return called.Variant(l.variants[o.Case]) == l.variant
}

// A family are the cases of some names, by name and variant. Several of one name and
// variant are told apart by their inputs, which are in the payloads.
type family struct {
	tx     *db.Tx
	team   uuid.UUID
	suite  suiteOf
	newest Tried
	cases  map[int64]Case
	called map[[2]string][]int64
	inputs map[uuid.UUID]map[int64]string // by run
}

func siblings(ctx context.Context, tx *db.Tx, team uuid.UUID, s suiteOf, ids map[int64]bool, newest Tried) (*family, error) {
	f := &family{tx: tx, team: team, suite: s, newest: newest, cases: map[int64]Case{}, called: map[[2]string][]int64{}, inputs: map[uuid.UUID]map[int64]string{}}
	list := make([]int64, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	slices.Sort(list)
	some, err := Cases(ctx, tx, team, list)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range some {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	const atOnce = 500
	for part := range slices.Chunk(slices.Compact(names), atOnce) {
		args := []any{team, s.repo, s.suite}
		for _, name := range part {
			args = append(args, name)
		}
		more, err := db.List(ctx, tx, `select id, repo_slug, suite, name, variant, category from eval_cases where team_id = ? and repo_slug = ? and suite = ? and name in (?`+strings.Repeat(", ?", len(part)-1)+`) order by id`,
			args, func(c *Case) []any { return []any{&c.ID, &c.Repo, &c.Suite, &c.Name, &c.Variant, &c.Category} })
		if err != nil {
			return nil, err
		}
		for _, c := range more {
			f.cases[c.ID] = c
			at := [2]string{c.Name, c.Variant}
			f.called[at] = append(f.called[at], c.ID)
		}
	}
	return f, nil
}

// now is the id that a case of a run has in the newest, and one below 0, with what it is
// called, where the newest run has none.
func (f *family) now(ctx context.Context, id int64, run Tried, called *result.Called) (int64, Case, error) {
	c, ok := f.cases[id]
	if !ok {
		return id, c, nil // of another suite
	}
	variant := called.Variant(c.Variant)
	if variant == c.Variant {
		return id, c, nil
	}
	twin, err := f.twin(ctx, c, run, variant, f.newest)
	if err != nil || twin != 0 {
		return twin, f.cases[twin], err
	}
	own := variant
	if len(f.called[[2]string{c.Name, c.Variant}]) > 1 {
		own = fmt.Sprint(variant, "\x00", id)
	}
	c.ID, c.Variant = ^wire.CaseID(f.suite.repo, f.suite.suite, c.Name, own), variant
	return c.ID, c, nil
}

// twin is the case of a variant that is the same as one of a run but for the prompt's
// number, 0 where there is none. in is a run that has it.
func (f *family) twin(ctx context.Context, c Case, run Tried, variant string, in Tried) (int64, error) {
	of := f.called[[2]string{c.Name, variant}]
	if len(of) == 0 {
		return 0, nil
	}
	if here := f.called[[2]string{c.Name, c.Variant}]; len(of) == 1 && len(here) == 1 {
		return of[0], nil
	}
	mine, err := f.inputsOf(ctx, run)
	if err != nil {
		return 0, err
	}
	theirs, err := f.inputsOf(ctx, in)
	if err != nil {
		return 0, err
	}
	input := cmp.Or(mine[c.ID], theirs[c.ID]) // a run of an older version does not say it
	if input == "" {
		return 0, nil
	}
	var found int64
	for _, id := range of {
		if cmp.Or(theirs[id], mine[id]) == input {
			if found != 0 {
				return 0, nil // they cannot be told apart
			}
			found = id
		}
	}
	return found, nil
}

// inputsOf are the inputs of the cases of a run, where several have one name.
func (f *family) inputsOf(ctx context.Context, run Tried) (map[int64]string, error) {
	if known, ok := f.inputs[run.ID]; ok {
		return known, nil
	}
	var ids []int64
	for _, list := range f.called {
		if len(list) > 1 {
			ids = append(ids, list...)
		}
	}
	slices.Sort(ids)
	known := map[int64]string{}
	f.inputs[run.ID] = known
	const atOnce = 500
	for some := range slices.Chunk(ids, atOnce) {
		rows, err := results(ctx, f.tx, f.team, run.ID, run.At, some)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			var said struct {
				Identity result.Identity `json:"identity"`
			}
			if r.Payload != nil && json.Unmarshal(r.Payload, &said) == nil {
				known[r.CaseID] = said.Identity.Input
			}
		}
	}
	return known, nil
}

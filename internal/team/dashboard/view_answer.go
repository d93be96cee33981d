package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/retro"
	"cairn/internal/team/wire"
)

// A storedRun is a run of the team as its pages need it.
type storedRun struct {
	*result.Run
	id  uuid.UUID
	ids map[string]string // of its cases, by result.Run.Key
	bad int               // results whose payload cannot be read
}

// stored makes a run of its rows. Other clients write rows too: a payload that cannot
// be read as a result is left out, and counted.
func stored(w wire.EvalRun) *storedRun {
	s := &storedRun{id: w.ID, ids: map[string]string{}}
	w.Results = slices.Clone(w.Results)
	named := map[int64]bool{}
	for _, c := range w.Cases {
		named[c.ID] = true
	}
	w.Results = slices.DeleteFunc(w.Results, func(r wire.EvalResult) bool {
		if !named[r.CaseID] || r.Status < 0 || r.Status > 3 {
			s.bad++
			return true
		}
		return false
	})
	for i := range w.Results {
		var r result.Result
		if p := &w.Results[i].Payload; *p != nil && json.Unmarshal(*p, &r) != nil {
			*p = nil
			s.bad++
		}
	}
	type name struct{ suite, name, variant string }
	called := map[name]int{}
	for _, c := range w.Cases {
		called[name{c.Suite, c.Name, c.Variant}]++
	}
	w.Cases = slices.Clone(w.Cases)
	for i := range w.Cases {
		if c := &w.Cases[i]; c.OwnID == "" && called[name{c.Suite, c.Name, c.Variant}] > 1 { // the runner's own ids tell them apart
			c.OwnID = ofRow + strconv.FormatInt(c.ID, 10)
		}
	}
	s.Run = must.Get(pushed.RunOf(w))
	for i, c := range w.Costs { // also what was estimated
		s.Costs[i].CostUSD = c.EstimatedCostUSD
	}
	for _, c := range w.Cases {
		one := result.Result{Suite: c.Suite, Name: c.Name, Variant: c.Variant}
		s.ids[s.Key(&one)] = strconv.FormatInt(c.ID, 10)
	}
	return s
}

// ofRow begins the id of a case that has one of its row only.
const ofRow = "row "

// idOf names a case in links: by its row, or by the runner's own id.
func (s *storedRun) idOf(run *result.Run, r *result.Result) string {
	if id, ok := strings.CutPrefix(r.CaseID, ofRow); ok {
		return id
	}
	if r.CaseID != "" {
		return strconv.FormatInt(wire.CaseID(run.Repo, cmp.Or(r.Suite, run.Suite), "", r.CaseID), 10)
	}
	return s.ids[run.Key(r)]
}

// load reads a run, all of it or some of its cases.
func (a *ask) load(ctx context.Context, id uuid.UUID, only []int64) *storedRun {
	w, err := figures.RunPart(ctx, a.tx, a.team.ID, id, only)
	if errors.Is(err, figures.ErrNone) {
		err = errNothing
	}
	must.OK(err)
	return stored(w)
}

// notes name what is missing from the page.
func (s *storedRun) notes() (list []string) {
	if s.bad > 0 {
		list = append(list, fmt.Sprintf("%d of the results cannot be read in full.", s.bad))
	}
	return list
}

// site makes the addresses of the pages. The host of a repository is the one that
// its merged pull requests are on.
func (a *ask) site(ctx context.Context) *evalpage.Site {
	known := map[string][]figures.Pull{}
	pulls := func(run *result.Run) []figures.Pull {
		key := run.Repo + "\x00" + run.GitSHA
		if _, ok := known[key]; !ok {
			known[key] = must.Get(figures.Pulls(ctx, a.tx, a.team.ID, run.Repo, run.GitSHA))
		}
		return known[key]
	}
	return &evalpage.Site{
		Zone: time.UTC,
		Commit: func(run *result.Run) string {
			for _, p := range pulls(run) {
				if to := retro.WebOfPull(p.URL).Commit(run.GitSHA); to != "" {
					return to
				}
			}
			return ""
		},
		Pull: func(run *result.Run) evalpage.Link {
			for _, p := range pulls(run) {
				if p.SHA == run.GitSHA && retro.WebOfPull(p.URL).Commit(run.GitSHA) != "" {
					return evalpage.Link{Text: "pull request " + p.URL[strings.LastIndex(p.URL, "/")+1:], To: p.URL}
				}
			}
			return evalpage.Link{}
		},
	}
}

// link is the address of another page of the team.
func (a *ask) link(to string) string { return place{team: a.team, filter: a.filter}.to(to) }

// caseBase is a link to a case of a run; its id follows.
func (a *ask) caseBase(run uuid.UUID) string {
	to := a.link("case?run=" + run.String())
	return to + "&id="
}

func (a *ask) runLink(run uuid.UUID) string { return a.link("run?id=" + run.String()) }

func (a *ask) compareLink(before, after uuid.UUID) string {
	return a.link("compare?" + url.Values{"a": {before.String()}, "b": {after.String()}}.Encode())
}

// ownRun is the page of a run.
func ownRun(ctx context.Context, a *ask) own {
	s := stored(*a.run(ctx))
	a.title = "Run of " + called(s.Suite)
	p := a.site(ctx).Run(s.Run, s.idOf)
	p.Base, p.List, p.Pairs, p.Notes = a.caseBase(s.id), s.id.String(), a.compareLink(s.id, s.id), append(p.Notes, s.notes()...)
	p.Up = &evalpage.Link{Text: "Suite " + evalpage.Visible(called(s.Suite)), To: a.link(suiteLink(s.Repo, s.Suite))}
	row := must.Get(figures.OneRun(ctx, a.tx, a.team.ID, s.id))
	if len(row) > 0 {
		p.About += " · pushed by " + evalpage.Visible(a.name(row[0].User))
	}
	runs := must.Get(figures.Runs(ctx, a.tx, figures.Range{Team: a.team.ID, From: time.Unix(0, 0), To: s.Timestamp.Time, Repo: s.Repo}, &s.Suite, figures.After{}, mostBefore))
	other := func(is func(figures.RunRow) bool) *figures.RunRow {
		i := slices.IndexFunc(runs, func(r figures.RunRow) bool { return r.ID != s.id && is(r) })
		if i < 0 {
			return nil
		}
		return &runs[i]
	}
	if before := other(func(r figures.RunRow) bool { return r.Branch == s.GitBranch }); before != nil {
		p.Compare = append(p.Compare, evalpage.Link{Text: "Compare with the run before", To: a.compareLink(before.ID, s.id)})
	}
	if base := other(func(r figures.RunRow) bool { return mainBranch(r.Branch) && r.Branch != s.GitBranch }); base != nil {
		p.Compare = append(p.Compare, evalpage.Link{Text: "Compare with " + base.Branch, To: a.compareLink(base.ID, s.id)})
	}
	return own{"run", p}
}

// mostBefore is how many older runs of a suite are looked at for one to compare with.
const mostBefore = 100

func mainBranch(name string) bool { return name == "main" || name == "master" || name == "trunk" }

// ownCase is the page of a case in a run: the one that the address names, or the
// newest that has it.
func ownCase(ctx context.Context, a *ask) own {
	past, about := a.outcomes(ctx)
	went := byRun(past)
	run := uuid.UUID{}
	switch of := a.path["run"]; {
	case of != "":
		run = named(uuid.Parse(of))
	case len(went) > 0:
		run = went[0].run
	default:
		must.Fail(errNothing)
	}
	if at := slices.IndexFunc(went, func(w *wentIn) bool { return w.run == run }); at >= 0 && went[at].id != about.ID {
		about = must.Get(figures.Cases(ctx, a.tx, a.team.ID, []int64{went[at].id}))[0]
	}
	a.title = about.Name + variant(about.Variant)
	id := strconv.FormatInt(about.ID, 10)
	cases := must.Get(figures.Variants(ctx, a.tx, a.team.ID, about))
	only := []int64{about.ID}
	for _, c := range cases {
		if c.ID != about.ID && c.Variant != about.Variant && len(only) <= mostVariants {
			only = append(only, c.ID)
		}
	}
	s := a.load(ctx, run, only)
	t := s.find(id)
	if t == nil {
		must.Fail(errNothing)
	}
	site := a.site(ctx)
	c := site.Case(s.Run, t)
	c.ID, c.Base, c.List, c.Notes = id, a.caseBase(run), run.String(), s.notes()
	c.Run = evalpage.Link{Text: "Run of " + evalpage.Visible(called(s.Suite)), To: a.runLink(run)}
	for _, other := range eval.Tallies(s.Run) {
		if other.Key != t.Key {
			c.Variants = append(c.Variants, site.Variant(s.Run, other))
		}
	}
	c.Labels = evalpage.LabelsOf(t, run.String(), id)
	a.neighbours(ctx, c, s, about.ID)
	a.history(ctx, site, c, went, run)
	return own{"case", c}
}

// mostVariants is how many other variants a case's page shows.
const mostVariants = 12

// find returns a case of the run.
func (s *storedRun) find(id string) *eval.Tally {
	for _, t := range eval.Tallies(s.Run) {
		if s.idOf(s.Run, t.Results[0]) == id {
			return t
		}
	}
	return nil
}

// neighbours are the cases before and after one in the order of its run's page.
func (a *ask) neighbours(ctx context.Context, c *evalpage.Case, s *storedRun, id int64) {
	ended := must.Get(figures.Results(ctx, a.tx, a.team.ID, []uuid.UUID{s.id}, []time.Time{s.Timestamp.Time}))[s.id]
	tallies := map[int64]*eval.Tally{}
	for _, e := range ended {
		if tallies[e.Case] == nil {
			tallies[e.Case] = &eval.Tally{}
		}
		tallies[e.Case].Counts.Count(statusOf(int(e.Status)))
	}
	names := slices.Clone(a.cases(ctx, slices.Collect(maps.Keys(tallies))))
	slices.SortFunc(names, func(x, y figures.Case) int {
		return cmp.Or(evalpage.Rank(tallies[x.ID], tallies[y.ID]), cmp.Compare(x.Suite, y.Suite), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Variant, y.Variant), cmp.Compare(x.ID, y.ID))
	})
	at := slices.IndexFunc(names, func(one figures.Case) bool { return one.ID == id })
	if c.Of = len(names); at < 0 {
		return
	}
	if c.At = at + 1; at > 0 {
		c.Prev = strconv.FormatInt(names[at-1].ID, 10)
	}
	if at+1 < len(names) {
		c.Next = strconv.FormatInt(names[at+1].ID, 10)
	}
}

// A wentIn is how a case went in one run.
type wentIn struct {
	run    uuid.UUID
	id     int64 // of the case in that run
	entry  eval.Entry
	counts eval.Tally
}

// byRun joins the attempts of a run, the newest run first.
func byRun(past []figures.Outcome) (list []*wentIn) {
	at := map[uuid.UUID]*wentIn{}
	for _, o := range past {
		w := at[o.Run]
		if w == nil {
			w = &wentIn{run: o.Run, id: o.Case, entry: eval.Entry{ID: o.Run.String(), Time: result.Time{Time: o.RunAt}, Branch: o.Branch, SHA: o.SHA, Label: o.Label}}
			at[o.Run] = w
			list = append(list, w)
		}
		w.counts.Counts.Count(statusOf(o.Status))
	}
	return list
}

// history adds how the case went, and its answer in the run before or in the one
// that is asked for.
func (a *ask) history(ctx context.Context, site *evalpage.Site, c *evalpage.Case, went []*wentIn, run uuid.UUID) {
	var past []evalpage.Past
	for _, w := range slices.Backward(went) {
		past = append(past, site.Past(w.entry, evalpage.StatusOf(&w.counts), a.caseBase(w.run)+strconv.FormatInt(w.id, 10)))
	}
	with, _ := uuid.Parse(a.path["with"])
	beside, name := site.History(c, past, run.String(), with.String())
	if beside == "" {
		return
	}
	id, _ := strconv.ParseInt(c.ID, 10, 64)
	for _, w := range went {
		if w.run.String() == beside {
			id = w.id
		}
	}
	other := a.load(ctx, uuid.MustParse(beside), []int64{id})
	if t := other.find(strconv.FormatInt(id, 10)); t != nil {
		c.Answers = append(c.Answers, site.Answer(name, other.Run, t))
	}
}

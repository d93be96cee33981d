package evalview

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/page"
)

// mostListed is how many runs the list has.
const mostListed = 500

func (v *View) list() (page.Page, error) {
	entries, err := v.entries()
	if err != nil {
		return page.Page{}, err
	}
	list := evalpage.Runs{Title: "Eval runs", Rows: []evalpage.RunInList{}, More: max(0, len(entries)-mostListed)}
	for i, e := range entries[:min(len(entries), mostListed)] {
		row := evalpage.RunInList{To: runLink(e.ID), Suite: evalpage.Visible(e.SuiteText()), Passed: e.Passed, Judged: e.Judged(), Failed: e.Failed, Errors: e.Errored, Cost: e.CostUSD}
		row.When, row.About = v.opts.Site.Entry(e)
		if before := previous(entries[i+1:], e); before != "" {
			row.Beside = compareLink(side{run: before}, side{run: e.ID})
		}
		list.Rows = append(list.Rows, row)
	}
	return list.Page(), nil
}

// previous is the newest of older runs that is of the same repository and suite,
// of the same branch where there is one.
func previous(older []eval.Entry, e eval.Entry) string {
	other := ""
	for _, o := range older {
		if o.ID == e.ID || o.Repo != e.Repo || o.SuiteText() != e.SuiteText() {
			continue
		}
		if o.Branch == e.Branch {
			return o.ID
		}
		if other == "" {
			other = o.ID
		}
	}
	return other
}

func (v *View) run(id string) (page.Page, error) {
	o, err := v.open(id)
	if err != nil {
		return page.Page{}, err
	}
	p := v.opts.Site.Run(o.Run, idOf)
	p.Base, p.List, p.Pairs, p.Up = caseLink(id, ""), id, compareLink(side{run: id}, side{run: id}), &evalpage.Link{Text: "All runs", To: "runs"}
	entries, err := v.entries()
	if err != nil {
		return page.Page{}, err
	}
	at := slices.IndexFunc(entries, func(e eval.Entry) bool { return e.ID == id })
	if at >= 0 {
		e := entries[at]
		if before := previous(entries[at+1:], e); before != "" {
			p.Compare = append(p.Compare, evalpage.Link{Text: "Compare with the run before", To: compareLink(side{run: before}, side{run: id})})
		}
		for _, o := range entries { // the newest of the main branch
			if (o.Branch == "main" || o.Branch == "master") && o.Branch != e.Branch && o.Repo == e.Repo && o.SuiteText() == e.SuiteText() && o.ID != id {
				p.Compare = append(p.Compare, evalpage.Link{Text: "Compare with " + o.Branch, To: compareLink(side{run: o.ID}, side{run: id})})
				break
			}
		}
	}
	if len(o.tallies) > 0 { // for the page of a case, which likely comes next
		of, _ := past(like(entries, o.Repo, o.tallies[0].Suite), id)
		go v.warm(of)
	}
	return p.Page(), nil
}

// mostRead is how many results of older runs are read for one history.
const mostRead = 400_000

func (v *View) oneCase(run, id, with string) (page.Page, error) {
	o, err := v.open(run)
	if err != nil {
		return page.Page{}, err
	}
	at, ok := o.at[id]
	if !ok {
		return page.Page{}, fmt.Errorf("the run has no such case")
	}
	site, t := &v.opts.Site, o.tallies[at]
	c := site.Case(o.Run, t)
	c.ID, c.Base, c.List, c.At, c.Of = id, caseLink(run, ""), run, at+1, len(o.tallies)
	c.Run = evalpage.Link{Text: "Run of " + evalpage.Visible(o.suite()), To: runLink(run)}
	if at > 0 {
		c.Prev = o.ids[at-1]
	}
	if at+1 < len(o.ids) {
		c.Next = o.ids[at+1]
	}
	for i, other := range o.tallies {
		if i != at && other.Suite == t.Suite && other.Results[0].Name == t.Results[0].Name && len(c.Variants) < mostVariants {
			c.Variants = append(c.Variants, site.Variant(o.Run, other))
		}
	}
	if err := v.history(c, o, t, id, with); err != nil {
		return page.Page{}, err
	}
	c.Labels, err = v.labels(o, t, id)
	if err != nil {
		c.Notes = append(c.Notes, "The labels cannot be read: "+evalpage.Visible(err.Error()))
	}
	p := c.Page()
	p.Live = c.Labels != nil
	return p, nil
}

// mostVariants is how many other variants a case's page shows.
const mostVariants = 12

func (o *opened) suite() string {
	e := eval.EntryOf(o.Run)
	return e.SuiteText()
}

// history adds how the case went before and what it stands beside: the run that is
// asked for, or the one before.
func (v *View) history(c *evalpage.Case, o *opened, t *eval.Tally, id, with string) error {
	entries, err := v.entries()
	if err != nil {
		return err
	}
	var list []evalpage.Past
	of, cut := past(like(entries, o.Repo, t.Suite), o.ID)
	if cut {
		c.Notes = append(c.Notes, "The history is incomplete: the older runs have too many results to read.")
	}
	v.warm(of)
	var read []eval.Entry
	var all []outcomes
	for _, e := range of {
		went, err := v.outcomes(e)
		if err != nil {
			c.Notes = append(c.Notes, "The run "+e.ID+" cannot be read and is not in the history.")
			continue
		}
		read, all = append(read, e), append(all, went)
	}
	in := map[string]string{} // the id of the case, by run
	for i, called := range follow(all, slices.IndexFunc(read, func(e eval.Entry) bool { return e.ID == o.ID }), id) {
		if status, ok := all[i].went[called]; ok {
			in[read[i].ID] = called
			list = append(list, v.opts.Site.Past(read[i], status, caseLink(read[i].ID, called)))
		}
	}
	slices.Reverse(list) // the newest last
	beside, name := v.opts.Site.History(c, list, o.ID, with)
	if beside == "" {
		return nil
	}
	b, err := v.open(beside)
	if err != nil {
		c.Notes = append(c.Notes, "The run before cannot be read: "+evalpage.Visible(err.Error()))
		return nil
	}
	if at, ok := b.at[cmp.Or(in[beside], id)]; ok {
		c.Answers = append(c.Answers, v.opts.Site.Answer(name, b.Run, b.tallies[at]))
	}
	return nil
}

func (v *View) compare(a, b side) (page.Page, error) {
	var sides [2]evalpage.Side
	for i, s := range [...]side{a, b} {
		o, err := v.open(s.run)
		if err != nil {
			return page.Page{}, err
		}
		sides[i] = evalpage.Side{Run: o.Run, Variant: s.variant, Link: runLink(s.run), Base: caseLink(s.run, "")}
	}
	l, err := evalpage.Beside(sides[0], sides[1], idOf)
	if err != nil {
		return page.Page{}, err
	}
	return l.Page(), nil
}

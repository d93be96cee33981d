package evalview

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/result"
)

// mostOpened is how many runs are kept in memory.
const mostOpened = 6

// opened is a run whose cases are in the order of its page.
type opened struct {
	*result.Run
	tallies []*eval.Tally
	ids     []string // of the tallies
	at      map[string]int
}

func openedOf(run *result.Run, tallies []*eval.Tally) *opened {
	o := &opened{Run: run, tallies: tallies, at: make(map[string]int, len(tallies))}
	for i, t := range tallies {
		id := idOf(run, t.Results[0])
		o.ids, o.at[id] = append(o.ids, id), i
	}
	return o
}

// outcomes are how the cases of a run went, by id. run has what their ids are made of,
// where it has variants, since those may be prompts.
type outcomes struct {
	went map[string]string
	run  *result.Run
}

// idOf names a case in links: the same in every run.
func idOf(run *result.Run, r *result.Result) string {
	sum := sha256.Sum256([]byte(run.Key(r)))
	return hex.EncodeToString(sum[:8])
}

// open returns a run of the files or of the store.
func (v *View) open(id string) (*opened, error) {
	v.mu.Lock()
	o := v.runs[id]
	v.mu.Unlock()
	if o == nil {
		run, err := v.load(id)
		if err != nil {
			return nil, err
		}
		o = openedOf(run, evalpage.Ordered(run))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.runs[id] = o
	v.recent = append(slices.DeleteFunc(v.recent, func(other string) bool { return other == id }), id)
	if len(v.recent) > mostOpened {
		delete(v.runs, v.recent[0])
		v.recent = v.recent[1:]
	}
	return o, nil
}

func (v *View) load(id string) (*result.Run, error) {
	if run := v.files[id]; run != nil {
		return run, nil
	}
	entries, err := v.opts.Store.List()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(entries, func(e eval.Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("no run %q is stored", evalpage.Visible(id))
	}
	run, err := v.opts.Store.Load(entries[i])
	if err == nil && run.ID == "" {
		run.ID = id
	}
	return run, err
}

// entries are all runs, the newest first: those of the store, and files that are
// not among them.
func (v *View) entries() ([]eval.Entry, error) {
	entries, err := v.opts.Store.List()
	if err != nil {
		return nil, err
	}
	entries = slices.Clone(entries)
	for id, run := range v.files {
		if !slices.ContainsFunc(entries, func(e eval.Entry) bool { return e.ID == id }) {
			entries = append(entries, eval.EntryOf(run))
		}
	}
	slices.SortStableFunc(entries, func(a, b eval.Entry) int { return b.Time.Compare(a.Time.Time) })
	return entries, nil
}

// like are the entries of one repository that hold a suite, the newest first.
func like(entries []eval.Entry, repo, suite string) (found []eval.Entry) {
	for _, e := range entries {
		if e.Repo == repo && (eval.Filter{Suite: suite}).Keeps(e) || e.Repo == repo && suite == "" && len(e.Suites) == 0 && e.Suite == "" {
			found = append(found, e)
		}
	}
	return found
}

// A once is how the cases of a run went, read once.
type once struct {
	sync.Once
	outcomes
	err error
}

// outcomes returns how the cases of a run went.
func (v *View) outcomes(e eval.Entry) (outcomes, error) {
	v.mu.Lock()
	known := v.went[e.ID]
	if known == nil {
		known = &once{}
		v.went[e.ID] = known
	}
	o := v.runs[e.ID]
	v.mu.Unlock()
	known.Do(func() {
		if o == nil {
			o, known.err = v.summary(e)
		}
		if known.err == nil {
			known.outcomes = o.outcomes()
		}
	})
	return known.outcomes, known.err
}

// summary reads a run that is not in memory.
func (v *View) summary(e eval.Entry) (*opened, error) {
	run := v.files[e.ID]
	if run == nil {
		var err error
		if run, err = v.opts.Store.Glance(e); err != nil {
			return nil, err
		}
	}
	return openedOf(run, eval.Tallies(run)), nil
}

// past are the entries that a history is read from, the newest first: as many as it
// shows, or up to one before a run that is older. cut says that there were too many
// results to read them all.
func past(entries []eval.Entry, run string) (list []eval.Entry, cut bool) {
	here := slices.IndexFunc(entries, func(e eval.Entry) bool { return e.ID == run })
	most, read := max(evalpage.MostPast, here+2), 0
	for i, e := range entries[:min(len(entries), most)] {
		if read += e.Total; read > mostRead && i > here {
			return list, true
		}
		list = append(list, e)
	}
	return list, false
}

// warm reads how the cases went in several runs, on all processors. The page of a case
// waits for it; the page of a run starts it early.
func (v *View) warm(entries []eval.Entry) {
	var wg sync.WaitGroup
	next := make(chan eval.Entry)
	for range min(len(entries), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for e := range next {
				_, _ = v.outcomes(e) // history reports the error
			}
		})
	}
	for _, e := range entries {
		next <- e
	}
	close(next)
	wg.Wait()
}

// follow returns the id of a case of a run in each of several runs, the newest first,
// where one is among them: a prompt may have another number there.
func follow(all []outcomes, here int, id string) []string {
	ids := make([]string, len(all))
	runs := make([]*result.Run, len(all)) // the oldest first
	for i, o := range all {
		ids[i] = id
		if runs[len(all)-1-i] = o.run; o.run == nil {
			runs[len(all)-1-i] = &result.Run{}
		}
	}
	if here < 0 {
		return ids
	}
	aligned, _ := result.Aligned(runs)
	key := ""
	for k, own := range runs[len(all)-1-here].Results {
		if idOf(runs[len(all)-1-here], &own) == id {
			now := aligned[len(all)-1-here]
			key = now.Key(&now.Results[k])
		}
	}
	for i := range all {
		was, now := runs[len(all)-1-i], aligned[len(all)-1-i]
		if key == "" || all[i].run == nil {
			continue
		}
		ids[i] = ""
		for k := range now.Results {
			if now.Key(&now.Results[k]) == key {
				ids[i] = idOf(was, &was.Results[k])
				break
			}
		}
	}
	return ids
}

func (o *opened) outcomes() outcomes {
	all := outcomes{went: make(map[string]string, len(o.tallies))}
	for i, t := range o.tallies {
		all.went[o.ids[i]] = evalpage.StatusOf(t)
	}
	if !slices.ContainsFunc(o.tallies, func(t *eval.Tally) bool { return t.Results[0].Variant != "" }) {
		return all
	}
	all.run = &result.Run{Suite: o.Suite, Prompts: o.Prompts}
	for _, t := range o.tallies {
		r := t.Results[0]
		all.run.Results = append(all.run.Results, result.Result{Name: r.Name, Suite: r.Suite, Variant: r.Variant, CaseID: r.CaseID, Identity: r.Identity})
	}
	return all
}

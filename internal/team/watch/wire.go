package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// rowsAtOnce is how many rows one message holds; a viewer of a large run gets
// several.
const rowsAtOnce = 500

// A message is what a viewer is sent: how it stands, and the rows that changed
// since the message before. Times are milliseconds since 1970.
type message struct {
	Reset bool  `json:"reset,omitzero"` // forget the rows that you have
	More  bool  `json:"more,omitzero"`  // another one follows at once
	Head  head  `json:"head"`
	Rows  []row `json:"rows"`
}

type head struct {
	Suite   string     `json:"suite"`
	Label   string     `json:"label,omitzero"`
	Branch  string     `json:"branch,omitzero"`
	SHA     string     `json:"sha,omitzero"`
	Tool    string     `json:"tool,omitzero"`
	Source  string     `json:"source"`
	State   live.State `json:"state"`
	Why     string     `json:"why,omitzero"`
	Problem string     `json:"problem,omitzero"`
	Total   int        `json:"total,omitzero"` // 0 is not known
	Counts  struct {
		Done  int `json:"done"`
		Pass  int `json:"pass"`
		Fail  int `json:"fail"`
		Error int `json:"error"`
		Skip  int `json:"skip"`
		Going int `json:"running"`
	} `json:"counts"`
	CostUSD  float64 `json:"cost_usd"`
	Estimate bool    `json:"estimate,omitzero"` // CostUSD is one, by a table of prices
	Unpriced string  `json:"unpriced,omitzero"` // a model whose tokens are not in CostUSD
	Tokens   int64   `json:"tokens,omitzero"`
	Now      int64   `json:"now"`
	Started  int64   `json:"started,omitzero"`
	Ended    int64   `json:"ended,omitzero"`
	Heard    int64   `json:"heard,omitzero"`
	LeftAt   int64   `json:"left_at,omitzero"` // when it will be done, at this rate
	Broken   *broken `json:"broken,omitzero"`
	Push     string  `json:"push,omitzero"`
}

type broken struct {
	Lines int    `json:"lines"`
	Last  int    `json:"last"`
	Text  string `json:"text"`
	Why   string `json:"why"`
}

type row struct {
	I        int     `json:"i"`
	Name     string  `json:"name"`
	Suite    string  `json:"suite,omitzero"` // where it is not the run's
	Category string  `json:"category,omitzero"`
	Variant  string  `json:"variant,omitzero"`
	Attempt  int     `json:"attempt,omitzero"`
	Status   string  `json:"status"`
	MS       float64 `json:"ms,omitzero"`
	CostUSD  float64 `json:"cost_usd,omitzero"`
	Since    int64   `json:"since,omitzero"`
	Message  string  `json:"message,omitzero"`
}

// A place is how far a viewer has come; its text is the id of an event.
type place struct {
	boot       string
	generation int
	changes    uint64
}

func (p place) String() string { return fmt.Sprintf("%s.%d.%d", p.boot, p.generation, p.changes) }

// parsePlace reads an id; one that is none is the beginning.
func parsePlace(id string) (p place) {
	parts := strings.Split(id, ".")
	if len(parts) != 3 {
		return place{}
	}
	p.boot = parts[0]
	if _, err := fmt.Sscanf(parts[1]+" "+parts[2], "%d %d", &p.generation, &p.changes); err != nil {
		return place{}
	}
	return p
}

// since makes the next message for a viewer at p; the lock is held.
func (w *Watch) since(p place, now time.Time) (message, place) {
	m := message{Head: w.head(now), Rows: []row{}}
	if p.boot != w.boot || p.generation != w.run.Generation || p.changes > w.run.Changes() {
		p = place{boot: w.boot, generation: w.run.Generation}
		m.Reset = true
	}
	var changed []int
	for i := range w.run.Rows {
		if w.run.Rows[i].Changed > p.changes {
			changed = append(changed, i)
		}
	}
	p.changes = w.run.Changes()
	if len(changed) > rowsAtOnce {
		rows := w.run.Rows
		slices.SortFunc(changed, func(a, b int) int { return int(rows[a].Changed) - int(rows[b].Changed) })
		changed = changed[:rowsAtOnce]
		p.changes = rows[changed[rowsAtOnce-1]].Changed
		m.More = true
	}
	for _, i := range changed {
		m.Rows = append(m.Rows, w.row(i))
	}
	return m, p
}

func (w *Watch) head(now time.Time) head {
	run := &w.run
	h := head{
		Suite: run.Suite, Label: run.Label, Branch: run.Branch, SHA: run.SHA, Tool: run.Tool,
		Source: w.opts.Source.Name(), State: w.state, Why: w.why, Problem: w.problem, Total: run.Expected,
		Tokens: run.Tokens(),
		Now:    now.UnixMilli(), Started: milli(run.Started), Ended: milli(run.Ended), Heard: milli(run.Heard),
	}
	spent := run.Spent(w.opts.Price)
	h.CostUSD, h.Estimate, h.Unpriced = spent.USD, spent.Estimated, spent.Unknown
	c := &h.Counts
	c.Done, c.Pass, c.Fail, c.Error, c.Skip, c.Going = run.Counts.Total, run.Counts.Passed, run.Counts.Failed, run.Counts.Errored, run.Counts.Skipped, run.Going
	if left, ok := run.Left(now); ok && w.state == live.Running {
		h.LeftAt = now.Add(left).UnixMilli()
	}
	if h.Ended == 0 && w.state != live.Running && w.state != live.Waiting {
		h.Ended = milli(slices.MaxFunc([]time.Time{run.Heard, run.LastDone}, time.Time.Compare))
	}
	if b := run.Broken; b.Lines > 0 {
		h.Broken = &broken{b.Lines, b.Last, b.Text, b.Why}
	}
	if w.state == live.Finished && w.opts.Push != nil {
		h.Push = w.opts.Push(h.Source)
	}
	return h
}

func (w *Watch) row(i int) row {
	r := &w.run.Rows[i]
	out := row{
		I: i, Name: r.Name, Category: r.Category, Variant: r.Variant, Attempt: r.Attempt, Status: string(r.Status),
		MS: r.DurationMS, CostUSD: r.CostUSD, Since: milli(r.Since), Message: r.Message,
	}
	if r.Suite != w.run.Suite && r.Suite != r.Name {
		out.Suite = r.Suite
	}
	switch {
	case r.Group:
		out.Status = "group" // a viewer that has it takes it away
	case out.Status == "":
		out.Status = "running"
	}
	return out
}

// detail is everything of one result, bounded in what a person can read.
func (w *Watch) detail(i int) (r result.Result, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i < 0 || i >= len(w.run.Rows) {
		return r, false
	}
	return w.run.Rows[i].Result, true
}

func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

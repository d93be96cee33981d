package usage

import (
	"cmp"
	"slices"
	"time"
)

// Again is how soon the same command counts as run again to see more.
const Again = 2 * time.Minute

// A Sum adds up entries. Tokens are estimates.
type Sum struct {
	Name    string `json:"name,omitempty"` // the day, rule, agent or project it is of
	Calls   int    `json:"calls"`          // outputs that were looked at
	Cut     int    `json:"cut"`            // of them, those that were cut
	Tokens  int    `json:"tokens"`         // of the raw outputs
	Without int    `json:"without"`        // that the models would have received without us
	With    int    `json:"with"`           // that they received
	More    int    `json:"more"`           // of With, spent on showing more than the host's clip would have
	Back    int    `json:"back"`           // received later after all: shown, or the command run again
}

func (s *Sum) add(e Entry) {
	s.Calls++
	s.Tokens += e.Tokens
	s.Without += e.Without
	s.With += e.With
	s.More += max(0, e.With-e.Without)
	if e.cut() {
		s.Cut++
	}
}

func (e Entry) cut() bool { return e.With != e.Without || e.LinesAfter != e.Lines }

// Saved is what is left when everything that was taken back is subtracted.
func (s Sum) Saved() int { return s.Without - s.With - s.Back }

// Percent of what would have been received.
func (s Sum) Percent() float64 { return percent(s.Saved(), s.Without) }

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// A Regret is how often a cut may have cost something: calls whose raw output
// was shown, whose command was run again within two minutes, or in which the
// guard or the verifier had to bring lines back.
type Regret struct {
	Shown    int     `json:"shown"`
	Again    int     `json:"again"`
	Guard    int     `json:"guard"`
	Verifier int     `json:"verifier"`
	Calls    int     `json:"calls"`   // with at least one of them
	Percent  float64 `json:"percent"` // of the calls that were cut
}

// An Asked adds up what the verifier was asked. Tokens are as billed.
type Asked struct {
	Calls  int `json:"calls"`
	Input  int `json:"input"`
	Output int `json:"output"`
}

// A Gain is what compaction did since a time.
type Gain struct {
	From     time.Time `json:"from"` // of the earliest entry
	To       time.Time `json:"to"`   // of the latest
	Total    Sum       `json:"total"`
	Regret   Regret    `json:"regret"`
	Verifier Asked     `json:"verifier"`
	Days     []Sum     `json:"days"`  // one for each of the last 366 days up to the last, in local time
	Rules    []Sum     `json:"rules"` // these three by what they saved
	Agents   []Sum     `json:"agents"`
	Projects []Sum     `json:"projects"`
	Broken   int       `json:"broken,omitempty"` // lines that could not be read, or are from the future
}

const maxDays = 366

// Gains adds up the entries of a file since a time.
func Gains(name string, since time.Time) (Gain, error) {
	a := newAccount()
	broken, err := a.read(name, since)
	g := a.gain()
	g.Broken = broken
	return g, err
}

func newAccount() *account {
	return &account{last: map[string]*call{}, raw: map[string]*call{}, sums: map[string]map[string]*Sum{}}
}

// read adds the entries of a file. Lines that cannot be read or are from the
// future are counted: the machine's clock was wrong.
func (a *account) read(name string, since time.Time) (broken int, err error) {
	ahead, tomorrow := 0, time.Now().Add(24*time.Hour)
	broken, err = Each(name, since, func(e Entry) {
		if e.Time.After(tomorrow) {
			ahead++
			return
		}
		a.add(e)
	})
	return broken + ahead, err
}

// A call is an entry whose output was cut, while more about it may follow.
// There may be a million of them.
type call struct {
	time      time.Time
	sums      [5]*Sum
	part      *Part
	regretted bool
}

type account struct {
	g     Gain
	last  map[string]*call // by session and command
	raw   map[string]*call // by the id of the stored output
	sums  map[string]map[string]*Sum
	parts map[partKey]*Part // nil: they are not wanted
}

func (a *account) add(e Entry) {
	if a.g.From.IsZero() || e.Time.Before(a.g.From) {
		a.g.From = e.Time
	}
	if e.Time.After(a.g.To) {
		a.g.To = e.Time
	}
	if e.Path == Show {
		if c := a.raw[e.Raw]; c != nil {
			a.g.Regret.Shown++
			a.back(c, e.With, e.Time)
		}
		return
	}
	sums := [...]*Sum{
		&a.g.Total, a.sum("day", day(e.Time)), a.sum("rule", e.Rule),
		a.sum("agent", cmp.Or(e.Agent, "none")), a.sum("project", e.Project),
	}
	for _, s := range sums {
		s.add(e)
	}
	part := a.part(e)
	if v := e.Verifier; v != nil {
		a.g.Verifier.Calls++
		a.g.Verifier.Input += v.Input
		a.g.Verifier.Output += v.Output
	}
	key := e.Session + " " + e.Call
	if before := a.last[key]; before != nil && e.Call != "" && e.Time.Sub(before.time).Abs() <= Again {
		a.g.Regret.Again++
		a.back(before, e.With, e.Time)
	}
	delete(a.last, key)
	if !e.cut() {
		return
	}
	c := &call{time: e.Time, sums: sums, part: part}
	a.last[key] = c
	if e.Raw != "" {
		a.raw[e.Raw] = c
	}
	if v := e.Verifier; v != nil && v.Restored > 0 {
		a.g.Regret.Verifier++
		a.back(c, 0, e.Time)
	}
	if e.Guard > 0 {
		a.g.Regret.Guard++
		a.back(c, 0, e.Time) // these lines are in With already
	}
}

func (a *account) back(c *call, tokens int, at time.Time) {
	for _, s := range c.sums {
		s.Back += tokens
	}
	if c.part != nil {
		c.part.Back += tokens
		c.part.touch(at)
	}
	if !c.regretted {
		c.regretted = true
		a.g.Regret.Calls++
	}
}

func (a *account) sum(by, name string) *Sum {
	if a.sums[by] == nil {
		a.sums[by] = map[string]*Sum{}
	}
	if a.sums[by][name] == nil {
		a.sums[by][name] = &Sum{Name: name}
	}
	return a.sums[by][name]
}

func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

func (a *account) gain() Gain {
	g := a.g
	g.Regret.Percent = percent(g.Regret.Calls, g.Total.Cut)
	g.Rules, g.Agents, g.Projects = a.ranked("rule"), a.ranked("agent"), a.ranked("project")
	g.Days = []Sum{}
	if g.From.IsZero() {
		return g
	}
	// At noon a day is a day, whatever the clocks do.
	first := g.From.Local()
	if earliest := g.To.Local().AddDate(0, 0, 1-maxDays); first.Before(earliest) {
		first = earliest
	}
	at := time.Date(first.Year(), first.Month(), first.Day(), 12, 0, 0, 0, time.Local)
	for last := day(g.To); day(at) <= last; at = at.AddDate(0, 0, 1) {
		g.Days = append(g.Days, *a.sum("day", day(at)))
	}
	return g
}

// ranked returns the sums, the largest saving first.
func (a *account) ranked(by string) []Sum {
	list := make([]Sum, 0, len(a.sums[by]))
	for _, s := range a.sums[by] {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(x, y Sum) int {
		return cmp.Or(cmp.Compare(y.Saved(), x.Saved()), cmp.Compare(x.Name, y.Name))
	})
	return list
}

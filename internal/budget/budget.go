// Package budget has what agents may cost, as the user set it, and what they had
// cost when that was last added up. Both are small files in the user's directory:
// a hook and a status line read them, and open no database. A repository can set
// none of it.
//
// What is spent is added up by team/spend; this package only keeps and compares.
package budget

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/text"
)

// Periods are those for which there can be a budget, the shortest first. A block is
// the five hours for which a subscription's limit counts.
var Periods = [...]string{"block", "daily", "weekly", "monthly"}

// A Budget is what agents may cost in each period, on the whole machine or in one
// repository.
type Budget struct {
	Repo   string  `json:"repo,omitempty"`
	Period string  `json:"period"`
	Limit  float64 `json:"limit_usd"`
}

const most = 1 << 20 // bytes of a file of ours

// Load returns the budgets that are set, none where there is no file.
func Load(h home.Home) (budgets []Budget, err error) {
	data, err := atomicfile.ReadRegular(h.Budgets(), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &budgets)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.Budgets(), err)
	}
	return slices.DeleteFunc(budgets, func(b Budget) bool { return !slices.Contains(Periods[:], b.Period) || !(b.Limit > 0) }), nil
}

// Save keeps budgets in place of those that were set.
func Save(h home.Home, budgets []Budget) error {
	slices.SortFunc(budgets, func(a, b Budget) int {
		return cmp.Or(strings.Compare(a.Repo, b.Repo), cmp.Compare(slices.Index(Periods[:], a.Period), slices.Index(Periods[:], b.Period)))
	})
	return write(h.Budgets(), budgets)
}

func write(name string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteDeep(name, append(data, '\n'), home.PrivateDir, home.PrivateFile)
}

// A Span is what was spent from a time to another.
type Span struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
	Spent float64   `json:"spent_usd"`
}

// Holds reports whether a time is in the span.
func (s *Span) Holds(t time.Time) bool { return s != nil && !t.Before(s.Start) && t.Before(s.End) }

// A Use is how much of a budget is spent in the present period.
type Use struct {
	Budget
	Span
}

// The shares of a budget at which its user is told, in percent.
const (
	Near = 80
	Over = 100
)

// Level is the highest of Near and Over that is reached, or 0.
func (u *Use) Level() int {
	switch share := u.Percent(); {
	case share >= Over:
		return Over
	case share >= Near:
		return Near
	}
	return 0
}

// Percent is how much of the budget is spent.
func (u *Use) Percent() float64 { return 100 * u.Spent / u.Limit }

// Name is what the budget is called: "daily budget of acme/shop".
func (b *Budget) Name() string {
	name := b.Period + " budget"
	if b.Repo != "" {
		name += " of " + b.Repo
	}
	return name
}

// String says how much is spent, in one line.
func (u *Use) String() string {
	return fmt.Sprintf("%d %% of the %s is spent: %s of %s", int(u.Percent()), u.Name(), text.Dollars(u.Spent), text.Dollars(u.Limit))
}

// A Now is what agents had cost at a time.
type Now struct {
	At    time.Time `json:"at"`
	Today Span      `json:"today"`
	Block *Span     `json:"block,omitempty"` // the present five hours, if they have begun
	Uses  []Use     `json:"budgets,omitempty"`
}

// ReadNow returns what was added up last; the zero Now where nothing was.
func ReadNow(h home.Home) (n Now) {
	data, err := atomicfile.ReadRegular(h.SpendNow(), most)
	if err != nil || json.Unmarshal(data, &n) != nil {
		return Now{}
	}
	return n
}

// again is how old the same figures must be to be written anew: cairn spend watch
// adds them up every two seconds.
const again = 30 * time.Second

// Keep writes what was added up.
func (n Now) Keep(h home.Home) error {
	old := ReadNow(h)
	if age := n.At.Sub(old.At); age >= 0 && age < again {
		if old.At = n.At; same(old, n) {
			return nil
		}
	}
	return write(h.SpendNow(), n)
}

func same(a, b Now) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// Alerts are the budgets of which at least Near percent are spent, in periods that
// are not over.
func (n *Now) Alerts(now time.Time) (alerts []Use) {
	for _, u := range n.Uses {
		if u.Level() > 0 && u.Holds(now) {
			alerts = append(alerts, u)
		}
	}
	return alerts
}

// Untold returns the alerts that were not shown yet, and notes that they are
// told now: each threshold once in each period.
func Untold(h home.Home, now time.Time) (alerts []Use) {
	n := ReadNow(h)
	if alerts = n.Alerts(now); len(alerts) == 0 {
		return nil
	}
	told := map[string]time.Time{} // the end of the period, by budget and threshold
	if data, err := atomicfile.ReadRegular(h.SpendTold(), most); err == nil {
		_ = json.Unmarshal(data, &told)
	}
	alerts = slices.DeleteFunc(alerts, func(u Use) bool { return !told[u.key()].Before(u.End) })
	for key, end := range told {
		if end.Before(now) {
			delete(told, key)
		}
	}
	for i := range alerts {
		told[alerts[i].key()] = alerts[i].End
	}
	if len(alerts) > 0 && write(h.SpendTold(), told) != nil {
		return nil // it would be said again and again
	}
	return alerts
}

func (u *Use) key() string { return fmt.Sprint(u.Name(), " ", u.Level()) }

const (
	fresh = 10 * time.Minute // figures that need no time beside them
	retry = 5 * time.Minute
)

// Stale reports whether figures should be added up again because there are budgets,
// and notes that somebody is about to: at most every few minutes.
func Stale(h home.Home, now time.Time) bool {
	budgets, err := os.Stat(h.Budgets())
	if err != nil || budgets.Size() < 5 { // "[]"
		return false
	}
	for _, name := range [...]string{h.SpendNow(), h.SpendAsked()} {
		if fi, err := os.Stat(name); err == nil && now.Sub(fi.ModTime()).Abs() < retry {
			return false
		}
	}
	return atomicfile.WriteDeep(h.SpendAsked(), nil, home.PrivateDir, home.PrivateFile) == nil
}

// Line is a short text for a status line, and the highest level of a budget. What is
// older than some minutes has its time beside it; what is of another day is left out.
func (n *Now) Line(now time.Time) (line string, level int) {
	if !n.Today.Holds(now) || n.At.After(now.Add(time.Minute)) {
		return "", 0
	}
	line = text.Dollars(n.Today.Spent) + " today"
	if n.Block.Holds(now) {
		line += ", " + text.Dollars(n.Block.Spent) + " this block"
	}
	if now.Sub(n.At) > fresh {
		line += " at " + n.At.In(now.Location()).Format("15:04")
	}
	var over []string
	for _, u := range n.Alerts(now) {
		level = max(level, u.Level())
		over = append(over, fmt.Sprintf("%d %% of %s", int(u.Percent()), strings.Replace(u.Name(), " budget", "", 1)))
	}
	if len(over) > 0 {
		line += " (" + strings.Join(over, ", ") + ")"
	}
	return line, level
}

package collect

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"cairn/internal/team/record"
)

// days add up how a person worked, by day and agent.
type days struct {
	repo, host string
	byDay      map[[2]string]*day
}

type day struct {
	record.UsageDay
	sessions map[string]bool
}

// newDays begins sums of one person on one machine in one repository.
func newDays(repo, hostname string) *days {
	return &days{repo: repo, host: hostname, byDay: map[[2]string]*day{}}
}

func (d *days) of(date, agent string) *day {
	key := [2]string{date, agent}
	if d.byDay[key] == nil {
		d.byDay[key] = &day{
			UsageDay: record.UsageDay{Repo: d.repo, Hostname: d.host, Date: date, Agent: agent},
			sessions: map[string]bool{},
		}
	}
	return d.byDay[key]
}

func (d *day) at(t time.Time) {
	if t.After(d.At) {
		d.At = t
	}
}

// compacted adds what compaction did on a day: how many outputs it looked at, and
// their tokens as the model would have got them and as it did, with what was
// brought back. Last is when that was last so.
func (d *days) compacted(date, agent string, outputs int, before, after int64, last time.Time) {
	to := d.of(date, agent)
	to.Outputs += outputs
	to.TokensBefore += before
	to.TokensAfter += after
	to.at(last)
}

// said adds one message of a session: whether a person or the model wrote it, how
// long it is, and which tools were called. The text is counted and dropped.
func (d *days) said(agent, session string, byPerson bool, text string, tools []string, at time.Time) {
	if at.IsZero() {
		return
	}
	to := d.of(at.Local().Format(time.DateOnly), agent)
	to.at(at)
	if !to.sessions[session] {
		to.sessions[session] = true
		to.Sessions++
	}
	if byPerson {
		to.Prompts++
		to.PromptChars += int64(utf8.RuneCountInString(text))
		return
	}
	to.Turns++
	for _, name := range tools {
		if to.Tools == nil {
			to.Tools = map[string]int{}
		}
		to.Tools[name]++
	}
}

// rows are the days in order.
func (d *days) rows() []record.UsageDay {
	out := make([]record.UsageDay, 0, len(d.byDay))
	for _, one := range d.byDay {
		out = append(out, one.UsageDay)
	}
	slices.SortFunc(out, func(a, b record.UsageDay) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Agent, b.Agent))
	})
	return out
}

package alert

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/message"
	"cairn/internal/text"
)

// data is what a webhook gets of an alert. docs/alerts.md tells what is in it.
type data struct {
	ID string `json:"id"`
	Series
	State      State     `json:"state"`
	Outcome    Outcome   `json:"outcome,omitzero"`
	Why        string    `json:"why,omitzero"` // the outcome in words
	P          float64   `json:"p"`
	Expected   float64   `json:"expected"`
	Observed   float64   `json:"observed"`
	Cases      int       `json:"cases"`
	Pushes     int       `json:"pushes"`
	Run        string    `json:"run_id"`
	RunAt      time.Time `json:"run_at"`
	Began      time.Time `json:"began_at"`
	Worst      []Worst   `json:"worst,omitempty"`
	Since      *Since    `json:"since,omitempty"`
	FiredAt    time.Time `json:"fired_at,omitzero"`
	ResolvedAt time.Time `json:"resolved_at,omitzero"`
}

// Message is what is told of an alert that begins to fire, or is over.
func (a *Alert) Message(team string, now time.Time) (message.Message, error) {
	d := data{ID: a.ID.String(), Series: a.Series, State: a.State, Outcome: a.Outcome, P: a.P, Expected: a.Expected, Observed: a.Observed, Cases: a.Cases,
		Pushes: a.Pushes, Run: a.Run.String(), RunAt: a.RunAt.UTC(), Began: a.BeganAt.UTC(), Worst: a.Worst}
	if a.State == Resolved {
		d.Worst, d.Why = nil, a.Outcome.Why()
	} else {
		d.Since = a.Since
	}
	if a.FiredAt != nil {
		d.FiredAt = a.FiredAt.UTC()
	}
	if a.ResolvedAt != nil {
		d.ResolvedAt = a.ResolvedAt.UTC()
	}
	raw, err := json.Marshal(d)
	m := message.Message{Event: "alert." + string(a.State), At: now, Team: team, Data: raw}
	where := a.name()
	if a.State == Resolved {
		m.Title = where + " " + a.Outcome.title()
		m.Text = a.Outcome.sentence(a)
		return m, err
	}
	m.Title = where + " got worse"
	m.Text = fmt.Sprintf("%s of %s passed; the last runs on the main branch make %s likely. So few pass by chance once in %s pushes.",
		text.Percent(a.Observed, 0), text.Count(a.Cases, "case"), text.Percent(a.Expected, 0), odds(a.P))
	s := message.Section{Head: "Cases that failed and seldom do"}
	for _, w := range a.Worst {
		line := fmt.Sprintf("%s: failed, passes %s of the time", w.Name, text.Percent(w.Expected, 0))
		if w.Of > 1 {
			line = fmt.Sprintf("%s: %d of %d failed, passes %s of the time", w.Name, w.Of-w.Passed, w.Of, text.Percent(w.Expected, 0))
		}
		s.Lines = append(s.Lines, line)
	}
	if len(s.Lines) > 0 {
		m.Sections = append(m.Sections, s)
	}
	if a.Since != nil {
		m.Sections = append(m.Sections, message.Section{Head: "Since when", Lines: a.Since.lines()})
	}
	m.Sections = append(m.Sections, message.Section{Head: "Look at it", Lines: []string{"cairn eval show " + a.Run.String()}})
	return m, err
}

// name is a series as people call it.
func (a *Alert) name() string {
	name := a.Suite
	if name == "" {
		name = "the evals"
	}
	return fmt.Sprintf("%s of %s on %s", name, a.Repo, a.Branch)
}

// mostNamed is how many cases of a fall are named.
const mostNamed = 10

func (s *Since) lines() []string {
	commit, by := "", ""
	if s.SHA != "" {
		commit = " " + s.SHA[:min(7, len(s.SHA))]
	}
	if s.By != "" {
		by = ", by " + s.By
	}
	day := s.At.UTC().Format("2 Jan 2006")
	if !s.Shown {
		if commit != "" {
			commit = ", commit" + commit
		}
		return []string{"the first bad push: " + day + commit + by + "; no new level is confirmed yet"}
	}
	if commit != "" {
		commit = ", first bad commit" + commit
	}
	lines := []string{fmt.Sprintf("%s: %s → %s, %s%s%s", day, text.Percent(s.Before, 0), text.Percent(s.After, 0), text.P(s.P), commit, by)}
	if n := len(s.Regressed); n > 0 {
		names := strings.Join(s.Regressed[:min(n, mostNamed)], ", ")
		if n > mostNamed {
			names += fmt.Sprintf(", and %d more", n-mostNamed)
		}
		lines = append(lines, "cases that make it up: "+names)
	}
	return lines
}

func (o Outcome) title() string {
	switch o {
	case Usual:
		return "stays at its new level"
	case Quiet:
		return "is not pushed any more"
	}
	return "is good again"
}

func (o Outcome) sentence(a *Alert) string {
	switch o {
	case Usual:
		return fmt.Sprintf("Accepted as the new level: after %d pushes %s of the cases passed in the last one. From now on this is what the suite is measured by.", a.Pushes, text.Percent(a.Observed, 0))
	case Quiet:
		return fmt.Sprintf("No data: nothing could be judged for %d days, so the alert is closed. Whether the suite is good again is not known.", int(QuietTime.Hours()/24))
	}
	return fmt.Sprintf("Recovered: %s of %s passed, two good pushes in a row.", text.Percent(a.Observed, 0), text.Count(a.Cases, "case"))
}

// odds is one in how many, in words that do not promise more than is known.
func odds(p float64) string {
	switch n := 1 / p; {
	case n >= 1e6:
		return "more than a million"
	case n >= 1e4:
		return fmt.Sprintf("%.0f thousand", n/1000)
	default:
		return fmt.Sprintf("%.0f", n)
	}
}

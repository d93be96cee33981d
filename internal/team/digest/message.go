package digest

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/message"
	"cairn/internal/team/trend"
	"cairn/internal/text"
)

// mostMoved is how many cases of a change are named.
const mostMoved = 3

// Message is the report as a message. An empty week has one sentence.
func (r *Report) Message(now time.Time) (message.Message, error) {
	raw, err := json.Marshal(r)
	m := message.Message{Event: "digest", At: now, Team: r.Team, Title: fmt.Sprintf("The week of %s, %s to %s", r.Team, r.From, r.To), Data: raw}
	if r.Empty() {
		m.Text = "No releases, eval runs or plans this week."
	}
	add := func(head, note string, lines []string) {
		if n := len(lines) - mostLines; n > 0 {
			lines = append(lines[:mostLines:mostLines], fmt.Sprintf("and %d more", n))
		}
		if len(lines) > 0 || note != "" {
			m.Sections = append(m.Sections, message.Section{Head: head, Lines: lines, Note: note})
		}
	}
	var lines []string
	for _, p := range r.People {
		lines = append(lines, p.Name+": "+p.text())
	}
	head := "People"
	if r.Ranked {
		head = "Leaderboard"
	}
	add(head, "", lines)
	lines = nil
	for _, c := range r.Changes {
		lines = append(lines, c.text())
	}
	add("Pass rates", r.steadyText(), lines)
	lines = nil
	for _, c := range r.Costs {
		lines = append(lines, c.text())
	}
	add("Cost by model", "", lines)
	lines = nil
	for _, h := range r.Health {
		s := fmt.Sprintf("%s: %.0f of 100 on average, %.0f at worst, %s", h.Repo, h.Mean, h.Worst, text.Count(h.Reports, "report"))
		if h.Before != nil {
			s += fmt.Sprintf("; %.0f the week before", *h.Before)
		}
		lines = append(lines, s)
	}
	add("QA health", "", lines)
	lines = nil
	for _, p := range r.Plans {
		lines = append(lines, p.text())
	}
	add("Plans", "", lines)
	lines = nil
	for _, h := range r.Hotspots {
		lines = append(lines, fmt.Sprintf("%s in %s: changed %s", h.Path, h.Repo, text.Count(h.Changes, "time")))
	}
	add("Hotspots", "", lines)
	lines = nil
	for _, s := range r.Stale {
		lines = append(lines, fmt.Sprintf("%s of %s: no run for %s", nameOf(s.Suite), s.Repo, text.Count(s.Days, "day")))
	}
	add("Stale suites", "", lines)
	return m, err
}

func (p Person) text() string {
	var said []string
	for _, one := range [...]struct {
		n    int
		noun string
	}{{p.Ships, "release"}, {p.PRs, "pull request"}, {p.Improvements, "suite"}, {p.Runs, "eval run"}} {
		switch {
		case one.n == 0:
		case one.noun == "suite":
			said = append(said, "improved "+text.Count(one.n, "suite"))
		default:
			said = append(said, text.Count(one.n, one.noun))
		}
	}
	if p.Streak > 1 {
		said = append(said, fmt.Sprintf("%d days in a row", p.Streak))
	}
	return strings.Join(said, ", ")
}

func (c Change) text() string {
	word := "better"
	if c.Now < c.Before {
		word = "worse"
	}
	said := fmt.Sprintf("%s of %s is %s", nameOf(c.Suite), c.Repo, word)
	if c.Since != "" {
		said += " since " + c.Since
	}
	said += fmt.Sprintf(": %.0f %% after %.0f %% (by %+.0f to %+.0f points, %s)", c.Now*100, c.Before*100, c.Low*100, c.High*100, text.Count(c.Cases, "case"))
	if c.SHA != "" {
		said += ", first commit " + c.SHA[:min(8, len(c.SHA))]
	}
	if c.By != "" {
		said += ", with a push of " + c.By
	}
	if n := len(c.Moved); n > 0 {
		var names []string
		for _, m := range c.Moved[:min(n, mostMoved)] {
			names = append(names, m.Case)
		}
		if n -= len(names); n > 0 {
			names = append(names, fmt.Sprintf("%d more", n))
		}
		said += "; cases: " + strings.Join(names, ", ")
	}
	return said
}

func (r *Report) steadyText() string {
	var parts []string
	if r.Steady > 0 {
		parts = append(parts, text.Count(r.Steady, "suite")+" without a change that is more than noise")
	}
	if r.TooSmall > 0 {
		parts = append(parts, fmt.Sprintf("%s with fewer than %d cases: too few to show a change", text.Count(r.TooSmall, "suite"), trend.LeastCases))
	}
	if r.Unread > 0 {
		parts = append(parts, text.Count(r.Unread, "suite")+" not checked: too many results")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

func (c Cost) text() string {
	s := c.Model + ": " + text.Dollars(c.USD)
	switch {
	case c.Before < .005:
		return s + ", nothing the week before"
	case math.Abs(c.USD-c.Before) < .005:
		return s + ", as the week before"
	}
	return s + fmt.Sprintf(", %+.0f %% to the week before (%s)", (c.USD/c.Before-1)*100, text.Dollars(c.Before))
}

func (p Plan) text() string {
	name := p.Repo
	for _, part := range []string{p.Project, p.Workstream, p.Milestone} {
		if part != "" {
			name += " " + part
		}
	}
	s := fmt.Sprintf("%s: %d of %s done", name, p.Done, text.Count(p.Phases, "phase"))
	if p.Done > p.Before {
		s += fmt.Sprintf(", %d this week", p.Done-p.Before)
	}
	return s
}

func nameOf(suite string) string {
	if suite == "" {
		return "the evals"
	}
	return suite
}

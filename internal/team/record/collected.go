package record

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// A PlanSnapshot says how far a plan is: a row of plan_snapshots.
type PlanSnapshot struct {
	At               time.Time  `json:"-"` // when the plan was so; zero leaves that out
	Repo             string     `json:"repo_slug"`
	Project          string     `json:"project"`    // of several under .planning, "" of the only one
	Workstream       string     `json:"workstream"` // "" without
	Milestone        string     `json:"milestone"`
	Phases           int        `json:"phases"`
	PhasesDone       int        `json:"phases_done"`
	Plans            int        `json:"plans"`
	PlansDone        int        `json:"plans_done"`
	Requirements     int        `json:"requirements"`
	RequirementsDone int        `json:"requirements_done"`
	Detail           PlanPhases `json:"detail"`
}

// PlanPhases is the detail of a snapshot.
type PlanPhases struct {
	Phases []PlanPhase `json:"phases"`
}

// A PlanPhase is one phase of a plan.
type PlanPhase struct {
	Number    string `json:"number"`
	Name      string `json:"name"`
	Status    string `json:"status"`
	Plans     int    `json:"plans"`
	PlansDone int    `json:"plans_done"`
}

// A UsageDay says how a person worked with an agent on a day: figures, no word
// of what was said. A row of usage_days.
type UsageDay struct {
	At           time.Time      `json:"-"` // of the last that counts; zero leaves that out
	Repo         string         `json:"repo_slug"`
	Date         string         `json:"date"` // YYYY-MM-DD, where the person was
	Hostname     string         `json:"hostname"`
	Agent        string         `json:"agent"`
	Sessions     int            `json:"sessions"`
	Turns        int            `json:"turns"`
	Prompts      int            `json:"prompts"`
	PromptChars  int64          `json:"prompt_chars"`
	Tools        map[string]int `json:"tools"`
	Outputs      int            `json:"outputs"`
	TokensBefore int64          `json:"tokens_before"`
	TokensAfter  int64          `json:"tokens_after"`
}

// mostName is how many bytes of a name in a snapshot are kept.
const mostName = 300

// Row makes the row of a snapshot.
func (p PlanSnapshot) Row() (Row, error) {
	phases := make([]PlanPhase, len(p.Detail.Phases))
	for i, ph := range p.Detail.Phases {
		ph.Number, ph.Name, ph.Status = short(ph.Number), short(ph.Name), short(ph.Status)
		phases[i] = ph
	}
	p.Detail.Phases = phases
	p.Project, p.Workstream, p.Milestone = short(p.Project), short(p.Workstream), short(p.Milestone)
	return rowOf(Plan, p, p.At, strings.TrimSpace(p.Milestone+" "+p.Workstream))
}

// Row makes the row of a day.
func (u UsageDay) Row() (Row, error) {
	tools := map[string]int{}
	for name, n := range u.Tools {
		tools[short(name)] += n
	}
	u.Tools = tools
	return rowOf(Usage, u, u.At, u.Date+" "+u.Agent)
}

// rowOf makes a row of a struct whose members are columns.
func rowOf(k Kind, of any, at time.Time, title string) (Row, error) {
	data, err := json.Marshal(of, json.Deterministic(true))
	if err != nil {
		return Row{}, err
	}
	c := columns{}
	if err := json.Unmarshal(data, (*map[string]jsontext.Value)(&c)); err != nil {
		return Row{}, err
	}
	if !at.IsZero() {
		c.time("occurred_at", at.Truncate(time.Millisecond))
	}
	return c.row(table.Find(k.Table()), Context{}, 1, title)
}

// short is a name that a database takes.
func short(name string) string { return storable(name, mostName) }

// storable is a text that a database takes, of at most so many bytes and an … in the
// place of the rest.
func storable(text string, most int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\ufffd")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

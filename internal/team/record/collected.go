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
	Detail           PlanDetail `json:"detail"`
}

// PlanDetail is the detail of a snapshot. What the plan says is there only where
// its person shares that.
type PlanDetail struct {
	Phases       []PlanPhase       `json:"phases"`
	Decisions    []PlanDecision    `json:"decisions,omitempty"`
	Requirements []PlanRequirement `json:"requirements,omitempty"`
	Blockers     []PlanBlocker     `json:"blockers,omitempty"`
	LeftOut      PlanLeftOut       `json:"left_out,omitzero"`
}

// PlanLeftOut is how many more there are than a snapshot takes.
type PlanLeftOut struct {
	Decisions    int `json:"decisions,omitzero"`
	Requirements int `json:"requirements,omitzero"`
	Blockers     int `json:"blockers,omitzero"`
}

// A PlanDecision is a decision, and where it stands.
type PlanDecision struct {
	Ref          string `json:"ref"` // D-07, or 02/D-07; "" without an id
	Phase        string `json:"phase"`
	Text         string `json:"text"`
	State        string `json:"state"`
	By           string `json:"by,omitempty"` // a person's name
	SupersededBy string `json:"superseded_by,omitempty"`
}

// A PlanRequirement is a requirement, and where it stands.
type PlanRequirement struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Phase string `json:"phase"` // "" where no phase has it
	State string `json:"state"`
}

// A PlanBlocker is what is in the way.
type PlanBlocker struct {
	Text string `json:"text"`
	Do   string `json:"do,omitempty"` // what resolves it
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
	p.Detail.bound()
	p.Project, p.Workstream, p.Milestone = short(p.Project), short(p.Workstream), short(p.Milestone)
	return rowOf(Plan, p, p.At, strings.TrimSpace(p.Milestone+" "+p.Workstream))
}

const (
	mostSaid   = 600 // bytes of a text of a plan
	mostListed = 400 // of each kind in a snapshot
)

// bound cuts what a database does not take, and counts what is left out.
func (d *PlanDetail) bound() {
	d.Decisions, d.LeftOut.Decisions = first(d.Decisions, func(x PlanDecision) PlanDecision {
		return PlanDecision{short(x.Ref), short(x.Phase), storable(x.Text, mostSaid), short(x.State), short(x.By), short(x.SupersededBy)}
	})
	d.Requirements, d.LeftOut.Requirements = first(d.Requirements, func(x PlanRequirement) PlanRequirement {
		return PlanRequirement{short(x.ID), storable(x.Text, mostSaid), short(x.Phase), short(x.State)}
	})
	d.Blockers, d.LeftOut.Blockers = first(d.Blockers, func(x PlanBlocker) PlanBlocker {
		return PlanBlocker{storable(x.Text, mostSaid), storable(x.Do, mostSaid)}
	})
}

func first[T any](list []T, cut func(T) T) (out []T, left int) {
	for _, x := range list[:min(len(list), mostListed)] {
		out = append(out, cut(x))
	}
	return out, len(list) - len(out)
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

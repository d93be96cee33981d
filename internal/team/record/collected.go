package record

import (
	"strings"
	"time"
	"unicode/utf8"

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

// A SpendDay says what a person's agent cost on a day in one place: figures, no
// word of what was said. A row of spend_days. What comes for the same place, session
// and model takes the place of what was there, so a row that no longer holds, because
// its requests belong to a commit now, is sent again with zeros.
type SpendDay struct {
	At          time.Time `json:"-"` // of the last request; zero leaves that out
	Repo        string    `json:"repo_slug"`
	Day         string    `json:"day"`    // YYYY-MM-DD, UTC
	Source      string    `json:"source"` // SourceLedger, or what a server notes of telemetry
	Hostname    string    `json:"hostname"`
	Agent       string    `json:"agent"`
	Session     string    `json:"session"` // "" is not known; so with what follows
	Branch      string    `json:"branch"`
	Commit      string    `json:"commit_sha"`
	PullRequest int       `json:"pull_request"` // 0 is none
	Phase       string    `json:"phase"`
	Model       string    `json:"model"`
	SpendFigures
}

// SpendFigures are the figures of a SpendDay.
type SpendFigures struct {
	Input     int64 `json:"input_tokens"` // that no cache had
	CacheRead int64 `json:"cache_read_tokens"`
	Write5m   int64 `json:"write_5m_tokens"`
	Write1h   int64 `json:"write_1h_tokens"`
	Output    int64 `json:"output_tokens"`
	Requests  int64 `json:"requests"`
	Micros    int64 `json:"usd_micros"` // millionths of a dollar, of requests whose price is known
	Unpriced  int64 `json:"unpriced"`   // requests whose price is not
}

// Add adds more.
func (f *SpendFigures) Add(more SpendFigures) {
	f.Input += more.Input
	f.CacheRead += more.CacheRead
	f.Write5m += more.Write5m
	f.Write1h += more.Write1h
	f.Output += more.Output
	f.Requests += more.Requests
	f.Micros += more.Micros
	f.Unpriced += more.Unpriced
}

// Where a SpendDay is known from. Of a session that several tell of the first counts.
const (
	SourceLedger  = "ledger"  // what agents leave on a disk
	SourceEvents  = "otlp"    // telemetry: an event for each request
	SourceMetrics = "metrics" // telemetry: sums
)

// Bounded cuts and cleans the names as the database takes them: without spaces and
// control characters, those that agents make up in printable ASCII.
func (s SpendDay) Bounded() SpendDay {
	s.Agent, s.Session, s.Commit = name(s.Agent, 100, isPlain), name(s.Session, 200, isPlain), name(s.Commit, 64, isPlain)
	s.Phase, s.Model = name(s.Phase, 100, isPlain), name(s.Model, 200, isPlain)
	s.Hostname, s.Branch = name(s.Hostname, 255, isPlace), name(s.Branch, 500, isPlace)
	s.Repo = name(s.Repo, 500, func(r rune) bool { return r == ' ' || isPlace(r) })
	return s
}

func isPlain(r rune) bool { return r > ' ' && r < 0x7f }
func isPlace(r rune) bool { return r > ' ' && r != 0x7f && r != utf8.RuneError }

// name is a text of at most so many bytes, with - for what is not fit.
func name(text string, most int, fit func(rune) bool) string {
	text = strings.Map(func(r rune) rune {
		if fit(r) {
			return r
		}
		return '-'
	}, text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// Row makes the row of a day.
func (s SpendDay) Row() (Row, error) {
	s = s.Bounded()
	return rowOf(Spend, s, s.At, s.Day+" "+s.Agent)
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

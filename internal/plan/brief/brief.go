// Package brief gathers what a workflow needs to know before it begins, in one
// read of the planning directory: the phase and its files, settings, the
// model of each agent, the milestone, what is there already. `cairn plan
// context` prints a Brief; the queries print the same facts in the old tool's
// shape. It also decides what to do next.
//
// The verbs and the queries import it; it imports the packages of plan. It
// writes nothing and, but for the workspaces of several repositories, starts
// no git.
package brief

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
	"cairn/internal/plan/settings"
)

// Brief is what one workflow needs. What seldom changes comes first, so that
// a prompt which begins with it is cached; paths are relative to the project.
type Brief struct {
	Workflow  string              `json:"workflow"`
	Agents    map[string]string   `json:"agents,omitempty"` // role → model
	Missing   []string            `json:"missing_agents,omitempty"`
	Reads     map[string][]string `json:"reads,omitempty"` // role → files to read before anything else
	Settings  map[string]any      `json:"settings,omitempty"`
	Project   *Project            `json:"project,omitempty"`
	Documents map[string]string   `json:"documents,omitempty"` // those that are there: kind → path
	Unwritten []string            `json:"unwritten,omitempty"` // documents that still have a template's [gaps]
	Code      *Survey             `json:"code,omitempty"`
	Docs      *Docs               `json:"docs,omitempty"`
	Milestone *Milestone          `json:"milestone,omitempty"`
	Archive   []Archived          `json:"archive,omitempty"`
	Branch    string              `json:"branch,omitempty"`
	Phase     *Phase              `json:"phase,omitempty"`
	Earlier   string              `json:"earlier,omitempty"` // see FindEarlier
	Phases    []Step              `json:"phases,omitempty"`
	Actions   []Action            `json:"actions,omitempty"`
	Maps      []string            `json:"maps,omitempty"`
	Todos     []item.Item         `json:"todos,omitempty"`
	Quick     *QuickTask          `json:"quick,omitempty"`
	Session   *Session            `json:"session,omitempty"`
	Workspace *Workspace          `json:"workspace,omitempty"`
	Spaces    []Workspace         `json:"workspaces,omitempty"`
	Repos     []Repo              `json:"repositories,omitempty"`
	Next      *Next               `json:"next,omitempty"`
	Now       string              `json:"now"` // RFC 3339
}

// Project is what the project says of itself.
type Project struct {
	Title    string `json:"title,omitempty"`
	Code     string `json:"code,omitempty"`
	Language string `json:"language,omitempty"` // that agents answer in
}

// Request is which brief is asked for.
type Request struct {
	Workflow string
	Subject  string   // a phase, an area, a description or a name
	Agents   []string // roles to tell about beside the workflow's own, each known to package agent
	Now      time.Time
	Home     string // the user's directory, for workspaces
	Getenv   func(string) string
	Context  context.Context // of the git that counts changes in repositories
	Runtime  string          // whose models the roles get; "" for the settings'
}

// UnknownError says that there is no workflow of a name.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no workflow %q", e.Name) }

// SubjectError says that a workflow was asked for without what it is about.
type SubjectError struct{ Workflow, Needs string }

func (e *SubjectError) Error() string { return e.Workflow + " needs " + e.Needs }

// Make gathers a brief.
func Make(tx *plan.Tx, r Request) *Brief {
	i := slices.IndexFunc(workflows(), func(w workflow) bool { return w.name == r.Workflow })
	if i < 0 {
		must.Fail(&UnknownError{r.Workflow})
	}
	b := &builder{
		Brief: Brief{Workflow: r.Workflow, Now: r.Now.Format(time.RFC3339)},
		tx:    tx, settings: settings.Load(tx), request: r,
	}
	must.OK(must.Catch(func() { b.make(workflows()[i], r.Agents) }))
	return &b.Brief
}

func (b *builder) make(w workflow, more []string) {
	b.project()
	b.manner()
	b.agents(strings.Fields(w.agents)...)
	b.set(strings.Fields(w.settings)...)
	b.documents(strings.Fields(w.documents)...)
	w.gather(b)
	b.agents(more...)
	b.reads(b.found, slices.Collect(maps.Keys(b.Agents))...)
}

// builder fills a Brief, a part per method.
type builder struct {
	Brief
	tx       *plan.Tx
	settings *settings.Settings
	request  Request
	found    *plan.Phase // the phase that was asked for, or nil
}

// agents adds the model of each role, and which roles are not installed.
func (b *builder) agents(roles ...string) {
	if len(roles) == 0 {
		return
	}
	if b.Agents == nil {
		b.Agents = map[string]string{}
	}
	in := agent.Look(b.settings, b.tx.Root, b.request.Getenv)
	for _, role := range roles {
		role = agent.Base(role)
		b.Agents[role] = agent.ResolveFor(b.settings, b.request.Runtime, role, 0).Model
		b.set(settingsOf(role)...)
		if slices.Contains(in.Missing, role) {
			b.Missing = append(b.Missing, role)
		}
	}
}

// set adds the values of settings. Secrets are masked.
func (b *builder) set(keys ...string) {
	if b.Settings == nil {
		b.Settings = map[string]any{}
	}
	for _, key := range keys {
		if v, ok := b.settings.Value(key); ok && v.Any != nil {
			b.Settings[key] = settings.Mask(key, v.Any)
		}
	}
}

func (b *builder) project() {
	p := Project{Title: Title(b.tx), Code: b.settings.Text("project_code"), Language: b.settings.Text("response_language")}
	if p != (Project{}) {
		b.Project = &p
	}
}

// manner adds what every workflow asks by: whether it asks at all, and how.
func (b *builder) manner() {
	b.set("mode")
	if b.settings.Bool("workflow.text_mode") {
		b.set("workflow.text_mode")
	}
}

// Title returns the project's title: the first heading of PROJECT.md.
func Title(tx *plan.Tx) string {
	t, err := tx.Read(tx.Shared("PROJECT.md"))
	if err != nil {
		return ""
	}
	for _, h := range t.Headings() {
		if h.Level == 1 {
			return h.Text
		}
	}
	return ""
}

// documents adds where the documents are that are there.
func (b *builder) documents(names ...string) {
	if b.Documents == nil {
		b.Documents = map[string]string{}
	}
	for _, name := range names {
		rel := b.tx.Path(name)
		if slices.Contains([]string{"PROJECT.md", "config.json"}, name) {
			rel = b.tx.Shared(name)
		}
		if b.tx.Has(rel) {
			kind, _, _ := strings.Cut(strings.ToLower(name), ".")
			b.Documents[kind] = rel
		}
	}
}

func (b *builder) milestone() {
	if m := CurrentMilestone(b.tx); m.Version != "" {
		b.Milestone = &m
	}
}

// phase adds the phase that was asked for.
func (b *builder) phase() {
	if b.request.Subject == "" {
		must.OK(&SubjectError{b.Workflow, "a phase, such as 3 or 2.1"})
	}
	wrong := func(what string) { must.OK(&plan.InputError{Path: "phase " + b.request.Subject, What: what}) }
	id, ok := doc.ParsePhaseID(b.request.Subject)
	if !ok {
		wrong("is not a phase: give its number, such as 3 or 2.1")
	}
	p := b.tx.Phase(id)
	if p == nil {
		wrong("is neither in the roadmap nor on disk")
	}
	b.found = p
	b.Phase = describe(b.tx, b.settings, p)
	m := CurrentMilestone(b.tx)
	b.Branch = commit.BranchOf(b.settings, p, m.Version, m.Name)
}

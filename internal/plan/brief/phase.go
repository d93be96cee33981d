package brief

import (
	"path"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/settings"
)

// Phase is a phase as a workflow needs it.
type Phase struct {
	Number       string            `json:"number"`
	Name         string            `json:"name"`
	Slug         string            `json:"slug"`
	Goal         string            `json:"goal,omitempty"`
	DependsOn    string            `json:"depends_on,omitempty"`
	Requirements []string          `json:"requirements,omitempty"`
	Criteria     []string          `json:"success_criteria,omitempty"`
	Directory    string            `json:"directory"` // where it is, or belongs
	Exists       bool              `json:"exists"`    // whether the directory is there
	Archived     string            `json:"archived,omitempty"`
	Status       plan.Status       `json:"status"`
	Files        map[string]string `json:"files,omitempty"` // kind → path: context, research, patterns, verification, uat, reviews
	Plans        []Plan            `json:"plans,omitempty"`
}

// Plan is one plan of a phase.
type Plan struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Done bool   `json:"done"`
}

// fileKinds are the documents of a phase that workflows read, apart from its
// plans.
func fileKinds() []string {
	return []string{"spec", "context", "research", "patterns", "validation", "ui-spec", "ai-spec", "verification", "uat",
		"review", "review-fix", "reviews", "security", "ui-review", "eval-review", "learnings"}
}

func field(r *doc.Roadmap, p *plan.Phase, name string) string {
	f, _ := p.Field(r, name)
	return f.Value
}

// Topic returns what a phase is about, to match todos with it.
func Topic(tx *plan.Tx, p *plan.Phase) item.Topic {
	topic := item.Topic{Text: p.Name}
	r := tx.Roadmap()
	if r != nil && p.Section != nil {
		topic.Text += "\n" + r.Span(p.Section.Start, p.Section.End)
	}
	for _, f := range p.Plans {
		topic.Files = append(topic.Files, doc.ReadPlan(must.Get(tx.Read(path.Join(p.Dir, f.Path)))).Files...)
	}
	return topic
}

func describe(tx *plan.Tx, s *settings.Settings, p *plan.Phase) *Phase {
	r := tx.Roadmap()
	out := &Phase{
		Number: p.ID.String(), Name: p.Name, Slug: p.DirSlug(), Goal: field(r, p, "Goal"), DependsOn: field(r, p, "Depends on"),
		Requirements: p.Requirements(r), Directory: tx.DirOf(p, s.Text("project_code")), Exists: p.Dir != "",
		Archived: p.Archived, Status: lifecycle.Quick(tx).Outline(p).Status(p), Files: map[string]string{},
	}
	if r != nil && p.Section != nil {
		out.Criteria = r.Criteria(*p.Section)
	}
	for _, kind := range fileKinds() {
		if name := p.File(strings.ToUpper(kind)); name != "" {
			out.Files[kind] = path.Join(p.Dir, name)
		}
	}
	for _, f := range p.Plans {
		out.Plans = append(out.Plans, Plan{f.ID, path.Join(p.Dir, f.Path), f.Summary != ""})
	}
	return out
}

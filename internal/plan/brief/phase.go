package brief

import (
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
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

// FileKinds are the documents of a phase that workflows read, apart from its
// plans.
func FileKinds() []string {
	return []string{"context", "research", "patterns", "validation", "ui-spec", "verification", "uat", "reviews"}
}

// Slug returns the part of a phase's directory after its number.
func Slug(p *plan.Phase) string {
	if p.Slug != "" {
		return p.Slug
	}
	return doc.Slug(p.Name, doc.SlugLength)
}

// Directory returns where a phase's directory is, or belongs.
func Directory(tx *plan.Tx, s *settings.Settings, p *plan.Phase) string {
	if p.Dir != "" {
		return p.Dir
	}
	name := p.ID.Padded()
	if code := s.Text("project_code"); code != "" && p.ID.Number >= 0 {
		name = code + "-" + name
	}
	if slug := Slug(p); slug != "" {
		name += "-" + slug
	}
	return tx.Path("phases", name)
}

// Requirements returns the ids that the roadmap gives to a phase, without
// brackets; nil when it says none, or that they are still to be decided.
func Requirements(r *doc.Roadmap, p *plan.Phase) []string {
	if r == nil || p.Section == nil {
		return nil
	}
	f, ok := r.PhaseField(*p.Section, "Requirements")
	if !ok {
		return nil
	}
	var out []string
	for id := range strings.SplitSeq(strings.NewReplacer("[", "", "]", "").Replace(f.Value), ",") {
		if id = strings.TrimSpace(id); id != "" && !strings.EqualFold(id, "TBD") {
			out = append(out, id)
		}
	}
	return out
}

// Goal returns the goal that the roadmap gives to a phase, or "".
func Goal(r *doc.Roadmap, p *plan.Phase) string { return field(r, p, "Goal") }

func field(r *doc.Roadmap, p *plan.Phase, name string) string {
	if r == nil || p.Section == nil {
		return ""
	}
	f, _ := r.PhaseField(*p.Section, name)
	return f.Value
}

// Branch returns the name of the branch that a phase is worked on, by the
// settings' strategy; "" for none.
func Branch(s *settings.Settings, p *plan.Phase, m Milestone) string {
	switch s.Text("git.branching_strategy") {
	case "phase":
		if p != nil {
			return commit.PhaseBranch(s, p)
		}
	case "milestone":
		return commit.MilestoneBranch(s, m.Version, m.Name)
	}
	return ""
}

// Topic returns what a phase is about, to match todos with it.
func Topic(tx *plan.Tx, p *plan.Phase) (item.Topic, error) {
	topic := item.Topic{Text: p.Name}
	r, err := tx.Roadmap()
	if err != nil {
		return topic, err
	}
	if r != nil && p.Section != nil {
		topic.Text += "\n" + r.Span(p.Section.Start, p.Section.End)
	}
	for _, f := range p.Plans {
		t, err := tx.Read(path.Join(p.Dir, f.Path))
		if err != nil {
			return topic, err
		}
		topic.Files = append(topic.Files, item.PlanFiles(t)...)
	}
	return topic, nil
}

func describe(tx *plan.Tx, s *settings.Settings, p *plan.Phase) (*Phase, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return nil, err
	}
	out := &Phase{
		Number: p.ID.String(), Name: p.Name, Slug: Slug(p), Goal: Goal(r, p), DependsOn: field(r, p, "Depends on"),
		Requirements: Requirements(r, p), Directory: Directory(tx, s, p), Exists: p.Dir != "",
		Archived: p.Archived, Status: p.Status(), Files: map[string]string{},
	}
	if r != nil && p.Section != nil {
		out.Criteria = r.Criteria(*p.Section)
	}
	for _, kind := range FileKinds() {
		if name := p.File(strings.ToUpper(kind)); name != "" {
			out.Files[kind] = path.Join(p.Dir, name)
		}
	}
	for _, f := range p.Plans {
		out.Plans = append(out.Plans, Plan{f.ID, path.Join(p.Dir, f.Path), f.Summary != ""})
	}
	return out, nil
}

package brief

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
)

// wideWindow is how many tokens a model's window needs before agents are given
// what they can do without.
const wideWindow = 500_000

// reading is what a role is given to read, in an order that keeps what seldom
// changes in front: a prompt's beginning is cached. A name is a document of
// the project, a kind of document of the phase, or one of "plans",
// "summaries", "codebase".
type reading struct {
	role  string
	needs []string
	wide  []string // in a wide window also these
}

// readings is who gets what. Every agent knows what the project is and where
// it stands; requirements go to those who research, plan or judge, decisions to
// those who plan, build or judge, research to who plans, plans to who builds them or
// judges them or their work, the map of tests (validation) to who plans or judges,
// and summaries to who verifies.
func readings() []reading {
	return []reading{
		{"phase-researcher", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "spec"}, []string{"codebase"}},
		{"pattern-mapper", []string{"PROJECT.md", "context", "research"}, []string{"codebase"}},
		{"planner", []string{"PROJECT.md", "REQUIREMENTS.md", "LEARNINGS.md", "STATE.md", "spec", "context", "research", "patterns", "validation", "ui-spec", "ai-spec", "reviews"}, []string{"codebase"}},
		{"plan-checker", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "research", "patterns", "validation", "plans"}, nil},
		{"executor", []string{"PROJECT.md", "STATE.md", "context", "ui-spec", "ai-spec"}, []string{"research", "patterns", "summaries"}},
		{"verifier", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "validation", "plans", "summaries", "verification", "uat"}, nil},
		{"code-reviewer", []string{"PROJECT.md", "STATE.md", "context", "plans", "summaries"}, nil},
		{"code-fixer", []string{"PROJECT.md", "STATE.md", "review"}, []string{"context"}},
		{"debugger", []string{"PROJECT.md", "STATE.md", "summaries"}, []string{"uat", "plans"}},
		{"security-auditor", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "security", "plans", "summaries"}, []string{"context"}},
		{"nyquist-auditor", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "validation", "summaries"}, []string{"plans"}},
		{"ui-researcher", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "research"}, nil},
		{"ui-checker", []string{"PROJECT.md", "STATE.md", "context", "ui-spec"}, nil},
		{"ui-auditor", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "ui-spec", "summaries"}, []string{"context"}},
		{"framework-selector", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context"}, nil},
		{"ai-researcher", []string{"PROJECT.md", "STATE.md", "context", "ai-spec"}, nil},
		{"domain-researcher", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "ai-spec"}, nil},
		{"eval-planner", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "context", "ai-spec"}, nil},
		{"eval-auditor", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "ai-spec", "summaries"}, nil},
		{"assumptions-analyzer", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "spec"}, []string{"codebase"}},
		{"advisor-researcher", []string{"PROJECT.md", "STATE.md", "spec"}, nil},
		{"integration-checker", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md"}, nil},
		{"roadmapper", []string{"PROJECT.md", "REQUIREMENTS.md", "STATE.md", "ROADMAP.md", "MILESTONES.md", "research/SUMMARY.md"}, nil},
		{"project-researcher", []string{"PROJECT.md", "codebase/STACK.md", "codebase/ARCHITECTURE.md"}, []string{"REQUIREMENTS.md"}},
		{"research-synthesizer", []string{"PROJECT.md", "research/STACK.md", "research/FEATURES.md", "research/ARCHITECTURE.md", "research/PITFALLS.md"}, nil},
		{"codebase-mapper", []string{"PROJECT.md"}, nil},
		{"doc-writer", []string{"PROJECT.md", "codebase"}, nil},
		{"doc-verifier", []string{"PROJECT.md"}, nil},
	}
}

// reads adds what each role is to read: paths that are there. Any other role
// is given the project and its state.
func (b *builder) reads(p *plan.Phase, roles ...string) {
	wide := b.settings.Int("context_window") >= wideWindow
	b.Reads = map[string][]string{}
	for _, role := range roles {
		names := []string{"PROJECT.md", "STATE.md"}
		if i := slices.IndexFunc(readings(), func(r reading) bool { return r.role == role }); i >= 0 {
			r := readings()[i]
			names = r.needs
			if wide {
				names = slices.Concat(names, r.wide)
			}
		}
		list := []string{}
		for _, name := range names {
			list = append(list, b.artifact(p, name)...)
		}
		b.Reads[role] = append(list, b.skills(role)...)
	}
}

// artifact returns where a name of readings is; nothing when it is not there.
func (b *builder) artifact(p *plan.Phase, name string) (out []string) {
	switch {
	case name == "codebase":
		for _, m := range Maps(b.tx) {
			out = append(out, path.Join(b.tx.Shared("codebase"), m))
		}
	case strings.HasSuffix(name, ".md"):
		for _, rel := range []string{b.tx.Path(name), b.tx.Shared(name)} {
			if b.tx.Has(rel) {
				return []string{rel}
			}
		}
	case p == nil:
	case name == "plans":
		for _, f := range p.Plans {
			out = append(out, path.Join(p.Dir, f.Path))
		}
	case name == "summaries":
		for _, s := range p.Summaries() {
			out = append(out, path.Join(p.Dir, s))
		}
	default:
		if file := p.File(strings.ToUpper(name)); file != "" {
			out = append(out, path.Join(p.Dir, file))
		}
	}
	return out
}

// skills returns the skills that the settings give a role: a SKILL.md in the
// project each.
func (b *builder) skills(role string) []string {
	var out []string
	for _, name := range []string{role, "cairn-" + role, "gsd-" + role} {
		v, _ := b.settings.Value("agent_skills." + name)
		list, _ := v.Any.([]string)
		for _, dir := range list {
			if rel := path.Join(dir, "SKILL.md"); b.tx.Has(rel) {
				out = append(out, rel)
			}
		}
	}
	return out
}

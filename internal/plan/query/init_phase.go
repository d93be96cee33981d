package query

import (
	"errors"
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

// initPhase is the phase that an init call is about; its zero value is one
// that is not there.
type initPhase struct {
	*plan.Phase
	roadmap *doc.Roadmap
}

// phase finds the phase that the call names. A phase that only the roadmap's
// checklist has is none.
func (s *starting) phase() initPhase {
	require(s.arg(0) != "", missing, "phase required for %s", s.name)
	id, ok := doc.ParsePhaseID(s.arg(0))
	if !ok {
		return initPhase{}
	}
	p := try(s.tx.Phase(id))
	if p == nil || p.Dir == "" && p.Section == nil {
		return initPhase{}
	}
	return initPhase{p, try(s.tx.Roadmap())}
}

func (p initPhase) found() bool { return p.Phase != nil }

// identity are the members that name the phase; those given come behind its
// directory.
func (p initPhase) identity(expected ...member) object {
	o := object{{"phase_found", p.found()}, {"phase_dir", nil}}
	number, name, slug := any(nil), any(nil), any(nil)
	if p.found() {
		o[1].value = orNull(p.Dir)
		number, name, slug = p.number(), orNull(p.name()), orNull(p.slug())
	}
	return append(append(o, expected...), member{"phase_number", number}, member{"phase_name", name}, member{"phase_slug", slug})
}

// number is the phase's as its directory has it, else as the roadmap has it.
func (p initPhase) number() string {
	if p.Dir == "" && p.Section != nil {
		return p.Section.Written
	}
	return p.ID.Padded()
}

func (p initPhase) name() string {
	if p.Dir != "" && p.Slug != "" {
		return p.Slug
	}
	return p.Phase.Name
}

func (p initPhase) slug() string {
	if p.Dir != "" {
		return p.Slug
	}
	return slug(p.Phase.Name)
}

// requirements is what the roadmap lists, without brackets and TBD, as one
// text, or null.
func (p initPhase) requirements() member {
	var out []string
	if p.found() {
		f, _ := p.Field(p.roadmap, "Requirements")
		for id := range strings.SplitSeq(strings.NewReplacer("[", "", "]", "").Replace(f.Value), ",") {
			if id = strings.TrimSpace(id); id != "" && !strings.EqualFold(id, "TBD") {
				out = append(out, id)
			}
		}
	}
	return member{"phase_req_ids", orNull(strings.Join(out, ", "))}
}

// expected is where the directory of a phase without one belongs, or null.
func (s *starting) expected(p initPhase) member {
	if !p.found() || p.Dir != "" {
		return member{"expected_phase_dir", nil}
	}
	return member{"expected_phase_dir", s.tx.DirOf(p.Phase, s.set.Text("project_code"))}
}

func (p initPhase) padded() member {
	if !p.found() {
		return member{"padded_phase", nil}
	}
	return member{"padded_phase", p.ID.Padded()}
}

func (p initPhase) has(kind string) member { return hasFile(p.Phase, kind) }

// files are members that hold where each document of the phase is that is
// there.
func (p initPhase) files(kinds ...string) (out object) {
	for _, kind := range kinds {
		if p.found() && p.File(kind) != "" {
			out = out.with(strings.ToLower(kind)+"_path", path.Join(p.Dir, p.File(kind)))
		}
	}
	return out
}

// plans returns the plans, summaries and plans without one, by file name.
func (p initPhase) plans() (plans, summaries, incomplete []string) {
	if !p.found() {
		return []string{}, []string{}, []string{}
	}
	return plansOf(p.Phase)
}

func initExecutePhase(s *starting) object {
	p, m := s.phase(), milestone(s.tx)
	plans, summaries, incomplete := p.plans()
	return s.finish(object{
		s.model("executor", "executor"), s.model("verifier", "verifier"), s.tdd(), s.commitDocs(),
		{"sub_repos", list(s.set.List("planning.sub_repos"))},
		{"parallelization", s.set.Bool("parallelization")}, {"context_window", s.set.Int("context_window")},
		{"branching_strategy", s.set.Text("git.branching_strategy")},
		{"phase_branch_template", s.set.Text("git.phase_branch_template")},
		{"milestone_branch_template", s.set.Text("git.milestone_branch_template")}, s.on("verifier_enabled", "verifier"),
	}, p.identity(), object{
		p.requirements(), {"plans", plans}, {"summaries", summaries}, {"incomplete_plans", incomplete},
		{"plan_count", len(plans)}, {"incomplete_count", len(incomplete)},
		{"branch_name", orNull(commit.BranchOf(s.set, p.Phase, m.Version, m.Name))},
		{"milestone_version", m.Version}, {"milestone_name", m.Name}, {"milestone_slug", orNull(slug(m.Name))},
	}, s.exist("STATE.md", "ROADMAP.md", "config.json"), s.paths("STATE.md", "ROADMAP.md", "config.json"), s.validated())
}

func initPlanPhase(s *starting) object {
	p := s.phase()
	plans, _, _ := p.plans()
	var patterns any
	if files := p.files("PATTERNS"); files != nil {
		patterns = files[0].value
	}
	return s.finish(object{
		s.model("researcher", "phase-researcher"), s.model("planner", "planner"), s.model("checker", "plan-checker"), s.tdd(),
		s.on("research_enabled", "research"), s.on("plan_checker_enabled", "plan_check"),
		s.on("nyquist_validation_enabled", "nyquist_validation"), s.commitDocs(), s.on("text_mode", "text_mode"),
		s.on("auto_advance", "auto_advance"), s.on("auto_chain_active", "_auto_chain_active"), {"mode", s.set.Text("mode")},
	}, p.identity(s.expected(p)), object{
		p.padded(), p.requirements(), {"phase_status", s.stage(p)}, p.has("RESEARCH"), p.has("CONTEXT"), p.has("REVIEWS"),
		{"has_plans", len(plans) > 0}, {"plan_count", len(plans)}, s.planning(),
	}, s.exist("ROADMAP.md"), s.paths("STATE.md", "ROADMAP.md", "REQUIREMENTS.md"), object{{"patterns_path", patterns}},
		p.files("CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS"), s.validated())
}

func initPhaseOp(s *starting) object {
	p := s.phase()
	plans, _, _ := p.plans()
	return s.finish(object{s.commitDocs(), s.webTool("brave_search"), s.webTool("firecrawl"), s.webTool("exa_search")},
		p.identity(s.expected(p)), object{
			p.padded(), p.has("RESEARCH"), p.has("CONTEXT"), {"has_plans", len(plans) > 0},
			p.has("VERIFICATION"), p.has("REVIEWS"), {"plan_count", len(plans)}, s.has("roadmap_exists", "ROADMAP.md"), s.planning(),
		}, s.paths("STATE.md", "ROADMAP.md", "REQUIREMENTS.md"), p.files("CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS"))
}

func initVerifyWork(s *starting) object {
	p := s.phase()
	return s.finish(object{s.model("planner", "planner"), s.model("checker", "plan-checker"), s.commitDocs()},
		p.identity()[:4], object{p.has("VERIFICATION")})
}

// tdd is a member that holds whether tests come first: by --tdd, or the settings.
func (s *starting) tdd() member {
	return member{"tdd_mode", s.given("tdd") || s.set.Bool("workflow.tdd_mode")}
}

// stage is the phase's status as progress tables have it.
func (s *starting) stage(p initPhase) any {
	if !p.found() {
		return nil
	}
	stage := try(s.tx.Stage(p.Phase))
	if stage == plan.NotStarted {
		return "Pending"
	}
	return stage
}

// validated is, when --validate asks for it, what STATE.md has wrong.
func (s *starting) validated() object {
	if !s.given("validate") {
		return nil
	}
	warnings := []string{}
	state, err := s.tx.State()
	if !errors.Is(err, plan.ErrNoState) {
		warnings = append(warnings, try(try(state, err).Validate()).Warnings...)
	}
	return object{{"state_validation_ran", true}, {"state_warnings", warnings}}
}

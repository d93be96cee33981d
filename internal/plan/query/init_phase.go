package query

import (
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
)

// phase finds the phase that the call names. A phase that only the roadmap's
// checklist has is none.
func (s *starting) phase() *plan.Phase {
	require(s.arg(0) != "", missing, "phase required for %s", s.name)
	if id, ok := doc.ParsePhaseID(s.arg(0)); ok {
		if p := s.tx.Phase(id); p != nil && (p.Dir != "" || p.Section != nil) {
			return p
		}
	}
	return &plan.Phase{}
}

// identity are the members that name the phase; those given come behind its
// directory.
func identity(p *plan.Phase, expected ...member) object {
	o := append(object{{"phase_found", known(p)}, {"phase_dir", orNull(p.Dir)}}, expected...)
	number, short := any(nil), p.Slug
	if known(p) {
		number = numberOf(p)
	}
	if p.Dir == "" {
		short = slug(p.Name)
	}
	return append(o, member{"phase_number", number}, member{"phase_name", orNull(nameOf(p))}, member{"phase_slug", orNull(short)})
}

// numberOf is the phase's as its directory has it, else as the roadmap has it.
func numberOf(p *plan.Phase) string {
	if p.Dir == "" && p.Section != nil {
		return p.Section.Written
	}
	return p.ID.Padded()
}

func nameOf(p *plan.Phase) string {
	if p.Dir != "" && p.Slug != "" {
		return p.Slug
	}
	return p.Name
}

// requirements is what the roadmap lists, without brackets and TBD, as one
// text, or null.
func (s *starting) requirements(p *plan.Phase) member {
	listed := ""
	if p.Section != nil {
		f, _ := p.Field(s.tx.Roadmap(), "Requirements")
		listed = strings.NewReplacer("[", "", "]", "").Replace(f.Value)
	}
	ids := each(strings.Split(listed, ","), strings.TrimSpace)
	ids = only(ids, func(id string) bool { return id != "" && !strings.EqualFold(id, "TBD") })
	return member{"phase_req_ids", orNull(strings.Join(ids, ", "))}
}

// expected is where the directory of a phase without one belongs, or null.
func (s *starting) expected(p *plan.Phase) member {
	if !known(p) || p.Dir != "" {
		return member{"expected_phase_dir", nil}
	}
	return member{"expected_phase_dir", s.tx.DirOf(p, s.set.Text("project_code"))}
}

func paddedPhase(p *plan.Phase) member {
	if !known(p) {
		return member{"padded_phase", nil}
	}
	return member{"padded_phase", p.ID.Padded()}
}

// filesOfKinds are members that hold where each document of the phase is that
// is there.
func filesOfKinds(p *plan.Phase, kinds ...string) (out object) {
	for _, kind := range kinds {
		if file := p.File(kind); file != "" {
			out = out.with(strings.ToLower(kind)+"_path", path.Join(p.Dir, file))
		}
	}
	return out
}

func initExecutePhase(s *starting) object {
	p, m := s.phase(), milestone(s.tx)
	plans, summaries, incomplete := plansOf(p)
	branch := commit.BranchOf(s.set, nil, m.Version, m.Name)
	if known(p) {
		branch = commit.BranchOf(s.set, p, m.Version, m.Name)
	}
	return s.finish(object{
		s.model("executor", "executor"), s.model("verifier", "verifier"), s.tdd(), s.commitDocs(),
		{"sub_repos", list(s.set.List("planning.sub_repos"))},
		{"parallelization", s.set.Bool("parallelization")}, {"context_window", s.set.Int("context_window")},
		{"branching_strategy", s.set.Text("git.branching_strategy")},
		{"phase_branch_template", s.set.Text("git.phase_branch_template")},
		{"milestone_branch_template", s.set.Text("git.milestone_branch_template")}, s.on("verifier_enabled", "verifier"),
	}, identity(p), object{
		s.requirements(p), {"plans", plans}, {"summaries", summaries}, {"incomplete_plans", incomplete},
		{"plan_count", len(plans)}, {"incomplete_count", len(incomplete)},
		{"branch_name", orNull(branch)},
		{"milestone_version", m.Version}, {"milestone_name", m.Name}, {"milestone_slug", orNull(slug(m.Name))},
	}, s.exist("STATE.md", "ROADMAP.md", "config.json"), s.paths("STATE.md", "ROADMAP.md", "config.json"), s.validated())
}

func initPlanPhase(s *starting) object {
	p := s.phase()
	patterns := append(filesOfKinds(p, "PATTERNS"), member{"patterns_path", nil})[:1]
	return s.finish(object{
		s.model("researcher", "phase-researcher"), s.model("planner", "planner"), s.model("checker", "plan-checker"), s.tdd(),
		s.on("research_enabled", "research"), s.on("plan_checker_enabled", "plan_check"),
		s.on("nyquist_validation_enabled", "nyquist_validation"), s.commitDocs(), s.on("text_mode", "text_mode"),
		s.on("auto_advance", "auto_advance"), s.on("auto_chain_active", "_auto_chain_active"), {"mode", s.set.Text("mode")},
	}, identity(p, s.expected(p)), object{
		paddedPhase(p), s.requirements(p), {"phase_status", s.stage(p)}, hasFile(p, "RESEARCH"), hasFile(p, "CONTEXT"), hasFile(p, "REVIEWS"),
		{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, s.planning(),
	}, s.exist("ROADMAP.md"), s.paths("STATE.md", "ROADMAP.md", "REQUIREMENTS.md"), patterns,
		filesOfKinds(p, "CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS"), s.validated())
}

func initPhaseOp(s *starting) object {
	p := s.phase()
	return s.finish(object{s.commitDocs(), s.webTool("brave_search"), s.webTool("firecrawl"), s.webTool("exa_search")},
		identity(p, s.expected(p)), object{
			paddedPhase(p), hasFile(p, "RESEARCH"), hasFile(p, "CONTEXT"), {"has_plans", len(p.Plans) > 0},
			hasFile(p, "VERIFICATION"), hasFile(p, "REVIEWS"), {"plan_count", len(p.Plans)}, s.has("roadmap_exists", "ROADMAP.md"), s.planning(),
		}, s.paths("STATE.md", "ROADMAP.md", "REQUIREMENTS.md"), filesOfKinds(p, "CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS"))
}

func initVerifyWork(s *starting) object {
	p := s.phase()
	return s.finish(object{s.model("planner", "planner"), s.model("checker", "plan-checker"), s.commitDocs()},
		identity(p)[:4], object{hasFile(p, "VERIFICATION")})
}

// tdd is a member that holds whether tests come first: by --tdd, or the settings.
func (s *starting) tdd() member {
	return member{"tdd_mode", s.given("tdd") || s.set.Bool("workflow.tdd_mode")}
}

// stage is the phase's status as progress tables have it.
func (s *starting) stage(p *plan.Phase) any {
	if !known(p) {
		return nil
	}
	stage := lifecycle.New(s.context, s.tx).Stage(p)
	if stage == lifecycle.StageNotStarted {
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
	if hasState(s.tx) {
		warnings = append(warnings, s.tx.State().Validate().Warnings...)
	}
	return object{{"state_validation_ran", true}, {"state_warnings", warnings}}
}

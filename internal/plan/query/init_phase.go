package query

import (
	"errors"
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// initPhase is the phase that an init call is about; its zero value is one
// that is not there.
type initPhase struct {
	*plan.Phase
	roadmap *doc.Roadmap
}

// phase finds the phase that the call names. A phase that only the roadmap's
// checklist has is none.
func (s *starting) phase(workflow string) (initPhase, error) {
	if s.arg(0) == "" {
		return initPhase{}, fail("sdk_missing_arg", "phase required for init %s", workflow)
	}
	id, ok := doc.ParsePhaseID(s.arg(0))
	if !ok {
		return initPhase{}, nil
	}
	p, err := s.Tx.Phase(id)
	if err != nil || p == nil || p.Dir == "" && p.Section == nil {
		return initPhase{}, err
	}
	r, err := s.Tx.Roadmap()
	return initPhase{p, r}, err
}

func (p initPhase) found() bool { return p.Phase != nil }

// identity are the members that name the phase.
func (p initPhase) identity() object {
	if !p.found() {
		return object{{"phase_found", false}, {"phase_dir", nil}, {"phase_number", nil}, {"phase_name", nil}, {"phase_slug", nil}}
	}
	return object{
		{"phase_found", true}, {"phase_dir", orNull(p.Dir)}, {"phase_number", p.number()}, {"phase_name", orNull(p.name())}, {"phase_slug", orNull(p.slug())},
	}
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
	return text.LetterSlug(p.Phase.Name, doc.SlugLength)
}

// requirements is what the roadmap lists, without brackets and TBD, as one
// text, or null.
func (p initPhase) requirements() any {
	if !p.found() {
		return nil
	}
	f, _ := p.Field(p.roadmap, "Requirements")
	var out []string
	for id := range strings.SplitSeq(strings.NewReplacer("[", "", "]", "").Replace(f.Value), ",") {
		if id = strings.TrimSpace(id); id != "" && !strings.EqualFold(id, "TBD") {
			out = append(out, id)
		}
	}
	return orNull(strings.Join(out, ", "))
}

// expected is where the directory of a phase without one belongs, or null.
func (s *starting) expected(p initPhase) any {
	if !p.found() || p.Dir != "" {
		return nil
	}
	return s.Tx.DirOf(p.Phase, s.set.Text("project_code"))
}

func (p initPhase) padded() any {
	if !p.found() {
		return nil
	}
	return p.ID.Padded()
}

// hasFile is a member that holds whether the phase has a document.
func (p initPhase) hasFile(key, kind string) member {
	return member{key, p.found() && p.File(kind) != ""}
}

// files adds where each document of the phase is that is there.
func (p initPhase) files(o object, kinds ...string) object {
	for _, kind := range kinds {
		if p.found() && p.File(kind) != "" {
			o = o.with(strings.ToLower(kind)+"_path", path.Join(p.Dir, p.File(kind)))
		}
	}
	return o
}

// plans returns the plans, summaries and plans without one, by file name.
func (p initPhase) plans() (plans, summaries, incomplete []string) {
	plans, summaries, incomplete = []string{}, []string{}, []string{}
	if !p.found() {
		return plans, summaries, incomplete
	}
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
		if f.Summary == "" {
			incomplete = append(incomplete, f.Path)
		}
	}
	return plans, append(summaries, p.Summaries()...), incomplete
}

func initExecutePhase(s *starting) (object, error) {
	tdd, validate := s.switched("tdd"), s.switched("validate")
	p, err := s.phase("execute-phase")
	if err != nil {
		return nil, err
	}
	m, err := milestone(s.Tx)
	if err != nil {
		return nil, err
	}
	plans, summaries, incomplete := p.plans()
	o := object{
		{"executor_model", s.model("executor")}, {"verifier_model", s.model("verifier")},
		{"tdd_mode", tdd || s.on("tdd_mode")}, s.commitDocs(), {"sub_repos", list(s.set.List("planning.sub_repos"))},
		{"parallelization", s.set.Bool("parallelization")}, {"context_window", s.set.Int("context_window")},
		{"branching_strategy", s.set.Text("git.branching_strategy")},
		{"phase_branch_template", s.set.Text("git.phase_branch_template")},
		{"milestone_branch_template", s.set.Text("git.milestone_branch_template")},
		{"verifier_enabled", s.on("verifier")},
	}
	o = append(o, p.identity()...)
	o = append(o,
		member{"phase_req_ids", p.requirements()},
		member{"plans", plans}, member{"summaries", summaries}, member{"incomplete_plans", incomplete},
		member{"plan_count", len(plans)}, member{"incomplete_count", len(incomplete)},
		member{"branch_name", orNull(commit.BranchOf(s.set, p.Phase, m.Version, m.Name))},
		member{"milestone_version", m.Version}, member{"milestone_name", m.Name}, member{"milestone_slug", orNull(text.LetterSlug(m.Name, doc.SlugLength))},
		s.has("state_exists", "STATE.md"), s.has("roadmap_exists", "ROADMAP.md"), s.has("config_exists", "config.json"),
		s.file("state_path", "STATE.md"), s.file("roadmap_path", "ROADMAP.md"), s.file("config_path", "config.json"),
	)
	if o, err = s.validated(o, validate); err != nil {
		return nil, err
	}
	return s.finish(o), nil
}

func initPlanPhase(s *starting) (object, error) {
	tdd, validate := s.switched("tdd"), s.switched("validate")
	p, err := s.phase("plan-phase")
	if err != nil {
		return nil, err
	}
	plans, _, _ := p.plans()
	status, err := s.stage(p)
	if err != nil {
		return nil, err
	}
	var patterns any
	if p.found() && p.File("PATTERNS") != "" {
		patterns = path.Join(p.Dir, p.File("PATTERNS"))
	}
	o := object{
		{"researcher_model", s.model("phase-researcher")}, {"planner_model", s.model("planner")}, {"checker_model", s.model("plan-checker")},
		{"tdd_mode", tdd || s.on("tdd_mode")}, {"research_enabled", s.on("research")}, {"plan_checker_enabled", s.on("plan_check")},
		{"nyquist_validation_enabled", s.on("nyquist_validation")}, s.commitDocs(), {"text_mode", s.on("text_mode")},
		{"auto_advance", s.on("auto_advance")}, {"auto_chain_active", s.on("_auto_chain_active")}, {"mode", s.set.Text("mode")},
	}
	id := p.identity()
	o = append(o, id[0], id[1], member{"expected_phase_dir", s.expected(p)})
	o = append(o, id[2:]...)
	o = append(o,
		member{"padded_phase", p.padded()}, member{"phase_req_ids", p.requirements()}, member{"phase_status", status},
		p.hasFile("has_research", "RESEARCH"), p.hasFile("has_context", "CONTEXT"), p.hasFile("has_reviews", "REVIEWS"),
		member{"has_plans", len(plans) > 0}, member{"plan_count", len(plans)},
		s.planning(), s.has("roadmap_exists", "ROADMAP.md"),
		s.file("state_path", "STATE.md"), s.file("roadmap_path", "ROADMAP.md"), s.file("requirements_path", "REQUIREMENTS.md"),
		member{"patterns_path", patterns},
	)
	o = p.files(o, "CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS")
	if o, err = s.validated(o, validate); err != nil {
		return nil, err
	}
	return s.finish(o), nil
}

func initPhaseOp(s *starting) (object, error) {
	p, err := s.phase("phase-op")
	if err != nil {
		return nil, err
	}
	plans, _, _ := p.plans()
	o := object{s.commitDocs(), s.webTool("brave_search"), s.webTool("firecrawl"), s.webTool("exa_search")}
	id := p.identity()
	o = append(o, id[0], id[1], member{"expected_phase_dir", s.expected(p)})
	o = append(o, id[2:]...)
	o = append(o,
		member{"padded_phase", p.padded()},
		p.hasFile("has_research", "RESEARCH"), p.hasFile("has_context", "CONTEXT"), member{"has_plans", len(plans) > 0},
		p.hasFile("has_verification", "VERIFICATION"), p.hasFile("has_reviews", "REVIEWS"), member{"plan_count", len(plans)},
		s.has("roadmap_exists", "ROADMAP.md"), s.planning(),
		s.file("state_path", "STATE.md"), s.file("roadmap_path", "ROADMAP.md"), s.file("requirements_path", "REQUIREMENTS.md"),
	)
	return s.finish(p.files(o, "CONTEXT", "RESEARCH", "VERIFICATION", "UAT", "REVIEWS")), nil
}

func initVerifyWork(s *starting) (object, error) {
	p, err := s.phase("verify-work")
	if err != nil {
		return nil, err
	}
	o := object{{"planner_model", s.model("planner")}, {"checker_model", s.model("plan-checker")}, s.commitDocs()}
	o = append(o, p.identity()[:4]...)
	return s.finish(append(o, p.hasFile("has_verification", "VERIFICATION"))), nil
}

// stage is the phase's status as progress tables have it.
func (s *starting) stage(p initPhase) (any, error) {
	if !p.found() {
		return nil, nil
	}
	stage, err := s.Tx.Stage(p.Phase)
	if stage == plan.NotStarted {
		return "Pending", err
	}
	return stage, err
}

// validated adds, when --validate asks for it, what STATE.md has wrong.
func (s *starting) validated(o object, asked bool) (object, error) {
	if !asked {
		return o, nil
	}
	warnings := []string{}
	state, err := s.Tx.State()
	if err == nil {
		var drift plan.Drift
		drift, err = state.Validate()
		warnings = append(warnings, drift.Warnings...)
	}
	if err != nil && !errors.Is(err, plan.ErrNoState) {
		return nil, err
	}
	return o.with("state_validation_ran", true).with("state_warnings", warnings), nil
}

package gate

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/settings"
)

// Names lists the gates, in the order in which All runs them.
func Names() []string {
	return []string{"ready", "research", "requirements", "decisions", "schema", "drift", "threats", "ship"}
}

// Stages returns the stages that a gate has; the first is meant where none
// is named.
func Stages(gate string) []Stage {
	return map[string][]Stage{
		"ready": {Plan, Execute, Verify}, "requirements": {Plan, Execute, Verify}, "schema": {Execute, Plan, Verify},
		"decisions": {Plan, Verify}, "research": {Plan}, "drift": {Execute, Verify}, "threats": {Verify}, "ship": {Verify},
	}[gate]
}

// Subject is what the gates look at.
type Subject struct {
	*plan.Tx
	Phase      *plan.Phase // nil for drift alone
	Settings   Settings
	Git        Git
	Made       func() ([]commit.Made, error) // the commits of the phase, the oldest first
	HasGH      func() bool                   // GitHub's tool is there
	SkipSchema bool                          // schemas that are not pushed do not block
	Record     bool                          // the decisions of the verify stage write into VERIFICATION.md

	// What package lifecycle knows: what a stage still wants of the phase, and
	// what of its proof is missing.
	Wants func(Stage) []Missing
	Proof func() []Missing
}

// Settings are those of the project that gates look at.
type Settings struct {
	ContextCoverage bool     // workflow.context_coverage_gate
	DriftThreshold  int      // workflow.drift_threshold
	DriftAction     string   // workflow.drift_action
	Security        bool     // workflow.security_enforcement
	SecurityBlockOn string   // workflow.security_block_on
	PhaseBranch     string   // of the phase, if each had one: git.phase_branch_template
	BaseBranch      string   // git.base_branch; "" for what the repository says
	Warnings        []string // about these in config.json
}

// Look returns the subject that a phase of tx is, with the project's settings
// and git.
func Look(ctx context.Context, tx *plan.Tx, phase *plan.Phase) Subject {
	return Subject{
		Tx: tx, Phase: phase,
		HasGH: func() bool {
			_, err := exec.LookPath("gh")
			return err == nil
		},
		Settings: load(settings.Load(tx), phase),
		Made: func() ([]commit.Made, error) {
			if !git.Repo(tx.Root) {
				return nil, errors.New("the project is in no git repository")
			}
			made, _, err := commit.OfPhase(ctx, tx.Root, phase.ID.Padded(), phase.ID.String())
			return made, err
		},
		Git: func(args ...string) (string, error) { return git.Run(ctx, tx.Root, args...) },
	}
}

func load(s *settings.Settings, p *plan.Phase) Settings {
	out := Settings{
		ContextCoverage: s.Bool("workflow.context_coverage_gate"),
		DriftThreshold:  s.Int("workflow.drift_threshold"), DriftAction: s.Text("workflow.drift_action"),
		Security: s.Bool("workflow.security_enforcement"), SecurityBlockOn: s.Text("workflow.security_block_on"),
		BaseBranch: s.Text("git.base_branch"),
	}
	if p != nil {
		out.PhaseBranch = commit.PhaseBranch(s, p)
	}
	if err := s.Err(); err != nil {
		out.Warnings = append(out.Warnings, err.Error()+"; the defaults count")
	}
	for _, w := range s.Warnings() {
		switch w.Key {
		case "workflow.context_coverage_gate", "workflow.skip_discuss", "workflow.drift_threshold", "workflow.drift_action",
			"workflow.security_enforcement", "workflow.security_block_on", "git.base_branch":
			out.Warnings = append(out.Warnings, w.String())
		}
	}
	return out
}

// Run runs one gate. An error means that it could not look, which is not a
// pass.
func (s Subject) Run(gate string, stage Stage) Result {
	r := s.run(gate, stage)
	r.Warnings = append(r.Warnings, s.Settings.Warnings...)
	return r
}

func (s Subject) run(gate string, stage Stage) Result {
	switch gate {
	case "drift":
		r := s.Drift().Result
		r.Stage = stage
		return r
	case "ship":
		return s.Ship().Result
	case "threats":
		return Threats(s.Settings.Security, s.Settings.SecurityBlockOn, Document(s.Tx, s.Phase, "SECURITY"))
	case "ready":
		return s.Ready(stage)
	case "research":
		return Research(Document(s.Tx, s.Phase, "RESEARCH"))
	}
	plans, summaries := Plans(s.Tx, s.Phase), Summaries(s.Tx, s.Phase)
	switch gate {
	case "decisions":
		return s.decisions(stage, plans)
	case "requirements":
		return Requirements(stage, Wanted(s.Tx, s.Phase), plans, summaries)
	case "schema":
		return s.Schema(stage, plans, summaries).Result
	}
	panic("no gate is called " + gate)
}

// All runs every gate of a stage but ship.
func (s Subject) All(stage Stage) []Result {
	var out []Result
	for _, gate := range Names() {
		if gate != "ship" && slices.Contains(Stages(gate), stage) {
			out = append(out, s.Run(gate, stage))
		}
	}
	return out
}

func (s Subject) decisions(stage Stage, plans []File) Result {
	decided := Document(s.Tx, s.Phase, "CONTEXT")
	var c Coverage
	if stage == Plan {
		c = must.Get(Decisions(s.Settings.ContextCoverage, decided, plans))
	} else {
		made, noLog := s.Made()
		c = must.Get(DecisionsBuilt(s.Settings.ContextCoverage, decided, plans, s.Root, made, noLog))
	}
	if s.Record && stage == Verify {
		if verification := Document(s.Tx, s.Phase, "VERIFICATION"); verification != nil {
			Record(verification.Text, c)
		}
	}
	return c.Result
}

// Schema runs the schema gate over the summaries and the last commits.
func (s Subject) Schema(stage Stage, plans, summaries []File) Schema {
	var noLog error
	log := func() (out string) {
		out, noLog = s.Git("log", "--oneline", "--all", "-50")
		return out
	}
	schema := schemaDrift(stage, plans, summaries, log, func(name string) ([]byte, error) { return readInside(s.Root, name) })
	if s.SkipSchema && !schema.Result.Passed {
		schema.Result.Blocking, schema.Result.Skipped, schema.Result.Reason = false, true, "asked to; not pushed: "+strings.Join(schema.Unpushed, ", ")
	}
	if noLog != nil {
		schema.Result.Warnings = append(schema.Result.Warnings, "no commits were searched: "+noLog.Error())
	}
	return schema
}

// Drift runs the drift gate.
func (s Subject) Drift() Drift {
	return codebaseDrift(ReadIfThere(s.Tx, s.Shared("codebase", "STRUCTURE.md")), s.Git, s.Settings.DriftThreshold, s.Settings.DriftAction)
}

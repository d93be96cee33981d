package proof

import (
	"path"
	"slices"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/settings"
)

// Subject is a phase as its documents have it.
type Subject struct {
	Root         string
	Phase        string   // 01
	IDs          []string // as scopes of commits have them: 01, 1
	Dir          string   // of the phase, relative to the root
	File         string   // where the results are kept, relative to the root
	Plans        []Plan
	Decisions    []doc.Decision
	Requirements []gate.Requirement
	Answered     []string // texts of tests that a person saw pass
	Verification doc.Verification
	Report       string        // its file, "" for none
	Warnings     []doc.Finding // of REVIEW.md that are open and that it does not name
	Coverage     int           // percent that is asked for, 0 for none
	TestCommand  string
	Claims       []string // for the key of a verdict
}

// Plan is a plan of the phase.
type Plan struct {
	ID          string // 01-01
	Path        string // relative to the root
	Doc         doc.Plan
	File        gate.File
	Summary     *doc.Text
	SummaryPath string
}

// Read reads the documents of a phase.
func Read(tx *plan.Tx, p *plan.Phase) Subject {
	set := settings.Load(tx)
	s := Subject{
		Root: tx.Root, Phase: p.ID.Padded(), IDs: []string{p.ID.Padded(), p.ID.String()}, Dir: p.Dir, File: record.File(p), Claims: record.Claims(tx, p),
		Coverage: set.Int("workflow.prove_coverage"), TestCommand: set.Text("workflow.test_command"),
		Requirements: gate.Wanted(tx, p),
	}
	for i, f := range gate.Plans(tx, p) {
		pl := Plan{ID: plan.CanonicalPlanID(p.Plans[i].ID), Path: f.Path, Doc: doc.ReadPlan(f.Text), File: f}
		if name := p.Plans[i].Summary; name != "" {
			pl.SummaryPath = path.Join(p.Dir, name)
			pl.Summary = must.Get(tx.Read(pl.SummaryPath))
		}
		s.Plans = append(s.Plans, pl)
	}
	if c := gate.Document(tx, p, "CONTEXT"); c != nil {
		all, _ := c.Decisions()
		s.Decisions = slices.DeleteFunc(all, func(d doc.Decision) bool { return !d.Trackable() })
	}
	if u := gate.Document(tx, p, "UAT"); u != nil {
		for _, t := range doc.ReadUAT(u.Text).Tests {
			if t.Result == "pass" || t.Result == "passed" {
				s.Answered = append(s.Answered, t.Name+" "+t.Expected)
			}
		}
	}
	if v := gate.Document(tx, p, "VERIFICATION"); v != nil {
		s.Report, s.Verification = v.Path, doc.ReadVerification(v.Text)
		if r := gate.Document(tx, p, "REVIEW"); r != nil {
			s.Warnings = doc.Unanswered(r.Text, v.Text)
		}
	}
	return s
}

package plan

import (
	"context"
	"testing"
	"time"

	"cairn/internal/plan/doc"
)

func phaseID(s string) doc.PhaseID {
	id, ok := doc.ParsePhaseID(s)
	if !ok {
		panic(s)
	}
	return id
}

// Every change of the phases touches its own lines and no other: what it does
// to the sample trees stands in testdata/phase as a diff.
func TestPhaseChanges(t *testing.T) {
	for name, tc := range map[string]struct {
		tree string
		do   func(tx *Tx)
	}{
		"add": {"synth-ws", func(tx *Tx) {
			tx.AddPhase(NewPhase{Name: "Über uns", Goal: "Say who we are", Requirements: []string{"WEB-01"}})
		}},
		"add-template":   {"synth-fresh", func(tx *Tx) { tx.AddPhase(NewPhase{Name: "More"}) }},
		"add-crlf":       {"plain", func(tx *Tx) { tx.AddPhase(NewPhase{Name: "More"}) }},
		"add-custom":     {"synth-fresh", func(tx *Tx) { tx.AddPhase(NewPhase{Name: "Pay", ID: "PROJ-42"}) }},
		"add-idea":       {"synth-ws", func(tx *Tx) { tx.AddIdea(NewPhase{Name: "Offline mode", Goal: "Work offline"}) }},
		"add-first-idea": {"plain", func(tx *Tx) { tx.AddIdea(NewPhase{Name: "Offline mode"}) }},
		"insert":         {"synth-ws", func(tx *Tx) { tx.InsertPhase(phaseID("2"), NewPhase{Name: "Cache"}) }},
		"insert-deeper":  {"plain", func(tx *Tx) { tx.InsertPhase(phaseID("2.1"), NewPhase{Name: "Cache"}) }},
		"remove":         {"synth-ws", func(tx *Tx) { tx.RemovePhase(phaseID("2"), "", true) }},
		"remove-decimal": {"plain", func(tx *Tx) { tx.RemovePhase(phaseID("2.1"), "", false) }},
		"remove-first":   {"synth-fresh", func(tx *Tx) { tx.RemovePhase(phaseID("01"), "", false) }},
		"remove-code":    {"codes", func(tx *Tx) { tx.RemovePhase(phaseID("2"), "CK", false) }},
		"move":           {"plain", func(tx *Tx) { tx.MovePhase(phaseID("3"), phaseID("1"), false, "") }},
		"move-paths":     {"synth-ws", func(tx *Tx) { tx.MovePhase(phaseID("3"), phaseID("1"), false, "") }},
		"edit": {"synth-ws", func(tx *Tx) {
			tx.EditPhase(phaseID("2"), PhaseEdit{Name: new("HTTP | API"), Goal: new("Serve\nit all"), Mode: new("standard")})
		}},
		"edit-adds": {"synth-ws", func(tx *Tx) {
			tx.EditPhase(phaseID("2.1"), PhaseEdit{Requirements: new("WID-03")})
		}},
		"complete":          {"plain", completeAfterSummary("2")},
		"complete-template": {"synth-fresh", completeAfterSummary("1")},
		"complete-last":     {"synth-fresh", completeAfterSummary("2")},
		"complete-force": {"synth-ws", func(tx *Tx) {
			tx.CompletePhase(phaseID("2"), Completion{Open: "no summary of 02-02, 02-03", Reason: "the rest moved to phase 3"})
		}},
		"sync": {"synth-ws", func(tx *Tx) {
			p := tx.Phase(phaseID("2"))
			tx.Write(p.Dir+"/02-02-SUMMARY.md", []byte("# done\n"))
			tx.SyncProgress(tx.Phase(phaseID("2")), true)
		}},
		"list": {"synth-fresh", func(tx *Tx) {
			tx.AddPhase(NewPhase{Name: "More"})
			listPlans(tx, "3", PlanItem{"03-01", "Keep it"}, PlanItem{"03-02", ""})
		}},
		"list-more": {"synth-ws", func(tx *Tx) {
			listPlans(tx, "1", PlanItem{"01-01", "other words"})
			listPlans(tx, "1", PlanItem{"01-09", "Mend it"})
		}},
		"annotate": {"synth-ws", func(tx *Tx) {
			p := tx.Phase(phaseID("2"))
			tx.AnnotatePhase(p, [][]string{{"02-01"}, {"02-02"}, {"02-03"}})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := sample(t, tc.tree)
			w.Now = func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }
			before := tree(t, w)
			c, err := w.Update(context.Background(), "test", func(tx *Tx) error { tc.do(tx); return nil })
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "phase/"+name+".diff", c.Diff())
			if _, err := w.Undo(context.Background(), false); err != nil {
				t.Fatal(err)
			}
			equalTrees(t, tree(t, w), before)
		})
	}
}

func listPlans(tx *Tx, id string, plans ...PlanItem) { tx.ListPlans(tx.Phase(phaseID(id)), plans) }

// completeAfterSummary executes the phase's plans, or one it writes, and
// completes it.
func completeAfterSummary(id string) func(*Tx) {
	return func(tx *Tx) {
		dir, _ := tx.ScaffoldDir(phaseID(id), "x", "")
		for _, kind := range []string{"PLAN", "SUMMARY"} {
			name := dir + "/" + phaseID(id).Padded() + "-01-" + kind + ".md"
			if !tx.Has(name) {
				tx.Write(name, []byte("# "+kind+"\n"))
			}
		}
		tx.CompletePhase(phaseID(id), Completion{})
	}
}

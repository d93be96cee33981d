package plan

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/test/cairntest"
)

// sample copies one of the trees in testdata into a project.
func sample(t *testing.T, name string) *Workspace {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "trees", name))); err != nil {
		t.Fatal(err)
	}
	w, err := Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// inconsistent returns what roadmap, disk and state do not agree on.
func inconsistent(t *testing.T, w *Workspace) (bad []string) {
	t.Helper()
	complain := func(format string, a ...any) { bad = append(bad, fmt.Sprintf(format, a...)) }
	err := w.View(func(tx *Tx) error {
		r := tx.Roadmap()
		version := tx.milestoneVersion(r)
		live := tx.livePhases()
		seen := map[string]bool{}
		for i, p := range live {
			id := p.ID.String()
			if seen[id] {
				complain("phase %s is there twice", id)
			}
			seen[id] = true
			if p.Section == nil || p.Box == nil {
				complain("phase %s (%s) has no section or no box", id, p.Dir)
				continue
			}
			if p.Section.Name != p.Box.Name || !p.Section.ID.Same(p.Box.ID) {
				complain("phase %s is %q in its section and %q in its box", id, p.Section.Name, p.Box.Name)
			}
			if i > 0 && live[i-1].Section != nil && live[i-1].Section.Line > p.Section.Line {
				complain("the section of phase %s comes before that of %s", id, live[i-1].ID)
			}
			for _, f := range p.Files {
				if own, _, ok := doc.DirPhaseID(f); ok && !own.Same(p.ID) {
					complain("%s holds %s", p.Dir, f)
				}
			}
			checkRow(r, p, version, complain)
			checkPlans(tx, r, p, live, complain)
			if f, ok := r.PhaseField(*p.Section, "Depends on"); ok {
				for _, ref := range doc.PhaseRefs(f.Value) {
					if !slices.ContainsFunc(live, func(q *Phase) bool { return q.ID.Same(ref.ID) }) {
						complain("phase %s depends on phase %s, which is not there", id, ref.ID)
					}
				}
			}
		}
		checkWhole(live, complain)
		checkState(tx, live, complain)
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	return bad
}

func checkRow(r *doc.Roadmap, p *Phase, version string, complain func(string, ...any)) {
	at, ok := r.ProgressRow(p.ID, version)
	tb, row := at.Table, at.Row
	if !ok {
		complain("phase %s has no row", p.ID)
		return
	}
	if !strings.HasSuffix(strings.ReplaceAll(tb.Cell(row, 0), `\|`, "|"), " "+p.Name) {
		complain("the row of phase %s is %q", p.ID, tb.Cell(row, 0))
	}
	if done := tb.Cell(row, tb.Column("Status")) == "Complete"; done != p.Box.Done {
		complain("the row of phase %s says %q, its box %v", p.ID, tb.Cell(row, tb.Column("Status")), p.Box.Done)
	}
}

// checkPlans: the section lists plans of the phase alone, and a plan depends
// on plans of phases that are there.
func checkPlans(tx *Tx, r *doc.Roadmap, p *Phase, live []*Phase, complain func(string, ...any)) {
	for _, it := range r.Items(p.Section.Start, p.Section.End) {
		id, rest, ok := doc.DirPhaseID(it.Text)
		if ok && it.Box && rest != "" && !id.Same(p.ID) {
			complain("the section of phase %s lists %q", p.ID, it.Text)
		}
	}
	for _, f := range p.Plans {
		t, err := tx.Read(path.Join(p.Dir, f.Path))
		if err != nil {
			complain("%v", err)
			continue
		}
		if id, _, ok := doc.DirPhaseID(t.Front().Get("phase").Text()); ok && !id.Same(p.ID) {
			complain("%s/%s says phase %s", p.Dir, f.Path, t.Front().Get("phase").Text())
		}
		for _, dep := range t.Front().Get("depends_on").Strings() {
			id, _, _ := doc.DirPhaseID(dep)
			if !slices.ContainsFunc(live, func(q *Phase) bool { return q.ID.Same(id) }) {
				complain("%s/%s depends on %s", p.Dir, f.Path, dep)
			}
		}
	}
}

// shippedNumbers is the highest number of a shipped phase in the samples.
const shippedNumbers = 2

// checkWhole: the whole numbers have no gap but where a phase of an older
// milestone had one: no number is given twice.
func checkWhole(live []*Phase, complain func(string, ...any)) {
	want := 0
	for _, p := range live {
		if p.ID.Whole() {
			for want++; want < p.ID.Number && want <= shippedNumbers; want++ {
			}
			if p.ID.Number != want {
				complain("phase %s should be %d", p.ID, want)
			}
		}
	}
}

func checkState(tx *Tx, live []*Phase, complain func(string, ...any)) {
	s := tx.State()
	total := strconv.Itoa(len(live))
	if f, ok := s.Field(s.Body(), s.Len(), "Total Phases"); ok && f.Value != total {
		complain("STATE.md has %s phases of %s", f.Value, total)
	}
	if at, ok := s.PositionField("Phase"); ok && !strings.Contains(at.Value, " of "+total) {
		complain("STATE.md is at %q of %s", at.Value, total)
	}
	if n := s.Front().Get("progress", "total_phases"); n != nil && len(live) > 0 && n.Text() != total {
		complain("STATE.md's frontmatter counts %s phases of %s", n.Text(), total)
	}
	current, ok := s.currentPhase()
	if ok && len(live) > 0 && !slices.ContainsFunc(live, func(p *Phase) bool { return p.ID.Same(current) }) {
		complain("STATE.md is at phase %s, which is not there", current)
	}
}

// mutate makes one random change. One that is refused is no change.
func mutate(r *rand.Rand, tx *Tx, what *string) {
	live := tx.livePhases()
	if len(live) == 0 {
		*what = "add First"
		tx.AddPhase(NewPhase{Name: "First"})
		return
	}
	p := live[r.IntN(len(live))]
	q := live[r.IntN(len(live))]
	name := []string{"Log in", "Über uns", "a | b", "Phase 7: odd", "3D view"}[r.IntN(5)] + " " + strconv.Itoa(r.IntN(1000))
	switch r.IntN(10) {
	case 0:
		*what = "add " + name
		tx.AddPhase(NewPhase{Name: name, Goal: "Show it"})
	case 1:
		*what = fmt.Sprintf("insert %s after %s", name, p.ID)
		tx.InsertPhase(p.ID, NewPhase{Name: name})
	case 2:
		*what = fmt.Sprintf("remove %s", p.ID)
		tx.RemovePhase(p.ID, "", r.IntN(2) == 0)
	case 3, 4:
		*what = fmt.Sprintf("move %s to %s", p.ID, q.ID)
		tx.MovePhase(p.ID, q.ID, r.IntN(2) == 0, "")
	case 5:
		*what = fmt.Sprintf("complete %s", p.ID)
		tx.CompletePhase(p.ID, Completion{Open: "a plan", Reason: "why not"})
	case 6:
		*what = fmt.Sprintf("edit %s", p.ID)
		tx.EditPhase(p.ID, PhaseEdit{Name: &name, DependsOn: new("Phase " + q.ID.String()), Mode: new("mvp")})
	case 7:
		*what = fmt.Sprintf("scaffold %s", p.ID)
		tx.ScaffoldFile(p, ScaffoldKinds()[r.IntN(3)], "")
	case 8:
		if p.Dir == "" {
			return
		}
		id := fmt.Sprintf("%s-%02d", p.ID.Padded(), len(p.Plans)+1)
		text := fmt.Sprintf("---\nphase: %s\nplan: %02d\ndepends_on: [%q]\n---\n", path.Base(p.Dir), len(p.Plans)+1, q.ID.Padded()+"-01")
		*what = "plan " + id
		tx.Write(path.Join(p.Dir, id+"-PLAN.md"), []byte(text))
	default:
		for _, f := range p.Plans {
			if f.Summary == "" {
				tx.Write(path.Join(p.Dir, f.ID+"-SUMMARY.md"), []byte("---\nphase: "+path.Base(p.Dir)+"\n---\n"))
				break
			}
		}
		*what = fmt.Sprintf("summary and sync of %s", p.ID)
		tx.SyncProgress(p, true)
	}
}

// Any sequence of changes keeps roadmap, disk and state in agreement, and
// undoing all of them brings back every byte.
func TestRandomChanges(t *testing.T) {
	cairntest.Long(t)
	for seed := range uint64(3) {
		for _, name := range []string{"synth-fresh", "plain"} {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				randomChanges(t, sample(t, name), rand.New(rand.NewPCG(seed, 1)))
			})
		}
	}
}

func randomChanges(t *testing.T, w *Workspace, r *rand.Rand) {
	first := tree(t, w)
	if bad := inconsistent(t, w); bad != nil {
		t.Fatalf("at first: %s", strings.Join(bad, "\n"))
	}
	var history []string
	changes := 0
	for range 50 {
		before := tree(t, w)
		what := ""
		c, err := w.Update(context.Background(), "random", func(tx *Tx) error {
			mutate(r, tx, &what)
			return nil
		})
		history = append(history, fmt.Sprintf("%s: %v", what, err))
		var input *InputError
		switch {
		case err == nil && c.ID > 0:
			changes++
		case errors.As(err, &input):
			t.Fatalf("%s\n%v", strings.Join(history, "\n"), err)
		case err != nil:
			equalTrees(t, tree(t, w), before)
		}
		if bad := inconsistent(t, w); bad != nil || t.Failed() {
			b, _ := os.ReadFile(w.Abs(w.Path("ROADMAP.md")))
			t.Fatalf("after %s:\n%s\n\n%s", strings.Join(history, "\n"), strings.Join(bad, "\n"), b)
		}
	}
	for range changes {
		if _, err := w.Undo(context.Background(), false); err != nil {
			t.Fatal(err)
		}
	}
	equalTrees(t, tree(t, w), first)
}

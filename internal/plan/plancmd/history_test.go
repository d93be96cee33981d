package plancmd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/test/cairntest"
	"cairn/test/plantest"
)

// history is a project that is changed at random, by verbs and by hand, and
// what is known of it besides: what a person would remember.
type history struct {
	t     *testing.T
	r     *rand.Rand
	root  string
	verbs map[string]*command.Command
	log   []string

	used    map[string]string // number of a phase → its name, of all that ever were
	tried   map[string]int    // verb → calls
	worked  map[string]int
	shipped int // milestones
}

// call runs a verb and reports whether it did its work; a refusal writes
// nothing.
func (h *history) call(path string, flags map[string]any, args ...string) bool {
	h.t.Helper()
	before := h.files()
	cmd := h.verbs[path]
	a, err := cmd.Run(command.NewCall(context.Background(), &command.Env{Dir: h.root, Getenv: os.Getenv}, cmd, args, flags))
	ok := err == nil && !a.No
	why := ""
	if !ok {
		why = fmt.Sprint(err)
		if a != nil {
			why += " " + a.Said
		}
		if after := h.files(); after != before {
			h.fail("%s was refused and wrote", path)
		}
	}
	h.log = append(h.log, fmt.Sprint(path, " ", args, " ", ok, " ", why))
	h.tried[path]++
	if ok {
		h.worked[path]++
	}
	return ok
}

func (h *history) files() string {
	var b strings.Builder
	_ = filepath.WalkDir(filepath.Join(h.root, plan.Planning), func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			text, _ := os.ReadFile(name)
			b.WriteString(name + "\x00" + string(text) + "\x00")
		}
		return err
	})
	return b.String()
}

func (h *history) fail(format string, a ...any) {
	h.t.Helper()
	roadmap, _ := os.ReadFile(filepath.Join(h.root, plan.Planning, "ROADMAP.md"))
	h.t.Fatalf("%s\nafter\n%s\n%s", fmt.Sprintf(format, a...), strings.Join(h.log[max(0, len(h.log)-12):], "\n"), roadmap)
}

func (h *history) view(fn func(tx *plan.Tx, look *lifecycle.Look, phases []*plan.Phase)) {
	w, err := plan.Open(h.root, "")
	if err == nil {
		err = w.View(func(tx *plan.Tx) error {
			fn(tx, lifecycle.New(context.Background(), tx), tx.Phases(plan.Current))
			return nil
		})
	}
	if err != nil {
		h.fail("%v", err)
	}
}

// hand writes a file as a person does.
func (h *history) hand(name, text string) {
	plantest.Write(h.t, h.root, map[string]string{name: text})
	h.log = append(h.log, "by hand: "+name)
}

// step changes something: mostly what brings the first open phase on, else
// anything.
func (h *history) step() {
	var p *plan.Phase
	var state lifecycle.State
	var version string
	open, count := 0, 0
	h.view(func(tx *plan.Tx, look *lifecycle.Look, phases []*plan.Phase) {
		version, _ = tx.Milestone()
		for _, q := range phases {
			s := look.Of(q)
			if count++; s == lifecycle.Complete {
				continue
			}
			if open++; p == nil || h.r.IntN(6) == 0 {
				p, state = q, s
			}
		}
	})
	switch n := h.r.IntN(20); {
	case p == nil && count > 1 || h.r.IntN(90) == 0 && count > 0: // also too early, to be refused
		h.milestone(version, open)
	case p == nil || n == 0 && count < 6:
		name := fmt.Sprintf("Part %c %d", 'A'+rune(h.r.IntN(26)), len(h.log))
		h.call("plan phase add", nil, name)
	case n == 1 && p.Dir != "" && count < 8:
		h.call("plan phase insert", nil, p.ID.String(), fmt.Sprint("Fix ", len(h.log)))
	case n == 2:
		h.call("plan phase edit", map[string]any{"name": fmt.Sprint("Named ", len(h.log))}, p.ID.String())
	case n == 3: // whatever the state is
		h.call([]string{"plan state planned", "plan state begin", "plan phase complete"}[h.r.IntN(3)], nil, p.ID.String())
	case n == 4:
		h.force(p, state)
	case n == 5:
		h.spoil(p)
	case p.Dir == "":
		h.call("plan phase scaffold", nil, p.ID.String(), "directory")
	default:
		h.forward(p, state)
	}
}

// force moves a phase on with a reason, and the reason is kept.
func (h *history) force(p *plan.Phase, state lifecycle.State) {
	reason := fmt.Sprint("reason ", len(h.log))
	did := h.call("plan phase complete", map[string]any{"force": true, "reason": reason}, p.ID.String())
	b, _ := os.ReadFile(filepath.Join(h.root, plan.Planning, "STATE.md"))
	if did && state != lifecycle.Verified && !strings.Contains(string(b), reason) {
		h.fail("the reason is not kept")
	}
}

// spoil is what people and agents do to documents.
func (h *history) spoil(p *plan.Phase) {
	if p.Dir == "" {
		return
	}
	file := func(kind string) string { return p.Dir + "/" + p.ID.Padded() + "-" + kind + ".md" }
	switch h.r.IntN(4) {
	case 0:
		h.hand(file("UAT"), "---\nstatus: complete\n---\n\n### 1. It\nresult: issue\nseverity: major\n")
	case 1:
		h.hand(file("VERIFICATION"), "---\nstatus: gaps_found\n---\n")
	case 2:
		_ = os.Remove(filepath.Join(h.root, file("CONTEXT")))
		h.log = append(h.log, "by hand: no CONTEXT.md")
	case 3:
		name := filepath.Join(h.root, plan.Planning, "ROADMAP.md")
		b, _ := os.ReadFile(name)
		h.hand(plan.Planning+"/ROADMAP.md", strings.Replace(string(b), "To be planned", fmt.Sprint("Goal ", len(h.log)), 1))
	}
}

// forward writes what the phase lacks, as its workflow would.
func (h *history) forward(p *plan.Phase, state lifecycle.State) {
	file := func(kind string) string { return p.Dir + "/" + p.ID.Padded() + "-" + kind + ".md" }
	id := p.ID.String()
	switch state {
	case lifecycle.NotStarted, lifecycle.Discussing:
		h.hand(file("CONTEXT"), "<decisions>\n- **D-01:** keep it small\n</decisions>\n")
	case lifecycle.Discussed, lifecycle.Researched, lifecycle.Planning:
		h.hand(file("01-PLAN"), "---\nphase: "+id+"\nmust_haves:\n  truths: [D-01]\n---\n<objective>\nDo it\n</objective>\n")
		h.call("plan state planned", nil, id)
	case lifecycle.Planned, lifecycle.Executing:
		h.call("plan state begin", nil, id)
		for _, f := range p.Plans {
			h.hand(p.Dir+"/"+f.ID+"-SUMMARY.md", "---\nphase: "+id+"\n---\n\n**Done**\n")
		}
	case lifecycle.Gaps:
		n := fmt.Sprintf("%02d-PLAN", len(p.Plans)+1)
		h.hand(file(n), "---\ngap_closure: true\n---\n<objective>\nMend it\n</objective>\n")
	case lifecycle.Executed:
		h.hand(file("VERIFICATION"), "---\nstatus: passed\n---\n")
	case lifecycle.Accepting:
		h.hand(file("UAT"), "---\nstatus: complete\n---\n\n### 1. It\nresult: pass\n")
		h.hand(file("VERIFICATION"), "---\nstatus: passed\n---\n")
	case lifecycle.Findings, lifecycle.Verified:
		h.hand(file("CONTEXT"), "<decisions>\n- **D-01:** keep it small\n</decisions>\n")
		h.call("plan phase complete", nil, id)
	}
}

// milestone ends the one in work, or is refused, and begins another.
func (h *history) milestone(version string, open int) {
	done := h.call("plan milestone complete", nil)
	switch {
	case done && open > 0:
		h.fail("%d phases are open, and milestone complete did it", open)
	case open > 0:
		return
	case !done && !h.call("plan milestone complete", map[string]any{"force": true, "reason": "a phase was forced"}): // its tests are still open
		h.fail("every phase is complete, and the milestone cannot be")
	}
	h.shipped++
	if h.r.IntN(2) == 0 {
		h.call("plan milestone archive", nil, version)
	}
	if !h.call("plan milestone new", nil, fmt.Sprintf("v%d.0", h.shipped+1), fmt.Sprint("Round ", h.shipped+1)) {
		h.fail("no new milestone")
	}
	h.call("plan phase add", nil, fmt.Sprint("First of ", h.shipped+1))
}

// check holds the state table against the documents.
func (h *history) check() {
	h.view(func(tx *plan.Tx, look *lifecycle.Look, phases []*plan.Phase) {
		r := tx.Roadmap()
		seen := map[string]bool{}
		for _, p := range tx.Phases(plan.Everything) {
			id := p.ID.String()
			if seen[id] {
				h.fail("phase %s stands twice", id)
			}
			seen[id] = true
		}
		done := 0
		for _, p := range phases {
			id, state := p.ID.String(), look.Of(p)
			if p.Section == nil || p.Section.Shipped || p.Box != nil && p.Box.Shipped {
				h.fail("phase %s of the milestone has no section of its own: %+v", id, p)
			}
			if !slices.Contains(lifecycle.States(), state) {
				h.fail("phase %s is %s", id, state)
			}
			if state == lifecycle.Complete {
				done++
			}
			if state == lifecycle.Verified && len(look.Unmet(p, lifecycle.Finish)) > 0 {
				h.fail("phase %s is verified, and something is open", id)
			}
			if row, ok := r.ProgressRow(p.ID, ""); ok && p.Box != nil {
				if says := row.Cell("Status") == "Complete"; says != p.Box.Done {
					h.fail("the row of phase %s says %s, its box %v", id, row.Cell("Status"), p.Box.Done)
				}
			}
		}
		n := brief.FindNext(tx)
		if n.Phase != "" {
			id, _ := doc.ParsePhaseID(n.Phase)
			want := map[lifecycle.State][]string{
				lifecycle.NotStarted: {"discuss-phase"}, lifecycle.Discussing: {"discuss-phase"}, lifecycle.Discussed: {"plan-phase"},
				lifecycle.Planning: {"plan-phase"}, lifecycle.Planned: {"execute-phase"}, lifecycle.Executing: {"execute-phase"},
				lifecycle.Executed: {"verify-work"}, lifecycle.Gaps: {"plan-phase"}, lifecycle.Accepting: {"verify-work"},
			}[look.Of(tx.Phase(id))]
			if want != nil && !slices.Contains(want, n.Command) || look.Of(tx.Phase(id)) == lifecycle.Complete {
				h.fail("phase %s is %s, and next says %s", n.Phase, look.Of(tx.Phase(id)), n.Command)
			}
		}
		if n.Command == "complete-milestone" && len(n.Blocked) == 0 && done != len(phases) {
			h.fail("next says complete-milestone at %d of %d", done, len(phases))
		}
		d := progressOf(&Call{Call: command.NewCall(context.Background(), &command.Env{Dir: h.root, Getenv: os.Getenv}, h.verbs["plan progress"], nil, nil)}, tx)
		if d.PhasesDone != done || d.PhasesTotal != len(phases) {
			h.fail("progress says %d of %d, %d of %d are complete", d.PhasesDone, d.PhasesTotal, done, len(phases))
		}
		for _, p := range phases {
			id := p.ID.String()
			if name, known := h.used[id]; known && name != p.Dir {
				h.fail("number %s was of %s, and is of %s", id, name, p.Dir)
			}
			if p.Dir != "" {
				h.used[id] = p.Dir
			}
		}
	})
}

// seedsOf returns the histories to play: CAIRN_HISTORIES of them, or the one that
// CAIRN_HISTORY names.
func seedsOf(t *testing.T) []uint64 {
	read := func(name string, otherwise uint64) uint64 {
		s := os.Getenv(name)
		if s == "" {
			return otherwise
		}
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := read("CAIRN_HISTORY", 0)
	var out []uint64
	for i := range read("CAIRN_HISTORIES", 1) {
		out = append(out, first+i)
	}
	return out
}

// In random histories over at least three shipped milestones, by verbs and by
// hand, what is said of the phases holds after each step, and no number is
// given twice.
func TestHistories(t *testing.T) {
	cairntest.Long(t)
	for _, seed := range seedsOf(t) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			h := &history{t: t, r: rand.New(rand.NewPCG(seed, 21)), root: t.TempDir(), verbs: command.Link(Commands(Prompts{})),
				used: map[string]string{}, tried: map[string]int{}, worked: map[string]int{}}
			h.hand(plan.Planning+"/PROJECT.md", "# P\n\n## What This Is\nx\n## Core Value\nx\n## Requirements\nx\n")
			h.hand(plan.Planning+"/ROADMAP.md", "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base** - base\n\n## Phase Details\n\n### Phase 1: Base\n**Goal:** base\n\n"+
				"## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. Base | 0/0 | Not started | - |\n")
			h.hand(plan.Planning+"/STATE.md", "---\nmilestone: v1.0\n---\n\n# State\n\n**Current Phase:** 1\n**Status:** Ready to plan\n\n## Decisions\n\n- none\n")
			for range 500 {
				h.step()
				h.check()
			}
			if h.shipped < 3 {
				t.Errorf("%d milestones were shipped", h.shipped)
			}
			for verb, n := range h.tried {
				if n > 4 && h.worked[verb]*2 < n {
					t.Errorf("%s worked %d times of %d", verb, h.worked[verb], n)
				}
			}
			t.Log(h.shipped, "milestones;", h.worked, "of", h.tried)
		})
	}
}

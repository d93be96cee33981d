package plan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan/doc"
)

// copied is a project like testdata/state/name, at a fixed time.
func copied(t *testing.T, name string) *Workspace {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "state", name))); err != nil {
		t.Fatal(err)
	}
	w, err := Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	w.Now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 10_000_000, time.UTC) }
	return w
}

func editState(t *testing.T, w *Workspace, fn func(*State)) *Change {
	t.Helper()
	return update(t, w, func(tx *Tx) error { tx.EditState(fn); return nil })
}

// mutations are all edits of STATE.md, each with what it is to be called.
var mutations = map[string]func(*State){
	"set":       func(s *State) { s.SetValue("Status", "Ready to plan") },
	"set-front": func(s *State) { s.SetValue("milestone_name", "Second: \"x\"") },
	"set-count": func(s *State) { s.SetValue("Progress", "10%") },
	"begin":     func(s *State) { s.Begin(PhaseWork{Number: "3", Name: "Dashboard UI", Plans: 4}) },
	"begin-known": func(s *State) {
		s.Begin(s.Known(PhaseWork{Number: "2", Plans: -1}))
	},
	"begin-again": func(s *State) {
		number, _ := s.Phase()
		s.Set("Status", "Executing Phase "+number)
		s.Begin(PhaseWork{Number: number, Name: "other", Plans: 9})
	},
	"advance":      func(s *State) { s.SetPlan(1, 3); s.Advance() },
	"advance-last": func(s *State) { s.SetPlan(3, 3); s.Advance() },
	"planned":      func(s *State) { s.Planned(PhaseWork{Number: "2", Plans: 5}) },
	"complete":     func(s *State) { n, _ := s.Phase(); s.Finish(n) },
	"decide":       func(s *State) { s.Decide(Decision{"2", "Use a|b", "why\nnot"}) },
	"block":        func(s *State) { s.Block("no key\n## yet") },
	"block-unblock": func(s *State) {
		s.Block("no key")
		s.Unblock("")
	},
	"metric": func(s *State) {
		s.Record(Metric{Phase: "2", Plan: "1", Duration: "5min", Tasks: "3"})
		s.Record(Metric{Phase: "2", Plan: "2", Duration: "6min", Files: "4"})
	},
	"session": func(s *State) { s.AddSession(); s.Stop("02-01 task 2", "") },
	"evolve": func(s *State) {
		s.Evolve(Evolution{Phase: "2.1", Action: "inserted", After: "2", Note: "leak", Urgent: true})
	},
	"sync":      func(s *State) { s.Sync() },
	"progress":  func(s *State) { s.ShowProgress() },
	"prune":     func(s *State) { s.Block("[RESOLVED] slow"); s.Prune(0) },
	"milestone": func(s *State) { s.SwitchMilestone("v2.0", "Next") },
}

func TestMutationsChangeOnlyTheirLines(t *testing.T) {
	for name, edit := range mutations {
		for _, tree := range []string{"ws", "fresh"} {
			t.Run(tree+"/"+name, func(t *testing.T) {
				w := copied(t, tree)
				w.DryRun = true
				golden(t, "state/"+tree+"-"+name+".diff", editState(t, w, edit).Diff())
			})
		}
	}
}

// What a file's lines end with, and what it begins with, changes nothing.
func TestMutationsKeepLineEndings(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, form := range map[string]func(string) string{
		"crlf":       crlf,
		"bom":        func(s string) string { return "\xef\xbb\xbf" + s },
		"not UTF-8":  func(s string) string { return strings.Replace(s, "State", "Sta\xfft\x80e", 1) },
		"no newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
	} {
		for mutation, edit := range mutations {
			for _, tree := range []string{"ws", "fresh"} {
				plain, formed := copied(t, tree), copied(t, tree)
				file := formed.Abs(formed.Path("STATE.md"))
				rewriteFile(t, file, form)
				editState(t, plain, edit)
				editState(t, formed, edit)
				want, err := os.ReadFile(plain.Abs(plain.Path("STATE.md")))
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if string(got) != form(string(want)) {
					t.Errorf("%s, %s in %s:\n%q\nwant\n%q", name, mutation, tree, got, form(string(want)))
				}
			}
		}
	}
}

func rewriteFile(t *testing.T, file string, form func(string) string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(form(string(b))), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFrontmatterKeepsWhatItDoesNotKnow(t *testing.T) {
	w := project(t, map[string]string{".planning/STATE.md": `---
# for the status line
active_phase: "2"   # kept
next_phases: [3, 4]
status: planning
progress:
  note: mine
  percent: 7
created: 2026-01-01
---
**Status:** Executing Phase 2
**Current Phase:** 2
`})
	w.Now = func() time.Time { return time.Unix(0, 0) }
	editState(t, w, func(s *State) { s.Begin(PhaseWork{Number: "3", Plans: 2}) })
	got := tree(t, w)[".planning/STATE.md"]
	want := `---
# for the status line
active_phase: "2"   # kept
next_phases: [3, 4]
status: executing
progress:
  note: mine
  percent: 7
created: 2026-01-01
gsd_state_version: 1.0
current_phase: 3
last_updated: 1970-01-01T00:00:00.000Z
---
**Status:** Executing Phase 3
**Current Phase:** 3
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStateThatIsNotThere(t *testing.T) {
	w := project(t, map[string]string{".planning/ROADMAP.md": "# R\n"})
	_, err := w.Update(context.Background(), "x", func(tx *Tx) error {
		tx.EditState(func(*State) { t.Error("called") })
		return nil
	})
	var input *InputError
	if !errors.Is(err, ErrNoState) || !errors.As(err, &input) {
		t.Errorf("error %v", err)
	}
}

func TestAnEditThatChangesNothingWritesNothing(t *testing.T) {
	w := copied(t, "ws")
	c := editState(t, w, func(s *State) { s.SetValue("Status", "Executing Phase 2") })
	if len(c.Files) != 0 {
		t.Errorf("changed %v", c.Files[0].Path)
	}
}

func TestStatusWord(t *testing.T) {
	for raw, want := range map[string]string{
		"Paused at task 3": "paused", "Stopped": "paused", "Executing Phase 2": "executing", "In progress": "executing",
		"Ready to plan": "planning", "Discussing": "discussing", "Phase complete — ready for verification": "verifying",
		"Milestone complete": "completed", "All done": "completed", "Ready to execute": "executing", "Defining": "Defining",
	} {
		if got := statusWord(raw); got != want {
			t.Errorf("StatusWord(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestCounters(t *testing.T) {
	for _, c := range []struct {
		Counters
		percent, plans int
	}{
		{Counters{}, 0, 0},
		{Counters{4, 1, 4, 2}, 25, 50},
		{Counters{2, 2, 3, 3}, 100, 100},
		{Counters{3, 1, 3, 3}, 33, 100},
		{Counters{1, 1, 2, 3}, 100, 100},
	} {
		if got := c.Percent(); got != c.percent {
			t.Errorf("%+v is %d%%, want %d%%", c.Counters, got, c.percent)
		}
		if got := c.PlanPercent(); got != c.plans {
			t.Errorf("plans of %+v are %d%%, want %d%%", c.Counters, got, c.plans)
		}
	}
}

// hostile are texts that look like structure.
var hostile = []string{
	"a\nb", "a\r\n\r\nb", "---", "a\n---\n# b", "## Blockers", "```\ncode", "<!-- x", "| a | b |", `\| \\ $1 $& %s`, "- [ ] a\n- b",
	"**Status:** x", "x: y # z", "'\"", "\u2028a\u2028b", "a\x00b", "[Phase 9]: x", strings.Repeat("x", 5000), "ü — ß",
}

func TestTextStaysOneEntry(t *testing.T) {
	for _, text := range hostile {
		w := copied(t, "ws")
		var before, after []doc.Heading
		editState(t, w, func(s *State) {
			before = s.Headings()
			s.Decide(Decision{"2", text, ""})
			s.Block(text)
			s.SetValue("Status", text)
			s.Stop(text, text)
			s.Evolve(Evolution{Phase: "2", Action: "edited", Note: text})
		})
		err := w.View(func(tx *Tx) error {
			s := tx.State()
			after = s.Headings()
			if d := s.ListDecisions(); len(d) != 3 || d[2].Summary != strings.ReplaceAll(doc.OneLine(text), `\|`, "|") {
				t.Errorf("%q: decisions are %q", text, d)
			}
			if b := s.ListBlockers(); len(b) != 3 {
				t.Errorf("%q: blockers are %q", text, b)
			}
			if got := s.Value("Status"); got != doc.OneLine(text) {
				t.Errorf("%q: status is %q", text, got)
			}
			if got := s.Session().StoppedAt; got != doc.OneLine(text) {
				t.Errorf("%q: stopped at %q", text, got)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if len(after) != len(before)+2 { // Accumulated Context, Roadmap Evolution
			t.Errorf("%q: %d headings, then %d", text, len(before), len(after))
		}
	}
}

func TestSetValueTakesOnlyWhatIsThere(t *testing.T) {
	const state = "---\nnext_action: plan\ncurrent_phase: 2\nstopped_at: there\nlast_updated: x\nprogress:\n  percent: 1\n---\n## Current Position\n\nPhase: 2 of 3 (API)\nStatus: a\n"
	for name, want := range map[string]bool{
		"Status": true, "status": true, "next_action": true, "stopped_at": true,
		"current_phase": false, "last_updated": false, "progress": false, "Nope": false,
	} {
		w := project(t, map[string]string{".planning/STATE.md": state})
		editState(t, w, func(s *State) {
			if got := s.SetValue(name, "new"); got != want {
				t.Errorf("SetValue(%s) = %v", name, got)
			}
			if !want && s.String() != state {
				t.Errorf("%s was not set, and STATE.md became\n%s", name, s)
			}
		})
		if got := tree(t, w)[".planning/STATE.md"]; want && !strings.Contains(got, ": new\n") {
			t.Errorf("%s was set to new, and STATE.md is\n%s", name, got)
		}
	}
	w := project(t, map[string]string{".planning/STATE.md": state})
	editState(t, w, func(s *State) {
		if got := strings.Join(s.Names(), ","); got != "Phase,Status,next_action,current_phase,stopped_at,last_updated" {
			t.Errorf("names are %s", got)
		}
	})
}

func TestWhatTheBodyDeniesLeavesTheFrontmatter(t *testing.T) {
	w := project(t, map[string]string{".planning/STATE.md": "---\ncurrent_plan: 3\npaused_at: here\nstopped_at: there\n---\n" +
		"**Status:** x\n**Current Plan:** Not started\n**Paused At:** None\n"})
	editState(t, w, func(s *State) { s.Set("Status", "y") })
	got := tree(t, w)[".planning/STATE.md"]
	if strings.Contains(got, "current_plan") || strings.Contains(got, "paused_at") || !strings.Contains(got, "stopped_at: there\n") {
		t.Errorf("STATE.md is\n%s", got)
	}
}

func TestBeginGoesOnBehindWhatIsDone(t *testing.T) {
	for status, want := range map[string]string{
		"Ready to execute":  "**Current Plan:** 3\n",
		"Executing Phase 2": "**Current Plan:** 3\n",
		"Planning":          "**Current Plan:** 3\n",
	} {
		w := project(t, map[string]string{".planning/STATE.md": "**Current Phase:** 2\n**Current Plan:** 1\n**Total Plans in Phase:** 4\n**Status:** " + status + "\n"})
		editState(t, w, func(s *State) { s.Begin(PhaseWork{Number: "2", Plans: 4, Done: 2}) })
		if got := tree(t, w)[".planning/STATE.md"]; !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s", status, got)
		}
	}
}

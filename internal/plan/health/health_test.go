package health

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

// sound is a project with which nothing is wrong.
func sound() map[string]string {
	return map[string]string{
		"PROJECT.md":                "# P\n\n## What This Is\n\n## Core Value\n\n## Requirements\n",
		"ROADMAP.md":                "# R\n\n## v1.0 A\n\n- [x] **Phase 1: A** - a\n- [ ] **Phase 2: B** - b\n\n### Phase 1: A\n\n### Phase 2: B\n",
		"STATE.md":                  "---\nstatus: executing\n---\n\n**Current Phase:** 2\n**Status:** Executing Phase 2\n\nPhase 1 is done.\n",
		"config.json":               "{\"model_profile\": \"adaptive\", \"context_window\": 200000}\n",
		"phases/01-a/01-01-PLAN.md": "---\nphase: 01\n---\n", "phases/01-a/01-01-SUMMARY.md": "---\nphase: 01\n---\n",
	}
}

func workspace(t *testing.T, changes map[string]string) *plan.Workspace {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	root := t.TempDir()
	files := sound()
	maps.Copy(files, changes)
	maps.DeleteFunc(files, func(_, content string) bool { return content == gone })
	plantest.Write(t, filepath.Join(root, plan.Planning), files)
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// gone is the content of a file that is not there.
const gone = "\x00gone"

func options() Options {
	return Options{Getenv: func(string) string { return "" }, Now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)}
}

func report(t *testing.T, w *plan.Workspace) (lines string, r *Report) {
	t.Helper()
	err := w.View(func(tx *plan.Tx) (err error) {
		r = Look(tx, options())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		lines += fmt.Sprintf("%s %s:%d\n", f.Code, strings.TrimPrefix(f.Path, ".planning/"), f.Line)
		if f.Message == "" || f.Fix == "" {
			t.Errorf("%s says nothing", f.Code)
		}
	}
	return lines, r
}

// Every check finds its fault, where it is, and nothing else does.
func TestChecks(t *testing.T) {
	for name, tc := range map[string]struct {
		files  map[string]string
		want   string
		status Status
	}{
		"nothing":         {nil, "", Healthy},
		"no project":      {map[string]string{"PROJECT.md": gone}, "E002 PROJECT.md:0\n", Broken},
		"no roadmap":      {map[string]string{"ROADMAP.md": gone}, "E003 ROADMAP.md:0\n", Broken},
		"no state":        {map[string]string{"STATE.md": gone}, "E004 STATE.md:0\n", Broken},
		"broken config":   {map[string]string{"config.json": "{not json"}, "E005 config.json:1\n", Broken},
		"section missing": {map[string]string{"PROJECT.md": "# P\n\n## What This Is\n\n## Requirements\n"}, "W001 PROJECT.md:0\n", Degraded},
		"phase in state":  {map[string]string{"STATE.md": "x\n\nAfter Phase 1 comes Phase 99, then phase 99.\n```\nPhase 98\n```\n"}, "W002 STATE.md:3\n", Degraded},
		"a phase of yore": {map[string]string{"STATE.md": "x\n\n## Roadmap Evolution\n\n- Phase 99 removed\n"}, "", Healthy},
		"no config":       {map[string]string{"config.json": gone}, "W003 config.json:0\n", Degraded},
		"profile":         {map[string]string{"config.json": "{\n\"model_profile\": \"huge\"}"}, "W004 config.json:2\n", Degraded},
		"directory name": {map[string]string{"phases/1-setup/x.txt": "", "phases/bad_name/x.txt": "", "phases/100-big/x.txt": "", "phases/CK-03-c/x.txt": "", "phases/02A-x/x.txt": ""},
			"D002 phases/1-setup:0\nW005 phases/1-setup:0\nW005 phases/bad_name:0\nW007 phases/02A-x:0\nW007 phases/CK-03-c:0\nW007 phases/100-big:0\n", Broken},
		"other script":    {map[string]string{"phases/07-受注/x.txt": ""}, "W007 phases/07-受注:0\n", Degraded},
		"no directory":    {map[string]string{"phases/01-a/01-01-PLAN.md": gone, "phases/01-a/01-01-SUMMARY.md": gone}, "W006 ROADMAP.md:8\n", Degraded},
		"not in roadmap":  {map[string]string{"phases/07-x/x.txt": ""}, "W007 phases/07-x:0\n", Degraded},
		"validation":      {map[string]string{"phases/01-a/01-RESEARCH.md": "# R\n\n## Validation Architecture\n"}, "W009 phases/01-a/01-RESEARCH.md:3\n", Degraded},
		"validated":       {map[string]string{"phases/01-a/01-RESEARCH.md": "## Validation Architecture\n", "phases/01-a/01-VALIDATION.md": ""}, "", Healthy},
		"validation off":  {map[string]string{"phases/01-a/01-RESEARCH.md": "## Validation Architecture\n", "config.json": `{"workflow":{"nyquist_validation":false}}`}, "", Healthy},
		"ticked":          {map[string]string{"STATE.md": "**Current Phase:** 1\n**Status:** Executing\n"}, "W011 STATE.md:1\n", Degraded},
		"ticked and done": {map[string]string{"STATE.md": "**Current Phase:** 1\n**Status:** Milestone complete\n"}, "", Healthy},
		"strategy":        {map[string]string{"config.json": `{"git":{"branching_strategy":"forest"}}`}, "W012 config.json:1\n", Degraded},
		"window":          {map[string]string{"config.json": `{"context_window":-5}`}, "W013 config.json:1\n", Degraded},
		"templates": {map[string]string{"config.json": `{"git":{"phase_branch_template":"x","milestone_branch_template":"y"}}`},
			"W014 config.json:1\nW015 config.json:1\n", Degraded},
		"milestone":       {map[string]string{"milestones/v0.9-ROADMAP.md": "", "milestones/v0.8-ROADMAP.md": "", "MILESTONES.md": "## v0.8 X (Shipped: 2025-01-01)\n"}, "W018 milestones/v0.9-ROADMAP.md:0\n", Degraded},
		"unknown file":    {map[string]string{"THOUGHTS.md": "", "v1.0-MILESTONE-AUDIT.md": "", "BACKLOG.md": "", "DECISIONS-INDEX.md": "", "METHODOLOGY.md": ""}, "W019 THOUGHTS.md:0\n", Degraded},
		"setting":         {map[string]string{"config.json": "{\n\n\"model_profil\": \"quality\"}"}, "C001 config.json:3\n", Degraded},
		"binary":          {map[string]string{"phases/01-a/01-CONTEXT.md": "a\x00b"}, "D001 phases/01-a/01-CONTEXT.md:0\n", Broken},
		"two directories": {map[string]string{"phases/01-again/x.txt": ""}, "D002 phases/01-again:0\n", Broken},
		"contradicted":    {map[string]string{"ROADMAP.md": "- [x] **Phase 1: A**\n\n| Phase | Status |\n|---|---|\n| 1. A | In Progress |\n", "STATE.md": "x\n"}, "D010 ROADMAP.md:5\n", Broken},
		"not a phase":     {map[string]string{"ROADMAP.md": "- [x] **Phase 1: A**\n\n### Phase 2-4: later\n\n- [ ] Phase 5 comes\n", "STATE.md": "x\n"}, "D011 ROADMAP.md:3\nD011 ROADMAP.md:5\n", Degraded},
		"counted": {map[string]string{"ROADMAP.md": "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n", "STATE.md": "---\nprogress:\n  completed_phases: 2\n---\n"},
			"D012 STATE.md:1\n", Degraded},
		"of all": {map[string]string{"ROADMAP.md": "- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n", "STATE.md": "## Current Position\n\nPhase: 2 of 2 (B)\nStatus: Complete\n"},
			"D012 STATE.md:3\n", Degraded},
		"requirements": {map[string]string{"REQUIREMENTS.md": "- [ ] **ORD-01**: a\n- [x] **ORD-02**: b\n- [ ] **ORD-03**: c\n", "ROADMAP.md": "- [ ] **Phase 1: A**\n\n### Phase 1: A\n**Requirements:** ORD-01, ORD-09\n", "STATE.md": "x\n"},
			"D013 REQUIREMENTS.md:0\nD014 REQUIREMENTS.md:3\n", Degraded},
		"no phase says":      {map[string]string{"REQUIREMENTS.md": "- [ ] **ORD-01**: a\n"}, "", Healthy},
		"only some are used": {map[string]string{"REQUIREMENTS.md": "- [ ] **ORD-01**: a\n- [ ] **ORD-02**: b\n", "ROADMAP.md": "- [ ] **Phase 1: A**\n\n### Phase 1: A\n**Requirements:** ORD-01\n", "STATE.md": "x\n"}, "D014 REQUIREMENTS.md:2\n", Healthy},
		"two sections":       {map[string]string{"ROADMAP.md": "### Phase 1: A\n\n### Phase 2: B\n\n### Phase 01: C\n\n- [ ] **Phase 2: B**\n"}, "D002 ROADMAP.md:5\n", Broken},
		"frontmatter":        {map[string]string{"phases/01-a/01-01-PLAN.md": "---\nphase: 01\nwhat\n---\n"}, "D003 phases/01-a/01-01-PLAN.md:3\n", Degraded},
		"no end":             {map[string]string{"phases/01-a/01-01-PLAN.md": "---\nphase: 01\n"}, "D003 phases/01-a/01-01-PLAN.md:1\n", Degraded},
		"orphan":             {map[string]string{"phases/01-a/01-07-SUMMARY.md": ""}, "D004 phases/01-a/01-07-SUMMARY.md:0\n", Degraded},
		"stray":              {map[string]string{"phases/01-a/01-PLAN-notes.md": ""}, "D005 phases/01-a/01-PLAN-notes.md:0\n", Degraded},
		"unfilled":           {map[string]string{"PROJECT.md": "# X\n\n## What This Is\n\n[what]\n\n## Core Value\n\nIt runs [a lot].\n\n## Requirements\n"}, "D015 PROJECT.md:5\n", Healthy},
		"denied":             {map[string]string{"phases/01-a/01-VERIFICATION.md": "---\nstatus: gaps_found\n---\n"}, "D016 phases/01-a/01-VERIFICATION.md:0\n", Degraded},
		"denied, and told": {map[string]string{"phases/01-a/01-VERIFICATION.md": "---\nstatus: gaps_found\n---\n", "STATE.md": "## Decisions\n\n- [Phase 1]: Completed by force: gaps — later\n"},
			"", Healthy},
		"no summary": {map[string]string{"phases/01-a/01-02-PLAN.md": ""}, "I001 phases/01-a/01-02-PLAN.md:0\n", Healthy},
	} {
		t.Run(name, func(t *testing.T) {
			got, r := report(t, workspace(t, tc.files))
			if got != tc.want || r.Status() != tc.status {
				t.Errorf("%s:\n%s\nwant %s:\n%s", r.Status(), got, tc.status, tc.want)
			}
		})
	}
}

func TestNoPlan(t *testing.T) {
	w, err := plan.At(t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, r := report(t, w); got != "E001 .planning:0\n" || r.Status() != Broken {
		t.Errorf("%s: %s", r.Status(), got)
	}
}

func TestHome(t *testing.T) {
	w := workspace(t, nil)
	t.Setenv("HOME", w.Root)
	if got, r := report(t, w); got != "E010 .planning:0\nI010 :0\n" || r.Status() != Broken {
		t.Errorf("found %q", got)
	}
}

func TestWorktrees(t *testing.T) {
	w := workspace(t, nil)
	old := filepath.Join(t.TempDir(), "old")
	for name, content := range map[string]string{
		filepath.Join(w.Root, ".git/worktrees/gone/gitdir"): "/nowhere/at/all/.git\n",
		filepath.Join(w.Root, ".git/worktrees/old/gitdir"):  filepath.Join(old, ".git") + "\n",
		filepath.Join(w.Root, ".git/worktrees/old/HEAD"):    "ref: refs/heads/worktree-agent-1\n",
		filepath.Join(w.Root, ".git/worktrees/mine/gitdir"): filepath.Join(old, ".git") + "\n",
		filepath.Join(w.Root, ".git/worktrees/mine/HEAD"):   "ref: refs/heads/feature\n",
		filepath.Join(old, "file"):                          "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	hourAgo := options().Now.Add(-2 * time.Hour)
	if err := os.Chtimes(old, hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}
	_, r := report(t, w)
	if len(r.Findings) != 2 || !strings.Contains(r.Findings[0].Message, "/nowhere/at/all") || !strings.Contains(r.Findings[1].Message, old) {
		t.Errorf("found %+v", r.Findings)
	}
}

func TestRepair(t *testing.T) {
	broken := map[string]string{
		"STATE.md": gone, "config.json": "{not json // mine", "milestones/v0.9-ROADMAP.md": "# R\n", "phases/01-a/01-PLAN-notes.md": "mine\n",
	}
	w := workspace(t, broken)
	found, repaired, change, err := Repair(context.Background(), w, options())
	if err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, r := range repaired {
		actions = append(actions, r.Action)
	}
	if got := strings.Join(actions, " "); got != "regenerateState resetConfig backfillMilestones" || found.Repairable() != 3 || change.ID == 0 {
		t.Errorf("repaired %s of %d", got, found.Repairable())
	}
	if got, _ := report(t, w); got != "D005 phases/01-a/01-PLAN-notes.md:0\n" {
		t.Errorf("afterwards:\n%s", got)
	}
	aside, err := os.ReadFile(filepath.Join(w.Root, ".planning/config.json.broken"))
	if err != nil || string(aside) != broken["config.json"] {
		t.Errorf("the broken settings are %q, %v", aside, err)
	}
	state, err := os.ReadFile(filepath.Join(w.Root, ".planning/STATE.md"))
	if err != nil || !strings.Contains(string(state), "Phase: 2 of 2 (B)\n") || !strings.Contains(string(state), "milestone: v1.0\n") {
		t.Errorf("STATE.md is\n%s", state)
	}
	if _, repaired, change, err := Repair(context.Background(), w, options()); err != nil || len(repaired) > 0 || change.ID != 0 {
		t.Errorf("a second time: %v, %v", repaired, err)
	}
}

func TestRepairWritesNothingInADryRun(t *testing.T) {
	w := workspace(t, map[string]string{"config.json": gone})
	w.DryRun = true
	_, repaired, change, err := Repair(context.Background(), w, options())
	if err != nil || len(repaired) != 1 || !strings.Contains(change.Diff(), "+++ b/.planning/config.json") {
		t.Errorf("%v, %v\n%s", repaired, err, change.Diff())
	}
	if got, _ := report(t, w); got != "W003 config.json:0\n" {
		t.Errorf("afterwards:\n%s", got)
	}
}

// A change that a crash cut short is found, and fixed by taking it back.
func TestInterrupted(t *testing.T) {
	w := workspace(t, nil)
	if _, err := w.Update(context.Background(), "state decide", func(tx *plan.Tx) error {
		tx.Write(".planning/STATE.md", []byte("new"))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(w.Root, ".planning/.journal.jsonl")
	b, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(b), "\n")
	if err := os.WriteFile(journal, []byte(first+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, r := report(t, w); got != "J001 :0\n" && !strings.HasPrefix(got, "J001 ") || !strings.Contains(r.Findings[0].Message, "state decide") {
		t.Errorf("found %q", got)
	}
	_, repaired, _, err := Repair(context.Background(), w, options())
	if err != nil || len(repaired) != 1 || repaired[0].Code != "J001" {
		t.Errorf("repaired %+v, %v", repaired, err)
	}
	if got, _ := report(t, w); got != "" {
		t.Errorf("afterwards:\n%s", got)
	}
}

func TestChecksAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.Code] || c.What == "" || c.Fix == "" || (c.repair == nil) != (c.RepairName == "") {
			t.Errorf("%s is declared twice or in part", c.Code)
		}
		seen[c.Code] = true
	}
}

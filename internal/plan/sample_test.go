package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cairn/test/plantest"
)

// sampleProject returns the files of a project as the speed limits speak of
// it: so many phases, each with four plans and summaries, a context and a
// verification report, the last tenth of them still to be executed.
func sampleProject(phases int) map[string]string { return sampleOf(phases, 4, phases*9/10) }

// largeProject is the project by which changes of a large plan are measured:
// 100 phases of 50 plans, the first 40 executed; 7,145 files, 30 MB. Each plan names
// the summary of the one before it.
func largeProject() map[string]string {
	files := sampleOf(100, 50, 40)
	filler := strings.Repeat("What there is to do, in a line of prose that says a little more than needed.\n", 62)
	for n := 1; n <= 100; n++ {
		for m := 2; m <= 50; m++ {
			dir := fmt.Sprintf(".planning/phases/%02d-part-%d/", n, n)
			name := fmt.Sprintf("%s%02d-%02d-PLAN.md", dir, n, m)
			text := files[name] + fmt.Sprintf("\n@%s%02d-%02d-SUMMARY.md\n\n", dir, n, m-1) + filler
			files[name] = strings.Replace(text, "depends_on: []", fmt.Sprintf("depends_on: [%02d-%02d]", n, m-1), 1)
		}
	}
	return files
}

func sampleOf(phases, plans, executed int) map[string]string {
	files := map[string]string{
		".planning/PROJECT.md":  "# Sample\n\n## What This Is\n\nA sample.\n\n## Core Value\n\nSpeed.\n\n## Requirements\n\n- one\n",
		".planning/config.json": "{\"mode\":\"yolo\",\"workflow\":{\"nyquist_validation\":true,\"ai_integration_phase\":true}}\n",
		".planning/STATE.md": "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nmilestone_name: Sample\nstatus: executing\n" +
			"last_activity: 2026-01-31\n---\n\n# Project State\n\n**Current Phase:** 1\n**Status:** Executing\n",
	}
	var roadmap, requirements strings.Builder
	roadmap.WriteString("# Roadmap\n\n## v1.0 Sample\n\n")
	requirements.WriteString("# Requirements\n\n")
	for n := 1; n <= phases; n++ {
		box := " "
		if n <= executed {
			box = "x"
		}
		fmt.Fprintf(&roadmap, "- [%s] **Phase %d: Part %d** - part %d of it\n", box, n, n, n)
		fmt.Fprintf(&requirements, "- [%s] **REQ-%02d**: the system does thing %d\n", box, n, n)
	}
	for n := 1; n <= phases; n++ {
		done := n <= executed
		fmt.Fprintf(&roadmap, "\n### Phase %d: Part %d\n\n**Goal:** Part %d works\n**Depends on:** Phase %d\n**Requirements:** REQ-%02d\n"+
			"**Success Criteria** (what must be TRUE):\n  1. It works\n  2. It is fast\n**Plans:** %d plans\n\nPlans:\n", n, n, n, n-1, n, plans)
		dir := fmt.Sprintf(".planning/phases/%02d-part-%d/", n, n)
		files[fmt.Sprintf("%s%02d-CONTEXT.md", dir, n)] = "# Context\n\n<decisions>\n- **D-01:** It is written in Go\n</decisions>\n"
		for m := 1; m <= plans; m++ {
			id := fmt.Sprintf("%02d-%02d", n, m)
			fmt.Fprintf(&roadmap, "- [ ] %s: step %d\n", id, m)
			files[dir+id+"-PLAN.md"] = samplePlan(n, m)
			if done {
				files[dir+id+"-SUMMARY.md"] = sampleSummary(n, m)
			}
		}
		if done {
			files[fmt.Sprintf("%s%02d-VERIFICATION.md", dir, n)] = "---\nphase: " + id2(n) + "\nstatus: passed\nscore: 4/4\n---\n\n# Verification\n"
		}
	}
	files[".planning/ROADMAP.md"] = roadmap.String()
	files[".planning/REQUIREMENTS.md"] = requirements.String()
	return files
}

func id2(n int) string { return fmt.Sprintf("%02d", n) }

func samplePlan(n, m int) string {
	return fmt.Sprintf("---\nphase: %02d-part-%d\nplan: %02d\ntype: execute\nwave: %d\ndepends_on: []\nfiles_modified: [src/p%d.go]\n"+
		"autonomous: true\nrequirements: [REQ-%02d]\nmust_haves:\n  truths:\n    - \"It works\"\n---\n\n<objective>\nStep %d.\n</objective>\n\n"+
		"<tasks>\n<task type=\"auto\">\n  <name>Task 1: do it</name>\n  <files>src/p%d.go</files>\n  <action>write</action>\n</task>\n</tasks>\n",
		n, n, m, m, n, n, m, n)
}

func sampleSummary(n, m int) string {
	return fmt.Sprintf("---\nphase: %02d-part-%d\nplan: %02d\nsubsystem: core\ntags: [go, core]\nrequires:\n  - phase: %02d\n    provides: a base\n"+
		"provides: [thing-%d-%d]\naffects: [part-%d]\ntech-stack:\n  added: [lib%d]\n  patterns: [handlers]\nkey-files:\n  created: [src/p%d.go]\n"+
		"key-decisions:\n  - \"Router: the small one\"\n  - \"No ORM\"\npatterns-established:\n  - \"One file each\"\nrequirements-completed: [REQ-%02d]\n"+
		"duration: 5min\ncompleted: 2026-01-31\n---\n\n# Summary\n\n**Thing %d-%d works end to end**\n\n- **Tasks:** 2\n\n%s",
		n, n, m, n-1, n, m, n+1, n, n, n, n, m, strings.Repeat("What was done, in a line of prose that says a little more than needed.\n", 12))
}

// TestWriteSample writes the sample for measurements from outside; see
// scripts/planproject.
func TestWriteSample(t *testing.T) {
	root := os.Getenv("PLAN_SAMPLE")
	if root == "" {
		t.Skip("PLAN_SAMPLE names no directory to write to")
	}
	files := sampleProject(60)
	if os.Getenv("PLAN_SAMPLE_SIZE") == "large" {
		files = largeProject()
	}
	plantest.Write(t, root, files)
}

// BenchmarkReads measures what the reading commands do on a project of 60
// phases, without the start of the process.
func BenchmarkReads(b *testing.B) {
	root := b.TempDir()
	plantest.Write(b, root, sampleProject(60))
	w, err := At(root, "", "")
	if err != nil {
		b.Fatal(err)
	}
	for name, read := range map[string]func(*Tx) error{
		"digest": func(tx *Tx) error { tx.Digest(); return nil },
		"phases": func(tx *Tx) error { tx.Phases(Current); return nil },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := w.View(read); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

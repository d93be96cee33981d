package query

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
)

// machine is STATE.md with a field for each value, without a frontmatter.
const machine = `# State

**Current Phase:** 02
**Current Phase Name:** API
**Total Phases:** 3
**Current Plan:** 1
**Total Plans in Phase:** 2
**Status:** Executing Phase 2
**Progress:** [░░░░░░░░░░] 0%
**Last Activity:** 2026-01-03
**Last Activity Description:** did 02-01

## Decisions

None yet.

## Blockers

- Waiting for key
- Slow CI

## Session

**Last Date:** 2026-01-03
**Stopped At:** 02-01
**Resume File:** None
`

// position is STATE.md as the template has it.
const position = `# Project State

## Current Position

Phase: 1 of 3 (Base)
Plan: 1 of 2 in current phase
Status: Ready to plan
Last activity: 2026-01-01 — created

Progress: [░░░░░░░░░░] 0%
`

func stateProject(t *testing.T, state string) string {
	return project(t, map[string]string{
		".planning/STATE.md":                        state,
		".planning/ROADMAP.md":                      "# R\n\n## v1.1 Second\n\n### Phase 1: Base\n\n### Phase 2: API\n\n### Phase 3: UI\n",
		".planning/phases/01-base/01-01-PLAN.md":    "",
		".planning/phases/01-base/01-01-SUMMARY.md": "",
		".planning/phases/02-api/02-01-PLAN.md":     "",
		".planning/phases/02-api/02-01-SUMMARY.md":  "",
		".planning/phases/02-api/02-02-PLAN.md":     "",
		".planning/long.md":                         "costs $1 & more\nin `two` lines\n",
	})
}

func TestStateWrites(t *testing.T) {
	today := time.Now().UTC().Format(time.DateOnly)
	for _, tc := range []struct {
		args  []string
		state string // machine, unless it is set
		json  string
		raw   string
		lines []string // of STATE.md afterwards
		not   []string
	}{
		{args: []string{"state", "update", "Status", `a $1 & \n`}, json: `{"updated":true}`, raw: "true", lines: []string{`**Status:** a $1 & \n`}},
		{args: []string{"state.update", "nope", "x"}, json: `{"updated":false,"reason":"Field \"nope\" not found in STATE.md"}`, raw: "false", not: []string{"---"}},
		{args: []string{"state", "patch", "--Status", "Paused", "--Current Plan", "2", "--No", "x"}, json: `{"updated":["Status","Current Plan"],"failed":["No"]}`,
			raw: "true", lines: []string{"**Status:** Paused", "**Current Plan:** 2", "status: paused"}},
		{args: []string{"state.patch", `{"Current Plan":2,"Status":"x"}`}, json: `{"updated":["Current Plan","Status"],"failed":[]}`, raw: "true", lines: []string{"**Current Plan:** 2"}},
		{args: []string{"state", "begin-phase", "--phase", "3", "--name", "UI", "--plans", "4"},
			json: `{"updated":["Status","Last Activity","Last Activity Description","Current Phase","Current Phase Name","Current Plan","Total Plans in Phase"],"phase":"3","phase_name":"UI","plan_count":4}`,
			raw:  "true", lines: []string{"**Current Phase:** 3", "**Current Phase Name:** UI", "**Total Plans in Phase:** 4", "**Status:** Executing Phase 3", "current_phase: 3", "  total_plans: 3"}},
		{args: []string{"state.begin-phase", "1", "Base", "2"}, state: position,
			json: `{"updated":["Status","Last Activity","Current Position"],"phase":"1","phase_name":"Base","plan_count":2}`,
			raw:  "true", lines: []string{"Phase: 1 (Base) — EXECUTING", "Plan: 1 of 2 in current phase", "Status: Executing Phase 1", "Last activity: " + today + " — Phase 1 execution started"}},
		{args: []string{"state", "begin-phase", "--phase", "2"}, json: `{"updated":["Last Activity"],"phase":"2","phase_name":null,"plan_count":null}`,
			raw: "true", lines: []string{"**Current Plan:** 1", "**Last Activity:** " + today}},
		{args: []string{"state", "advance-plan"}, json: `{"advanced":true,"previous_plan":1,"current_plan":2,"total_plans":2}`,
			raw: "true", lines: []string{"**Current Plan:** 2", "**Status:** Ready to execute"}},
		{args: []string{"state", "advance-plan"}, state: position, json: `{"advanced":true,"previous_plan":1,"current_plan":2,"total_plans":2}`,
			raw: "true", lines: []string{"Plan: 2 of 2 in current phase"}},
		{args: []string{"state", "advance-plan"}, state: strings.Replace(machine, "Plan:** 1", "Plan:** 2", 1),
			json: `{"advanced":false,"reason":"last_plan","current_plan":2,"total_plans":2,"status":"ready_for_verification"}`,
			raw:  "false", lines: []string{"**Status:** Phase complete — ready for verification", "status: verifying"}},
		{args: []string{"state", "advance-plan"}, state: "# S\n", json: `{"error":"Cannot parse Current Plan or Total Plans in Phase from STATE.md"}`, raw: "false"},
		{args: []string{"state", "planned-phase", "--phase", "2", "--plans", "5"},
			json: `{"updated":["Status","Total Plans in Phase","Last Activity","Last Activity Description"],"phase":"2","plan_count":5}`,
			raw:  "true", lines: []string{"**Total Plans in Phase:** 5", "**Status:** Ready to execute"}},
		{args: []string{"state", "complete-phase", "--phase", "2"}, json: `{"updated":["Status","Last Activity","Last Activity Description"],"phase":"2"}`,
			raw: "true", lines: []string{"**Status:** Phase 2 complete", "status: completed"}},
		{args: []string{"state", "complete-phase", "1"}, state: position, json: `{"updated":["Status","Last Activity","Current Position"],"phase":"1"}`,
			raw: "true", lines: []string{"Phase: 1 (Base) — COMPLETE"}},
		{args: []string{"state", "complete-phase", "1"}, json: `{"updated":[],"phase":"1","idempotent":true,"note":"Current Phase is already 02, not 1"}`,
			raw: "true", lines: []string{"**Status:** Executing Phase 2"}, not: []string{"---"}},
		{args: []string{"state", "record-metric", "--phase", "2", "--plan", "1", "--duration", "5min", "--tasks", "3", "--files", "4"},
			json: `{"recorded":true,"phase":"2","plan":"1","duration":"5min","created":true}`, raw: "true", lines: []string{"| Phase 2 P1 | 5min | 3 tasks | 4 files |"}},
		{args: []string{"state", "record-metric", "--phase", "2", "--plan", "1", "--duration", "5min"},
			state: "## Performance Metrics\n\n| Plan | Duration | Tasks | Files |\n|---|---|---|---|\n| None yet | - | - | - |\n",
			json:  `{"recorded":true,"phase":"2","plan":"1","duration":"5min"}`, raw: "true", lines: []string{"| Phase 2 P1 | 5min | - tasks | - files |"}, not: []string{"None yet"}},
		{args: []string{"state", "record-metric", "--phase", "2"}, json: `{"error":"phase, plan, and duration required"}`},
		{args: []string{"state", "update-progress"}, json: `{"updated":true,"percent":67,"completed":2,"total":3,"bar":"[███████░░░] 67%"}`,
			raw: "[███████░░░] 67%", lines: []string{"**Progress:** [███████░░░] 67%", "  percent: 33"}},
		{args: []string{"state", "add-decision", "--phase", "2", "--summary", `Use $1 \ |`, "--rationale", "be\ncause"},
			json: `{"added":true,"decision":"- [Phase 2]: Use $1 \\ | — be cause"}`, raw: "true", lines: []string{`- [Phase 2]: Use $1 \ | — be cause`}, not: []string{"None yet"}},
		{args: []string{"state", "add-decision", "--phase", "2", "--summary-file", ".planning/long.md"},
			json: "{\"added\":true,\"decision\":\"- [Phase 2]: costs $1 & more in `two` lines\"}", raw: "true", lines: []string{"- [Phase 2]: costs $1 & more in `two` lines"}},
		{args: []string{"state", "add-decision", "a b"}, state: position, json: `{"added":true,"decision":"- [Phase ?]: a b","created":true}`, raw: "true", lines: []string{"## Decisions", "- [Phase ?]: a b"}},
		{args: []string{"state", "add-decision", "--phase", "2"}, json: `{"error":"summary required"}`},
		{args: []string{"state", "add-blocker", "--text", "No key"}, json: `{"added":true,"blocker":"No key"}`, raw: "true", lines: []string{"- Slow CI", "- No key"}},
		{args: []string{"state", "resolve-blocker", "--text", "slow"}, json: `{"resolved":true,"blocker":"slow"}`, raw: "true", lines: []string{"- Waiting for key"}, not: []string{"- Slow CI"}},
		{args: []string{"state", "resolve-blocker", "--text", ""}, json: `{"error":"text required"}`},
		{args: []string{"state", "resolve-blocker", "--text", "w"}, json: `{"resolved":true,"blocker":"w"}`, raw: "true", lines: []string{"None"}, not: []string{"- Slow CI", "- Waiting for key"}},
		{args: []string{"state", "record-session", "--stopped-at", "02-02", "--resume-file", "x.md"}, json: `{"recorded":true,"updated":["Last Date","Stopped At","Resume File"]}`,
			raw: "true", lines: []string{"**Stopped At:** 02-02", "**Resume File:** x.md", "stopped_at: 02-02"}},
		{args: []string{"state", "record-session"}, state: position, json: `{"recorded":false,"reason":"No session fields found in STATE.md"}`, raw: "false"},
		{args: []string{"state", "add-roadmap-evolution", "--phase", "2.1", "--action", "inserted", "--after", "2", "--note", "leak", "--urgent"},
			json: `{"added":true,"entry":"- Phase 2.1 inserted after Phase 2: leak (URGENT)"}`, lines: []string{"### Roadmap Evolution"}},
		{args: []string{"state", "sync"}, json: `{"synced":true,"changes":["Progress: [░░░░░░░░░░] 0% -> [███████░░░] 67%","Last Activity: 2026-01-03 -> ` + today + `"],"dry_run":false}`,
			lines: []string{"**Progress:** [███████░░░] 67%"}},
		{args: []string{"state", "sync", "--verify"}, json: `{"synced":false,"changes":["Progress: [░░░░░░░░░░] 0% -> [███████░░░] 67%","Last Activity: 2026-01-03 -> ` + today + `"],"dry_run":true}`,
			lines: []string{"**Progress:** [░░░░░░░░░░] 0%"}, not: []string{"---"}},
		{args: []string{"state", "milestone-switch", "--milestone", "v2.0", "--name", "Next"}, json: `{"switched":true,"version":"v2.0","name":"Next","status":"planning"}`,
			raw: "true", lines: []string{"milestone: v2.0", "milestone_name: Next", "status: planning", "  total_plans: 0"}, not: []string{"current_phase: 02"}},
	} {
		name := strings.Join(tc.args, " ")
		state := tc.state
		if state == "" {
			state = machine
		}
		dir := stateProject(t, state)
		stdout, stderr, code := ask(t, dir, nil, tc.args...)
		if stderr != "" || code != 0 || compact(stdout) != tc.json {
			t.Errorf("%s: printed %s, said %q, exit %d; want %s", name, compact(stdout), stderr, code, tc.json)
		}
		after, err := os.ReadFile(filepath.Join(dir, ".planning", "STATE.md"))
		if err != nil {
			t.Fatal(err)
		}
		lines := "\n" + string(after)
		for _, want := range tc.lines {
			if !strings.Contains(lines, "\n"+want+"\n") {
				t.Errorf("%s: no line %q in\n%s", name, want, after)
			}
		}
		for _, not := range tc.not {
			if strings.Contains(lines, "\n"+not) {
				t.Errorf("%s: %q in\n%s", name, not, after)
			}
		}
		if tc.raw != "" {
			if raw, _, _ := ask(t, stateProject(t, state), nil, append(tc.args, "--raw")...); raw != tc.raw {
				t.Errorf("%s --raw: %q, want %q", name, raw, tc.raw)
			}
		}
	}
}

func TestStateReads(t *testing.T) {
	nothing := `{"current_phase":null,"current_phase_name":null,"total_phases":null,"current_plan":null,"total_plans_in_phase":null,"status":null,` +
		`"progress_percent":null,"last_activity":null,"last_activity_desc":null,"decisions":[],"blockers":[],"paused_at":null,` +
		`"session":{"last_date":null,"stopped_at":null,"resume_file":null}}`
	for _, tc := range []struct {
		args, state, want string
		code              int
	}{
		{args: "state get Status", want: `{"Status":"Executing Phase 2"}`},
		{args: "state get Status --raw", want: "Executing Phase 2"},
		{args: "state get blockers", want: `{"blockers":"- Waiting for key\n- Slow CI"}`},
		{args: "state get Nope", want: `{"error":"Section or field \"Nope\" not found"}`},
		{args: "state-snapshot", state: "# S\n", want: nothing},
		{args: "state-snapshot --pick progress_percent", state: "**Progress:** [██░░░░░░░░] 20%\n", want: "20"},
		{args: "state-snapshot --pick decisions", state: "## Decisions Made\n\n| Phase | Decision | Rationale |\n|---|---|---|\n| 1 | a \\| b | why |\n",
			want: `[{"phase":"1","summary":"a | b","rationale":"why"}]`},
		{args: "state-snapshot --pick decisions", state: "### Decisions\n\n- [Phase 1]: a — b\n- c\n",
			want: `[{"phase":"1","summary":"a","rationale":"b"},{"phase":"","summary":"c","rationale":""}]`},
		{args: "state-snapshot --pick status", state: "---\nstatus: paused\n---\n**Status:** Executing\n", want: "paused"},
		{args: "state json --pick progress", state: "---\nprogress:\n  total_phases: 9\n  percent: 50\n---\n", want: `{"total_phases":9,"percent":50}`},
		{args: "state json --pick progress", want: `{"total_phases":3,"completed_phases":1,"total_plans":3,"completed_plans":2,"percent":33}`},
		{args: "state json --pick milestone_name", want: "Second"},
		{args: "state json --pick status", state: "---\nstatus: verifying\n---\n", want: "verifying"},
		{args: "state json --pick status", state: "# S\n", want: "unknown"},
		{args: "state validate", want: `{"valid":true,"warnings":[],"drift":{}}`},
		{args: "state validate --pick drift", state: strings.Replace(machine, "Phase:** 2\n", "Phase:** 4\n", 1), want: `{"plan_count":{"state":4,"disk":2}}`},
		{args: "state prune", want: `{"pruned":false,"cutoff_phase":-1,"keep_recent":3,"sections":[],"total_archived":0,"archive_file":null,` +
			`"reason":"Only 2 phases — nothing to prune with --keep-recent 3"}`},
	} {
		state := tc.state
		if state == "" {
			state = machine
		}
		stdout, stderr, code := ask(t, stateProject(t, state), nil, strings.Fields(tc.args)...)
		if compact(stdout) != tc.want || stderr != "" || code != tc.code {
			t.Errorf("%s: printed %s, said %q, exit %d; want %s", tc.args, compact(stdout), stderr, code, tc.want)
		}
	}
}

func TestStateThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	for _, cmd := range table {
		name, _, _ := strings.Cut(cmd.name, "|")
		if !strings.HasPrefix(name, "state ") && name != "state-snapshot" {
			continue
		}
		switch name {
		case "state load", "state signal-waiting", "state signal-resume":
			continue
		}
		args := append(strings.Fields(name), "1", "inserted", "x")
		stdout, stderr, code := ask(t, dir, nil, args...)
		if name == "state get" {
			if stderr != "Error: STATE.md not found\n" || code != 1 {
				t.Errorf("%s: said %q, exit %d", name, stderr, code)
			}
		} else if compact(stdout) != `{"error":"STATE.md not found"}` || code != 0 {
			t.Errorf("%s: printed %s, said %q, exit %d", name, stdout, stderr, code)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestStateLoad(t *testing.T) {
	dir := stateProject(t, machine)
	stdout, _, _ := ask(t, dir, nil, "state")
	var got struct {
		Config map[string]any `json:"config"`
		Raw    string         `json:"state_raw"`
		State  bool           `json:"state_exists"`
		Map    bool           `json:"roadmap_exists"`
		Conf   bool           `json:"config_exists"`
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if got.Config["model_profile"] != "balanced" || got.Raw != machine || !got.State || !got.Map || got.Conf {
		t.Errorf("state load: %s", stdout)
	}
	raw, _, _ := ask(t, dir, nil, "state.load", "--raw")
	lines := strings.Split(raw, "\n")
	if len(lines) != 12 || lines[0] != "model_profile=balanced" || lines[9] != "config_exists=false" || lines[11] != "state_exists=true" {
		t.Errorf("state load --raw: %q", raw)
	}
	if _, stderr, code := ask(t, dir, nil, "state", "nope"); code != 1 || !strings.HasPrefix(stderr, "Error: Unknown state subcommand. Available: load, json") {
		t.Errorf("state nope: %q, exit %d", stderr, code)
	}
}

func TestWaitingSignal(t *testing.T) {
	dir := stateProject(t, machine)
	file := filepath.Join(dir, ".planning", "WAITING.json")
	ask(t, dir, nil, "state", "signal-waiting", "--type", "choice", "--question", "a < b?", "--options", "A|B", "--phase", "2")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var w plan.Waiting
	if err := json.Unmarshal(b, &w); err != nil || w.Status != "waiting" || w.Question != "a < b?" || len(w.Options) != 2 || *w.Phase != "2" || !bytes.Contains(b, []byte("a < b?")) {
		t.Errorf("%s: %v", b, err)
	}
	for _, want := range []string{`{"resumed":true,"removed":true}`, `{"resumed":true,"removed":false}`} {
		if stdout, _, _ := ask(t, dir, nil, "state", "signal-resume"); compact(stdout) != want {
			t.Errorf("signal-resume: %s, want %s", compact(stdout), want)
		}
	}
}

func TestStatePruneMovesOldEntries(t *testing.T) {
	state := strings.NewReplacer("Phase:** 02", "Phase:** 05", "None yet.", "- [Phase 1]: old\n- [Phase 4]: new\n- 3 words stay").Replace(machine)
	dir := stateProject(t, state)
	stdout, _, _ := ask(t, dir, nil, "state", "prune", "--dry-run")
	want := `"sections":[{"section":"Decisions","entries_archived":1}],"total_archived":1,"archive_file":"STATE-ARCHIVE.md"`
	if got := compact(stdout); got != `{"pruned":false,"cutoff_phase":2,"keep_recent":3,`+want+`,"dry_run":true}` {
		t.Errorf("with --dry-run: %s", got)
	}
	stdout, _, _ = ask(t, dir, nil, "state", "prune", "--keep-recent", "3")
	if got := compact(stdout); got != `{"pruned":true,"cutoff_phase":2,"keep_recent":3,`+want+`}` {
		t.Errorf("prune: %s", got)
	}
	archive, _ := os.ReadFile(filepath.Join(dir, ".planning", "STATE-ARCHIVE.md"))
	after, _ := os.ReadFile(filepath.Join(dir, ".planning", "STATE.md"))
	if !bytes.Contains(archive, []byte("\n- [Phase 1]: old\n")) || bytes.Contains(after, []byte("old")) || !bytes.Contains(after, []byte("- [Phase 4]: new\n- 3 words stay\n")) {
		t.Errorf("STATE.md is\n%s\nthe archive\n%s", after, archive)
	}
}

func TestLockThatIsHeldFailsTheCall(t *testing.T) {
	dir := stateProject(t, machine)
	w, err := plan.At(dir, "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Update(t.Context(), "hold", func(*plan.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		var out, errs bytes.Buffer
		env := Env{Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		code := Run(ctx, env, []string{"state", "add-blocker", "--text", "x"})
		if code != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "another process") {
			t.Errorf("printed %q, said %q, exit %d", out.String(), errs.String(), code)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

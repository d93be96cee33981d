package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWorkstreamQueries(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                   "## v1.0 First\n\n### Phase 1: Base\n",
		".planning/phases/01-base/01-01-PLAN.md": "",
	})
	env := map[string]string{"GSD_SESSION_KEY": "test", "TMPDIR": t.TempDir()}
	for _, tc := range []struct{ args, want string }{
		{"workstream list", `{"mode":"flat","workstreams":[],`},
		{"workstream get", `{"active":null,"mode":"flat"}`},
		{"workstream create Side", `{"created":true,"workstream":"side","path":".planning/workstreams/side","state_path":".planning/workstreams/side/STATE.md","phases_path":".planning/workstreams/side/phases","migration":{"migrated":true,"workstream":"first","files_moved":["ROADMAP.md","phases"]},"active":true}`},
		{"workstream create side", `{"created":false,"error":"already_exists","workstream":"side","path":".planning/workstreams/side"}`},
		{"workstream get", `{"active":"side","mode":"workstream"}`},
		{"workstream list", `{"name":"side","path":".planning/workstreams/side","has_roadmap":false,"has_state":true,"status":"Notstarted","current_phase":"None","phase_count":0,"completed_phases":0}],"count":2}`},
		{"workstream status first", `{"found":true,"workstream":"first","path":".planning/workstreams/first","files":{"roadmap":true,"state":false,"requirements":false},"phases":[{"directory":"01-base","status":"in_progress","plan_count":1,"summary_count":0}],"phase_count":1,"completed_phases":0,"status":"unknown","current_phase":null,"last_activity":null}`},
		{"workstream status nope", `{"found":false,"workstream":"nope"}`},
		{"workstream progress", `{"mode":"workstream","active":"side","workstreams":[{"name":"first","active":false,"status":"unknown","current_phase":null,"phases":"0/1","plans":"0/1","progress_percent":0},`},
		{"find-phase 1 --ws first", `"found":true`},
		{"find-phase 1", `"found":false`},
		{"workstream set nope", `{"active":null,"error":"not_found","workstream":"nope"}`},
		{"workstream set first", `{"active":"first","set":true}`},
		{"find-phase 1", `"found":true`},
		{"workstream complete side", `{"completed":true,"workstream":"side","archived_to":".planning/milestones/ws-side-`},
		{"workstream complete first", `"remaining_workstreams":0,"reverted_to_flat":true}`},
		{"workstream complete first", `{"completed":false,"error":"not_found","workstream":"first"}`},
		{"workstream get", `{"active":null,"mode":"flat"}`},
		{"workstream set --clear", `{"active":null,"cleared":true,"previous":null}`},
	} {
		stdout, stderr, code := ask(t, dir, env, strings.Fields(tc.args)...)
		if got := strings.Join(strings.Fields(stdout), ""); !strings.Contains(got, tc.want) || code != 0 {
			t.Fatalf("%s printed %s\nwant %s\nsaid %q, exit %d", tc.args, got, tc.want, stderr, code)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".planning", "active-workstream")); err == nil {
		t.Error("a session's choice was written for everybody")
	}
	for args, want := range map[string]string{
		"workstream status":        "Error: workstream name required. Usage: workstream status <name>\n",
		"workstream status ../../": "Error: " + invalidStream + "\n",
		"workstream set ..":        "Error: " + invalidStream + "\n",
	} {
		if _, stderr, code := ask(t, dir, env, strings.Fields(args)...); stderr != want || code != 1 {
			t.Errorf("%s said %q, exit %d", args, stderr, code)
		}
	}
}

// A directory for phases that has none is no work to move.
func TestWorkstreamOfAnEmptyProject(t *testing.T) {
	dir := project(t, map[string]string{".planning/PROJECT.md": "# Widget\n"})
	if err := os.Mkdir(filepath.Join(dir, ".planning", "phases"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"GSD_SESSION_KEY": "test", "TMPDIR": t.TempDir()}
	for _, tc := range []struct{ args, want string }{
		{"workstream create side --pick migration", ""},
		{"workstream list --pick count", "1"},
		{"workstream complete side --pick reverted_to_flat", "true"},
	} {
		if stdout, stderr, code := ask(t, dir, env, strings.Fields(tc.args)...); stdout != tc.want || code != 0 {
			t.Errorf("%s printed %q, want %q, said %q, exit %d", tc.args, stdout, tc.want, stderr, code)
		}
	}
}

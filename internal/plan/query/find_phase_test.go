package query

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
)

// Ids are whole tokens: padding, case and a project's code do not matter, and
// the beginning of another id does not match.
func TestFindPhaseTokens(t *testing.T) {
	files := map[string]string{}
	for dir := range strings.SplitSeq("01-a 02.1-b 03A-c CK-04-d 10-e 12.3.1-f PROJ-42-g 999.1-h 1009-i 1009A-j", " ") {
		files[".planning/phases/"+dir+"/x"] = ""
	}
	root := project(t, files)
	for dir, ids := range map[string]string{
		"01-a": "1 01 001", "02.1-b": "2.1 02.1", "03A-c": "3A 3a 03a", "CK-04-d": "4 CK-4 CK-04 ck-04", "10-e": "10",
		"12.3.1-f": "12.3.1", "PROJ-42-g": "PROJ-42 proj-42", "999.1-h": "999.1", "1009-i": "1009", "1009A-j": "1009A",
		"": "0 2 3 9 12 12.3 100 A nope",
	} {
		for id := range strings.SplitSeq(ids, " ") {
			if stdout, _, _ := ask(t, root, nil, "find-phase", id, "--pick", "directory"); strings.TrimPrefix(stdout, ".planning/phases/") != dir {
				t.Errorf("%s is %q, want %q", id, stdout, dir)
			}
		}
	}
	want := "01-a\n02.1-b\n03A-c\nCK-04-d\n10-e\n12.3.1-f\nPROJ-42-g\n999.1-h\n1009-i\n1009A-j"
	if stdout, _, _ := ask(t, root, nil, "phases", "list", "--raw"); stdout != want {
		t.Errorf("in order: %q", stdout)
	}
}

// A project is found from below it when something says that it goes that far.
func TestProjectFromBelow(t *testing.T) {
	for _, tc := range []struct {
		name, config, more, from string
		found                    bool
	}{
		{"a repository", "{}", ".git/HEAD", "sub/deep", true},
		{"no repository", "{}", "x", "sub/deep", false},
		{"a named part", `{"sub_repos":["back"]}`, "x", "back/src", true},
		{"a named part, newer key", `{"planning":{"sub_repos":["back"]}}`, "x", "back", true},
		{"another part", `{"sub_repos":["back"]}`, "x", "front", false},
		{"several repositories", `{"multiRepo":true}`, "back/.git/HEAD", "back/src", true},
	} {
		root := project(t, map[string]string{
			".planning/phases/01-a/x": "", ".planning/config.json": tc.config, tc.more: "", tc.from + "/x": "",
		})
		stdout, _, _ := ask(t, filepath.Join(root, filepath.FromSlash(tc.from)), nil, "find-phase", "1", "--pick", "found")
		if (stdout == "true") != tc.found {
			t.Errorf("%s: found %q", tc.name, stdout)
		}
	}
}

// A code before a number is the project's or the phase is none: MEM-01 is a task of
// another list, not phase 1.
func TestForeignCode(t *testing.T) {
	plain := map[string]string{".planning/ROADMAP.md": "- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n", ".planning/phases/01-base/01-01-PLAN.md": ""}
	coded := map[string]string{".planning/config.json": `{"project_code":"CK"}`}
	headed := map[string]string{".planning/ROADMAP.md": "### Phase CK-1: Base\n"}
	for _, tc := range []struct {
		more map[string]string
		args string
		want string
	}{
		{nil, "find-phase MEM-01", `"found":false`},
		{nil, "init phase-op MEM-01", `"phase_found":false,"phase_dir":null`},
		{nil, "phase complete MEM-01 --force", `Error: Phase MEM-01 not found`},
		{nil, "find-phase 01", `"found":true`},
		{coded, "find-phase MEM-01", `"found":false`},
		{coded, "find-phase ck-01", `"found":true`},
		{coded, "init plan-phase CK-01", `"phase_found":true`},
		{headed, "roadmap get-phase 1", `"found":true`},
		{headed, "roadmap get-phase CK-01", `"found":true`},
	} {
		files := maps.Clone(plain)
		maps.Copy(files, tc.more)
		stdout, stderr, _ := ask(t, project(t, files), nil, strings.Fields(tc.args)...)
		if !strings.Contains(compact(stdout)+stderr, tc.want) {
			t.Errorf("%s: %s%s, want %s", tc.args, compact(stdout), stderr, tc.want)
		}
	}
}

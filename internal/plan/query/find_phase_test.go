package query

import (
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

package gate

import (
	"reflect"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/test/plantest"
)

func TestShip(t *testing.T) {
	const feature = "gsd/phase-02"
	for name, tt := range map[string]struct {
		status  string // of VERIFICATION.md; "-" for no file
		branch  string
		dirty   bool
		remote  string
		hasGH   bool
		base    string
		missing []string
	}{
		"ready":               {"passed", feature, false, "https://github.com/a/b", true, "", nil},
		"ready elsewhere":     {"Pass", feature, false, "https://git.example/a/b", false, "", nil},
		"no verification":     {"-", feature, false, "u", true, "", []string{"verification"}},
		"gaps":                {"gaps_found", feature, false, "u", true, "", []string{"verification"}},
		"no status":           {"", feature, false, "u", true, "", []string{"verification"}},
		"on the base":         {"passed", "main", false, "u", true, "", []string{"feature branch"}},
		"on the base by name": {"passed", "develop", false, "u", true, "develop", []string{"feature branch"}},
		"main is a feature":   {"passed", "main", false, "u", true, "develop", nil},
		"dirty":               {"passed", feature, true, "u", true, "", []string{"clean tree"}},
		"no remote":           {"passed", feature, false, "", true, "", []string{"remote"}},
		"GitHub without gh":   {"passed", feature, false, "git@github.com:a/b", false, "", []string{"gh"}},
		"detached":            {"passed", "-", false, "u", true, "", []string{"feature branch"}},
	} {
		root := repository(t, map[string]string{"a": ""})
		switch tt.branch {
		case "main":
		case "-":
			run(t, root, "checkout", "-q", "--detach")
		default:
			run(t, root, "switch", "-q", "-c", tt.branch)
		}
		if tt.dirty {
			plantest.Write(t, root, map[string]string{"b": ""})
		}
		if tt.remote != "" {
			run(t, root, "remote", "add", "origin", tt.remote)
		}
		var verification *File
		if tt.status != "-" {
			f := file("02-VERIFICATION.md", "---\nstatus: "+tt.status+"\n---\n")
			verification = &f
		}
		s := Ship(&plan.Phase{ID: doc.PhaseID{Number: 2}}, verification, gitIn(root), tt.base, tt.hasGH)
		var missing []string
		for _, m := range s.Result.Missing {
			missing = append(missing, m.ID)
		}
		if !reflect.DeepEqual(missing, tt.missing) || s.Result.No() != (tt.missing != nil) {
			t.Errorf("%s: missing %q, want %q", name, missing, tt.missing)
		}
	}
}

func TestShipWithoutGit(t *testing.T) {
	f := file("02-VERIFICATION.md", "---\nstatus: passed\n---\n")
	s := Ship(&plan.Phase{}, &f, gitIn(t.TempDir()), "", true)
	if !s.Result.No() || s.Clean || s.Result.Missing[0].ID != "repository" {
		t.Errorf("%+v", s)
	}
}

func TestBaseBranchOfRemote(t *testing.T) {
	root := repository(t, nil)
	run(t, root, "update-ref", "refs/remotes/origin/trunk", "HEAD")
	run(t, root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if got := baseBranch(gitIn(root)); got != "trunk" {
		t.Errorf("base %q", got)
	}
}

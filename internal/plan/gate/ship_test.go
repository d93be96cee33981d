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
		unproven []Missing
		branch   string
		dirty    bool
		remote   string
		hasGH    bool
		base     string
		missing  []string
	}{
		"ready":               {nil, feature, false, "https://github.com/a/b", true, "", nil},
		"ready elsewhere":     {nil, feature, false, "https://git.example/a/b", false, "", nil},
		"no verification":     {[]Missing{{ID: "verification", Condition: "verification"}}, feature, false, "u", true, "", []string{"verification"}},
		"on the base":         {nil, "main", false, "u", true, "", []string{"feature branch"}},
		"on the base by name": {nil, "develop", false, "u", true, "develop", []string{"feature branch"}},
		"main is a feature":   {nil, "main", false, "u", true, "develop", nil},
		"dirty":               {nil, feature, true, "u", true, "", []string{"clean tree"}},
		"no remote":           {nil, feature, false, "", true, "", []string{"remote"}},
		"GitHub without gh":   {nil, feature, false, "git@github.com:a/b", false, "", []string{"gh"}},
		"detached":            {nil, "-", false, "u", true, "", []string{"feature branch"}},
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
		s := Subject{
			Phase: &plan.Phase{ID: doc.PhaseID{Number: 2}}, Git: gitIn(root), Settings: Settings{BaseBranch: tt.base},
			HasGH: func() bool { return tt.hasGH }, Proof: func() []Missing { return tt.unproven },
		}.Ship()
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
	s := Subject{Phase: &plan.Phase{}, Git: gitIn(t.TempDir()), HasGH: func() bool { return true }, Proof: func() []Missing { return nil }}.Ship()
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

// A remote that has one branch has no other main one, whatever its name.
func TestBaseBranchThatIsTheOnlyOne(t *testing.T) {
	root := repository(t, nil)
	run(t, root, "branch", "-m", "trunk")
	run(t, root, "update-ref", "refs/remotes/origin/trunk", "HEAD")
	if got := baseBranch(gitIn(root)); got != "trunk" {
		t.Errorf("base %q", got)
	}
	run(t, root, "update-ref", "refs/remotes/origin/other", "HEAD")
	if got := baseBranch(gitIn(root)); got != "main" {
		t.Errorf("base %q", got)
	}
}

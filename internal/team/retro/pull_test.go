package retro

import "testing"

func TestPullOf(t *testing.T) {
	for _, c := range []struct {
		message string
		merge   bool
		number  int
		title   string
		branch  string
		url     string // at a host whose name tells nothing
	}{
		{"Merge pull request #12 from acme/feature/login\n\nAdd login\n\nMore", true, 12, "Add login", "acme/feature/login", "/pull/12"},
		{"Merge pull request #12 from acme/x", true, 12, "", "acme/x", "/pull/12"},
		{"Merge pull request #12 from acme/x\n\nquoted in a commit", false, 0, "", "", ""},
		{"Add login (#34)", false, 34, "Add login", "", "/pull/34"},
		{"Add login (#34) (#35)", false, 35, "Add login (#34)", "", "/pull/35"},
		{"Revert \"Add login (#34)\"", false, 0, "", "", ""},
		{"Revert \"Add login (#34)\" (#36)", false, 36, "Revert \"Add login (#34)\"", "", "/pull/36"},
		{"Fix (#0)", false, 0, "", "", ""},
		{"Fix (#-3)", false, 0, "", "", ""},
		{"Fix (#+3)", false, 0, "", "", ""},
		{"Fix (#99999999999999999999)", false, 0, "", "", ""},
		{"Fix (#12", false, 0, "", "", ""},
		{"(#12)", false, 0, "", "", ""},
		{"Fixes #12", false, 0, "", "", ""},
		{"Merge branch 'fix' (#12)", true, 0, "", "", ""},
		{"Merge branch 'feature/x' into 'main'\n\nAdd x\n\nCloses #4\n\nSee merge request acme/app!56", true, 56, "Add x", "feature/x", "/-/merge_requests/56"},
		{"Merge branch 'x' into 'main'\n\nSee merge request !56", true, 56, "Merge branch 'x' into 'main'", "x", "/-/merge_requests/56"},
		{"Add x\n\nSee merge request acme/app!57\n", false, 57, "Add x", "", "/-/merge_requests/57"},
		{"Merge branch 'x' into 'main'\n\nX\n\nSee merge request https://git.acme.io/a/b/-/merge_requests/58", true, 58, "X", "x", "/-/merge_requests/58"},
		{"Merged in feature/y (pull request #78)\n\nAdd y\n\nApproved-by: Bob", true, 78, "Add y", "feature/y", "/pull-requests/78"},
		{"Add y (pull request #79)", false, 79, "Add y", "", "/pull-requests/79"},
		{"Merge pull request #90 in APP/server from feature/z to main\n\n* commit '12ab':\n  z", true, 90, "* commit '12ab':", "feature/z", "/pull-requests/90"},
		{"Merge pull request #91 in APP/server from z to main\n\nPull request #91: Add z", true, 91, "Add z", "z", "/pull-requests/91"},
		{"Merged PR 101: Add q", false, 101, "Add q", "", "/pullrequest/101"},
		{"Merged PR 102: Add: q", true, 102, "Add: q", "", "/pullrequest/102"},
		{"Merge pull request 'Add w' (#11) from someone/w into main", true, 11, "Add w", "someone/w", "/pulls/11"},
		{"Merge pull request 'Don't (#3)' (#13) from w into main", true, 13, "Don't (#3)", "w", "/pulls/13"},
		{"Merge pull request from nowhere", true, 0, "", "", ""},
		{"", false, 0, "", "", ""},
	} {
		subject, body := splitMessage(c.message)
		p := pullOf(subject, body, c.merge)
		if c.number == 0 {
			if p != nil {
				t.Errorf("%q is %+v", c.message, *p)
			}
			continue
		}
		if p == nil || p.number != c.number || p.title != c.title || p.branch != c.branch {
			t.Errorf("%q is %+v", c.message, p)
			continue
		}
		if got := (host{web: "https://h"}).pull(p); got != "https://h"+c.url {
			t.Errorf("%q is at %s", c.message, got)
		}
	}
}

func TestHostOf(t *testing.T) {
	squash := &pull{number: 5}
	for remote, want := range map[string]string{
		"https://github.com/acme/app.git":               "https://github.com/acme/app/pull/5",
		"https://token:x@github.com/acme/app":           "https://github.com/acme/app/pull/5",
		"git@github.com:acme/app.git":                   "https://github.com/acme/app/pull/5",
		"github.com:acme/app":                           "https://github.com/acme/app/pull/5",
		"ssh://git@github.com:22/acme/app.git/":         "https://github.com/acme/app/pull/5",
		"https://GitHub.com/acme/app.git\n":             "https://github.com/acme/app/pull/5",
		"git@gitlab.com:acme/group/app.git":             "https://gitlab.com/acme/group/app/-/merge_requests/5",
		"https://gitlab.acme.io:8443/a/b.git":           "https://gitlab.acme.io:8443/a/b/-/merge_requests/5",
		"git@bitbucket.org:acme/app.git":                "https://bitbucket.org/acme/app/pull-requests/5",
		"https://bitbucket.acme.io/scm/app/server.git":  "https://bitbucket.acme.io/projects/APP/repos/server/pull-requests/5",
		"ssh://git@stash.acme.io:7999/app/server.git":   "https://stash.acme.io/projects/APP/repos/server/pull-requests/5",
		"https://dev.azure.com/acme/shop/_git/app":      "https://dev.azure.com/acme/shop/_git/app/pullrequest/5",
		"https://acme@dev.azure.com/acme/shop/_git/app": "https://dev.azure.com/acme/shop/_git/app/pullrequest/5",
		"git@ssh.dev.azure.com:v3/acme/shop/app":        "https://dev.azure.com/acme/shop/_git/app/pullrequest/5",
		"https://codeberg.org/acme/app":                 "https://codeberg.org/acme/app/pulls/5",
		"https://git.acme.io/acme/app.git":              "https://git.acme.io/acme/app/pull/5",
		"/srv/git/app.git":                              "",
		"../app":                                        "",
		"file:///srv/git/app.git":                       "",
		`C:\git\app`:                                    "",
		"https://github.com":                            "",
		"https://github.com/\"><script>/x":              "",
		"javascript:alert(1)/x y":                       "",
		"":                                              "",
	} {
		if got := hostOf(remote).pull(squash); got != want {
			t.Errorf("%q is at %q, want %q", remote, got, want)
		}
	}
}

package place

import "testing"

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		subject, body string
		want          int64
	}{
		{"Merge pull request #12 from acme/x", "", 12},
		{"A title (#7)", "", 7},
		{"A title (#7) ", "", 7},
		{"Fix (#7) and more", "", 0},
		{"Merged in x (pull request #31)", "", 31},
		{"Merge branch 'x' into 'main'", "title\n\nSee merge request acme/group/shop!402\n", 402},
		{"title", "text\n\nReviewed-on: https://code.example.com/acme/shop/pulls/9\n", 9},
		{"title", "PR-URL: https://github.com/acme/shop/pull/55", 55},
		{"closes #8", "fixes #9", 0},
		{"(#)", "", 0},
		{"Merge branch 'x'", "", 0},
	} {
		if got := number(&commit{subject: test.subject, body: test.body}); got != test.want {
			t.Errorf("%q %q: %d, want %d", test.subject, test.body, got, test.want)
		}
	}
}

// Lines as git 2.39 and 2.50 write them.
func TestMoves(t *testing.T) {
	const a, b = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	who := " Ada L <ada@example.com> 1793628397 +0100\t"
	for message, want := range map[string]Move{
		"commit: text: more":                                  {Kind: "commit"},
		"commit (initial): x":                                 {Kind: "commit"},
		"commit (merge): x":                                   {Kind: "commit"},
		"commit (amend): x":                                   {Kind: "amend"},
		"checkout: moving from main to feature/x":             {Kind: "checkout", Origin: "main", Branch: "feature/x"},
		"Branch: renamed refs/heads/a to refs/heads/b":        {Kind: "rename", Origin: "a", Branch: "b"},
		"merge x: Fast-forward":                               {Kind: "forward"},
		"merge x: Merge made by the 'ort' strategy.":          {Kind: "merge"},
		"pull: Fast-forward":                                  {Kind: "forward"},
		"pull --rebase origin main (pick): x":                 {Kind: "rebase"},
		"pull --rebase (finish): returning to refs/heads/a":   {Kind: "rebase", Branch: "a"},
		"rebase (start): checkout main":                       {Kind: "rebase"},
		"rebase (finish): returning to refs/heads/feature/x":  {Kind: "rebase", Branch: "feature/x"},
		"rebase -i (finish): returning to refs/heads/feature": {Kind: "rebase", Branch: "feature"},
		"cherry-pick: x":                                      {Kind: "cherry-pick"},
		"revert: x":                                           {Kind: "revert"},
		"am: x":                                               {Kind: "am"},
		"reset: moving to HEAD~":                              {Kind: "reset"},
		"clone: from x":                                       {Kind: "clone"},
		"":                                                    {},
	} {
		m, ok := parseMove(a + " " + b + who + message)
		if !ok || m.Kind != want.Kind || m.Branch != want.Branch || m.Origin != want.Origin || m.Head != b || m.At.Unix() != 1793628397 {
			t.Errorf("%q: %+v, %v", message, m, ok)
		}
	}
	for _, line := range []string{"", "x", a + " " + b, a + " " + b + " Ada <a@b> soon +0100\tcommit: x"} {
		if m, ok := parseMove(line); ok {
			t.Errorf("%q: %+v", line, m)
		}
	}
}

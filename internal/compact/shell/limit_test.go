package shell

import "testing"

func TestLimit(t *testing.T) {
	for cmd, want := range map[string]int{
		"git log":                                   0,
		"git log -20":                               20,
		"git log -n 20 --oneline":                   20,
		"git log -n20":                              20,
		"git -C x log --max-count=20":               20,
		"git diff -20":                              0,
		"grep -n 20 x":                              0,
		"grep -m 20 x y":                            20,
		"rg --max-count 20 x":                       20,
		"gh pr list -L 20":                          20,
		"find . | head":                             10,
		"find . | head -20":                         20,
		"find . | head -n -20":                      0,
		"find . | tail -n +20":                      0,
		"find . | head -c 20":                       0,
		"find . | sort | tail -20 | cat":            20,
		"find . | head -100 | tail -20":             20,
		"ls | sed -n '11,30p'":                      20,
		"ls | sed 20q":                              20,
		"cd x && ls | head -20; echo done":          20,
		"ls | head -20; git tag":                    0,
		"ls | head -20; git log --oneline -5 && ls": 0,
		"ls | head -20; git log --oneline -5":       25,
	} {
		if got := Parse(cmd).Limit(); got != want {
			t.Errorf("%s: %d, want %d", cmd, got, want)
		}
	}
}

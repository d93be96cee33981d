package retro

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func shipped(t *testing.T, dir string) []string {
	t.Helper()
	ships, err := Ships(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range ships {
		out = append(out, fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s", s.At.Format("01-02"), s.Name(), s.Title, s.Author, s.Email, s.Branch, s.URL))
	}
	return out
}

func TestShips(t *testing.T) {
	b := build(t)
	first := b.add(made{who: ada, at: "2026-03-01 09:00 +0000", message: "Begin (#1)", root: true, files: []string{".mailmap=Ada Lovelace <ada@example.com> <ada@home.example>\n", "a=1\n"}})
	side := b.add(made{who: zoë, at: "2026-03-02 09:00 +0000", message: "Side (#2)", files: []string{"b=1\n"}})
	b.add(made{who: adaH, at: "2026-03-03 09:00 +0000", message: "Merge pull request #2 from zoe/side\n\nSide work", from: []int{first, side}, files: []string{"b=1\n"}})
	b.add(made{who: bob, at: "2026-03-04 09:00 +0000", message: "Squashed (#3)", files: []string{"a=2\n"}})
	b.add(made{who: bob, at: "2026-03-05 09:00 +0000", message: "Squashed (#3)", files: []string{"a=3\n"}})
	dir := b.end()
	run(t, dir, "remote", "add", "origin", "git@github.com:acme/app.git")
	t.Setenv("GIT_COMMITTER_DATE", "2026-03-06T10:00:00+0200")
	t.Setenv("GIT_COMMITTER_NAME", "ada")
	t.Setenv("GIT_COMMITTER_EMAIL", "ada@home.example")
	run(t, dir, "tag", "-a", "-m", "The first\n\nnotes", "v1.0.0", "HEAD~1")
	run(t, dir, "tag", "v0.9", "HEAD~2")
	run(t, dir, "tag", "nightly")
	run(t, dir, "checkout", "-q", "-b", "release")
	run(t, dir, "commit", "-q", "--allow-empty", "-m", "On a branch of its own", "--author", adaH)
	run(t, dir, "tag", "v0.9.1")
	run(t, dir, "checkout", "-q", "main")
	run(t, dir, "tag", "v7-a-tree", "HEAD^{tree}")
	run(t, dir, "tag", "v0.0.1-a-blob", "HEAD:a")
	want := []string{
		"03-01|#1|Begin|Ada Lovelace|ada@example.com||https://github.com/acme/app/pull/1",
		"03-03|v0.9|Merge pull request #2 from zoe/side|Ada Lovelace|ada@example.com||",
		"03-03|#2|Side work|Zoë 日本|zoe@example.com|zoe/side|https://github.com/acme/app/pull/2",
		`03-04|#3|Squashed|Bob "the|b@example.com||https://github.com/acme/app/pull/3`,
		"03-06|v0.9.1|On a branch of its own|Ada Lovelace|ada@example.com||",
		"03-06|v1.0.0|The first|Ada Lovelace|ada@example.com||",
	}
	got := shipped(t, dir)
	if !slices.Equal(got, want) {
		t.Errorf("ships are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r := measured(t, Options{Dir: dir}, "2026-03-06", 3)
	if !slices.Equal(r.VersionRange, []string{"v0.9", "v1.0.0"}) || r.Metrics.PRsMerged != 1 {
		t.Errorf("versions %v, %d pull requests", r.VersionRange, r.Metrics.PRsMerged)
	}
	if r = measured(t, Options{Dir: dir}, "2026-03-02", 7); r.VersionRange != nil {
		t.Errorf("versions %v before the first", r.VersionRange)
	}
	keys := map[string]bool{}
	ships, _ := Ships(context.Background(), Options{Dir: dir})
	for _, s := range ships {
		keys[s.Key()] = true
	}
	if len(keys) != len(want) {
		t.Errorf("%d keys of %d ships", len(keys), len(want))
	}
}

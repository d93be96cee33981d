package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/host"
)

// A file in our place that is not ours stops everything, before anything is
// changed.
func TestForeignContent(t *testing.T) {
	t.Parallel()
	for what, place := range map[string]func(t *testing.T, name string){
		"another text":  func(t *testing.T, name string) { write(t, name, "theirs", 0o644) },
		"an empty file": func(t *testing.T, name string) { write(t, name, "", 0o644) },
		"a directory":   func(t *testing.T, name string) { write(t, filepath.Join(name, "x"), "theirs", 0o644) },
		"a link": func(t *testing.T, name string) {
			write(t, name+".real", "theirs", 0o644)
			if err := os.Symlink(name+".real", name); err != nil {
				t.Fatal(err)
			}
		},
		"a file for a directory": func(t *testing.T, name string) { write(t, filepath.Dir(name), "theirs", 0o644) },
	} {
		m, target := sandbox(t)
		place(t, at(target, pieces[1]))
		before := tree(t, filepath.Dir(target.Dir))
		_, err := m.PlanInstall(target, version("1", pieces...))
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "skills") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if got := tree(t, filepath.Dir(target.Dir)); got != before {
			t.Errorf("%s: changed to\n%s", what, got)
		}
	}

	// The same text can only be ours: the manifest was lost.
	m, target := sandbox(t)
	write(t, at(target, pieces[1]), body("1", pieces[1]), 0o644)
	put(t, m, target, version("1", pieces...))
	if err := os.RemoveAll(string(m.Home)); err != nil {
		t.Fatal(err)
	}
	write(t, at(target, pieces[0]), "edited\n", 0o600)
	takeOut(t, m, target, version("1", pieces...).Files, host.Parts()...)
	if got := tree(t, target.Dir); strings.Contains(got, "planner") || strings.Contains(got, "cairn-ship") || !strings.Contains(got, "edited") {
		t.Errorf("without a manifest this is left:\n%s", got)
	}
}

// No path leads out.
func TestPathsStayInside(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	root := filepath.Dir(target.Dir)
	write(t, filepath.Join(root, "outside/x"), "", 0o644)
	for _, name := range []string{"", ".", "..", "../x", "a/../../x", "/etc/x", "a//b", `a\..\b`, "C:x", "a\x00b", "./a"} {
		if _, err := m.PlanInstall(target, version("1", name)); !errors.Is(err, ErrOutside) {
			t.Errorf("%q: %v", name, err)
		}
	}
	write(t, filepath.Join(target.Dir, "inner/x"), "", 0o644)
	for link, to := range map[string]string{"skills": "../outside", "agents": "inner"} {
		if err := os.Symlink(to, filepath.Join(target.Dir, link)); err != nil {
			t.Skip(err)
		}
	}
	if _, err := m.PlanInstall(target, version("1", pieces...)); !errors.Is(err, ErrOutside) || !strings.Contains(err.Error(), "outside") {
		t.Errorf("a link to a directory outside: %v", err)
	}
	before := tree(t, root)
	put(t, m, target, version("1", pieces[2]))
	if got := read(t, filepath.Join(target.Dir, "inner/cairn-planner.md")); got != body("1", pieces[2]) {
		t.Errorf("a link inside is followed: %q", got)
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if got := tree(t, root); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}

	// In a repository the bound is the repository.
	local := m.LocalTarget(target.Host, filepath.Join(root, "repo"))
	if name, err := local.place("../.agents/x"); err != nil || name != filepath.Join(root, "repo/.agents/x") {
		t.Errorf("%s, %v", name, err)
	}
	if _, err := local.place("../../x"); !errors.Is(err, ErrOutside) {
		t.Error(err)
	}
	// A manifest that somebody wrote is not believed either.
	put(t, m, target, version("1", pieces[2]))
	name := m.manifestPath(target, ".json")
	write(t, name, strings.Replace(read(t, name), `"agents/cairn-planner.md"`, `"../outside/x"`, 1), 0o600)
	if _, err := m.PlanUninstall(target, nil, host.Parts()...); !errors.Is(err, ErrOutside) {
		t.Error(err)
	}
}

// What another cairn wrote, as a teammate's in a repository, makes room and is
// kept; there is nothing to merge it with.
func TestContentOfAnotherCairn(t *testing.T) {
	t.Parallel()
	m, own := sandbox(t)
	target := m.LocalTarget(own.Host, filepath.Join(filepath.Dir(own.Dir), "repo"))
	const older = "# Plan a phase\n\n~/.cairn/bin/cairn plan phase list\n"
	write(t, at(target, pieces[1]), older, 0o644)
	before := tree(t, target.Root)
	o := version("2", pieces...)

	p, err := m.PlanInstall(target, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.keep(&undoing{}); err != nil {
		t.Fatal(err)
	}
	if err := m.writeManifest(target, p.transition()); err != nil { // and is killed
		t.Fatal(err)
	}
	if again := put(t, m, target, o); len(again.Kept) > 0 || read(t, at(target, pieces[1])) != body("2", pieces[1]) {
		t.Errorf("after a kill it is an edit: %v", again.Kept)
	}
	takeOut(t, m, target, nil, host.Parts()...)

	write(t, at(target, pieces[1]), older, 0o644)
	if p, err = m.PlanInstall(target, o); err != nil {
		t.Fatal(err)
	}
	kept, err := p.Apply()
	if err != nil || !slices.Equal(p.Older, pieces[1:2]) || len(p.Edited) > 0 {
		t.Fatalf("%v; older %v, edited %v", err, p.Older, p.Edited)
	}
	if got := read(t, at(target, pieces[1])); got != body("2", pieces[1]) {
		t.Errorf("it was not renewed: %q", got)
	}
	if got := read(t, filepath.Join(kept, pieces[1])); got != older {
		t.Errorf("kept: %q", got)
	}
	if merges, err := m.Reapply(t.Context(), target); err != nil || len(merges)+len(m.Waiting(target)) > 0 {
		t.Errorf("to be merged: %v, %v, %v", merges, m.Waiting(target), err)
	}
	takeOut(t, m, target, nil, host.Parts()...)

	// It goes without a manifest too.
	write(t, at(target, pieces[1]), older, 0o644)
	if got := tree(t, target.Root); got != before {
		t.Fatalf("left:\n%s", got)
	}
	if p := takeOut(t, m, target, o.Files, host.Parts()...); exists(at(target, pieces[1])) || !slices.Equal(p.Older, pieces[1:2]) {
		t.Errorf("uninstall leaves it: %v", p.Older)
	}
}

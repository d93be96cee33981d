package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/internal/install/render"
)

// version is some content of ours: n files, each with the text of a version.
func version(v string, names ...string) Options {
	o := Options{Parts: host.Parts(), Profile: "standard", Call: "cairn"}
	for _, name := range names {
		o.Files = append(o.Files, render.File{Path: name, Data: []byte(body(v, name))})
	}
	return o
}

// body has room for edits at both ends that do not touch what a version
// changes.
func body(v, name string) string {
	return "# " + name + "\n\nfirst\n\n\n\n\nversion " + v + "\n\n\n\n\nlast\n"
}

var pieces = []string{"skills/cairn-plan-phase/SKILL.md", "skills/cairn-ship/SKILL.md", "agents/cairn-planner.md"}

func put(t *testing.T, m Machine, target Target, o Options) *Plan {
	t.Helper()
	p, err := m.PlanInstall(target, o)
	if err == nil {
		_, err = p.Apply()
	}
	if err != nil {
		t.Fatalf("install: %v", err)
	}
	return p
}

func takeOut(t *testing.T, m Machine, target Target, files []render.File, parts ...host.Part) *Plan {
	t.Helper()
	p, err := m.PlanUninstall(target, files, parts...)
	if err == nil {
		_, err = p.Apply()
	}
	if err != nil {
		t.Fatalf("uninstall: %v", err)
	}
	return p
}

func at(target Target, name string) string {
	return filepath.Join(target.Dir, filepath.FromSlash(name))
}

func TestContentRoundTrip(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, filepath.Join(target.Dir, "agents/mine.md"), "my own", 0o644)
	write(t, target.Settings(), someSettings, 0o600)
	before := tree(t, filepath.Dir(target.Dir))

	if p := put(t, m, target, version("1", pieces...)); len(p.Files) != 3 || !p.Registers() {
		t.Errorf("installed %v", p.Files)
	}
	for _, name := range pieces {
		if got := read(t, at(target, name)); got != body("1", name) {
			t.Errorf("%s has %q", name, got)
		}
	}
	installed := tree(t, filepath.Dir(target.Dir))
	if p := put(t, m, target, version("1", pieces...)); p.Changed() {
		t.Errorf("again changes\n%s", p.Diff())
	}
	if got := tree(t, filepath.Dir(target.Dir)); got != installed {
		t.Errorf("again writes\n%s\nwas\n%s", got, installed)
	}

	// A newer one replaces what nobody edited, and takes what is no longer ours.
	put(t, m, target, version("2", pieces[:2]...))
	if got := read(t, at(target, pieces[0])); got != body("2", pieces[0]) {
		t.Errorf("it was not renewed: %q", got)
	}
	if exists(at(target, pieces[2])) {
		t.Error("what is no longer ours is left")
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if got := tree(t, filepath.Dir(target.Dir)); got != before {
		t.Errorf("after uninstall\n%s\nbefore\n%s", got, before)
	}
}

// One part goes and the other stays; what is left is as if it had been
// installed alone.
func TestPartsAreIndependent(t *testing.T) {
	t.Parallel()
	for _, first := range host.Parts() {
		for _, out := range host.Parts() {
			m, target := sandbox(t)
			write(t, target.Settings(), someSettings, 0o600)
			before := tree(t, target.Dir)
			o := version("1", pieces...)
			alone := o
			alone.Parts = slices.DeleteFunc(host.Parts(), func(p host.Part) bool { return p == out })
			put(t, m, target, alone)
			want := tree(t, target.Dir)
			takeOut(t, m, target, nil, host.Parts()...)

			o.Parts = []host.Part{first}
			put(t, m, target, o)
			o.Parts = host.Parts()
			put(t, m, target, o)
			takeOut(t, m, target, nil, out)
			if got := tree(t, target.Dir); got != want {
				t.Errorf("%s first, then both, %s out:\n%s\nwant\n%s", first, out, got, want)
			}
			takeOut(t, m, target, nil, host.Parts()...)
			if got := tree(t, target.Dir); got != before {
				t.Errorf("%s first: after uninstall\n%s", first, got)
			}
		}
	}
}

// What a user edited gives way to a newer text only, and is kept.
func TestEditsAreKept(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	put(t, m, target, version("1", pieces...))
	mine := body("1", pieces[0]) + "mine\n"
	write(t, at(target, pieces[0]), mine, 0o600)
	write(t, at(target, pieces[2]), "all mine\n", 0o600)

	p := put(t, m, target, version("1", pieces...))
	if p.Changed() || !slices.Equal(p.Kept, []string{pieces[0], pieces[2]}) || read(t, at(target, pieces[0])) != mine {
		t.Errorf("the same version: kept %v, %s", p.Kept, p.Diff())
	}
	p, err := m.PlanInstall(target, version("2", pieces[:2]...))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := p.Apply()
	if err != nil || !slices.Equal(p.Edited, []string{pieces[0], pieces[2]}) {
		t.Fatalf("edited %v, %v", p.Edited, err)
	}
	if read(t, at(target, pieces[0])) != body("2", pieces[0]) || exists(at(target, pieces[2])) {
		t.Error("the newer version is not there")
	}
	if read(t, filepath.Join(kept, pieces[0])) != mine || read(t, filepath.Join(kept, pieces[2])) != "all mine\n" {
		t.Error("the user's texts are lost")
	}
	if got := m.Waiting(target); !slices.Equal(got, []string{pieces[0], pieces[2]}) {
		t.Errorf("waiting: %v", got)
	}

	// Out: the edited text is kept, the file goes.
	write(t, at(target, pieces[1]), "changed\n", 0o600)
	p, err = m.PlanUninstall(target, nil, host.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err = p.Apply(); err != nil || read(t, filepath.Join(kept, pieces[1])) != "changed\n" {
		t.Errorf("%v, %s", err, kept)
	}
	if exists(target.Dir) {
		t.Errorf("left:\n%s", tree(t, target.Dir))
	}
}

func TestReapply(t *testing.T) {
	t.Parallel()
	edit := func(v, name, front, back string) string {
		return strings.NewReplacer("first", front, "last", back).Replace(body(v, name))
	}
	m, target := sandbox(t)
	put(t, m, target, version("1", pieces...))
	write(t, at(target, pieces[0]), edit("1", pieces[0], "my first", "last"), 0o600)
	write(t, at(target, pieces[1]), strings.Replace(body("1", pieces[1]), "version 1", "version mine", 1), 0o600)
	put(t, m, target, version("2", pieces...))

	merges, err := m.Reapply(t.Context(), target)
	if err != nil || len(merges) != 2 || merges[0].Conflicts != "" {
		t.Fatalf("%+v, %v", merges, err)
	}
	if got := read(t, at(target, pieces[0])); got != edit("2", pieces[0], "my first", "last") {
		t.Errorf("merged to %q", got)
	}
	if c := merges[1].Conflicts; !strings.Contains(c, "version mine\n") || !strings.Contains(c, "version 2\n") || !strings.HasPrefix(c, "<<<<<<< your edit") {
		t.Errorf("the conflict: %q", c)
	}
	if read(t, at(target, pieces[1])) != body("2", pieces[1]) || !exists(merges[1].Kept) {
		t.Error("a conflict changes something")
	}
	if got := m.Waiting(target); !slices.Equal(got, pieces[1:2]) {
		t.Errorf("waiting: %v", got)
	}

	// The base of the next merge is the version that was edited, also after a
	// renewal in between; and what was merged is an edit like any other.
	put(t, m, target, version("3", pieces...))
	if merges, err = m.Reapply(t.Context(), target); err != nil || len(merges) != 2 {
		t.Fatalf("%+v, %v", merges, err)
	}
	if got := read(t, at(target, pieces[0])); got != edit("3", pieces[0], "my first", "last") {
		t.Errorf("merged again to %q", got)
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if exists(target.Dir) {
		t.Errorf("left:\n%s", tree(t, target.Dir))
	}
}

// Joined, two registrations of an event are called for what either was.
func TestJoinedMatchers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ a, b, want string }{
		{"", "Write", ""}, {"Bash", "*", ""}, {"Bash", "Bash", "Bash"}, {"Bash|Edit", "Edit|Write", "Bash|Edit|Write"},
		{"^(Bash|mcp__.*)$", "Write|Edit", "^(Bash|mcp__.*|Write|Edit)$"},
		{"^(a(b|c))$", "Write", "^(a(b|c))$|Write"}, {"^MCP:", "Write", "^MCP:|Write"},
	} {
		if got := joined(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %q", tt.a, tt.b, got)
		}
	}
	for _, h := range host.All() {
		m, _ := sandbox(t)
		seen := map[string]bool{}
		for _, r := range m.registrations(m.Target(h), host.Parts()) {
			if seen[r.event] {
				t.Errorf("%s: %s calls us twice", h.Name, r.event)
			}
			seen[r.event] = true
		}
		for _, k := range h.HooksOn("linux", host.Parts()...) {
			for _, tool := range append(slices.Clone(h.ReplaceTools), "Write", "Edit", "Bash", "Task") {
				if !h.Matches(k.Matcher, tool) {
					continue
				}
				if !slices.ContainsFunc(m.registrations(m.Target(h), host.Parts()), func(r registration) bool {
					return r.event == k.Event && h.Matches(r.matcher, tool)
				}) {
					t.Errorf("%s: %s is no longer called for %s", h.Name, k.Event, tool)
				}
			}
		}
	}
}

// The first format knew hooks only: it is read, and its install becomes one of
// both parts.
func TestManifestOfTheFirstFormat(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, target.Settings(), someSettings, 0o600)
	before := tree(t, target.Dir)
	install(t, m, target)
	name := m.manifestPath(target, ".json")
	old := strings.Replace(read(t, name), `"version": 2`, `"version": 1`, 1)
	old = strings.Replace(old, "\"parts\": [\n    \"compact\"\n  ],\n", "", 1)
	if strings.Contains(old, `"parts"`) {
		t.Fatal(old)
	}
	words := fmt.Sprintf(" hook %s --only compact", target.Host.Name)
	plain := strings.ReplaceAll(read(t, target.Settings()), words, strings.TrimSuffix(words, " --only compact"))
	old = strings.ReplaceAll(old, words, strings.TrimSuffix(words, " --only compact"))
	old = strings.Replace(old, digest([]byte(read(t, target.Settings()))), digest([]byte(plain)), 1)
	write(t, target.Settings(), plain, 0o600)
	write(t, name, old, 0o600)

	if mf, err := m.Manifest(target); err != nil || !slices.Equal(mf.Parts, []host.Part{host.Compact}) {
		t.Fatalf("%+v, %v", mf, err)
	}
	put(t, m, target, version("1", pieces...))
	if got := read(t, target.Settings()); strings.Contains(got, "--only") || strings.Count(got, `"PostToolUse"`) != 1 {
		t.Errorf("renewed:\n%s", got)
	}
	takeOut(t, m, target, nil, host.Parts()...)
	if got := tree(t, target.Dir); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
}

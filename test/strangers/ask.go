package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// tree is one project.
type tree struct {
	name, dir, cairn, home string
	wrong                  []string
	score
}

func (t *tree) say(format string, args ...any) {
	t.wrong = append(t.wrong, fmt.Sprintf(format, args...))
}

// ask runs cairn in a directory.
func (t *tree) ask(dir string, args ...string) (out []byte, code int) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.cairn, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.home, "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	code = cmd.ProcessState.ExitCode()
	if strings.Contains(stderr.String(), "panic:") || strings.Contains(stderr.String(), "goroutine ") || err != nil && code < 0 {
		t.crashes++
		t.say("crash: %s", strings.Join(args, " "))
	}
	return stdout.Bytes(), code
}

func (t *tree) measure(edits bool) {
	plan := filepath.Join(t.dir, ".planning")
	before := snapshot(plan)
	roots := []string{plan}
	streams, _ := filepath.Glob(filepath.Join(plan, "workstreams", "*"))
	_, err := os.Stat(filepath.Join(plan, "active-workstream"))
	active := err == nil
	for _, s := range append(roots, streams...) {
		var ws []string
		if s != plan {
			ws = []string{"--ws", filepath.Base(s)}
		}
		if ws == nil && active { // then a call without --ws is not about the root
			continue
		}
		if _, err := os.Stat(filepath.Join(s, "ROADMAP.md")); err == nil {
			t.stream(s, ws)
		}
	}
	for _, file := range contexts(t.dir) {
		t.decide(file)
	}
	t.ask(t.dir, "plan", "next", "--json")
	t.ask(t.dir, "plan", "health", "--json")
	if s := snapshot(plan); !s.equal(before) {
		t.wrote++
		t.say("a read wrote %v", s.differs(before))
	}
	if _, err := os.Stat(filepath.Join(plan, "ROADMAP.md")); err == nil && edits {
		t.edit()
	}
}

type shownPhase struct {
	Number, Name, Status, State string
}

// stream compares one plan with what the simple reader finds.
func (t *tree) stream(dir string, ws []string) {
	say := func(args ...string) []string { return append(append([]string{"plan"}, args...), ws...) }
	want := read(dir)
	out, _ := t.ask(t.dir, append(say("phase", "list", "--all"), "--json")...)
	var rows []shownPhase
	if err := json.Unmarshal(out, &rows); err != nil {
		t.say("%s: phase list: %v", dir, err)
	}
	got := map[string][]shownPhase{}
	for _, r := range rows {
		got[normal(r.Number)] = append(got[normal(r.Number)], r)
		if !noName.MatchString(r.Name) {
			t.names++
		} else {
			t.say("name: %s %q", r.Number, r.Name)
		}
	}
	there := map[string][]*phase{}
	for _, p := range want.phases {
		there[p.number] = append(there[p.number], p)
	}
	for id, ps := range there {
		g := got[id]
		t.phases += len(ps)
		done, open := 0, 0
		for _, p := range ps {
			if p.complete() {
				done++
			} else {
				open++
			}
		}
		gotDone := 0
		for _, r := range g {
			if r.Status == "complete" {
				gotDone++
			}
		}
		switch {
		case len(g) < len(ps):
			t.missing += len(ps) - len(g)
			t.say("missing: %s phase %s: %d of %d: %q", filepath.Base(dir), id, len(g), len(ps), ps[len(ps)-1].names)
		case len(g) > len(ps):
			t.doubled += len(g) - len(ps)
			t.say("doubled: %s phase %s: %d of %d: %+v %q", filepath.Base(dir), id, len(g), len(ps), g, ps[0].names)
		}
		bad := abs(gotDone - done)
		if len(g) != len(ps) {
			bad = max(bad, abs(len(g)-len(ps)))
		} else if bad > 0 {
			t.state += bad
			t.say("state: %s phase %s: %d complete, should be %d: %+v %v %q", filepath.Base(dir), id, gotDone, done, g, ps[0].claims, ps[0].names)
		}
		t.right += max(len(ps)-bad, 0)
	}
	for id, g := range got {
		if len(there[id]) == 0 {
			t.doubled += len(g)
			t.say("invented: %s phase %s: %+v", filepath.Base(dir), id, g)
		}
	}
	t.agreement(say, rows)
	t.require(dir, say)
}

var noName = regexp.MustCompile(`\(\d+/\d+|(?i:completed? \d{4}|shipped)|✅|✓|\*\*|^$`)

// agreement: progress and roadmap analyze say of each phase what the list does.
func (t *tree) agreement(say func(...string) []string, rows []shownPhase) {
	states := map[string]map[bool]bool{}
	for _, r := range rows {
		if states[r.Number] == nil {
			states[r.Number] = map[bool]bool{}
		}
		states[r.Number][r.Status == "complete"] = true
	}
	for _, verb := range [][]string{{"progress"}, {"roadmap", "analyze"}} {
		out, _ := t.ask(t.dir, append(say(verb...), "--json")...)
		var a struct{ Phases []shownPhase }
		if json.Unmarshal(out, &a) != nil {
			continue
		}
		for _, p := range a.Phases {
			t.shown++
			if states[p.Number][p.Status == "complete"] {
				t.agree++
			} else {
				t.say("%s says %s of phase %s", verb, p.Status, p.Number)
			}
		}
	}
}

func (t *tree) require(dir string, say func(...string) []string) {
	want := requirements(dir)
	if len(want) == 0 {
		return
	}
	out, _ := t.ask(t.dir, append(say("requirements", "list"), "--json")...)
	var rows []struct {
		ID   string
		Done bool
	}
	_ = json.Unmarshal(out, &rows)
	got := map[string]bool{}
	for _, r := range rows {
		got[r.ID] = r.Done
	}
	for id, done := range want {
		t.reqs++
		if d, ok := got[id]; ok && d == done {
			t.reqsFound++
		} else {
			t.say("requirement %s: done should be %v", id, done)
		}
	}
}

func (t *tree) decide(file string) {
	data, _ := os.ReadFile(file)
	want := decisions(string(data))
	rel, _ := filepath.Rel(t.dir, file)
	out, _ := t.ask(t.dir, "plan", "query", "decisions", "parse", rel)
	var d struct{ Decisions, Unnumbered []any }
	if err := json.Unmarshal(out, &d); err != nil {
		t.say("decisions of %s: %v", rel, err)
	}
	got := len(d.Decisions) + len(d.Unnumbered)
	t.decided += want
	t.found += min(want, got)
	t.invented += max(got-want, 0)
	if got != want {
		t.say("decisions of %s: %d, should be %d", rel, got, want)
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

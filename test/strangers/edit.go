package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// files is what a directory holds: path → content.
type files map[string]string

func snapshot(dir string) files {
	out := files{}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".journal") || e.Name() == ".lock" || strings.Contains(path, "/.cairn") {
			return nil
		}
		data, _ := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return nil
	})
	return out
}

func (f files) equal(o files) bool { return len(f.differs(o)) == 0 }

func (f files) differs(o files) (out []string) {
	for name, s := range f {
		if was, ok := o[name]; !ok || was != s {
			out = append(out, name)
		}
	}
	for name := range o {
		if _, ok := f[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// edit makes changes one after another in a copy, and takes them back.
func (t *tree) edit() {
	copied := filepath.Join(t.home, t.name)
	if err := exec.Command("cp", "-r", t.dir, copied).Run(); err != nil {
		t.say("copy: %v", err)
		return
	}
	defer os.RemoveAll(copied)
	plan := filepath.Join(copied, ".planning")
	if _, err := os.Stat(filepath.Join(plan, "active-workstream")); err == nil {
		os.Remove(filepath.Join(plan, "active-workstream"))
	}
	t.ask(copied, "plan", "state", "decide", "first") // what the first change writes beside the plan, .gitignore, stays
	t.ask(copied, "plan", "undo")
	var open string
	out, _ := t.ask(copied, "plan", "phase", "list", "--json")
	var rows []shownPhase
	_ = json.Unmarshal(out, &rows)
	for _, r := range rows {
		if r.Status != "complete" {
			open = r.Number
			break
		}
	}
	out, _ = t.ask(copied, "plan", "progress", "--json")
	var m struct{ Milestone struct{ Version string } }
	_ = json.Unmarshal(out, &m)
	version := m.Milestone.Version
	if version == "" {
		version = "v1.0"
	}
	steps := [][]string{{"state", "decide", "a stranger decides"}, {"phase", "add", "Stranger payments"}, {"todo", "add", "look at it"}}
	if open != "" {
		steps = append(steps, []string{"phase", "complete", open, "--force", "--reason", "measured"})
	}
	steps = append(steps, []string{"milestone", "complete", version, "--force", "--reason", "measured"}, []string{"milestone", "new", "v99.1", "Strange"}, []string{"phase", "add", "Stranger refunds"})
	var states []files
	for _, step := range steps {
		before := snapshot(plan)
		_, code := t.ask(copied, append([]string{"plan"}, append(step, "--json")...)...)
		after := snapshot(plan)
		if code != 0 {
			if !after.equal(before) {
				t.wrote++
				t.say("%v was refused and wrote %v", step, after.differs(before))
			}
			t.say("refused (%d): %v", code, step)
			continue
		}
		states = append(states, before)
		switch {
		case step[0] == "phase" && step[1] == "add":
			t.addition(before, after, step[2])
		case step[0] == "phase" && before["ROADMAP.md"] == after["ROADMAP.md"]:
			t.wrote++
			t.say("phase complete changed nothing in ROADMAP.md")
		}
	}
	for i := len(states) - 1; i >= 0; i-- {
		t.accepted++
		_, code := t.ask(copied, "plan", "undo")
		if after := snapshot(plan); code == 0 && after.equal(states[i]) {
			t.undone++
		} else {
			t.say("undo %d of %d: exit %d, differs in %v", len(states)-i, len(states), code, after.differs(states[i]))
		}
	}
}

// addition: the number is new, and its lines are in no <details>.
func (t *tree) addition(before, after files, name string) {
	t.added++
	used, number := highest(before), 0
	folded, good := false, true
	for line := range strings.Lines(after["ROADMAP.md"]) {
		if detailsRE.MatchString(line) {
			folded = !strings.Contains(line, "<details open") // that one is in work
		}
		if strings.Contains(line, name) {
			good = good && !folded
			if m := titleRE.FindStringSubmatch(strings.TrimLeft(strings.TrimSpace(line), "-#* []x")); m != nil {
				number = atoi(normal(m[2]))
			}
		}
		if noDetailsRE.MatchString(line) {
			folded = false
		}
	}
	if !good || number <= used {
		t.say("phase add: number %d after %d, in a shipped place: %v", number, used, !good)
		return
	}
	t.addedRight++
}

// highest is the highest number that a phase had.
func highest(f files) int {
	most := 0
	take := func(id string) {
		if n := atoi(normal(id)); n < 990 {
			most = max(most, n)
		}
	}
	for line := range strings.Lines(f["ROADMAP.md"]) {
		if m := titleRE.FindStringSubmatch(strings.TrimLeft(strings.TrimSpace(line), "-#*|[x] ")); m != nil {
			take(m[2])
		}
		for _, m := range rangeRE.FindAllStringSubmatch(countRE.ReplaceAllString(line, ""), -1) { // not of "Phases 6-14, 50 plans"
			if strings.HasSuffix(strings.TrimSpace(m[1]), "+") { // from that one on, which is none yet
				continue
			}
			for _, pair := range pairRE.FindAllStringSubmatch(m[1], -1) {
				take(pair[1])
				if pair[2] != "" {
					take(pair[2])
				}
			}
		}
	}
	for path := range f {
		parts := strings.Split(path, "/")
		for i, p := range parts[:len(parts)-1] {
			if i > 0 && (parts[i-1] == "phases" && i == 1 || strings.HasSuffix(parts[i-1], "-phases")) {
				if m := dirRE.FindStringSubmatch(p); m != nil {
					take(m[1])
				}
			}
		}
	}
	return most
}

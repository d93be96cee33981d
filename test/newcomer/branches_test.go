package newcomer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A clone is the checkout of one job or person, whose branch has commits of its own
// or not.
func (p place) clone(branch string, commit bool, token string) place {
	p.t.Helper()
	job := newPlace(p.t, p.bin, filepath.Join(p.t.TempDir(), "web"), "CI=true", "CAIRN_SYNC_BACKGROUND=0", "CAIRN_URL="+p.url, "CAIRN_ACCESS_TOKEN="+token)
	p.run("git clone -q . " + job.dir)
	job.run("git remote set-url origin https://git.example.test/acme/web.git")
	job.run("git config user.email ci@example.test && git config user.name CI")
	if branch != "main" {
		job.run("git checkout -q -b " + branch)
	}
	if commit {
		job.run("git commit -q --allow-empty -m " + branch)
	}
	return job
}

// results writes those of a run: so many of 60 cases passed.
func (p place) results(passed int, at time.Time) {
	p.t.Helper()
	var cases []string
	for i := range 60 {
		cases = append(cases, fmt.Sprintf(`{"name": "case %d", "passed": %t}`, i, i < passed))
	}
	text := fmt.Sprintf(`{"schema_version": 1, "suite": "search-quality", "timestamp": %q, "all_results": [%s]}`, at.UTC().Format(time.RFC3339), strings.Join(cases, ",\n"))
	if err := os.WriteFile(filepath.Join(p.dir, "results.json"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// exit is the exit code of a line, and what it said.
func (p place) exit(line string) (int, string) {
	out, err := p.command(line).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", line, err)
	}
	return 0, string(out)
}

// TestTwoBranchesAtOnce: between the push and the gate of one job others push,
// and the job's run is the one that is judged.
func TestTwoBranchesAtOnce(t *testing.T) {
	ada := web(t, built(t))
	team := path(t, "## A team of two")
	ada.like(ada.start(team[0]), team[1])
	ada.run(ada.next)
	ada.run(team[2])
	lines := path(t, "## CI")
	token := regexp.MustCompile(`cairn_ci_\S+`).FindString(ada.run(lines[0]))
	recipe := lines[2]
	push, gate, ok := strings.Cut(recipe, " && ")
	if !ok || !strings.HasPrefix(gate, `cairn eval gate "$id" --team --baseline @main`) {
		t.Fatalf("%s is not: push, and gate what it pushed", recipe)
	}
	// played is the recipe with what others do between its commands.
	played := func(job place, between func()) (int, string) {
		id, ok := strings.CutPrefix(push, "id=$(")
		out, err := job.command(strings.TrimSuffix(id, ")")).Output()
		if err != nil || !ok || !regexp.MustCompile(`^[0-9a-f]{12}\n$`).Match(out) {
			t.Fatalf("%s prints %q, %v", push, out, err)
		}
		between()
		return job.exit("id=" + string(out) + gate)
	}
	for _, c := range []struct {
		name          string
		commit, equal bool
	}{
		{"commits of their own", true, false}, {"equal times", true, true}, {"one commit", false, false}, {"one commit, equal times", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Now().Truncate(time.Minute).Add(-time.Hour)
			times := []time.Time{now, now.Add(time.Minute), now.Add(2 * time.Minute)}
			if c.equal {
				times = []time.Time{now, now, now}
			}
			ada.run("git commit -q --allow-empty -m '" + c.name + "'")
			main, topic, other := ada.clone("main", false, token), ada.clone("topic", c.commit, token), ada.clone("other", c.commit, token)
			main.results(58, times[0])
			main.run("cairn eval push results.json")
			topic.results(20, times[1])
			other.results(59, times[2])
			code, out := played(topic, func() { other.run("cairn eval push results.json") })
			if code != 5 || !strings.Contains(out, "topic@") || !strings.Contains(out, "38 of 60") {
				t.Errorf("exit %d:\n%s", code, out)
			}
			// latest is the run of the checkout too, whoever pushed last.
			if code, out := topic.exit("cairn eval gate latest --team --baseline @main"); code != 5 || !strings.Contains(out, "topic@") {
				t.Errorf("latest: exit %d:\n%s", code, out)
			}
			if code, out := other.exit("cairn eval gate --team --baseline @main"); code != 0 || !strings.Contains(out, "other@") {
				t.Errorf("the other's: exit %d:\n%s", code, out)
			}
			// main itself: what was pushed last is judged by the run before it.
			main.results(10, times[0])
			code, out = played(main, func() {})
			if code != 5 || !strings.Contains(out, "48 of 60") {
				t.Errorf("main after main: exit %d:\n%s", code, out)
			}
			if code, out := main.exit("cairn eval gate results.json --team --baseline @main"); code != 5 || !strings.Contains(out, "48 of 60") {
				t.Errorf("main's file: exit %d:\n%s", code, out)
			}
			if code, out := main.exit("cairn eval gate latest --team --baseline previous"); code != 5 || !strings.Contains(out, "48 of 60") {
				t.Errorf("main, previous: exit %d:\n%s", code, out)
			}
		})
	}
	t.Run("a new repository", func(t *testing.T) {
		fresh := newPlace(t, ada.bin, filepath.Join(t.TempDir(), "fresh"), "CI=true", "CAIRN_SYNC_BACKGROUND=0", "CAIRN_URL="+ada.url, "CAIRN_ACCESS_TOKEN="+token)
		if err := os.Mkdir(fresh.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		repository(t, fresh)
		fresh.run("git remote set-url origin https://git.example.test/acme/fresh.git && mkdir .cairn && cp " + filepath.Join(ada.dir, ".cairn", "team.json") + " .cairn")
		for _, line := range []string{"cairn eval gate latest --team", "cairn eval gate --team --baseline @main"} {
			if code, out := fresh.exit(line); code != 3 || !strings.Contains(out, `no run is stored that "latest" could name in acme/fresh`) {
				t.Errorf("%s: exit %d:\n%s", line, code, out)
			}
		}
		if code, out := fresh.exit("cairn eval gate main --team"); code != 2 || !strings.Contains(out, "in acme/fresh") {
			t.Errorf("a label: exit %d:\n%s", code, out)
		}
	})
	t.Run("a new suite", func(t *testing.T) {
		topic := ada.clone("topic", true, token)
		topic.results(60, time.Now())
		topic.run(`sed -i.bak 's/search-quality/brand-new/' results.json`)
		if code, out := played(topic, func() {}); code != 7 || !strings.Contains(out, "gate ! not checked") {
			t.Errorf("exit %d:\n%s", code, out)
		}
		if code, out := topic.exit("cairn eval gate latest --team --baseline @main --allow-missing-baseline"); code != 0 {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	t.Run("after a commit", func(t *testing.T) {
		topic := ada.clone("topic", true, token)
		topic.results(60, time.Now())
		topic.run("cairn eval push results.json && git commit -q --allow-empty -m next")
		if code, out := topic.exit("cairn eval gate latest --team"); code != 3 || !strings.Contains(out, "no run of HEAD's commit") || !strings.Contains(out, "cairn: hint: ") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
}

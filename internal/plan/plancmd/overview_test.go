package plancmd

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/plan/brief"
	"cairn/internal/text"
)

func sampleOverview() overview {
	return overview{
		progressData: progressData{PhasesTotal: 3, PhasesDone: 1, PlansTotal: 3, PlansDone: 1, Percent: 33, Milestone: brief.Milestone{Version: "v1.0", Name: "Shop"}},
		Roadmap: []roadPhase{
			{stageRow: stageRow{Number: "1", Name: "Base", Status: "complete"}},
			{stageRow: stageRow{Number: "2", Name: strings.Repeat("a long name ", 20), Plans: 3, Done: 1, Status: "in progress"}, DependsOn: []string{"1"}, Here: true,
				Waves: []roadWave{{1, []roadPlan{{ID: "02-01", Done: true}, {ID: "02-02"}}}, {2, []roadPlan{{ID: "02-03", DependsOn: []string{"02-01"}}}}}},
			{stageRow: stageRow{Number: "10", Name: "日本語\x1b[31m", Status: "not started"}, DependsOn: []string{"2"}},
		},
		Next: &brief.Next{Command: "execute-phase", Phase: "2", Name: "A", Reason: "2 of 3 plans still to be executed"},
	}
}

// The roadmap fits the terminal, and says where the work stands with and without
// color and UTF-8.
func TestOverviewFits(t *testing.T) {
	for _, width := range []int{80, 140} {
		for _, s := range []signs{plainSigns, wideSigns} {
			out := sampleOverview().draw(s, false, width)
			for line := range strings.Lines(out) {
				if n := text.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%d columns of %d: %s", n, width, line)
				}
			}
			for _, want := range []string{"v1.0 Shop", s.done + " 1 ", s.here + " " + s.part + " 2 ", "you are here: in progress, after 1", "wave 2  " + s.open + " 02-03 (after 02-01)", "not started, after 2", "next    execute-phase 2"} {
				if !strings.Contains(out, want) {
					t.Errorf("%d columns: no %q in\n%s", width, want, out)
				}
			}
			if strings.Contains(out, "\x1b") {
				t.Errorf("an escape in\n%q", out)
			}
		}
	}
}

// Of a plan that is longer than a screen what is alike is counted, and where the work
// stands is in sight.
func TestOverviewFolds(t *testing.T) {
	d := overview{}
	for n := 1; n <= 100; n++ {
		row := roadPhase{stageRow: stageRow{Number: strconv.Itoa(n), Name: "Part", Status: "not started"}, Here: n == 41}
		if n <= 40 {
			row.Status = "complete"
		}
		if n == 20 {
			row.Status = "gaps found"
		}
		d.Roadmap = append(d.Roadmap, row)
	}
	out := d.draw(plainSigns, false, 80)
	for _, want := range []string{"[x] 1 to 16: 16 phases, complete", "[x] 19 ", "gaps found", "[x] 21 to 37: 17 phases", "[x] 40 ", "you are here", "[ ] 42 ", "[ ] 51 ", "[ ] 52 to 100: 49 phases, not started"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for n := 1; n <= 50; n++ {
		d.Roadmap[40].Waves = append(d.Roadmap[40].Waves, roadWave{n, []roadPlan{{ID: fmt.Sprintf("41-%02d", n), Done: n < 20}}})
	}
	out = d.draw(plainSigns, false, 80)
	if !strings.Contains(out, "wave 19 [x] 41-19") || !strings.Contains(out, "wave 20 [ ] 41-20") || !strings.Contains(out, "40 other waves; cairn plan phase index 41 lists them") {
		t.Error(out)
	}
	if n := strings.Count(out, "\n"); n > screen {
		t.Errorf("%d lines", n)
	}
	d.Roadmap = d.Roadmap[:screen]
	if out = d.draw(plainSigns, false, 80); strings.Contains(out, " to ") {
		t.Error(out)
	}
}

func TestSignsFollowTheLocale(t *testing.T) {
	for locale, want := range map[string]signs{"C": plainSigns, "": plainSigns, "de_DE.UTF-8": wideSigns, "C.utf8": wideSigns} {
		if got := signsFor(func(name string) string {
			if name == "LANG" {
				return locale
			}
			return ""
		}); got != want {
			t.Errorf("%q: %v", locale, got)
		}
	}
}

// Phases that wait for each other are marked, others are not.
func TestGraphMarksCycles(t *testing.T) {
	row := func(number string, after ...string) roadPhase {
		return roadPhase{stageRow: stageRow{Number: number}, DependsOn: after}
	}
	road := []roadPhase{row("1", "3"), row("2", "1"), row("3", "2"), row("4", "3")}
	markCycles(road)
	for i, want := range []bool{true, true, true, false} {
		if (road[i].Trouble != "") != want {
			t.Errorf("%+v", road[i])
		}
	}
}

package plancmd

import (
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

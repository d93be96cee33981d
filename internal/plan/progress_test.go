package plan

import "testing"

func TestStage(t *testing.T) {
	const dir = ".planning/phases/01-base/"
	plan, done := dir+"01-01-PLAN.md", dir+"01-01-SUMMARY.md"
	report := func(status string) map[string]string {
		return map[string]string{plan: "", done: "", dir + "01-VERIFICATION.md": "---\nstatus: " + status + "\n---\n"}
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  Stage
	}{
		"empty":       {map[string]string{dir + ".gitkeep": ""}, NotStarted},
		"planned":     {map[string]string{plan: ""}, Planned},
		"in progress": {map[string]string{plan: "", done: "", dir + "01-02-PLAN.md": ""}, InProgress},
		"executed":    {map[string]string{plan: "", done: ""}, Executed},
		"gaps":        {report("gaps_found"), Executed},
		"for people":  {report("human_needed"), NeedsReview},
		"passed":      {report("passed"), Verified},
	} {
		t.Run(name, func(t *testing.T) {
			w := project(t, tc.files)
			err := w.View(func(tx *Tx) error {
				p := tx.Progress(Current)
				if len(p.Phases) != 1 || p.Phases[0].Stage != tc.want {
					t.Errorf("%+v, want %s", p.Phases, tc.want)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestPercent(t *testing.T) {
	for _, tc := range []struct{ done, total, want int }{{0, 0, 0}, {1, 3, 33}, {2, 3, 67}, {1, 200, 1}, {1, 201, 0}, {5, 4, 100}} {
		if got := Percent(tc.done, tc.total); got != tc.want {
			t.Errorf("%d of %d is %d%%, want %d", tc.done, tc.total, got, tc.want)
		}
	}
}

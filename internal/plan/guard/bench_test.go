package guard

import "testing"

// What a hook adds to each finished call: with a plan and without one.
func BenchmarkAnswer(b *testing.B) {
	for name, config := range map[string]string{"plan": "{}", "none": ""} {
		b.Run(name, func(b *testing.B) {
			d := newDesk(b, config)
			for b.Loop() {
				d.hears(Event{Kind: CallEnded, Tool: "Bash", Used: func() (int, int, bool) { return 1000, 0, true }})
			}
		})
	}
}

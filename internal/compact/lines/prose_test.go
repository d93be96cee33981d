package lines

import (
	"fmt"
	"strings"
	"testing"
)

// A ticket is a text that a person wrote; what a program prints with the same marks,
// a log or code is none.
func TestProse(t *testing.T) {
	ticket := "oven-12 · Bake two loaves at once\n\n## Description\nThe oven takes one loaf now, and the second waits until it is done.\n\nWork:\n- Add a second rack to `lib/oven.ex`, with its own timer and its own light.\n" +
		"- In `Baker` the queue hands out two loaves where two racks are free.\n  - The older loaf goes first.\n- Tests: a loaf that waits is not burnt by the one before it.\n\nDone when:\n- `make bake` passes.\n" +
		"1. Both racks heat up within five minutes of each other.\n2. A door that is opened stops both timers.\n"
	if !Prose(strings.Split(ticket, "\n")) {
		t.Error("a ticket is no prose")
	}
	steps, log, code := "", "", ""
	for i := range 30 {
		steps += fmt.Sprintf("  - Installing crumb/loaf-%d (v1.%d): Extracting the archive\n", i, i)
		log += fmt.Sprintf("2026-03-04 10:00:%02d worker %d took the loaf from the rack\n", i, i)
		code += fmt.Sprintf("func bake%d(loaf string) error { return oven.take(loaf) }\n", i)
	}
	for name, text := range map[string]string{"steps": steps, "log": log, "code": code, "failing": strings.Replace(ticket, "The oven takes", "Error: the oven takes", 1)} {
		if Prose(strings.Split(text, "\n")) {
			t.Errorf("%s are prose", name)
		}
	}
}

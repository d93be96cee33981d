package plan

import (
	"errors"
	"io/fs"

	"cairn/internal/plan/doc"
)

// stateMilestoneComplete writes into STATE.md that a milestone is complete,
// and reports whether there is a STATE.md. It changes the fields that are
// there and adds none but the next steps.
func (tx *Tx) stateMilestoneComplete(c MilestoneCompletion) (bool, error) {
	t, err := tx.Read(tx.Path("STATE.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	setFields(t, t.Body(), t.Len(), map[string]string{
		"Status":                    c.Version + " milestone complete",
		"Last Activity":             c.Date,
		"Last Activity Description": c.Version + " milestone completed and archived",
	})
	if s, ok := t.Section("Current Position"); ok {
		setFields(t, s.Start, s.End, map[string]string{
			"Phase":         "Milestone " + c.Version + " complete",
			"Plan":          "Not started",
			"Status":        c.Version + " milestone complete",
			"Last activity": c.Date,
		})
	}
	nextSteps(t, c.NextStep)
	return true, tx.stateFront(t, map[string]string{"status": "completed", "last_activity": c.Date})
}

// setFields writes the fields among the lines that are there. Replacing lines
// does not move others.
func setFields(t *doc.Text, from, to int, values map[string]string) {
	for name, value := range values {
		if f, ok := t.Field(from, to, name); ok {
			t.SetField(f, value)
		}
	}
}

// nextSteps replaces what STATE.md tells its reader to do next.
func nextSteps(t *doc.Text, step string) {
	if step == "" {
		return
	}
	const heading = "Operator Next Steps"
	if s, ok := t.Section(heading); ok {
		t.Delete(s.Start, s.End)
		t.Insert(s.Start, "", "- "+step)
		if s.Start+2 < t.Len() {
			t.Insert(s.Start+2, "")
		}
		return
	}
	t.Insert(t.Len(), "", "## "+heading, "", "- "+step)
}

// stateFront writes keys of STATE.md's frontmatter that are there.
func (tx *Tx) stateFront(t *doc.Text, values map[string]string) error {
	for key, value := range values {
		if t.Front().Get(key) == nil {
			continue
		}
		if err := t.SetFront(value, key); err != nil {
			return err
		}
	}
	return nil
}

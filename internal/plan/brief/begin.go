package brief

import (
	"path/filepath"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/template"
)

// Beginning is what Begin made.
type Beginning struct {
	Created []string `json:"created"`
	Kept    []string `json:"kept"` // what was there already, and stays as it is
	Code    *Survey  `json:"code"`
	Next    *Next    `json:"next"`
}

// Begin stages a new planning directory: the documents a plan begins with,
// each as its template, and a config.json of what differs from the defaults.
// What is there already is kept. An empty name is the directory's.
func Begin(tx *plan.Tx, name, goal string, at time.Time, getenv func(string) string) *Beginning {
	if name == "" {
		name = filepath.Base(tx.Root)
	}
	date := at.Format(time.DateOnly)
	values := map[string]string{
		"name": name, "date": date, "timestamp": at.UTC().Format(time.RFC3339),
		"milestone": "v1.0", "milestone_name": name, "total_phases": "1", "phase_name": "[phase name]",
		"focus": "Planning", "activity": "The plan began",
	}
	if goal != "" {
		values["what"], values["overview"] = goal, goal
	}
	b := &Beginning{Created: []string{}, Kept: []string{}, Code: Look(tx.Root)}
	for _, d := range []struct{ template, rel string }{
		{"project", tx.Shared("PROJECT.md")}, {"requirements", tx.Path("REQUIREMENTS.md")},
		{"roadmap", tx.Path("ROADMAP.md")}, {"state", tx.Path("STATE.md")},
	} {
		if tx.Has(d.rel) {
			b.Kept = append(b.Kept, d.rel)
			continue
		}
		tx.Write(d.rel, must.Get(template.Fill(d.template, values)).Bytes())
		b.Created = append(b.Created, d.rel)
	}
	rel, created := settings.Create(tx, settings.SearchAtHand(settings.Ours(), getenv))
	if created {
		b.Created = append(b.Created, rel)
	} else {
		b.Kept = append(b.Kept, rel)
	}
	b.Next = FindNext(tx)
	return b
}

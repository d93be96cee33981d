package verb

import (
	"encoding/json"
	"fmt"
	"io"

	"cairn/internal/plan/settings"
)

// ownVerbs are the verbs of plan itself: no noun stands before them.
func ownVerbs() []*Verb {
	return []*Verb{
		{
			Name: "undo", Short: "Take back the last change that cairn made to the plan",
			Long: "Takes back the last change that was not yet taken back, to the byte. Said again it\n" +
				"takes back the one before. A file that was edited since is not overwritten.",
			Flags:    []Flag{{Name: "force", Default: false, Help: "also when a file was edited since, and lose that"}},
			Examples: []string{"cairn plan undo", "cairn plan undo --dry-run"},
			Effect:   Writes, Run: undo,
		},
		{
			Name: "snapshot", Short: "Print STATE.md as JSON",
			Examples: []string{"cairn plan snapshot", "cairn plan snapshot --get decisions[-1].summary"},
			Effect:   Reads, Run: showSnapshot,
		},
	}
}

func undo(c *Call) (*Result, error) {
	u, err := c.Undo(c.Context, c.Bool("force"))
	if err != nil {
		return nil, err
	}
	settings.MaskChange(u.Change)
	return &Result{Data: u, Change: u.Change, Text: func(w io.Writer) {
		fmt.Fprintf(w, "took back %q of %s\n", u.Command, u.Time.Local().Format("2006-01-02 15:04:05"))
		for _, p := range u.Paths {
			fmt.Fprintf(w, "  %s\n", p)
		}
	}}, nil
}

func showSnapshot(c *Call) (*Result, error) {
	snap, err := snapshot(c)
	if err != nil {
		return nil, err
	}
	return &Result{Data: snap, Text: func(w io.Writer) {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		_ = enc.Encode(snap)
	}}, nil
}

package plancmd

import (
	"encoding/json"
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan/settings"
)

// ownVerbs are the verbs of plan itself: no noun stands before them.
func ownVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan undo", Short: "Take back the last change that cairn made to the plan",
			Long: "Takes back the last change that was not yet taken back, to the byte. Said again it\n" +
				"takes back the one before. A file that was edited since is not overwritten.",
			Flags:    []command.Flag{{Name: "force", Default: false, Help: "also when a file was edited since, and lose that"}},
			Examples: []string{"cairn plan undo", "cairn plan undo --dry-run"},
			Effect:   command.Writes, Run: run(undo),
		},
		{
			Path: "plan snapshot", Short: "Print STATE.md as JSON",
			Examples: []string{"cairn plan snapshot", "cairn plan snapshot --get decisions[-1].summary"},
			Effect:   command.Reads, Run: run(showSnapshot),
		},
	}
}

func undo(c *Call) (*answer.Answer, error) {
	u, err := c.Undo(c.Context, c.Bool("force"))
	if err != nil {
		return nil, err
	}
	settings.MaskChange(u.Change)
	c.change = u.Change
	return &answer.Answer{Data: u, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "took back %q of %s\n", u.Command, u.Time.Local().Format("2006-01-02 15:04:05"))
		for _, p := range u.Paths {
			fmt.Fprintf(w, "  %s\n", p)
		}
	})}, nil
}

func showSnapshot(c *Call) (*answer.Answer, error) {
	snap, err := snapshot(c)
	if err != nil {
		return nil, err
	}
	return &answer.Answer{Data: snap, View: answer.Text(func(w io.Writer) {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		_ = enc.Encode(snap)
	})}, nil
}

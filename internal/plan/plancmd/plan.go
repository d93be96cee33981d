package plancmd

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

// ownVerbs are the verbs of plan itself: no noun stands before them.
func ownVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan undo", Short: "Undo the last change cairn made to the plan",
			Long: "Undoes the last change that has not been undone, byte for byte. Run it again to undo\n" +
				"the one before. It does not overwrite a file that was edited since.",
			Flags: []command.Flag{
				{Name: "force", Default: false, Help: "undo although a file was edited since; those edits are lost"},
				{Name: "list", Default: false, Help: "list what can be undone, newest first, and undo nothing"},
			},
			Exclusive: [][]string{{"list", "force"}, {"list", "dry-run"}},
			Examples:  []string{"cairn plan undo --list", "cairn plan undo --dry-run"},
			Effect:    command.Writes, Run: run(undo),
		},
		{
			Path: "plan redo", Short: "Redo the change that undo took back",
			Long: "Makes the last undone change again. Run it again to redo the one before. After any other\n" +
				"change, or if a file was edited since the undo, it changes nothing and says why.",
			Examples: []string{"cairn plan redo", "cairn plan redo --dry-run"},
			Effect:   command.Writes, Run: run(redo),
		},
		{
			Path: "plan log", Short: "List the changes that cairn made to the plan",
			Long: "Lists changes, newest first, with author, files and whether each was undone. Manual\n" +
				"edits are not listed; git has those.",
			Flags:    []command.Flag{{Name: "limit", Short: "n", Default: 20, Help: "list at most this many; 0 lists all"}},
			Examples: []string{"cairn plan log", "cairn plan log -n 3 --csv"},
			Effect:   command.Reads, CSV: true, Tool: &command.Tool{Name: "plan_log", Params: []command.Param{}},
			Run: run(showLog),
		},
		{
			Path: "plan snapshot", Short: "Print STATE.md as JSON",
			Examples: []string{"cairn plan snapshot", "cairn plan snapshot --get decisions[-1].summary"},
			Effect:   command.Reads, Run: run(showSnapshot),
		},
	}
}

func undo(c *Call) *answer.Answer {
	if c.Bool("list") {
		return undoable(c)
	}
	u := must.Get(c.Undo(c.Context, c.Bool("force")))
	settings.MaskChange(u.Change)
	c.change = u.Change
	return &answer.Answer{Data: u, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "took back %q of %s\n", u.Command, u.Time.Local().Format("2006-01-02 15:04:05"))
		for _, p := range u.Paths {
			fmt.Fprintf(w, "  %s\n", p)
		}
	})}
}

// undoable lists what undo would take back, one after the other.
func undoable(c *Call) *answer.Answer {
	left := slices.DeleteFunc(must.Get(c.History()), func(p plan.Past) bool { return p.Undone })
	a := &answer.Answer{Data: answer.List(left)}
	if len(left) == 0 {
		a.Said = plan.ErrNothingToUndo.Error()
		return a
	}
	t := answer.NewTable("when:time", "command:name", "by", "files", "state:name")
	for _, p := range left {
		state := ""
		if p.Edited != "" {
			state = p.Edited
		}
		t.Add(p.Time, p.Command, p.By, strings.Join(p.Paths, " "), state)
	}
	a.View = t
	return a
}

func redo(c *Call) *answer.Answer {
	r := must.Get(c.Redo(c.Context))
	settings.MaskChange(r.Change)
	c.change = r.Change
	return &answer.Answer{Data: r, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "made %q of %s again\n", r.Command, r.Time.Local().Format("2006-01-02 15:04:05"))
		for _, p := range r.Paths {
			fmt.Fprintf(w, "  %s\n", p)
		}
	})}
}

func showSnapshot(c *Call) *answer.Answer {
	snap := snapshot(c)
	return &answer.Answer{Data: snap, View: answer.Text(func(w io.Writer) {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		_ = enc.Encode(snap)
	})}
}

func showLog(c *Call) *answer.Answer {
	all := must.Get(c.History())
	list := all
	if n := c.Int("limit"); n > 0 && n < len(all) {
		list = all[:n]
	}
	a := &answer.Answer{Data: answer.List(list)}
	if len(all) == 0 {
		a.Said = "cairn has not changed this plan yet"
		return a
	}
	t := answer.NewTable("id:name", "when:time", "command:name", "by", "files", "state:name")
	for _, p := range list {
		state := ""
		switch {
		case p.Undone:
			state = "undone"
		case p.Edited != "":
			state = "edited since"
		case p.Undo:
			state = "undo takes this back"
		}
		t.Add(strconv.Itoa(p.ID), p.Time, p.Command, p.By, strings.Join(p.Paths, " "), state)
	}
	a.View = t
	if more := len(all) - len(list); more > 0 {
		a.Hint = fmt.Sprintf("%d more; -n 0 lists all", more)
	}
	return a
}

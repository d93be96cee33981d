package synccmd

import (
	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func collectCommand() *command.Command {
	return &command.Command{
		Path:  "sync collect",
		Short: "Send the team what git, the plan and agents' work show",
		Long: `Queues and delivers records that nobody has to write: the weeks of the last two
years and the releases, from git; the progress of .planning/ and of each
workstream; what compaction saved in this repository on each day. Only while
sync_transcripts is true also how many sessions, turns, prompts and tool calls a
day had: counts, and no word of what was said.

Records that were queued before and have not changed are left out, so it can run
as often as you like. cairn up does the same.`,
		Examples: []string{"cairn sync collect", "cairn sync collect --dry-run --json"},
		Flags:    []command.Flag{{Name: "dry-run", Default: false, Help: "print what would be queued, and queue nothing"}},
		Effect:   command.Writes, Waits: true, Run: runCollect,
	}
}

func runCollect(c *command.Call) (*answer.Answer, error) {
	s, err := link.Want(c.Env)
	if err != nil {
		return nil, err
	}
	of, dry := collect.Of(s), c.Bool("dry-run")
	tables, view := []collect.Table{}, answer.NewTable("source:name=", "found:name=")
	err = of.Gather(c, dry, func(from collect.Source) {
		if from.Err != nil {
			term.Warn(c.Stderr, "%s is left out: %v", from.Name, from.Err)
		}
		tables = append(tables, from.Tables...)
		if found := from.String(); found != "" {
			view.Add(from.Name, found)
		}
	})
	if err != nil {
		return nil, err
	}
	var report client.Drained
	if !dry {
		report, err = of.Deliver(c)
		what := text.Count(report.Delivered.N(), "record")
		if len(report.Stopped) > 0 {
			what += ", the others are " + link.WhyQueued(report.Stopped)
		}
		view.Add("delivered", what)
	}
	return &answer.Answer{Data: struct {
		Collected []collect.Table `json:"collected"`
		Delivered int             `json:"delivered"`
		Refused   int             `json:"refused"`
		Failed    int             `json:"failed"` // they wait
	}{tables, report.Delivered.N(), report.Refused.N(), report.Failed}, View: view, Err: err, Done: !dry}, nil
}

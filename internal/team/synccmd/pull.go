package synccmd

import (
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func pullCommand() *command.Command {
	return &command.Command{
		Path:  "sync pull",
		Short: "Pull the team's records into .cairn/team-cache",
		Long: `Asks the team's server for runs, releases, retrospectives, QA reports, triage,
daily sums and members that are new since the last pull, and writes them to
.cairn/team-cache, which git ignores. Other commands read that copy. If the
server cannot be reached, the copy stays as it is.`,
		Examples: []string{"cairn sync pull", "cairn sync pull --json"},
		Effect:   command.Writes, Waits: true, Run: pull,
	}
}

func pull(c *command.Call) (*answer.Answer, error) {
	s, err := link.Want(c.Env)
	if err != nil {
		return nil, err
	}
	server, err := s.Client()
	if err != nil {
		return nil, err
	}
	meta, fresh, err := server.Pull(c, client.OpenCache(s.Dir))
	if err != nil {
		if !meta.LastPull.IsZero() {
			term.Warn(c.Stderr, "the team's data stays as it was %s", text.Ago(meta.LastPull, time.Now()))
		}
		return nil, err
	}
	s.DrainBehind(true)
	for _, sentence := range meta.Skipped {
		term.Warn(c.Stderr, "%s", sentence)
	}
	rows := 0
	for name, t := range meta.Tables {
		if name != client.People && name != client.Pulses {
			rows += t.Rows
		}
	}
	return &answer.Answer{
		Data: struct {
			LastPull time.Time                `json:"last_pull"`
			Fresh    int                      `json:"fresh"`
			Tables   map[string]client.Pulled `json:"tables"`
		}{meta.LastPull, fresh, meta.Tables},
		View: answer.Line("%s of the team, %d new", text.Count(rows, "row"), fresh), Done: true,
	}, nil
}

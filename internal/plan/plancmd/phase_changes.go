package plancmd

import (
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/drive"
)

func phaseChangesVerb(phase command.Arg) *command.Command {
	return &command.Command{
		Path: "plan phase changes", Short: "List the files that a phase changed",
		Long: "Lists files that a phase changed and that still exist, without planning documents:\n" +
			"those of commits scoped to the phase or its plans, such as feat(02-01), and those\n" +
			"that its summaries name.",
		Args:     []command.Arg{phase},
		Examples: []string{"cairn plan phase changes 2", "cairn plan phase changes 2 --get commits[0].hash"},
		Effect:   command.Reads, Run: reads(phaseChanges),
	}
}

func phaseChanges(c *Call, tx *plan.Tx) *answer.Answer {
	made, files := must.Get2(drive.Changed(c.Context, tx, c.phase(tx)))
	data := struct {
		Files   []string      `json:"files"`
		Commits []commit.Made `json:"commits"`
	}{files, made}
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		for _, name := range files {
			fmt.Fprintln(w, name)
		}
	})}
}

// Package synccmd declares the commands of `cairn sync`: a repository is given a
// team, a person signs in to its server, and records go there and come back.
//
// Only package cli imports it. What is collected and how a record waits and
// travels belongs to collect, link, spool and client.
package synccmd

import (
	"slices"

	"cairn/internal/command"
)

// Commands lists sync and the commands below it. measure sends the retrospective
// of the last 7 days, as cairn retro has it.
func Commands(measure Measure) []*command.Command {
	return slices.Concat([]*command.Command{
		{
			Path:  "sync",
			Short: "Share results and records with the team",
			Long: `Records are kept on this machine first, then sent to the server that the
repository's .cairn/team.json names. The team's records are pulled into
.cairn/team-cache. Without that file, or with sync_enabled=false, nothing is sent
and no server is contacted.`,
			Examples: []string{"cairn sync setup", "cairn sync status"},
		},
		initCommand(), setupCommand(), statusCommand(), pullCommand(), showCommand(), drainCommand(), testCommand(),
		collectCommand(), migrateCommand(),
	}, pushCommands(measure))
}

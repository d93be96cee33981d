package plancmd

import (
	"fmt"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/item"
)

func matchTodos() *command.Command {
	return &command.Command{
		Path: "plan todo match", Short: "Find todos that fit into a phase",
		Long: "Scores each open todo by what it shares with the phase: words of its name, goal and\n" +
			"section of the roadmap (0.2 each, at most 0.6), its area (0.3), and files that the\n" +
			"phase's plans change (0.4).",
		Args: []command.Arg{{Name: "PHASE"}},
		Examples: []string{
			"cairn plan todo match 3",
			"cairn plan todo match 2.1 --json",
		},
		Effect: command.Reads,
		Run: anywhere(look(func(c *Call, tx *plan.Tx) *answer.Answer {
			matches := item.MatchTopic(item.Open(tx, item.Todo), brief.Topic(tx, c.phase(tx)))
			if len(matches) == 0 {
				return &answer.Answer{Data: matches, Said: "no todo is about the phase"}
			}
			return &answer.Answer{Data: matches, View: table("SCORE\tTODO\tTITLE\tBECAUSE OF", matches, func(m item.Match) string {
				return fmt.Sprintf("%.1f\t%s\t%s\t%s", m.Score, m.Item.Name, m.Item.Title, strings.Join(m.Reasons, "; "))
			})}
		})),
	}
}

package evalcmd

import (
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/result"
)

var schema = command.Command{
	Path: "eval schema", Short: "Print the format of results as JSON Schema",
	Long: "Prints what a runner has to write, as JSON Schema 2020-12 with the meaning and\n" +
		"the unit of every member: for an editor, or for a runner that checks itself.\n" +
		"cairn eval push is a little stricter; the description in the schema says in\n" +
		"what. docs/eval-format.md says the same with examples.",
	Examples: []string{"cairn eval schema > eval-result.schema.json", `cairn eval schema | jq '."$defs".result.properties | keys'`},
	Effect:   command.Reads, Text: true,
	Run: func(c *command.Call) (*answer.Answer, error) {
		_, err := io.WriteString(c.Stdout, result.Schema())
		return nil, err
	},
}

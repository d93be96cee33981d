package installcmd

import (
	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/version"
)

func versionCommand() *command.Command {
	return &command.Command{
		Path: "version", Short: "Print the version, commit and Go release of this binary",
		Long:     "Prints the version, the commit and the Go release of this binary. cairn --version\nprints the same.",
		Examples: []string{"cairn version", "cairn version --get version"},
		Effect:   command.Reads,
		Run: func(*command.Call) (*answer.Answer, error) {
			return &answer.Answer{Data: version.This(), View: answer.Line("cairn %s", version.Full())}, nil
		},
	}
}

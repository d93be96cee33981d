package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"cairn/internal/command"
	"cairn/internal/term"
)

// confirm asks a question on the terminal; only y or yes is yes. Without a
// terminal the answer has to be given beforehand, by --yes.
func confirm(env *Env, yes bool, question string) (bool, error) {
	if yes {
		return true, nil
	}
	if !term.IsTerminal(env.Stdin) {
		return false, command.Usage(term.Hint(errors.New("nobody to ask: "+question), "add --yes"))
	}
	fmt.Fprintf(env.Stderr, "%s [y/N] ", question)
	answer, _ := bufio.NewReader(env.Stdin).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

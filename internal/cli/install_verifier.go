package cli

import (
	"cmp"
	"fmt"

	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/term"
	"cairn/internal/verifier"
)

// offerVerifier says that the LLM check is off, and asks a person at a terminal
// who has a key for it whether it may be on. Only that answer turns it on: not a
// key in the environment, and not --yes. Who has set it is not asked.
func offerVerifier(env *Env, yes bool) error {
	set, _ := config.Load(env.Here(), env.Getenv)
	if on, _ := set.Value(config.VerifierEnabled); on.Source.Kind != config.Default {
		return nil
	}
	if env.Getenv(verifierKey) == "" || yes || !term.IsTerminal(env.Stdin) {
		fmt.Fprintf(env.Stderr, "LLM check: off, so no output is sent anywhere. cairn config set %s true turns it on.\n", config.VerifierEnabled)
		return nil
	}
	fmt.Fprintf(env.Stderr, "LLM check: off. If you turn it on, cairn sends lines of failing commands' output, without\n"+
		"the secrets it knows, to a model that finds what compaction should not have left out.\n"+
		"The server is %s, the model %s; you pay for it.\n", verifierServer(env), set.Text(config.VerifierModel))
	ok, err := env.Confirm(false, "Turn it on?")
	if err != nil {
		return err
	}
	file, err := config.SetUser(home.Find(env.Getenv), config.VerifierEnabled, fmt.Sprint(ok))
	if err == nil {
		fmt.Fprintf(env.Stderr, "%s: %s is %v\n", file, config.VerifierEnabled, ok)
	}
	return err
}

// verifierServer is who is asked.
func verifierServer(env *Env) string { return cmp.Or(env.Getenv(verifierURL), verifier.DefaultURL) }

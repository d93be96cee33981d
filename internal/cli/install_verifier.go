package cli

import (
	"cmp"
	"fmt"

	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/term"
	"cairn/internal/verifier"
)

// offerVerifier says that a key in the environment switches the verifier on,
// and where there is one asks a person whether it may. The answer becomes the
// setting; without an answer the default stays. Who has set it is not asked.
func offerVerifier(env *Env, yes bool) error {
	set, _ := config.Load(workDir(""), env.Getenv)
	if on, _ := set.Value(config.VerifierEnabled); on.Source.Kind != config.Default {
		return nil
	}
	const does = "lines of failing commands' outputs, without secrets, are sent to a model that\nfinds what was left out and should not have been; at most one call in ten"
	server := cmp.Or(env.Getenv(verifierURL), verifier.DefaultURL)
	switch {
	case env.Getenv(verifierKey) == "":
		fmt.Fprintf(env.Stderr, "verifier: off. With %s in the environment of an agent,\n%s.\n", verifierKey, does)
	case yes || !term.IsTerminal(env.Stdin):
		fmt.Fprintf(env.Stderr, "verifier: on, as %s is set: %s.\nThe server is %s. It is off with: cairn config set %s false\n", verifierKey, does, server, config.VerifierEnabled)
	default:
		fmt.Fprintf(env.Stderr, "verifier: %s is set: %s.\nThe server is %s, the model %s.\n", verifierKey, does, server, set.Text(config.VerifierModel))
		ok, err := confirm(env, false, "Use it?")
		if err != nil {
			return err
		}
		file, err := config.SetUser(home.Find(env.Getenv), config.VerifierEnabled, fmt.Sprint(ok))
		if err == nil {
			fmt.Fprintf(env.Stderr, "%s: %s is %v\n", file, config.VerifierEnabled, ok)
		}
		return err
	}
	return nil
}

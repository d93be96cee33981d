package setup

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/outside"
	"cairn/internal/verifier"
)

// Checked are Options with the LLM check, if the user turned it on and there is
// a key for it. Session is the agent's, "" if it is not known.
func Checked(env *outside.Env, dir, session string) compact.Options {
	set, _ := config.Load(dir, env.Getenv)
	how := options(env, dir, set)
	if env.Getenv(verifier.KeyVariable) == "" || env.Getenv(home.Probe) != "" || how.Off || !set.Bool(config.VerifierEnabled) {
		return how
	}
	how.Verify = Check(env, set)
	how.Verify.Quota = &compact.Quota{Dir: home.Find(env.Getenv).Verifier(), Session: session}
	model := set.Text(config.VerifierModel)
	how.Verify.Ask = func(ctx context.Context, q compact.Question) (compact.Answer, error) {
		// Whoever ends the call now has waited long enough; the output that is
		// there must not be lost for an answer.
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		self, err := os.Executable()
		if err != nil {
			return compact.Answer{}, err
		}
		a, err := verifier.AskChild(ctx, verifier.Request{Model: model, Question: q}, self, "compact", "verify")
		if err != nil {
			Log(env, fmt.Errorf("verifier: %w", err))
		}
		return a, err
	}
	return how
}

// Check says when the LLM check is made, and not yet by whom.
func Check(env *outside.Env, set config.Config) compact.Verify {
	v := compact.Verify{
		Triggers: compact.DefaultTriggers(),
		Always:   CheckForced(env),
		ByText:   set.Bool(config.VerifierByText),
		MaxLines: set.Int(config.VerifierLines),
	}
	v.Triggers.Failure.On = set.Bool(config.VerifierFailure)
	v.Triggers.Aggressive.On = set.Bool(config.VerifierAggressive)
	v.Triggers.NoMatch.On = set.Bool(config.VerifierNoMatch)
	return v
}

// CheckForced reports whether CAIRN_COMPACT_VERIFY asks for the check, whatever
// the triggers say.
func CheckForced(env *outside.Env) bool {
	text := env.Getenv("CAIRN_COMPACT_VERIFY")
	on, err := strconv.ParseBool(text)
	return on || err != nil && text != ""
}

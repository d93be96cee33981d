package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/home"
)

// The environment that the verifier is reached by, as Anthropic's own clients
// name it.
const (
	verifierKey = "ANTHROPIC_API_KEY"
	verifierURL = "ANTHROPIC_BASE_URL"
)

// verifiedOptions are compactOptions with the verifier, if the user turned it on
// and there is a key for it. session is the agent's, "" if it is not known.
func verifiedOptions(env *Env, dir, session string) compact.Options {
	set, _ := config.Load(dir, env.Getenv)
	how := optionsOf(env, dir, set)
	if env.Getenv(verifierKey) == "" || env.Getenv(home.Probe) != "" || how.Off || !set.Bool(config.VerifierEnabled) {
		return how
	}
	how.Verify = verifySettings(env, set)
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
		a, err := askChild(ctx, verifyRequest{model, q}, self, "compact", "verify")
		if err != nil {
			logHook(env, fmt.Errorf("verifier: %w", err))
		}
		return a, err
	}
	return how
}

// verifySettings says when the verifier is asked, and not yet whom.
func verifySettings(env *Env, set config.Config) compact.Verify {
	v := compact.Verify{
		Triggers: compact.DefaultTriggers(),
		Always:   verifyWanted(env),
		ByText:   set.Bool(config.VerifierByText),
		MaxLines: set.Int(config.VerifierLines),
	}
	v.Triggers.Failure.On = set.Bool(config.VerifierFailure)
	v.Triggers.Aggressive.On = set.Bool(config.VerifierAggressive)
	v.Triggers.NoMatch.On = set.Bool(config.VerifierNoMatch)
	return v
}

// verifyWanted reports whether CAIRN_COMPACT_VERIFY asks for it, whatever the
// triggers say.
func verifyWanted(env *Env) bool {
	text := env.Getenv("CAIRN_COMPACT_VERIFY")
	on, err := strconv.ParseBool(text)
	return on || err != nil && text != ""
}

// A verifyRequest is what `cairn compact verify` reads, and a verifyReply what
// it prints: both as one JSON value.
type (
	verifyRequest struct {
		Model    string           `json:"model"`
		Question compact.Question `json:"question"`
	}
	verifyReply struct {
		compact.Answer
		Error string `json:"error,omitempty"` // the answer cost what it says, and is of no use
	}
)

const maxReply = 64 << 10 // bytes, of an answer of at most 40 lines or numbers

// askChild asks in a process of its own, so that neither a hook nor a shim
// holds a client, and so that one that hangs can be killed. Whoever ends our
// group ends it too.
func askChild(ctx context.Context, req verifyRequest, program string, args ...string) (compact.Answer, error) {
	data, err := json.Marshal(req)
	if err != nil {
		return compact.Answer{}, err
	}
	out, errs := limited{limit: maxReply}, limited{limit: maxReply}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &errs
	cmd.WaitDelay = 100 * time.Millisecond
	err = cmd.Run()
	if ctx.Err() != nil {
		return compact.Answer{}, ctx.Err()
	}
	if err != nil {
		said, _, _ := strings.Cut(string(errs.data), "\n")
		return compact.Answer{}, fmt.Errorf("%w: %s", err, strings.TrimPrefix(said, "cairn: error: "))
	}
	var reply verifyReply
	if err := json.Unmarshal(out.data, &reply); err != nil {
		return compact.Answer{}, err
	}
	if reply.Error != "" {
		err = errors.New(reply.Error)
	}
	return reply.Answer, err
}

// limited is what a process printed, unless that is more than limit bytes. It
// is no bytes.Buffer itself, whose ReadFrom would take all there is.
type limited struct {
	data  []byte
	limit int
}

func (l *limited) Write(p []byte) (int, error) {
	if len(l.data)+len(p) > l.limit {
		return 0, io.ErrShortWrite
	}
	l.data = append(l.data, p...)
	return len(p), nil
}

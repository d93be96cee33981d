package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/term"
	"cairn/internal/verifier"
)

func newCompactVerify(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [RULE FIXTURE]",
		Short: "Try the LLM check on a captured output",
		Long: `Compacts a captured output with one rule and shows what the LLM check would
send. If the check is on (compact.verifier.enabled) and ` + verifierKey + ` is
set, it sends that and shows the lines that come back; every run asks again, and
the tokens are billed. FIXTURE is a file as for "cairn compact test".

Without arguments it reads a question (JSON) from stdin and prints the answer:
that is how hooks ask. ` + verifierURL + ` names another server.`,
		Example: `  cairn compact verify tests/jest jest-fail.txt
  cairn compact verify --json build/make make-fail.txt | jq .restored`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 && (len(args) != 0 || term.IsTerminal(env.Stdin)) {
				return command.Usage(term.Hint(errors.New("verify needs a rule and a fixture"), "cairn compact list-rules prints the rules"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 2 {
				return runCompactVerify(env, asJSON, args[0], args[1])
			}
			return runVerifyRequest(env)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was sent and what came back as JSON")
	return cmd
}

// A verifyReport is what the dry run prints.
type verifyReport struct {
	Rule        string                 `json:"rule"`
	LinesBefore int                    `json:"linesBefore"`
	LinesAfter  int                    `json:"linesAfter"`
	Trigger     string                 `json:"trigger"` // "" if nothing was left out, and so nothing would be sent
	Server      string                 `json:"server"`
	Model       string                 `json:"model"`
	Sent        []compact.QuestionLine `json:"sent"`
	SentTokens  int                    `json:"sentTokens"` // an estimate, the instructions included
	Redacted    int                    `json:"redacted"`   // lines
	Asked       bool                   `json:"asked"`
	Restored    []compact.QuestionLine `json:"restored"`
	Answer      *compact.Answer        `json:"answer,omitempty"`
}

func runCompactVerify(env *Env, asJSON bool, id, name string) error {
	fixture, err := readFixture(env, name)
	if err != nil {
		return err
	}
	how := compactOptions(env, env.Here())
	how.Tee.Dir = ""
	if _, err := findRule(how.Library, id); err != nil {
		return err
	}
	how.Rule = id
	set := loadConfig(env)
	how.Verify = verifySettings(env, set)
	how.Verify.Always = true
	r := verifyReport{Model: set.Text(config.VerifierModel), Sent: []compact.QuestionLine{}, Restored: []compact.QuestionLine{}}
	client, keyless := verifierClient(env, r.Model)
	r.Server = verifierServer(env)
	var failed error
	how.Verify.Ask = func(_ context.Context, q compact.Question) (compact.Answer, error) {
		r.Sent, r.Redacted = q.Lines, q.Redacted
		_, r.SentTokens = verifier.Prompt(q)
		if !set.Bool(config.VerifierEnabled) {
			failed = errCheckOff
			return compact.Answer{}, failed
		}
		if failed = keyless; failed != nil {
			return compact.Answer{}, failed
		}
		r.Asked = true
		var a compact.Answer
		if a, failed = askVerifier(client, q); failed == nil {
			r.Answer, r.Restored = &a, append(r.Restored, q.Pick(a)...)
		}
		return a, failed
	}
	m := compact.Compact(fixture.Envelope, how).Meta
	r.Rule, r.LinesBefore, r.LinesAfter, r.Trigger = m.Rule, m.LinesBefore, m.LinesAfter, m.VerifierTrigger
	if asJSON {
		err = printJSON(env, r)
	} else {
		err = r.print(env.Stdout)
	}
	if failed == errCheckOff { // it was only to be seen what would be sent
		term.PrintHint(env.Stderr, "nothing was sent: the LLM check is off; cairn config set %s true turns it on", config.VerifierEnabled)
		failed = nil
	}
	return errors.Join(err, failed)
}

var errCheckOff = errors.New("the LLM check is off")

func (r verifyReport) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rule\t%s: %d → %d lines\n", r.Rule, r.LinesBefore, r.LinesAfter)
	switch r.Trigger {
	case "":
		fmt.Fprintf(w, "asked\tno: nothing was left out\n")
		return w.Flush()
	case "userOptIn":
		fmt.Fprintf(w, "trigger\tnone: it would not be asked\n")
	default:
		fmt.Fprintf(w, "trigger\t%s\n", r.Trigger)
	}
	shown := 0
	for _, l := range r.Sent {
		if l.Shown {
			shown++
		}
	}
	fmt.Fprintf(w, "to send\t%d lines, %d of them left out, about %d tokens\n", len(r.Sent), len(r.Sent)-shown, r.SentTokens)
	fmt.Fprintf(w, "redacted\t%d lines\n", r.Redacted)
	fmt.Fprintf(w, "to\t%s at %s\n", r.Model, r.Server)
	if r.Answer != nil {
		fmt.Fprintf(w, "cost\t%d tokens in, %d out\n", r.Answer.InputTokens, r.Answer.OutputTokens)
		fmt.Fprintf(w, "restored\t%d lines\n", len(r.Restored))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range r.Restored {
		if _, err := fmt.Fprintf(out, "%6d  %s\n", l.N, l.Text); err != nil {
			return err
		}
	}
	return nil
}

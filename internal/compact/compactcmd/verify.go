package compactcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/config"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/verifier"
	"cairn/internal/verifier/client"
)

func verify() *command.Command {
	return &command.Command{
		Path: "compact verify", Args: []command.Arg{ruleArg, fixtureArg},
		Short: "Try the LLM check on a captured output",
		Long: "Compacts a captured output with one rule and shows what the LLM check would\n" +
			"send. If the check is on (compact.verifier.enabled) and " + verifier.KeyVariable + " is\n" +
			"set, it sends that and shows the lines that the model restores. Every run asks\n" +
			"again, and the tokens are billed. FIXTURE is a file as for cairn compact test.\n\n" +
			"Without arguments it reads a question (JSON) from stdin and prints the answer:\n" +
			"that is how hooks ask. " + verifier.URLVariable + " names another server.",
		Examples: []string{"cairn compact verify tests/jest jest-fail.txt", "cairn compact verify --json build/make make-fail.txt | jq .restored"},
		Effect:   command.Reads, Run: runVerify,
	}
}

func runVerify(c *command.Call) (*answer.Answer, error) {
	switch n := len(c.Args()); {
	case n == 2:
		return tryCheck(c)
	case n == 0 && !term.IsTerminal(c.Stdin):
		answerQuestion(c)
		return nil, nil
	}
	return nil, command.Usage(term.Hint(errors.New("verify needs a rule and a fixture"), "cairn compact list-rules prints the rules"))
}

// A checkReport is what the dry run prints.
type checkReport struct {
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

func tryCheck(c *command.Call) (*answer.Answer, error) {
	fixture := readFixture(c)
	how := setup.Options(c.Env, c.Here())
	how.Tee.Dir, how.Rule = "", c.Arg("RULE")
	if _, err := findRule(how.Library, how.Rule); err != nil {
		return nil, err
	}
	set, warnings := config.Load(c.Here(), c.Getenv)
	for _, w := range warnings {
		term.Warn(c.Stderr, "%v", w)
	}
	how.Verify = setup.Check(c.Env, set)
	how.Verify.Always = true
	model := client.FromEnv(c.Getenv, set.Text(config.VerifierModel))
	r := checkReport{Server: model.BaseURL, Model: model.Model, Sent: []compact.QuestionLine{}, Restored: []compact.QuestionLine{}}
	off := false
	var failed error
	how.Verify.Ask = func(_ context.Context, q compact.Question) (a compact.Answer, err error) {
		r.Sent, r.Redacted = q.Lines, q.Redacted
		_, r.SentTokens = client.Prompt(q)
		if off = !set.Bool(config.VerifierEnabled); off { // only what would be sent was asked for
			return a, errors.New("the LLM check is off")
		}
		r.Asked = model.Key != ""
		if a, failed = ask(model, q); failed == nil {
			r.Answer, r.Restored = &a, append(r.Restored, q.Pick(a)...)
		}
		return a, failed
	}
	m := compact.Compact(fixture.Envelope, how).Meta
	r.Rule, r.LinesBefore, r.LinesAfter, r.Trigger = m.Rule, m.LinesBefore, m.LinesAfter, m.VerifierTrigger
	if off {
		term.PrintHint(c.Stderr, "nothing was sent: the LLM check is off; cairn config set %s true turns it on", config.VerifierEnabled)
	}
	return &answer.Answer{Data: r, View: r.view(), Err: failed}, nil
}

func (r checkReport) view() answer.View {
	t := answer.Facts("rule", fmt.Sprintf("%s: %d → %d lines", r.Rule, r.LinesBefore, r.LinesAfter))
	switch r.Trigger {
	case "":
		t.Add("asked", "no: nothing was left out")
		return t
	case "userOptIn":
		t.Add("trigger", "none: it would not be asked")
	default:
		t.Add("trigger", r.Trigger)
	}
	shown := 0
	for _, l := range r.Sent {
		if l.Shown {
			shown++
		}
	}
	t.Add("to send", fmt.Sprintf("%d lines, %d of them left out, about %d tokens", len(r.Sent), len(r.Sent)-shown, r.SentTokens))
	t.Add("redacted", fmt.Sprintf("%d lines", r.Redacted))
	t.Add("to", r.Model+" at "+r.Server)
	if r.Answer != nil {
		t.Add("cost", fmt.Sprintf("%d tokens in, %d out", r.Answer.InputTokens, r.Answer.OutputTokens))
		t.Add("restored", fmt.Sprintf("%d lines", len(r.Restored)))
	}
	return answer.Views{t, answer.Text(func(w io.Writer) {
		for _, l := range r.Restored {
			fmt.Fprintf(w, "%6d  %s\n", l.N, l.Text)
		}
	})}
}

// answerQuestion is the other end of verifier.AskChild.
func answerQuestion(c *command.Call) {
	data := must.Get(io.ReadAll(c.Stdin))
	var req verifier.Request
	if err := json.Unmarshal(data, &req); err != nil {
		must.Fail(command.Data(term.Hint(fmt.Errorf("stdin is not a question: %w", err), "cairn compact verify RULE FIXTURE tries the LLM check")))
	}
	var reply verifier.Reply
	var err error
	if reply.Answer, err = ask(client.FromEnv(c.Getenv, req.Model), req.Question); errors.Is(err, client.ErrAnswer) {
		reply.Error, err = err.Error(), nil
	}
	must.OK(err)
	must.Get(c.Stdout.Write(must.Get(answer.JSON(reply))))
}

func ask(model client.Client, q compact.Question) (compact.Answer, error) {
	if model.Key == "" {
		return compact.Answer{}, command.Auth(term.Hint(errors.New("the LLM check needs a key, and "+verifier.KeyVariable+" is not set"),
			"export %s=… and run this again", verifier.KeyVariable))
	}
	ctx, cancel := context.WithTimeout(context.Background(), compact.VerifyLimit)
	defer cancel()
	a, err := model.Ask(ctx, q)
	var status *client.StatusError
	var network *url.Error
	switch {
	case errors.As(err, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden):
		err = command.Auth(term.Hint(err, "is %s right?", verifier.KeyVariable))
	case errors.As(err, &status), errors.As(err, &network):
		err = command.Net(err)
	}
	return a, err
}

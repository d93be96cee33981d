package compactcmd

import (
	"errors"
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/must"
	"cairn/internal/term"
)

func try() *command.Command {
	return &command.Command{
		Path: "compact test", Args: []command.Arg{ruleArg, fixtureArg},
		Short: "Compact an envelope from stdin, or a captured output",
		Long: "Without arguments, reads an envelope (JSON) from stdin and prints the compacted\n" +
			"output. With a rule and a captured output, shows which lines the rule leaves\n" +
			"out (-) and what stands in their place (+); nothing is stored. With\n" +
			"CAIRN_COMPACT_VERIFY=1 the LLM check looks at an envelope's result, too.\n\n" +
			"FIXTURE is a file with a header of \"key: value\" lines (command, exit, keep), a\n" +
			"blank line and the output.",
		Flags:    []command.Flag{levelFlag},
		Exits:    `5 if the rule loses a "keep" line`,
		Examples: []string{"cairn compact test --json < envelope.json", "cairn compact test tests/jest jest-fail.txt"},
		Effect:   command.Reads, Run: runTry,
	}
}

func runTry(c *command.Call) (*answer.Answer, error) {
	switch len(c.Args()) {
	case 0:
		return tryEnvelope(c)
	case 2:
		return tryRule(c)
	}
	return nil, command.Usage(term.Hint(errors.New("test needs a rule and a fixture, or an envelope on stdin"), "cairn compact list-rules prints the rules"))
}

func tryEnvelope(c *command.Call) (*answer.Answer, error) {
	data := must.Get(io.ReadAll(c.Stdin))
	e, err := compact.ParseEnvelope(data)
	if err != nil {
		return nil, command.Data(term.Hint(fmt.Errorf("stdin is not an envelope: %w", err),
			`an envelope is JSON: {"command": "go test ./...", "combinedText": "…", "exitCode": 1}`))
	}
	how := setup.Options(c.Env, c.WorkDir(e.Cwd))
	how.Level = level(c, how.Level)
	if setup.CheckForced(c.Env) { // or else equal envelopes have equal results
		how.Verify = setup.Checked(c.Env, c.WorkDir(e.Cwd), "").Verify
	}
	res := compact.Compact(e, how)
	return &answer.Answer{Data: res, View: whole(res.Reduced)}, nil
}

// whole is a view of an output, byte for byte: it is what an agent would read.
func whole(text string) answer.View {
	return answer.Painted(func(p *answer.Page) error {
		_, err := io.WriteString(p, text)
		return err
	})
}

func tryRule(c *command.Call) (*answer.Answer, error) {
	fixture := readFixture(c)
	how := setup.Options(c.Env, c.Here())
	how.Level, how.Tee.Dir, how.Rule = level(c, how.Level), "", c.Arg("RULE")
	how.Library = setup.AllRules(c.Env, c.Here()) // a rule is tried before it is trusted
	if _, err := findRule(how.Library, how.Rule); err != nil {
		return nil, err
	}
	res := compact.Compact(fixture.Envelope, how)
	m := res.Meta
	a := &answer.Answer{
		Data: res, View: whole(compact.Diff(fixture.CombinedText, res.Reduced)),
		Said: m.Rule + ": " + change(m),
	}
	if lost := fixture.Lost(res.Reduced); len(lost) > 0 {
		a.Err = command.Gate(fmt.Errorf("%s: the rule loses a line that must be kept: %s", c.Arg("FIXTURE"), lost[0]))
	}
	return a, nil
}

// change says how much was cut.
func change(m compact.Meta) string {
	return fmt.Sprintf("%d → %d lines, %d → %d tokens", m.LinesBefore, m.LinesAfter, m.TokensBefore, m.TokensAfter)
}

package cli

// The file of `cairn compact test` cannot be called compact_test.go: Go would
// take it for a test.

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/term"
)

type compactTestOptions struct {
	json  bool
	level string
}

func newCompactTest(env *Env) *cobra.Command {
	var opts compactTestOptions
	cmd := &cobra.Command{
		Use:   "test [RULE FIXTURE]",
		Short: "Compact an envelope from stdin, or a captured output with one rule",
		Long: `Without arguments, reads an envelope (JSON) from stdin and prints the compacted
output, or with --json the result with its meta data. With a rule and a
captured output, shows which of its lines that rule leaves out (-) and what
stands in their place (+); nothing is stored. With CAIRN_COMPACT_VERIFY=1 an
envelope's result is verified as an agent's is.

FIXTURE is a file with a header of "key: value" lines (command, exit, keep), a
blank line, and then the output. Exit code 5 when a "keep" line is lost.`,
		Example: `  cairn compact test --json < envelope.json
  cairn compact test tests/jest jest-fail.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 0 && len(args) != 2 {
				return command.Usage(term.Hint(fmt.Errorf("test needs a rule and a fixture, or an envelope on stdin"), "cairn compact list-rules prints the rules"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 2 {
				return runCompactTestRule(env, opts, args[0], args[1])
			}
			return runCompactTest(env, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the result with its meta data as JSON")
	cmd.Flags().StringVar(&opts.level, "level", "", "how much to cut: minimal, normal or aggressive")
	return cmd
}

// options applies the flags.
func (o compactTestOptions) options(env *Env, dir string) (how compact.Options, err error) {
	how = compactOptions(env, dir)
	how.Level, err = levelFlag(o.level, how.Level)
	return how, err
}

func runCompactTest(env *Env, opts compactTestOptions) error {
	data, err := io.ReadAll(env.Stdin)
	if err != nil {
		return err
	}
	e, err := compact.ParseEnvelope(data)
	if err != nil {
		return command.Data(term.Hint(fmt.Errorf("stdin is not an envelope: %w", err),
			`an envelope is JSON: {"command": "go test ./...", "combinedText": "…", "exitCode": 1}`))
	}
	how, err := opts.options(env, env.WorkDir(e.Cwd))
	if err != nil {
		return err
	}
	if verifyWanted(env) { // or else equal envelopes have equal results
		how.Verify = verifiedOptions(env, env.WorkDir(e.Cwd), "").Verify
	}
	res := compact.Compact(e, how)
	if opts.json {
		return printJSON(env, res)
	}
	_, err = io.WriteString(env.Stdout, res.Reduced)
	return err
}

func runCompactTestRule(env *Env, opts compactTestOptions, id, name string) error {
	fixture, err := readFixture(env, name)
	if err != nil {
		return err
	}
	how, err := opts.options(env, env.Here())
	if err != nil {
		return err
	}
	how.Tee.Dir = ""
	how.Library = loadRulesAs(env, env.Here(), true) // a rule is tried before it is trusted
	if _, err := findRule(how.Library, id); err != nil {
		return err
	}
	how.Rule = id
	res := compact.Compact(fixture.Envelope, how)
	if opts.json {
		if err := printJSON(env, res); err != nil {
			return err
		}
	} else if _, err := io.WriteString(env.Stdout, compact.Diff(fixture.CombinedText, res.Reduced)); err != nil {
		return err
	}
	m := res.Meta
	fmt.Fprintf(env.Stderr, "%s: %d → %d lines, %d → %d tokens\n", m.Rule, m.LinesBefore, m.LinesAfter, m.TokensBefore, m.TokensAfter)
	if lost := fixture.Lost(res.Reduced); len(lost) > 0 {
		return command.Gate(fmt.Errorf("%s: the rule loses a line that must be kept: %s", name, lost[0]))
	}
	return nil
}

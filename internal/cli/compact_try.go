package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/compact"
	"cairn/internal/term"
)

type compactTestOptions struct {
	json bool
	dir  string
}

func newCompactTest(env *Env) *cobra.Command {
	var opts compactTestOptions
	cmd := &cobra.Command{
		Use:   "test [RULE FIXTURE]",
		Short: "Compact an envelope from stdin, or a fixture with one rule",
		Example: `  cairn compact test --json < envelope.json
  cairn compact test tests/jest jest-fail.txt`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			return runCompactTest(env, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.json, "json", false, "print the result with its meta data as JSON")
	return cmd
}

func runCompactTest(env *Env, opts compactTestOptions) error {
	data, err := io.ReadAll(env.Stdin)
	if err != nil {
		return err
	}
	e, err := compact.ParseEnvelope(data)
	if err != nil {
		return withKind(errData, term.Hint(fmt.Errorf("stdin: not an envelope: %w", err),
			`the envelope is JSON: {"command": "go test ./...", "combinedText": "…", "exitCode": 1}`))
	}
	res := compact.Compact(e, compactOptions(env, workDir(e.Cwd)))
	if opts.json {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(res)
	}
	_, err = io.WriteString(env.Stdout, res.Reduced)
	return errors.Join(err)
}

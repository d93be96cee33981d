package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/config"
	"cairn/internal/text"
)

func newConfigList(env *Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Print every setting with its value and where it came from",
		Example: "  cairn config list\n  cairn config list --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runConfigList(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of {key, value, default, source, env, doc}")
	return cmd
}

func runConfigList(env *Env, asJSON bool) error {
	values := loadConfig(env).Values()
	if asJSON {
		rows := make([]configRow, len(values))
		for i, v := range values {
			rows[i] = rowOf(v)
		}
		return printJSON(env, rows)
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, v := range values {
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Setting.Key, text.Cut(v.String(), longest), v.Source)
	}
	return w.Flush()
}

// longest keeps a list from pushing the next column off the screen; `config get`
// prints it whole.
const longest = 40

// A configRow is one setting as --json prints it.
type configRow struct {
	Key     string        `json:"key"`
	Value   any           `json:"value"`
	Default string        `json:"default"` // as `config set` reads it
	Source  config.Source `json:"source"`
	Env     string        `json:"env"`
	Doc     string        `json:"doc"`
}

func rowOf(v config.Value) configRow {
	return configRow{v.Setting.Key, v.Any, v.Setting.Default, v.Source, v.Setting.Env, v.Setting.Doc}
}

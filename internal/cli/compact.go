package cli

import (
	"os"

	"github.com/spf13/cobra"

	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/home"
)

func newCompact(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "compact",
		Short:   "Cut tool output to what matters: rules, stored outputs, tests",
		Example: "  cairn compact list-rules\n  cairn compact show k3f9x --grep FAIL",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newCompactListRules(env), newCompactShow(env), newCompactTest(env), newCompactReload(env),
		newInstall(env), newUninstall(env), newDoctor(env),
	)
	return cmd
}

// compactOptions are the settings of a compaction in directory dir.
func compactOptions(env *Env, dir string) compact.Options {
	h := home.Find(env.Getenv)
	project := ""
	if repo := home.FindRepo(dir); repo != "" {
		project = repo.Rules()
	}
	return compact.Options{
		Level:   compact.Normal,
		Library: rule.Load(h.Rules(), project),
		Tee:     compact.Tee{Dir: h.Tee()},
	}
}

// workDir is where the command runs; an envelope may name another directory.
func workDir(named string) string {
	if named != "" {
		return named
	}
	dir, _ := os.Getwd()
	return dir
}

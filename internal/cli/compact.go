package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/project"
	"cairn/internal/term"
)

func newCompact(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "compact",
		Short:   "Cut tool output to what matters: rules, savings, stored outputs",
		Example: "  cairn compact gain\n  cairn compact show k3f9x --grep FAIL",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newCompactShow(env),
		newCompactGain(env),
		newCompactListRules(env),
		newCompactTest(env),
		newCompactVerify(env),
		newCompactReload(env),
		newCompactDiscover(env),
		newCompactNewRule(env),
		newCompactBenchmark(env),
		newInstall(env, host.Compact), newUninstall(env, host.Compact), newDoctor(env),
	)
	return cmd
}

// loadRules reads the rules that count in directory dir.
func loadRules(env *Env, dir string) *rule.Library { return loadRulesAs(env, dir, false) }

// loadRulesAs reads a repository's rules whether or not they are trusted, if a
// person wants to see what they would do.
func loadRulesAs(env *Env, dir string, untrusted bool) *rule.Library {
	library := rule.Load(home.Find(env.Getenv).Rules())
	if d := projectDir(env, dir); d != nil {
		files := d.TrustedRules
		if untrusted {
			files = d.Files
		}
		library.LoadProject(ruleFiles(d, files()))
	}
	return library
}

// ruleFiles are those of a repository's files that are rules, by their paths.
func ruleFiles(d *project.Dir, files []project.File) map[string][]byte {
	rules := map[string][]byte{}
	for _, f := range files {
		if f.Err == nil && strings.HasPrefix(f.Name, project.Rules+"/") {
			rules[d.Path(f.Name)] = f.Data
		}
	}
	return rules
}

// projectDir is the .cairn of the repository that dir is in, nil where there is
// none.
func projectDir(env *Env, dir string) *project.Dir {
	repo := home.FindRepo(dir, env.Getenv)
	if repo == "" {
		return nil
	}
	d := project.Open(home.Find(env.Getenv), repo)
	if !d.Exists() {
		return nil
	}
	return d
}

// compactOptions are the settings of a compaction in directory dir. What is
// wrong with them is left for the config verbs to say: a hook stays silent.
func compactOptions(env *Env, dir string) compact.Options {
	set, _ := config.Load(dir, env.Getenv)
	return optionsOf(env, dir, set)
}

// optionsOf are compactOptions with settings that were read already.
func optionsOf(env *Env, dir string, set config.Config) compact.Options {
	h := home.Find(env.Getenv)
	level, _ := compact.ParseLevel(set.Text(config.CompactLevel))
	tee := compact.Tee{
		Dir:      h.Tee(),
		MaxBytes: set.Int(config.CompactTeeBytes),
		MaxAge:   time.Duration(set.Int(config.CompactTeeDays)) * 24 * time.Hour,
		Redact:   set.List(config.CompactTeeRedact),
	}
	if on, _ := set.Value(config.CompactTeeOnExit); on.Source.Kind != config.Default {
		tee.OnExit = on.String() // else a rule may say
	}
	library := loadRules(env, dir)
	library.Quarantine(h.FailedRules())
	return compact.Options{
		Off:         !set.Bool(config.CompactEnabled),
		Level:       level,
		Library:     library,
		Exclude:     set.List(config.CompactExclude),
		RegexBudget: time.Duration(set.Int(config.CompactRegexMS)) * time.Millisecond,
		Tee:         tee,
	}
}

// levelFlag is the level that a flag names, or the setting's where it names none.
func levelFlag(name string, setting compact.Level) (compact.Level, error) {
	if name == "" {
		return setting, nil
	}
	level, ok := compact.ParseLevel(name)
	if !ok {
		return level, command.Usage(term.Hint(fmt.Errorf("unknown level %q", name), "minimal, normal or aggressive"))
	}
	return level, nil
}

// findRule returns the effective rule with an id that a user named.
func findRule(lib *rule.Library, id string) (*rule.Rule, error) {
	r, err := lib.Rule(id)
	if err == nil && r == nil {
		err = term.Hint(fmt.Errorf("no rule is called %q", id), "cairn compact list-rules prints them")
	}
	return r, command.Data(err)
}

// readFixture reads a captured output that a user named.
func readFixture(env *Env, name string) (compact.Fixture, error) {
	data, err := os.ReadFile(env.Path(name))
	if err != nil {
		return compact.Fixture{}, err
	}
	f, err := compact.ParseFixture(data)
	if err != nil {
		err = command.Dataf("%s: %w", name, err)
	}
	return f, err
}

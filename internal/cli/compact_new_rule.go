package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/compact"
	"cairn/internal/compact/command"
	"cairn/internal/compact/propose"
	"cairn/internal/compact/rule"
	"cairn/internal/home"
	"cairn/internal/redact"
	"cairn/internal/term"
)

type compactNewRuleOptions struct {
	user, print, force bool
}

func newCompactNewRule(env *Env) *cobra.Command {
	var opts compactNewRuleOptions
	cmd := &cobra.Command{
		Use:   "new-rule [flags] -- COMMAND…",
		Short: "Run a command and draft a rule for its output",
		Long: `Runs a command, stores what it printed (secrets removed) as a fixture, drafts a
rule for it and shows what the rule makes of it. The draft drops and counts
lines that repeat; correct it, then try it again with cairn compact test.

Rule and fixture go to the repository's .cairn/rules, with --user to yours.`,
		Example: `  cairn compact new-rule -- ./deploy.sh staging
  cairn compact new-rule --print -- shipit up`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return withKind(errUsage, term.Hint(errors.New("no command to run"), "cairn compact new-rule -- ./deploy.sh staging"))
			}
			return runCompactNewRule(env, opts, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.BoolVar(&opts.user, "user", false, "write to your own rules instead of the repository's")
	f.BoolVar(&opts.print, "print", false, "print the draft and write nothing")
	f.BoolVar(&opts.force, "force", false, "even if another rule is for this command, or the files are there")
	return cmd
}

func runCompactNewRule(env *Env, opts compactNewRuleOptions, argv []string) error {
	dir := workDir("")
	cmd := command.Join(argv)
	library := loadRules(env, dir)
	if id := library.Find(rule.Target{Command: command.Parse(cmd)}); id != "" && !opts.force {
		return withKind(errUsage, term.Hint(fmt.Errorf("the rule %s is for this command already", id),
			"cairn compact list-rules %s prints it; a rule file with that id changes parts of it; --force drafts another", id))
	}
	cmd = redact.Text(cmd)
	base, err := "", error(nil)
	if !opts.print { // whatever is in the way is told before the command runs
		if base, err = opts.place(env, dir, path.Base(propose.ID(cmd))); err != nil {
			return err
		}
	}
	fixture, err := capture(env, argv)
	if err != nil {
		return err
	}
	draft := propose.Rule(cmd, fixture.CombinedText)
	text, err := draft.JSON()
	if err != nil {
		return err
	}
	if opts.print {
		_, err := fmt.Fprintln(env.Stdout, string(text))
		return err
	}
	if err := opts.write(base, fixture, text); err != nil {
		return err
	}
	how := compact.Options{Level: compact.Normal, Library: loadRules(env, dir), Rule: draft.ID}
	res := compact.Compact(fixture.Envelope, how)
	fmt.Fprint(env.Stdout, res.Reduced)
	fmt.Fprintf(env.Stderr, "\nrule     %s.json\nfixture  %s.txt\n", base, base)
	fmt.Fprintf(env.Stderr, "result   %d → %d lines, %d → %d tokens\n", res.Meta.LinesBefore, res.Meta.LinesAfter, res.Meta.TokensBefore, res.Meta.TokensAfter)
	term.PrintHint(env.Stderr, "correct the rule, then cairn compact test %s %s.txt", draft.ID, base)
	return nil
}

// place is where the files go, without their extension.
func (o compactNewRuleOptions) place(env *Env, dir, name string) (string, error) {
	rules := home.Find(env.Getenv).Rules()
	if repo := home.FindRepo(dir, env.Getenv); !o.user {
		if repo == "" {
			return "", withKind(errUsage, term.Hint(errors.New("this is no repository"), "--user writes to your own rules"))
		}
		rules = repo.Rules()
	}
	base := filepath.Join(rules, name)
	for _, ext := range []string{".json", ".txt"} {
		if _, err := os.Lstat(base + ext); err == nil && !o.force {
			return "", withKind(errData, term.Hint(fmt.Errorf("%s is there already", base+ext), "--force overwrites it"))
		}
	}
	return base, nil
}

// write writes the files, the rule last: with it the draft takes effect.
func (o compactNewRuleOptions) write(base string, f compact.Fixture, rule []byte) error {
	dirMode, mode := home.SharedDir, home.SharedFile
	if o.user {
		dirMode, mode = home.PrivateDir, home.PrivateFile
	}
	if err := os.MkdirAll(filepath.Dir(base), dirMode); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(base+".txt", f.Format(), mode); err != nil {
		return err
	}
	err := atomicfile.WriteFile(base+".json", append(rule, '\n'), mode)
	if err != nil && !o.force {
		os.Remove(base + ".txt")
	}
	return err
}

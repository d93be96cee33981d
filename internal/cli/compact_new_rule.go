package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/propose"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
	"cairn/internal/home"
	"cairn/internal/project"
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
				return command.Usage(term.Hint(errors.New("no command to run"), "cairn compact new-rule -- ./deploy.sh staging"))
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
	dir := env.Here()
	cmd := shell.Join(argv)
	library := loadRules(env, dir)
	if id := library.Find(rule.Target{Command: shell.Parse(cmd)}); id != "" && !opts.force {
		return command.Usage(term.Hint(fmt.Errorf("the rule %s is for this command already", id),
			"cairn compact list-rules %s prints it; a rule file with that id changes parts of it; --force drafts another", id))
	}
	cmd = redact.Text(cmd)
	var (
		at  rulePlace
		err error
	)
	if !opts.print { // whatever is in the way is told before the command runs
		if at, err = opts.place(env, dir, path.Base(propose.ID(cmd))); err != nil {
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
	if err := at.write(fixture, text, opts.force); err != nil {
		return err
	}
	how := compact.Options{Level: compact.Normal, Library: loadRules(env, dir), Rule: draft.ID}
	res := compact.Compact(fixture.Envelope, how)
	fmt.Fprint(env.Stdout, res.Reduced)
	fmt.Fprintf(env.Stderr, "\nrule     %s.json\nfixture  %s.txt\n", at.base, at.base)
	fmt.Fprintf(env.Stderr, "result   %d → %d lines, %d → %d tokens\n", res.Meta.LinesBefore, res.Meta.LinesAfter, res.Meta.TokensBefore, res.Meta.TokensAfter)
	term.PrintHint(env.Stderr, "correct the rule, then cairn compact test %s %s.txt%s", draft.ID, at.base, at.edited())
	return nil
}

// A rulePlace is where a rule and its fixture go.
type rulePlace struct {
	base string       // without their extension
	in   *project.Dir // the repository's .cairn; nil for the user's own rules
}

// place is where the files go.
func (o compactNewRuleOptions) place(env *Env, dir, name string) (at rulePlace, err error) {
	rules := home.Find(env.Getenv).Rules()
	if repo := home.FindRepo(dir, env.Getenv); !o.user {
		if repo == "" {
			return at, command.Usage(term.Hint(errors.New("this is no repository"), "--user writes to your own rules"))
		}
		rules, at.in = repo.Rules(), project.Open(home.Find(env.Getenv), repo)
	}
	at.base = filepath.Join(rules, name)
	for _, ext := range []string{".json", ".txt"} {
		if _, err := os.Lstat(at.base + ext); err == nil && !o.force {
			return at, command.Data(term.Hint(fmt.Errorf("%s is there already", at.base+ext), "--force overwrites it"))
		}
	}
	return at, nil
}

// edited is what has to follow before a rule that was corrected has an effect.
func (at rulePlace) edited() string {
	if at.in == nil {
		return ""
	}
	return "; cairn trust lets it take effect"
}

// write writes the files, the rule last: with it the draft takes effect. Who
// has a rule of the repository drafted trusts it.
func (at rulePlace) write(f compact.Fixture, rule []byte, force bool) error {
	rule = append(rule, '\n')
	if at.in != nil {
		name := project.Rules + "/" + filepath.Base(at.base)
		if err := at.in.Write(name+".txt", f.Format(), home.SharedDir, home.SharedFile); err != nil {
			return err
		}
		err := at.in.WriteTrusted(name+".json", rule, home.SharedFile)
		if err != nil && !force {
			_ = at.in.Remove(name + ".txt")
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(at.base), home.PrivateDir); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(at.base+".txt", f.Format(), home.PrivateFile); err != nil {
		return err
	}
	err := atomicfile.WriteFile(at.base+".json", rule, home.PrivateFile)
	if err != nil && !force {
		os.Remove(at.base + ".txt")
	}
	return err
}

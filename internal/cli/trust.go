package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

type trustOptions struct {
	show, yes, revoke, list, json bool
}

func newTrust(env *Env) *cobra.Command {
	var opts trustOptions
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Decide whether a repository may change what cairn does",
		Long: `Shows what a repository's .cairn/config.toml, .cairn/rules and .cairn/team.json
would do, and asks whether you trust them. Until you do they are ignored, with
one line that says so.

Trust is for the content of each file: after any change it is asked for again.
It is kept in ~/.cairn/trust by the repository's path; linked worktrees of git
share it. Files that cairn writes for you (cairn config set --project, cairn
compact new-rule, cairn sync init, cairn up) are trusted as they are written,
and cairn sync setup trusts the team.json that it signs in with. In CI,
CAIRN_URL with a token is the trust in team.json.

Without a terminal, --yes is needed.`,
		Example: "  cairn trust\n  cairn trust ~/src/shop --show\n  cairn trust --list",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := env.Here()
			if len(args) == 1 {
				dir = args[0]
			}
			return runTrust(env, opts, dir)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.show, "show", false, "only show what the files would do")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	f.BoolVar(&opts.revoke, "revoke", false, "trust nothing of this repository any more")
	f.BoolVar(&opts.list, "list", false, "list the repositories that you trust")
	f.BoolVar(&opts.json, "json", false, "print it as JSON; trusts nothing without --yes")
	cmd.MarkFlagsMutuallyExclusive("show", "yes", "revoke", "list")
	return cmd
}

// trustReport is what --json prints.
type trustReport struct {
	Repository string       `json:"repository"`
	Trusted    bool         `json:"trusted"` // every file
	Files      []trustsFile `json:"files"`
}

func runTrust(env *Env, opts trustOptions, dir string) error {
	h := home.Find(env.Getenv)
	if opts.list {
		return listTrust(env, h, opts.json)
	}
	dir, err := env.Abs(dir)
	if err != nil {
		return err
	}
	repo := home.FindRepo(dir, env.Getenv)
	if repo == "" {
		return command.Usage(term.Hint(fmt.Errorf("%s is in no repository: no .git and no .cairn is there or above", dir), "cairn trust DIR names another directory"))
	}
	d := project.Open(h, repo)
	if opts.revoke {
		return revokeTrust(env, d, repo, opts.json)
	}
	files := d.Files()
	report := trustReport{Repository: string(repo), Trusted: true, Files: []trustsFile{}}
	wanted := map[string][]byte{}
	for _, f := range files {
		if !f.Trusted && f.Err == nil {
			wanted[f.Name] = f.Data
		}
		report.Files = append(report.Files, describe(d, f))
	}
	if !opts.json {
		report.print(env)
	}
	trusted := false
	if len(wanted) > 0 && !opts.show && (opts.yes || !opts.json) {
		if h, ok := host.Running(env.Getenv); ok && !term.IsTerminal(env.Stdin) {
			return command.Auth(term.Hint(fmt.Errorf("%s runs this command: whether to trust a repository is for a person to say", h.Title), "run cairn trust in a terminal of your own"))
		}
		if trusted, err = env.Confirm(opts.yes, fmt.Sprintf("Trust %s?", text.Count(len(wanted), "file"))); err != nil {
			return err
		}
	}
	if trusted {
		if err := d.Trust(wanted); err != nil { // what was shown, not what is there now
			return err
		}
	}
	for i := range report.Files {
		if f := &report.Files[i]; trusted && f.State != stateBroken {
			f.State = stateTrusted
		}
		report.Trusted = report.Trusted && report.Files[i].State == stateTrusted
	}
	if opts.json {
		return printJSON(env, report)
	}
	if trusted {
		fmt.Fprintf(env.Stdout, "trusted %s; after a change cairn trust asks again\n", text.Count(len(wanted), "file"))
	}
	return nil
}

func revokeTrust(env *Env, d *project.Dir, repo home.Repo, asJSON bool) error {
	was, err := d.Revoke()
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env, struct {
			Repository string `json:"repository"`
			Revoked    bool   `json:"revoked"`
		}{string(repo), was})
	}
	text := "nothing of %s was trusted\n"
	if was {
		text = "nothing of %s is trusted any more\n"
	}
	_, err = fmt.Fprintf(env.Stdout, text, term.Printable(string(repo)))
	return err
}

func listTrust(env *Env, h home.Home, asJSON bool) error {
	list, err := project.List(h)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env, list)
	}
	for _, t := range list {
		fmt.Fprintf(env.Stdout, "%s\n", term.Printable(t.Repository))
		for _, name := range t.Files {
			fmt.Fprintf(env.Stdout, "  %s\n", term.Printable(name))
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(env.Stderr, "you trust no repository yet; cairn trust in one shows what it would do")
	}
	return nil
}

// untrusted says in a line what of the repository that dir is in is ignored, ""
// for nothing. It names no file: strangers choose names. Of team.json the
// commands say so that would use it.
func untrusted(env *Env, dir string) string {
	d := projectDir(env, dir)
	if d == nil {
		return ""
	}
	settings, rules, links := false, 0, false
	for _, f := range d.Files() {
		switch {
		case f.Trusted, f.Name == project.Team:
		case f.Err != nil: // whoever reads it says why
			links = links || errors.Is(f.Err, errOutside) && f.Name == project.Config
		case f.Name == project.Config:
			settings = true
		default:
			rules++
		}
	}
	var what string
	switch {
	case settings && rules > 0:
		what = "settings and " + text.Count(rules, "rule")
	case settings:
		what = "settings"
	case rules > 0:
		what = text.Count(rules, "rule")
	case links:
		return "links in this repository's .cairn lead out of it, so they are not followed"
	default:
		return ""
	}
	return fmt.Sprintf("the %s in this repository's .cairn are not trusted, so they are ignored; cairn trust shows what they would do", what)
}

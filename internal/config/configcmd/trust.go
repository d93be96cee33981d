package configcmd

import (
	"fmt"
	"io"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

func trust() *command.Command {
	return &command.Command{
		Path: "trust", Args: []command.Arg{{Name: "DIR", Optional: true}},
		Short: "Decide whether a repository may change what cairn does",
		Long: "Shows what a repository's .cairn/config.toml, .cairn/rules and .cairn/team.json\n" +
			"would do, and asks whether you trust them. Until you do, cairn ignores them and\n" +
			"warns that it does.\n\n" +
			"You trust the content of each file: after any change cairn asks again. Trust is\n" +
			"stored in ~/.cairn/trust by the repository's path; linked worktrees of git\n" +
			"share it. Files that cairn writes for you (cairn config set --project, cairn\n" +
			"compact new-rule, cairn sync init, cairn up) are trusted as they are written,\n" +
			"and cairn sync setup trusts the team.json that it signs in with. In CI,\n" +
			"CAIRN_URL with a token stands for trust in team.json.\n\n" +
			"Without a terminal, --yes is required.",
		Flags: []command.Flag{
			{Name: "show", Default: false, Help: "only show what the files would do"},
			{Name: "yes", Default: false, Help: "do not ask"},
			{Name: "revoke", Default: false, Help: "stop trusting this repository"},
			{Name: "list", Default: false, Help: "list the repositories that you trust"},
			{Name: "json", Default: false, Help: "print JSON; without --yes nothing is trusted"},
		},
		Exclusive: [][]string{{"show", "yes", "revoke", "list"}},
		Examples:  []string{"cairn trust", "cairn trust ~/src/shop --show", "cairn trust --list"},
		Effect:    command.Writes, Run: runTrust,
	}
}

// A report is what --json prints.
type report struct {
	Repository string `json:"repository"`
	Trusted    bool   `json:"trusted"` // every file
	Files      []file `json:"files"`
}

func runTrust(c *command.Call) (*answer.Answer, error) {
	h := home.Find(c.Getenv)
	if c.Bool("list") {
		return listTrusted(h)
	}
	dir := must.Get(c.Abs(c.Arg("DIR")))
	repo := home.FindRepo(dir, c.Getenv)
	if repo == "" {
		return nil, command.Usage(term.Hint(fmt.Errorf("%s is not in a repository: it and the directories above it have no .git and no .cairn", dir), "cairn trust DIR names another directory"))
	}
	d := project.Open(h, repo)
	if c.Bool("revoke") {
		return revoke(d, repo)
	}
	r := report{Repository: string(repo), Files: []file{}}
	wanted := map[string][]byte{}
	for _, f := range d.Files() {
		if !f.Trusted && f.Err == nil {
			wanted[f.Name] = f.Data
		}
		r.Files = append(r.Files, describe(d, f))
	}
	if c.AsText() { // before it asks
		must.OK((&answer.Answer{View: r.view()}).Print(c.Stdout, c.Stderr, answer.Form{}, false))
	}
	a := &answer.Answer{}
	if len(wanted) > 0 && !c.Bool("show") && (c.Bool("yes") || c.AsText()) {
		a.Done = confirm(c, len(wanted))
	}
	if a.Done {
		if err := d.Trust(wanted); err != nil { // what was shown, not what is there now
			return nil, err
		}
		for i, f := range r.Files {
			if f.State != stateBroken {
				r.Files[i].State = stateTrusted
			}
		}
		a.View = answer.Line("trusted %s; after a change cairn trust asks again", text.Count(len(wanted), "file"))
	}
	r.Trusted = !slices.ContainsFunc(r.Files, func(f file) bool { return f.State != stateTrusted })
	a.Data = r
	return a, nil
}

func confirm(c *command.Call, files int) bool {
	if h, ok := host.Running(c.Getenv); ok && !term.IsTerminal(c.Stdin) {
		must.Fail(command.Auth(term.Hint(fmt.Errorf("%s runs this command: whether to trust a repository is for a person to say", h.Title), "run cairn trust in a terminal of your own")))
	}
	return must.Get(c.Confirm(c.Bool("yes"), fmt.Sprintf("Trust %s?", text.Count(files, "file"))))
}

func revoke(d *project.Dir, repo home.Repo) (*answer.Answer, error) {
	was, err := d.Revoke()
	said := "nothing of %s was trusted"
	if was {
		said = "nothing of %s is trusted any more"
	}
	return &answer.Answer{Done: true, View: answer.Line(said, term.Printable(string(repo))), Data: struct {
		Repository string `json:"repository"`
		Revoked    bool   `json:"revoked"`
	}{string(repo), was}}, err
}

func listTrusted(h home.Home) (*answer.Answer, error) {
	list, err := project.List(h)
	a := &answer.Answer{Data: list, View: answer.Text(func(w io.Writer) {
		for _, t := range list {
			fmt.Fprintln(w, term.Printable(t.Repository))
			for _, name := range t.Files {
				fmt.Fprintln(w, "  "+term.Printable(name))
			}
		}
	})}
	if len(list) == 0 {
		a.Said = "you trust no repository yet; cairn trust in one shows what it would do"
	}
	return a, err
}

func (r report) view() answer.View {
	if len(r.Files) == 0 {
		return answer.Line("nothing in %s needs trust: it has no settings, rules or team in .cairn", term.Printable(r.Repository))
	}
	said := map[string]string{
		stateTrusted: "trusted", stateNew: "not trusted", stateChanged: "changed since you trusted it", stateBroken: "cannot be read",
	}
	return answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s/.cairn\n", term.Printable(r.Repository))
		for _, f := range r.Files {
			fmt.Fprintf(w, "\n  %s: %s\n", term.Line(f.File), said[f.State])
			for _, line := range f.Does {
				fmt.Fprintf(w, "    %s\n", term.Line(line))
			}
		}
		fmt.Fprintln(w)
	})
}

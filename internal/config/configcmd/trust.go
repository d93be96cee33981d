package configcmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/must"
	"cairn/internal/plan"
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
			"warns that it does. A plan in .planning is shown and asked for, too: until you\n" +
			"trust it, agents are told that there is one when a session begins, and no word\n" +
			"of it. A plan is trusted as a whole, whatever is written into it later; cairn\n" +
			"plan init trusts the one that it makes.\n\n" +
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
	Trusted    bool   `json:"trusted"` // every file, and the plan
	Plan       *asked `json:"plan,omitempty"`
	Files      []file `json:"files"`
}

// An asked is a repository's plan.
type asked struct {
	Dir   string `json:"directory"`
	State string `json:"state"`
}

// planOf returns the plan that dir is in, nil for none, and where trust in it is
// kept: it need not be at the top of a repository.
func planOf(h home.Home, dir string) (*asked, *project.Dir) {
	w := must.Get(plan.Open(dir, ""))
	if !w.Exists() {
		return nil, nil
	}
	d := project.Open(h, home.Repo(w.Root))
	a := &asked{w.Abs(plan.Planning), stateNew}
	if d.TrustsPlan() {
		a.State = stateTrusted
	}
	return a, d
}

func runTrust(c *command.Call) (*answer.Answer, error) {
	h := home.Find(c.Getenv)
	if c.Bool("list") {
		return listTrusted(h)
	}
	dir := must.Get(c.Abs(c.Arg("DIR")))
	repo := home.FindRepo(dir, c.Getenv)
	of, planDir := planOf(h, dir)
	if repo == "" && of != nil {
		repo = home.Repo(filepath.Dir(of.Dir))
	}
	if repo == "" {
		return nil, command.Usage(term.Hint(fmt.Errorf("%s is not in a repository: it and the directories above it have no .git, no .cairn and no plan", dir), "cairn trust DIR names another directory"))
	}
	d := project.Open(h, repo)
	if c.Bool("revoke") {
		return revoke(repo, d, planDir)
	}
	r := report{Repository: string(repo), Plan: of, Files: []file{}}
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
	wantsPlan := of != nil && of.State == stateNew
	what := whatIs(len(wanted), wantsPlan)
	if what != "" && !c.Bool("show") && (c.Bool("yes") || c.AsText()) {
		a.Done = confirm(c, what)
	}
	if a.Done {
		if len(wanted) > 0 {
			must.OK(d.Trust(wanted)) // what was shown, not what is there now
		}
		if wantsPlan {
			must.OK(planDir.TrustPlan())
			of.State = stateTrusted
		}
		for i, f := range r.Files {
			if f.State != stateBroken {
				r.Files[i].State = stateTrusted
			}
		}
		a.View = answer.Line("trusted %s", what)
		if len(wanted) > 0 {
			a.View = answer.Line("trusted %s; after a change of a file cairn trust asks again", what)
		}
	}
	r.Trusted = (of == nil || of.State == stateTrusted) && !slices.ContainsFunc(r.Files, func(f file) bool { return f.State != stateTrusted })
	a.Data = r
	return a, nil
}

// whatIs names files and a plan, "" for neither.
func whatIs(files int, plan bool) string {
	switch {
	case plan && files > 0:
		return text.Count(files, "file") + " and the plan"
	case plan:
		return "the plan"
	case files > 0:
		return text.Count(files, "file")
	}
	return ""
}

func confirm(c *command.Call, what string) bool {
	if h, ok := host.Running(c.Getenv); ok && !term.IsTerminal(c.Stdin) {
		must.Fail(command.Auth(term.Hint(fmt.Errorf("%s runs this command: whether to trust a repository is for a person to say", h.Title), "run cairn trust in a terminal of your own")))
	}
	return must.Get(c.Confirm(c.Bool("yes"), fmt.Sprintf("Trust %s?", what)))
}

// revoke forgets what is trusted in a repository, and in its plan where that is
// elsewhere; nil for none.
func revoke(repo home.Repo, d, plan *project.Dir) (*answer.Answer, error) {
	was, err := d.Revoke()
	if plan != nil {
		also, perr := plan.Revoke()
		was, err = was || also, errors.Join(err, perr)
	}
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
			if t.Plan {
				fmt.Fprintln(w, "  the plan")
			}
		}
	})}
	if len(list) == 0 {
		a.Said = "you trust no repository yet; cairn trust in one shows what it would do"
	}
	return a, err
}

func (r report) view() answer.View {
	if len(r.Files) == 0 && r.Plan == nil {
		return answer.Line("nothing in %s needs trust: it has no settings, rules or team in .cairn, and no plan", term.Printable(r.Repository))
	}
	said := map[string]string{
		stateTrusted: "trusted", stateNew: "not trusted", stateChanged: "changed since you trusted it", stateBroken: "cannot be read",
	}
	return answer.Text(func(w io.Writer) {
		if len(r.Files) > 0 {
			fmt.Fprintf(w, "%s/.cairn\n", term.Printable(r.Repository))
		}
		for _, f := range r.Files {
			fmt.Fprintf(w, "\n  %s: %s\n", term.Line(f.File), said[f.State])
			for _, line := range f.Does {
				fmt.Fprintf(w, "    %s\n", term.Line(line))
			}
		}
		fmt.Fprintln(w)
		if r.Plan != nil {
			fmt.Fprintf(w, "%s: %s\n  tells agents where the work stands when a session begins, in its own words\n\n", term.Printable(r.Plan.Dir), said[r.Plan.State])
		}
	})
}

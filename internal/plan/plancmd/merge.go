package plancmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/merge"
	"cairn/internal/term"
	"cairn/internal/text"
)

func mergeVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan merge-driver install", Short: "Have git merge the plan record by record in this clone",
			Long: "Names the driver in .gitattributes, which the repository shares, and in the clone's git\n" +
				"configuration, which each clone has for itself. It also sets merge.directoryRenames, if\n" +
				"nothing sets it, so that new files follow a phase whose directory the other branch\n" +
				"renumbered. cairn plan init and cairn install do the same.",
			Examples: []string{"cairn plan merge-driver install", "cairn plan merge-driver install --dry-run"},
			Effect:   command.Writes, Run: run(installDriver),
		},
		{
			Path: "plan merge-driver uninstall", Short: "Have git merge the plan line by line again",
			Examples: []string{"cairn plan merge-driver uninstall --dry-run", "cairn plan merge-driver uninstall"},
			Effect:   command.Writes, Run: run(uninstallDriver),
		},
		{
			Path: "plan merge-driver run", Short: "Merge three versions of a document, as git calls it",
			Long: "Merges OURS and THEIRS, which come from BASE, and writes the result to OURS. Exits 1 if\n" +
				"both changed the same value: both then stand there between conflict markers.",
			Args: []command.Arg{
				{Name: "BASE", Files: true, Help: "git's %O"}, {Name: "OURS", Files: true, Help: "git's %A"},
				{Name: "THEIRS", Files: true, Help: "git's %B"}, {Name: "PATH", Help: "the document in the repository, git's %P"},
			},
			Examples: []string{
				"cairn plan merge-driver run base.md ours.md theirs.md .planning/STATE.md",
				"cairn plan merge-driver run base.md ours.md theirs.md .planning/ROADMAP.md --dry-run",
			},
			Exits:  "1 if both changed the same value",
			Effect: command.Writes, Run: runDriver,
		},
		{
			Path: "plan merge-driver take", Short: "Decide a conflict in the plan: keep ours or theirs",
			Long: "Keeps one version of a conflict and removes its markers; with no PLACE, of every conflict\n" +
				"in the plan. cairn plan health lists them. Mark the file as merged with git add then.",
			Args: []command.Arg{
				{Name: "SIDE", OneOf: []string{"ours", "theirs"}},
				{Name: "PLACE", Optional: true, Many: true, Help: "a file of the plan, or FILE:LINE for one conflict"},
			},
			Examples: []string{"cairn plan merge-driver take ours .planning/ROADMAP.md:31", "cairn plan merge-driver take theirs --dry-run"},
			Effect:   command.Writes, Run: run(takeSide),
		},
	}
}

// driver is the merge driver of the project.
func driver(c *Call) merge.Setup {
	if !git.Repo(c.Root) {
		fail(term.Hint(command.Dataf("%s is not in a git repository", c.Root), "git init makes one"))
	}
	return merge.Setup{Root: c.Root, Command: merge.Command(merge.Self())}
}

func installDriver(c *Call) *answer.Answer {
	done := must.Get(driver(c).Install(c.Context, c.DryRun))
	return driverAnswer(c, done, "+", "git merges the plan record by record in this clone")
}

func uninstallDriver(c *Call) *answer.Answer {
	done := must.Get(driver(c).Uninstall(c.Context, c.DryRun))
	return driverAnswer(c, done, "-", "git merges the plan line by line")
}

func driverAnswer(c *Call, done merge.Change, sign, said string) *answer.Answer {
	done.Attributes, done.Config = answer.List(done.Attributes), answer.List(done.Config)
	var b strings.Builder
	for _, line := range done.Attributes {
		fmt.Fprintf(&b, ".gitattributes  %s %s\n", sign, line)
	}
	for _, key := range done.Config {
		fmt.Fprintf(&b, "git config      %s %s\n", sign, key)
	}
	listed := b.String()
	a := &answer.Answer{Data: done, Done: !c.DryRun && done.Any()}
	if c.DryRun {
		a.Diff = &listed
		return a
	}
	a.View = answer.Text(func(w io.Writer) { fmt.Fprintln(w, listed+said) })
	return a
}

func runDriver(c *command.Call) (*answer.Answer, error) {
	v := merge.Versions{Base: c.Path(c.Arg("BASE")), Ours: c.Path(c.Arg("OURS")), Theirs: c.Path(c.Arg("THEIRS")), Path: c.Arg("PATH")}
	if c.Bool("dry-run") {
		r, before, err := merge.Look(c.Context, v)
		if err != nil {
			return nil, command.Data(err)
		}
		diff := (&plan.Change{Files: []plan.FileChange{{Path: v.Path, Before: before, After: r.Data}}}).Diff()
		return &answer.Answer{Data: mergedData{r.Conflicts}, Diff: &diff}, nil
	}
	conflicts, err := merge.Files(c.Context, v)
	if err != nil {
		return nil, command.Data(err)
	}
	a := &answer.Answer{Data: mergedData{conflicts}, View: answer.Text(func(io.Writer) {})}
	if conflicts > 0 {
		fmt.Fprintf(c.Stderr, "cairn: %s: %s\n", v.Path, text.Count(conflicts, "conflict"))
		a.Err = command.Status(command.ExitFailed)
	}
	return a, nil
}

type mergedData struct {
	Conflicts int `json:"conflicts"`
}

func takeSide(c *Call) *answer.Answer {
	var places []plan.Place
	for _, at := range c.Rest("PLACE") {
		p := plan.Place{File: at}
		if i := strings.LastIndexByte(at, ':'); i > 0 {
			if n, err := strconv.Atoi(at[i+1:]); err == nil {
				p = plan.Place{File: at[:i], Line: n}
			}
		}
		if _, err := os.Stat(c.Abs(p.File)); err != nil { // not as health writes it
			p.File = c.Rel(c.Call.Path(p.File))
		}
		places = append(places, p)
	}
	if len(places) == 0 {
		for _, e := range must.Get(c.Conflicts(c.Context)) {
			places = append(places, plan.Place{File: e.Path})
		}
	}
	slices.SortStableFunc(places, func(a, b plan.Place) int { return cmp.Or(cmp.Compare(a.File, b.File), b.Line-a.Line) }) // later lines first
	data := struct {
		Decided int      `json:"decided"`
		Files   []string `json:"files"`
	}{Files: []string{}}
	for _, p := range places {
		if !slices.Contains(data.Files, p.File) {
			data.Files = append(data.Files, p.File)
		}
	}
	var err error
	c.change, data.Decided, err = c.TakeSides(c.Context, places, c.Arg("SIDE") == "theirs")
	must.OK(err)
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		if data.Decided == 0 {
			fmt.Fprintln(w, "no document has a conflict")
			return
		}
		fmt.Fprintf(w, "decided %s; next: git add %s\n", text.Count(data.Decided, "conflict"), strings.Join(data.Files, " "))
	})}
}

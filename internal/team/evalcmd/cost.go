package evalcmd

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/cost"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/runs"
)

var costing = command.Command{
	Path: "eval cost", Short: "Show a run's cost by model, and at other tiers",
	Long: "Costs that the runner counted itself (cost_usd) are taken as they are and marked\n" +
		"with *; the rest is estimated from tokens and a table of list prices, each with its\n" +
		"date. A model that the table does not know costs \"unknown\": it is left out of\n" +
		"the sums, which then begin with ≥. Your own prices, or a discount, go into\n" +
		".cairn/prices.toml of the repository or ~/.cairn/prices.toml:\n\n" +
		"  [[model]]\n" +
		"  id = \"our-llama\"\n" +
		"  input = 0.20    # US dollars per million tokens\n" +
		"  output = 0.60\n\n" +
		"The lines for the full and the fast tier price the same tokens with the model\n" +
		"that each vendor has for that tier: an estimate, because another model would use\n" +
		"another number of them.",
	Args:     []command.Arg{runArg},
	Examples: []string{"cairn eval cost", "cairn eval cost results.json --html cost.html"},
	Flags:    []command.Flag{pricesFlag, htmlFlag},
	Effect:   command.Reads, Run: runCost,
}

func runCost(c *command.Call) (*answer.Answer, error) {
	prices := must.Get(loadPrices(c.Env, c.String("prices")))
	sel := find(c, ref(c.Arg("RUN")))
	sum := cost.Sum(sel.Run, prices)
	a := &answer.Answer{Data: sum}
	if file := c.String("html"); file != "" {
		var doc bytes.Buffer
		must.OK(evalpage.Cost(&doc, sum))
		must.OK(atomicfile.WriteFile(c.Path(file), doc.Bytes(), home.PrivateFile))
		runs.SayWrote(c.Env, file)
		return a, nil
	}
	a.View = answer.Painted(func(p *answer.Page) error { return sum.Text(p.Writer) })
	switch {
	case len(sel.Run.Costs) == 0:
		a.Hint = `the run lists no "costs": cairn eval schema says what a runner writes there`
	case len(sum.Unknown) > 0:
		a.Hint = "a price in .cairn/prices.toml makes a model known; cairn eval cost --help has an example"
	}
	return a, nil
}

// loadPrices returns the built-in prices with the user's, the repository's and
// those of a named file before them.
func loadPrices(env *command.Env, named string) (cost.Table, error) {
	files := []string{home.Find(env.Getenv).Prices()}
	if repo := home.FindRepo(env.Here(), env.Getenv); repo != "" {
		if _, err := project.Open("", repo).Read(filepath.Base(repo.Prices()), maxPolicy); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cost.Table{}, command.Data(err) // no file: a pipe, or a link that leads out
		}
		files = append(files, repo.Prices())
	}
	there := files[:0]
	for _, name := range files {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, name)
		}
	}
	if named != "" {
		there = append(there, env.Path(named))
	}
	prices, err := cost.Load(there...)
	return prices, command.Data(err)
}

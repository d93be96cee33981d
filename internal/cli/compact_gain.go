package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact/lines"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

type compactGainOptions struct {
	by    string
	since string
	price float64
	json  bool
}

const (
	mostRows = 15 // of a table; --json prints all
	mostDays = 60 // of the line of bars
	maxPrice = 1e6
)

func newCompactGain(env *Env) *cobra.Command {
	var opts compactGainOptions
	cmd := &cobra.Command{
		Use:   "gain",
		Short: "Show the tokens that compaction saved, and what it cost",
		Long: `Adds up ~/.cairn/compact/usage.jsonl, where every compaction leaves one line.

A saving is counted against what the model would have received without cairn:
an agent clips long outputs itself. What was printed by cairn compact show, and
what a command printed that was run again within two minutes, is subtracted.
Tokens are characters divided by four, counted once, although a model reads
them again with every turn.`,
		Example: `  cairn compact gain
  cairn compact gain --by project --since 7d
  cairn compact gain --json --price 5`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runCompactGain(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.by, "by", "rule", "what the table is about: day, rule, agent or project")
	f.StringVar(&opts.since, "since", "30d", "how far to look back: 30d, 12h, 2w, a date, or all")
	f.Float64Var(&opts.price, "price", 3, "US dollars for a million input tokens of your model")
	f.BoolVar(&opts.json, "json", false, "print all the sums as JSON")
	return cmd
}

func runCompactGain(env *Env, opts compactGainOptions) error {
	if !(opts.price >= 0 && opts.price <= maxPrice) {
		return command.Usagef("--price is from 0 to %d", int(maxPrice))
	}
	since, err := command.Since(opts.since, time.Now())
	if err != nil {
		return err
	}
	gain, err := usage.Gains(home.Find(env.Getenv).Usage(), since)
	if err != nil {
		return err
	}
	if opts.json {
		return printJSON(env, struct {
			usage.Gain
			Saved   int     `json:"saved"`
			Dollars float64 `json:"dollars"`
		}{gain, gain.Total.Saved(), opts.dollars(gain.Total.Saved())})
	}
	table, ok := map[string][]usage.Sum{"day": gain.Days, "rule": gain.Rules, "agent": gain.Agents, "project": gain.Projects}[opts.by]
	if !ok {
		return command.Usage(term.Hint(fmt.Errorf("--by %q is not known", opts.by), "day, rule, agent or project"))
	}
	if gain.Broken > 0 {
		term.Warn(env.Stderr, "%d of the lines of %s cannot be read or are from the future, and are left out", gain.Broken, home.Find(env.Getenv).Usage())
	}
	if gain.Total.Calls == 0 {
		fmt.Fprintln(env.Stderr, "cairn: nothing was compacted yet")
		term.PrintHint(env.Stderr, "cairn install puts it into your agents, cairn run -- CMD tries it out")
		return nil
	}
	if err := printGain(env.Stdout, gain, opts); err != nil {
		return err
	}
	printCoverage(env, since)
	days := gain.Days[max(0, len(gain.Days)-mostDays):]
	fmt.Fprintf(env.Stdout, "by day      %s\n\n", term.Spark(saved(days)))
	return printSums(term.Table(env.Stdout), strings.ToUpper(opts.by), table)
}

// verifierDollars is what the default model costs, as its maker lists it: $1 for
// a million tokens of input, $5 of output (claude-haiku-4-5).
func verifierDollars(v usage.Asked) float64 { return (float64(v.Input) + 5*float64(v.Output)) / 1e6 }

func (o compactGainOptions) dollars(tokens int) float64 { return float64(tokens) / 1e6 * o.price }

func printGain(out io.Writer, g usage.Gain, opts compactGainOptions) error {
	t := g.Total
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, tokens int, note string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\t  %s\n", name, text.Approx(tokens), fmt.Sprintf(note, args...))
	}
	outputs := "outputs"
	if t.Calls == 1 {
		outputs = "output"
	}
	fmt.Fprintf(out, "%s to %s · %d %s, %d of them cut\n\n",
		g.From.Local().Format(time.DateOnly), g.To.Local().Format(time.DateOnly), t.Calls, outputs, t.Cut)
	row("without cairn", t.Without, "tokens that the models would have received")
	row("with cairn", t.With, "%s", more(t.More))
	row("taken back", t.Back, "shown again, or run again within 2 minutes")
	row("saved", t.Saved(), "%.0f %%, %s at %s for a million", t.Percent(), text.Dollars(opts.dollars(t.Saved())), text.Dollars(opts.price))
	if err := w.Flush(); err != nil {
		return err
	}
	r := g.Regret
	fmt.Fprintf(out, "\nregret rate %.1f %%: raw output shown %d×, command run again %d×,\n            lines restored by the guard %d×, by the verifier %d×\n",
		r.Percent, r.Shown, r.Again, r.Guard, r.Verifier)
	if v := g.Verifier; v.Calls > 0 {
		fmt.Fprintf(out, "verifier    asked %d×, for %s + %s tokens, about %s\n",
			v.Calls, text.Approx(v.Input), text.Approx(v.Output), text.Dollars(verifierDollars(v)))
	}
	return nil
}

// printCoverage prints it of every agent that has shell functions of ours.
func printCoverage(env *Env, since time.Time) {
	roots := transcript.Roots(env.Getenv)
	for _, h := range host.All() {
		if h.EnvFile == "" {
			continue
		}
		if seen, failing := coverage(env, roots, h.Name, since); failing > 0 {
			fmt.Fprintf(env.Stdout, "coverage    %d of %s's %d failing commands ran by shell functions\n", seen, h.Title, failing)
		}
	}
}

func saved(sums []usage.Sum) []int {
	values := make([]int, len(sums))
	for i, s := range sums {
		values[i] = s.Saved()
	}
	return values
}

func more(tokens int) string {
	if tokens == 0 {
		return "that they received"
	}
	return fmt.Sprintf("that they received, %s beyond the agent's own clip", text.Approx(tokens))
}

func printSums(out io.Writer, by string, sums []usage.Sum) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "OUTPUTS\tWITHOUT\tWITH\tBACK\tSAVED\t%%\t  %s\n", by)
	rest := max(0, len(sums)-mostRows)
	if by == "DAY" {
		sums, rest = sums[rest:], 0 // the last ones
	}
	for _, s := range sums[:len(sums)-rest] {
		name := s.Name
		if by == "PROJECT" {
			name = filepath.Base(name)
		}
		name = lines.Clean(text.Shorten(name, 60)) // of a directory or of a stranger's rule
		share := "–"                               // more was shown than the agent's clip would have
		if s.Saved() >= 0 {
			share = fmt.Sprintf("%.0f", s.Percent())
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t  %s\n",
			s.Calls, text.Approx(s.Without), text.Approx(s.With), text.Approx(s.Back), text.Approx(s.Saved()), share, name)
	}
	if err := w.Flush(); err != nil || rest == 0 {
		return err
	}
	_, err := fmt.Fprintf(out, "  … and %d more; --json prints all\n", rest)
	return err
}

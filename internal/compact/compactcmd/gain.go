package compactcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

const (
	mostRows = 15 // of a table; --json prints all
	mostDays = 60 // of the line of bars
	maxPrice = 1e6
)

func gain() *command.Command {
	return &command.Command{
		Path: "compact gain", Short: "Show how many tokens compaction saved, and what it cost",
		Long: "A saving is counted against what the model would have received without cairn:\n" +
			"agents clip long outputs themselves. What cairn compact show printed, and the\n" +
			"output of a command that was run again within two minutes, is subtracted.\n" +
			"Tokens are characters divided by four, from ~/.cairn/compact/usage.jsonl. The\n" +
			"table counts each once, at --price.\n\n" +
			"The bill is from the transcripts of Claude Code and Codex, each request once, at\n" +
			"list prices by cache tier. There a saved token was not written to the cache once,\n" +
			"nor read again by each later request until the context was replaced. The column BILL\n" +
			"of --by rule has the same, by rule.",
		Flags: []command.Flag{
			{Name: "by", Default: "rule", OneOf: []string{"day", "rule", "agent", "project"}, Help: "group the table by day, rule, agent or project"},
			command.SinceFlag("30d"),
			{Name: "price", Default: 3.0, Help: "`dollars` per million input tokens of your model"},
		},
		Examples: []string{"cairn compact gain", "cairn compact gain --by project --since 7d", "cairn compact gain --json --price 5"},
		Effect:   command.Reads, Run: runGain,
	}
}

func runGain(c *command.Call) (*answer.Answer, error) {
	price := c.Float("price")
	if !(price >= 0 && price <= maxPrice) {
		return nil, command.Usagef("--price must be from 0 to %d", int(maxPrice))
	}
	since := must.Get(command.Since(c.String("since"), time.Now()))
	account := home.Find(c.Getenv).Usage()
	g := must.Get(usage.Gains(account, since))
	dollars := float64(g.Total.Saved()) / 1e6 * price
	past := benchmark.Past{Unknown: []string{}, Rules: []benchmark.RuleSaved{}}
	if g.Total.Calls > 0 {
		past = billed(c, account, g, since)
	}
	a := &answer.Answer{Data: struct {
		usage.Gain
		Saved   int            `json:"saved"`
		Dollars float64        `json:"dollars"` // each token once
		Bill    benchmark.Past `json:"bill"`
	}{g, g.Total.Saved(), dollars, past}}
	if g.Broken > 0 {
		term.Warn(c.Stderr, "%d of the lines of %s cannot be read or are from the future, and are left out", g.Broken, account)
	}
	if g.Total.Calls == 0 {
		a.Said, a.Hint = "cairn: nothing was compacted yet", "cairn install puts it into your agents, cairn run -- CMD tries it out"
		return a, nil
	}
	table, rest := sums(c.String("by"), past.Rules, map[string][]usage.Sum{"day": g.Days, "rule": g.Rules, "agent": g.Agents, "project": g.Projects}[c.String("by")])
	a.View = answer.Views{totals(g, price, dollars), answer.Painted(func(p *answer.Page) error { return figures(c, g, past, since).Print(p) }), answer.Line(""), table}
	if rest > 0 {
		a.Hint = fmt.Sprintf("%d more; --json prints all", rest)
	}
	return a, nil
}

// totals are the sums of all outputs.
func totals(g usage.Gain, price, dollars float64) answer.Views {
	t := g.Total
	with := "tokens that they received"
	if t.More > 0 {
		with += fmt.Sprintf(", %s beyond the agent's own clip", text.Approx(t.More))
	}
	table := answer.NewTable("name:name=", "tokens:tokens=", "note:name=")
	table.Add("without cairn", t.Without, "tokens that the models would have received")
	table.Add("with cairn", t.With, with)
	table.Add("subtracted", t.Back, "shown again, or run again within 2 minutes")
	table.Add("saved", t.Saved(), fmt.Sprintf("%.0f %%, $%.2f at $%g per million", t.Percent(), dollars, price))
	return answer.Views{
		answer.Line("%s to %s · %s, %d of them cut\n", g.From.Local().Format(time.DateOnly), g.To.Local().Format(time.DateOnly), text.Count(t.Calls, "output"), t.Cut),
		table, answer.Line(""),
	}
}

// figures say what compaction cost, and how it went from day to day.
func figures(c *command.Call, g usage.Gain, past benchmark.Past, since time.Time) *answer.Table {
	r := g.Regret
	table := answer.Facts(append(billFacts(past),
		"re-run rate", fmt.Sprintf("%.1f %% of cuts: raw output shown %d×, command run again %d×,", r.Percent, r.Shown, r.Again),
		"", fmt.Sprintf("lines restored by the guard %d×, by the LLM check %d×", r.Guard, r.Verifier),
	)...)
	if v := g.Verifier; v.Calls > 0 {
		table.Add("LLM check", fmt.Sprintf("asked %d×, for %s + %s tokens, about $%.2f", v.Calls, text.Approx(v.Input), text.Approx(v.Output), checkDollars(v)))
	}
	roots := transcript.Roots(c.Getenv)
	for _, h := range host.All() {
		if h.EnvFile == "" { // its hooks see what failed
			continue
		}
		if seen, failing := setup.Coverage(c.Env, roots, h.Name, since); failing > 0 {
			table.Add("coverage", fmt.Sprintf("cairn saw %d of %s's %d failing commands", seen, h.Title, failing))
		}
	}
	var saved []int
	for _, day := range g.Days[max(0, len(g.Days)-mostDays):] {
		saved = append(saved, day.Saved())
	}
	table.Add("by day", term.Spark(saved))
	return table
}

// checkDollars is what the default model costs, as its maker lists it: $1 for a
// million tokens of input, $5 of output (claude-haiku-4-5).
func checkDollars(v usage.Asked) float64 { return (float64(v.Input) + 5*float64(v.Output)) / 1e6 }

// sums is a table of the largest sums, or the last days, and how many are left.
func sums(by string, dollars []benchmark.RuleSaved, all []usage.Sum) (t *answer.Table, rest int) {
	t = answer.NewTable("outputs:count", "without:tokens", "with:tokens", "back:tokens=subtracted", "saved:tokens", "share:percent=%", "bill:usd", by)
	rest = max(0, len(all)-mostRows)
	if by == "day" {
		all, rest = all[rest:], 0
	}
	for _, s := range all[:len(all)-rest] {
		name := s.Name
		if by == "project" {
			name = filepath.Base(name)
		}
		var share any // none where more was shown than the agent's clip would have
		if s.Saved() >= 0 {
			share = s.Percent() / 100
		}
		var usd any // none where no transcript has it
		if i := slices.IndexFunc(dollars, func(r benchmark.RuleSaved) bool { return r.Rule == s.Name }); i >= 0 && by == "rule" {
			usd = dollars[i].Saved
		}
		t.Add(s.Calls, s.Without, s.With, s.Back, s.Saved(), share, usd, text.Shorten(name, 60))
	}
	return t, rest
}

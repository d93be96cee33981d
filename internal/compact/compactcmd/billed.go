package compactcmd

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

// Billed is what compaction saved since then, counted as the bill of its sessions does;
// ok is false where nothing was compacted.
func Billed(c *command.Call, since time.Time) (past benchmark.Past, ok bool) {
	account := home.Find(c.Getenv).Usage()
	g := must.Get(usage.Gains(account, since))
	if g.Total.Calls == 0 {
		return past, false
	}
	return billed(c, account, g, since), true
}

// billed counts what the account says was saved as the bill of its sessions
// does. What was subtracted from the tokens is subtracted from the dollars in
// the same share: the account does not say which of them came back.
func billed(c *command.Call, account string, g usage.Gain, since time.Time) benchmark.Past {
	savings := map[string][]benchmark.Saving{}
	_ = must.Get(usage.Each(account, since, func(e usage.Entry) {
		if n := e.Without - e.With; n != 0 && e.Path != usage.Show {
			savings[e.Session] = append(savings[e.Session], benchmark.Saving{Time: e.Time, Tokens: n, Rule: e.Rule})
		}
	}))
	past := benchmark.Bills(transcript.Roots(c.Getenv), since, prices(), savings, func(err error) { term.Warn(c.Stderr, "%v", err) })
	if gross := g.Total.Without - g.Total.With; gross > 0 {
		past.Less(float64(g.Total.Saved()) / float64(gross))
	}
	return past
}

// billFacts say it on a terminal.
func billFacts(p benchmark.Past) (facts []any) {
	switch {
	case p.Bill > 0 && p.Known != 0:
		facts = append(facts, "bill", fmt.Sprintf("saved $%.2f, %.1f %% of the whole bill, which was $%.2f", p.Saved, p.Percent, p.Bill))
	case p.Bill > 0:
		facts = append(facts, "bill", fmt.Sprintf("$%.2f; what was saved of it is not known", p.Bill))
	default:
		facts = append(facts, "bill", "not known")
	}
	if p.NotKnown != 0 {
		facts = append(facts, "", fmt.Sprintf("not known: what %s tokens saved, in sessions whose bill no transcript has", text.Approx(p.NotKnown)))
	}
	if len(p.Unknown) > 0 {
		facts = append(facts, "", "not known: the price of "+strings.Join(p.Unknown, ", "))
	}
	return facts
}

package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"cairn/internal/term"
	"cairn/internal/text"
)

// Markdown writes baselines as a report that GitHub and others render. Text of
// runners stands in code spans only, so that it can be no markup, no link and
// no mention.
func Markdown(all []Baseline, until time.Time) string {
	var d document
	one := len(all) > 0 && !slices.ContainsFunc(all, func(b Baseline) bool { return b.Repo != all[0].Repo })
	if one && all[0].Repo != "" {
		d.line("# Eval baselines of %s, %s", code(all[0].Repo, ""), until.Format(time.DateOnly))
		all = slices.Clone(all)
		for i := range all {
			all[i].Repo = "" // is told
		}
	} else {
		d.line("# Eval baselines, %s", until.Format(time.DateOnly))
	}
	d.line("")
	d.line("The newest run of each suite and label, by the tier of its judges. A pass rate")
	d.line("is the mean over the judged cases, with Wilson's 95 %% interval; errors are no")
	d.line("failures. Scores are means over the cases, each on its own scale. Of a case:")
	d.line("✓ passed, ✗ failed, ~ both, ! could not be judged, – skipped.")
	if len(all) > 1 {
		d.summary(all)
	}
	for i := range all {
		b := &all[i]
		if title := strings.Join(b.titles(), " "); i == 0 || title != strings.Join(all[i-1].titles(), " ") {
			d.line("\n## %s", title)
		}
		d.baseline(b)
	}
	return d.String()
}

type document struct{ strings.Builder }

func (d *document) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// table writes rows of which the first is the heading. Columns but the first
// are aligned right where figures is true.
func (d *document) table(figures bool, rows [][]string) {
	d.line("")
	for i, row := range rows {
		d.line("| %s |", strings.Join(row, " | "))
		if i == 0 {
			rule := strings.Repeat("|---", len(row))
			if figures {
				rule = "|---" + strings.Repeat("|---:", len(row)-1)
			}
			d.line("%s|", rule)
		}
	}
}

func (b *Baseline) titles() []string {
	titles := []string{code(b.Suite, "(no suite)")}
	if b.Repo != "" {
		titles = append([]string{code(b.Repo, "")}, titles...)
	}
	if b.Kind != "" {
		titles = append(titles, "("+code(b.Kind, "")+")")
	}
	return titles
}

// summary has a line for each baseline and a column for each tier.
func (d *document) summary(all []Baseline) {
	var tiers []string
	rank := Tiers()
	for _, tier := range rank {
		if slices.ContainsFunc(all, func(b Baseline) bool { return b.tier(tier) != nil }) {
			tiers = append(tiers, tier)
		}
	}
	rows := [][]string{{"suite", "label"}}
	for _, tier := range tiers {
		rows[0] = append(rows[0], tierName(tier))
	}
	for i := range all {
		row := []string{strings.Join(all[i].titles(), " "), code(all[i].Label, "")}
		for _, tier := range tiers {
			cell := ""
			if t := all[i].tier(tier); t != nil {
				cell = rateCell(t.Rate)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	d.table(false, rows)
}

func (b *Baseline) tier(name string) *TierBaseline {
	if i := slices.IndexFunc(b.Tiers, func(t TierBaseline) bool { return t.Tier == name }); i >= 0 {
		return &b.Tiers[i]
	}
	return nil
}

func tierName(tier string) string { return cmp.Or(tier, "no tier") }

func (d *document) baseline(b *Baseline) {
	d.line("\n### label %s", code(b.Label, "(none)"))
	head := []string{""}
	for _, t := range b.Tiers {
		head = append(head, tierName(t.Tier))
	}
	rows := [][]string{head}
	add := func(name string, cell func(*TierBaseline) string) {
		row, some := []string{name}, false
		for i := range b.Tiers {
			text := cell(&b.Tiers[i])
			row, some = append(row, text), some || text != ""
		}
		if some {
			rows = append(rows, row)
		}
	}
	add("pass rate", func(t *TierBaseline) string { return rateCell(t.Rate) })
	add("cases judged", func(t *TierBaseline) string {
		if t.Rate == nil {
			return "0"
		}
		return fmt.Sprint(t.Rate.Cases)
	})
	add("errors", func(t *TierBaseline) string { return some(t.Counts.Errored) })
	add("skipped", func(t *TierBaseline) string { return some(t.Counts.Skipped) })
	for _, s := range b.criteria() {
		add(s.name(), func(t *TierBaseline) string { return t.score(s) })
	}
	add("cost", func(t *TierBaseline) string { return text.Some(t.CostUSD, text.Dollars) })
	add("duration", func(t *TierBaseline) string { return text.Some(t.Seconds*1000, text.Millis) })
	add("run", func(t *TierBaseline) string { return "`" + t.ID + "` " + t.Time.UTC().Format("2006-01-02 15:04Z") })
	add("commit", func(t *TierBaseline) string { return commitCell(&t.Point) })
	d.table(true, rows)
	for _, t := range b.Tiers {
		if a := t.Against; a != nil {
			d.line("\nOf %s judged at both tiers, %d passed more often at %s and %d at %s (McNemar p = %.3f).",
				text.Count(a.Cases, "case"), a.Better, tierName(t.Tier), a.Worse, tierName(b.Tiers[0].Tier), a.P)
		}
	}
	if len(b.Categories) > 0 {
		rows = [][]string{append([]string{"category"}, head[1:]...)}
		for _, c := range b.Categories {
			row := []string{code(c.Name, "(none)")}
			for _, rate := range c.Rates {
				row = append(row, rateCell(rate))
			}
			rows = append(rows, row)
		}
		d.table(true, rows)
	}
	d.worst(b, head)
}

func (d *document) worst(b *Baseline, head []string) {
	if len(b.Worst) == 0 {
		return
	}
	rows := [][]string{append(append([]string{"worst cases"}, head[1:]...), "why")}
	for _, w := range b.Worst {
		rows = append(rows, append(append([]string{code(w.Title, "")}, w.Marks...), code(text.Shorten(w.Reason, 120), "")))
	}
	d.table(false, rows)
}

// criteria lists what has a score at any tier.
func (b *Baseline) criteria() (found []Score) {
	for _, t := range b.Tiers {
		for _, s := range t.Scores {
			if !slices.ContainsFunc(found, s.Same) {
				found = append(found, s)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Score) int { return strings.Compare(a.Criterion, b.Criterion) })
	return found
}

func (s Score) name() string {
	return code(s.Criterion, "score") + " (" + code(strings.Replace(string(s.Scale), "-", "–", 1), "") + ")"
}

func (t *TierBaseline) score(like Score) string {
	if i := slices.IndexFunc(t.Scores, like.Same); i >= 0 {
		return fmt.Sprintf("%.2f (n %d)", t.Scores[i].Mean, t.Scores[i].Cases)
	}
	return ""
}

// Same reports whether two are of one criterion on one scale.
func (s Score) Same(o Score) bool { return o.Criterion == s.Criterion && o.Scale == s.Scale }

func rateCell(r *Rate) string {
	if r == nil {
		return ""
	}
	return text.Rate(r.Mean, r.Lo, r.Hi, 1)
}

func commitCell(p *Point) string {
	text := ""
	if p.SHA != "" {
		text = code(short(p.SHA), "")
	}
	if p.Dirty {
		text += " + changes"
	}
	if p.Branch != "" {
		text += " " + code(p.Branch, "")
	}
	return strings.TrimSpace(text)
}

func some(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// code is a text as a code span that can stand in a table; none stands for an
// empty one.
func code(text, none string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	if clean = strings.TrimSpace(term.Printable(clean)); clean == "" {
		return none
	}
	clean = strings.ReplaceAll(clean, `\|`, `\ |`) // or the bar would not be escaped
	return "`" + strings.ReplaceAll(clean, "|", `\|`) + "`"
}

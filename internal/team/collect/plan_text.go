package collect

import (
	"cmp"
	"context"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/decision"
	"cairn/internal/redact"
	"cairn/internal/team/record"
)

// planText adds what the plan says: decisions, requirements and what is in the way.
// Known secrets are taken out of every text, and mail addresses out of names.
func (c *Collector) planText(ctx context.Context, tx *plan.Tx, to *record.PlanDetail) {
	register := decision.Read(tx)
	register.Trace()
	authors := map[string]map[int]string{}
	for _, d := range register.All {
		by := name(d.By)
		if by == "" {
			if _, ok := authors[d.File.Path]; !ok {
				authors[d.File.Path] = authorsOf(ctx, tx.Root, d.File.Path)
			}
			by = authors[d.File.Path][d.Line+1]
		}
		to.Decisions = append(to.Decisions, record.PlanDecision{
			Ref: d.Ref, Phase: d.Phase.ID.String(), Text: redact.Text(d.Text), State: string(d.State), By: by, SupersededBy: d.SupersededBy,
		})
	}
	for _, r := range tx.TraceRequirements(true) {
		phase := strings.Join(r.Phases, ", ")
		if phase == "" {
			phase = r.Phase
		}
		state := "unassigned"
		switch {
		case r.Done:
			state = "done"
		case len(r.Plans) > 0:
			state = "planned"
		case phase != "":
			state = "assigned"
		}
		to.Requirements = append(to.Requirements, record.PlanRequirement{ID: r.ID, Text: redact.Text(r.What), Phase: phase, State: state})
	}
	if tx.Has(tx.Path("STATE.md")) {
		for _, text := range tx.State().ListBlockers() {
			to.Blockers = append(to.Blockers, record.PlanBlocker{Text: redact.Text(text)})
		}
	}
	for _, b := range brief.FindNext(tx).Blocked {
		to.Blockers = append(to.Blockers, record.PlanBlocker{Text: redact.Text(strings.TrimSpace(b.Path + " " + b.What)), Do: redact.Text(b.Do)})
	}
}

// name is a person's name without a mail address.
func name(s string) string {
	s, _, _ = strings.Cut(s, "<")
	if s = strings.TrimSpace(s); strings.Contains(s, "@") {
		return ""
	}
	return s
}

// authorsOf returns who wrote each line of a document, counted from 1, as git has
// it; nobody for a line that is not committed, and where git does not know the file.
func authorsOf(ctx context.Context, root, rel string) map[int]string {
	out := map[int]string{}
	said, err := git.Run(ctx, root, "blame", "--line-porcelain", "--no-textconv", "--", rel)
	if err != nil {
		return out
	}
	line := 0
	for s := range strings.Lines(said) {
		if s[0] == '\t' {
			continue
		}
		field := strings.Fields(s)
		if len(field) >= 3 && len(field[0]) >= 40 && strings.Trim(field[0], "0123456789abcdef") == "" {
			line = number(field[2])
			if strings.Trim(field[0], "0") == "" {
				line = 0 // not committed yet
			}
		}
		if by, ok := strings.CutPrefix(s, "author "); ok && line > 0 {
			out[line] = cmp.Or(name(by), out[line])
		}
	}
	return out
}

func number(s string) (n int) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

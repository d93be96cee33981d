package plancmd

import (
	"cmp"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

func graphVerb() *command.Command {
	return &command.Command{
		Path: "plan graph", Short: "Show waves and dependencies of phases and plans",
		Long: "Shows the phases of the milestone in their order, what each comes after, and its plans by\n" +
			"wave: plans of a wave run in parallel. With PHASE only that one. Phases that wait for\n" +
			"each other are marked.",
		Args:     []command.Arg{{Name: "PHASE", Optional: true}},
		Examples: []string{"cairn plan graph", "cairn plan graph 2 --json"},
		Effect:   command.Reads, Run: reads(showGraph),
	}
}

func showGraph(c *Call, tx *plan.Tx) *answer.Answer {
	road := roadOf(c, tx, true)
	markCycles(road)
	if c.Arg("PHASE") != "" {
		id := c.phaseID("PHASE")
		var one []roadPhase
		for _, row := range road {
			if of, _ := doc.ParsePhaseID(row.Number); of.Same(id) {
				one = append(one, row)
			}
		}
		if len(one) == 0 {
			return fail(term.Hint(&plan.PhaseError{Phase: id.String(), What: "is not in the milestone"}, "cairn plan phase list shows those that are"))
		}
		road = one
	}
	d := struct {
		Phases []roadPhase `json:"phases"`
	}{road}
	return &answer.Answer{Data: d, View: answer.Painted(func(p *answer.Page) error {
		var b strings.Builder
		s, width := signsFor(c.Getenv), cmp.Or(p.Width, 100)
		for _, row := range road {
			after := ""
			if len(row.DependsOn) > 0 {
				after = "  after " + strings.Join(row.DependsOn, ", ")
			}
			b.WriteString(p.Paint.Bold(fit(s.of(row.stageRow)+" "+row.Number+"  "+row.Name+after, width)) + "\n")
			row.draw(s, func(_ func(string) string, line string) { b.WriteString(fit(line, width) + "\n") }, nil)
		}
		_, err := p.Write([]byte(b.String()))
		return err
	})}
}

// markCycles says of a phase that it waits for itself.
func markCycles(road []roadPhase) {
	after := map[string][]string{}
	for _, row := range road {
		after[row.Number] = row.DependsOn
	}
	for i, row := range road {
		seen := map[string]bool{}
		queue := row.DependsOn
		for len(queue) > 0 {
			next := queue[0]
			queue = queue[1:]
			if next == row.Number {
				road[i].Trouble = "waits for itself: depends on phase " + strings.Join(row.DependsOn, ", ")
				break
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue[:len(queue):len(queue)], after[next]...)
			}
		}
	}
}

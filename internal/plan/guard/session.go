package guard

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/quote"
	"cairn/internal/text"
)

const (
	untrusted = "[cairn] This project has a plan in .planning/, of which you are shown no word because nobody has said on this machine that they trust it. " +
		"`cairn plan next` prints the next step. Its user can trust it: `cairn trust`, in a terminal of their own."
	tooSlow = "[cairn] This project has a plan in .planning/, which takes too long to read here. `cairn plan next` prints the next step."

	noteTokens    = 600 // of what is said
	standingBound = time.Second
)

// session tells an agent that has forgotten everything, or never knew, where the
// work stands.
func (l *look) session() string {
	if !l.on("hooks.session") {
		return ""
	}
	if l.Trusted == nil || !l.Trusted(l.tx.Root) {
		return untrusted
	}
	found := make(chan *brief.Standing, 1)
	go func() {
		defer func() { _ = recover() }() // then nothing is said
		defer close(found)
		found <- brief.FindStanding(l.tx)
	}()
	select {
	case s := <-found:
		if s == nil || s.Next == nil {
			return ""
		}
		return standing(s).Text()
	case <-time.After(cmp.Or(l.bound, standingBound)):
		return tooSlow
	}
}

// standing puts what an agent is told in the order in which it matters.
func standing(s *brief.Standing) *quote.Note {
	n := &quote.Note{Head: "Where this project's plan stands.", Tokens: noteTokens}
	if v := strings.TrimSpace(s.Milestone.Version + " " + s.Milestone.Name); v != "" {
		done := ""
		if s.Phases > 0 {
			done = fmt.Sprintf(", %d of %s complete", s.Done, text.Count(s.Phases, "phase"))
		}
		n.Add("milestone ", v, done)
	}
	phase := ""
	if s.Phase != nil {
		phase = " " + s.Phase.ID.String()
		n.Add("phase"+phase+" ", s.Phase.Name, ": "+string(s.State)+executed(s.Phase))
	}
	n.Add("why the next step: ", s.Next.Reason, "")
	step := s.Next.Command
	if s.Next.Phase != "" {
		step += " " + s.Next.Phase
	}
	n.After = []string{"Next step, when the user wants to go on: " + step + " (/cairn-" + s.Next.Command + ", or `cairn plan content show " + s.Next.Command + "`)."}
	if s.Unjudged {
		n.After = append(n.After, "Not judged here: whether database schemas are pushed (`cairn plan gate schema"+phase+"`).")
	}
	n.AddList(quote.List{Heading: "in the way", What: "in the way", Where: "cairn plan next", All: len(s.Next.Blocked)}, 6, func(i int) string {
		b := s.Next.Blocked[i]
		return strings.TrimSpace(b.Path+" "+b.What) + after(" → ", b.Do)
	})
	n.AddList(quote.List{Heading: "acceptance tests that found an issue", What: "failed tests", Where: "cairn plan verify uat", All: len(s.Failed)}, 5, func(i int) string {
		t := s.Failed[i]
		return fmt.Sprintf("%d %s", t.Number, t.Name) + after(", ", t.Severity) + after(": ", t.Reported)
	})
	n.AddList(quote.List{Heading: "decisions of the phase that no plan cites", What: "decisions", Where: "cairn plan decisions list" + phase, All: len(s.Uncited)}, 8, func(i int) string {
		return strings.TrimPrefix(s.Uncited[i].ID+": "+s.Uncited[i].Text, ": ")
	})
	n.AddList(quote.List{Heading: "acceptance tests without a result", What: "open tests", Where: "cairn plan verify uat", All: len(s.Open)}, 4, func(i int) string {
		t := s.Open[i]
		return fmt.Sprintf("%d %s", t.Number, t.Name) + after(", ", t.Result) + after(": ", t.Blocked)
	})
	n.AddList(quote.List{Heading: "the latest decisions", What: "decisions", Where: "cairn plan state get", All: s.Earlier + len(s.Recent)}, len(s.Recent), func(i int) string {
		return s.Recent[len(s.Recent)-1-i].String()
	})
	return n
}

func executed(p *plan.Phase) string {
	if len(p.Plans) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of %s executed", p.Executed(), text.Count(len(p.Plans), "plan"))
}

// after is a text behind a mark, "" without one.
func after(mark, s string) string {
	if s == "" {
		return ""
	}
	return mark + s
}

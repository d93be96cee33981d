package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

// overrides are the flags of a verb that a condition can keep from its work.
func overrides(what string) []command.Flag {
	return []command.Flag{
		{Name: "force", Default: false, Help: what},
		{Name: "reason", Default: "", Help: "why, with --force; STATE.md keeps it"},
	}
}

// override returns a person's word that a phase moves on all the same.
func (c *Call) override() lifecycle.Override {
	o := lifecycle.Override{Force: c.Bool("force"), Reason: strings.TrimSpace(c.String("reason"))}
	if o.Force && o.Reason == "" {
		fail(command.Usagef("--force needs --reason TEXT, which STATE.md will keep"))
	}
	return o
}

// ask refuses a move of a phase that a condition forbids, unless it is
// overridden; then it returns what is open.
func (c *Call) ask(tx *plan.Tx, p *plan.Phase, m lifecycle.Move) *lifecycle.Refusal {
	return lifecycle.New(c.Context, tx).Ask(p, m, c.override())
}

// refused is the answer of a verb that conditions forbid: each condition with its
// place and how to fix it.
func refused(r *lifecycle.Refusal) *answer.Answer {
	return &answer.Answer{No: true, Data: r, Said: r.Error(), Hint: "mend what is named, or give --force --reason TEXT, which STATE.md will keep",
		View: answer.Text(func(w io.Writer) { fmt.Fprintln(w, strings.TrimSpace(gate.List(r.Unmet))) })}
}

// record keeps in STATE.md that a move was forced.
func record(s *plan.State, did string, open *lifecycle.Refusal, reason string) {
	if open != nil {
		s.Decide(plan.Decision{Phase: open.Phase, Summary: did + " by force: " + open.Open(), Rationale: reason})
	}
}

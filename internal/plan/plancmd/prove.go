package plancmd

import (
	"cmp"
	"fmt"
	"io"
	"os/signal"
	"path"
	"strings"
	"syscall"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/proof"
	"cairn/internal/term"
	"cairn/internal/text"
)

func proveVerbs() []*command.Command {
	return []*command.Command{{
		Path: "plan prove", Short: "Prove a phase by running what it claims",
		Long: "Runs each verify command in a clean worktree before the plan's first commit, where it must\n" +
			"fail, and at HEAD, where it must pass. Looks for skipped and deleted tests, stubs and\n" +
			"swallowed errors in the lines of the phase's own commits (scope NN-MM), measures how\n" +
			"many of them tests run, and switches functions off to see whether a test notices.\n" +
			"Decisions and requirements need code or tests of the task that cites them.\n\n" +
			"Commands run as the project's tests do, with your permissions. Results are kept in\n" +
			"NN-PROOF.jsonl and reused while the code is the same.",
		Args: []command.Arg{{Name: "PHASE", Help: "the number of a phase, or a plan such as 02-01"}},
		Flags: []command.Flag{
			{Name: "again", Default: false, Help: "run again what ran before on the same code"},
			{Name: "budget", Default: 10 * time.Minute, Help: "the time for what runs; what is left over is named"},
			{Name: "accept", Default: "", Help: "record a person's word for a claim, by its name"},
			{Name: "reason", Short: "r", Default: "", Help: "why, with --accept"},
		},
		Examples: []string{"cairn plan prove 2", "cairn plan prove 02-01 --json", `cairn plan prove 2 --accept D-07 -r "seen in the demo"`},
		Exits:    "5 if a claim is unproven",
		Effect:   command.Writes, Waits: true, Run: run(prove),
	}}
}

func prove(c *Call) *answer.Answer {
	var s proof.Subject
	only := ""
	c.look(func(tx *plan.Tx) {
		var p *plan.Phase
		p, only = c.phaseOrPlan(tx)
		if p.Dir == "" {
			fail(&plan.PhaseError{Phase: p.ID.String(), What: "has no directory"})
		}
		s = proof.Read(tx, p)
	})
	if id := c.String("accept"); id != "" {
		return c.accept(s, id)
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGTERM)
	defer stop()
	steps := &ticker{w: c.Stderr, began: time.Now(), show: term.IsTerminal(c.Stderr)}
	r := must.Get(proof.Prove(ctx, s, proof.Options{
		Only: only, Trees: home.Find(c.Getenv).Proofs(), Budget: c.Duration("budget"), Again: c.Bool("again"), Step: steps.step, DryRun: c.Bool("dry-run"),
	}))
	steps.end()
	return &answer.Answer{Data: r, No: !r.Proven, View: answer.Text(func(w io.Writer) { printProof(w, r) })}
}

// phaseOrPlan returns the phase that PHASE names, and the plan if it names one.
func (c *Call) phaseOrPlan(tx *plan.Tx) (*plan.Phase, string) {
	name := c.Arg("PHASE")
	if at := strings.LastIndexByte(name, '-'); at > 0 {
		if id, ok := doc.ParsePhaseID(name[:at]); ok {
			if p := tx.Phase(id); p != nil {
				for _, f := range p.Plans {
					if id := plan.CanonicalPlanID(f.ID); id == plan.CanonicalPlanID(name) || f.ID == name {
						return p, id
					}
				}
			}
		}
	}
	return c.phase(tx), ""
}

// accept records that a person takes a claim as proven.
func (c *Call) accept(s proof.Subject, id string) *answer.Answer {
	reason := c.String("reason")
	if reason == "" {
		return fail(command.Usagef("--accept needs the reason: -r TEXT"))
	}
	by := cmp.Or(c.By, "a person")
	if !c.Bool("dry-run") {
		must.OK(proof.Accept(c.Abs(s.File), id, by, reason))
	}
	return &answer.Answer{Data: map[string]string{"accepted": id, "by": by, "reason": reason, "file": s.File}, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "accepted %s (%s: %s)\n", id, by, reason)
	})}
}

func printProof(w io.Writer, r *proof.Report) {
	words := map[proof.Verdict]string{proof.Proven: "proven    ", proof.Guard: "guard     ", proof.Accepted: "accepted  ", proof.Unchecked: "unchecked ", proof.Unproven: "UNPROVEN  "}
	for _, cl := range r.Claims {
		what := strings.ReplaceAll(strings.TrimSpace(cl.What), "\n", "\n            ")
		if cl.File != "" {
			place := cl.File
			if cl.Line > 0 {
				place += fmt.Sprintf(":%d", cl.Line)
			}
			what = place + ": " + what
		}
		fmt.Fprintf(w, "%s%s: %s\n", words[cl.Verdict], cl.Kind, what)
		if cl.Verdict == proof.Unproven && cl.Remedy != "" {
			fmt.Fprintf(w, "            to prove it: %s\n", cl.Remedy)
		}
	}
	subject := "phase " + r.Phase
	if r.Plan != "" {
		subject = "plan " + r.Plan
	}
	verdict := subject + " is proven"
	if n := len(r.Of(proof.Unproven)); n > 0 {
		verdict = subject + " is not proven: " + text.Count(n, "claim") + " open"
	}
	fmt.Fprintf(w, "%s at %s (%d ran, %d reused, %.1f s; %s)\n", verdict, short(r.Commit), r.Ran, r.Reused, r.Seconds, path.Base(r.File))
}

func short(commit string) string { return commit[:min(len(commit), 7)] }

// ticker shows on a terminal what takes longer than a second.
type ticker struct {
	w     io.Writer
	began time.Time
	show  bool
	drawn bool
}

func (t *ticker) step(what string) {
	if !t.show || time.Since(t.began) < time.Second {
		return
	}
	if r := []rune(what); len(r) > 60 {
		what = string(r[:59]) + "…"
	}
	t.drawn = true
	fmt.Fprintf(t.w, "\r\x1b[Kproving: %s", term.Line(what))
}

func (t *ticker) end() {
	if t.drawn {
		fmt.Fprint(t.w, "\r\x1b[K")
	}
}

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
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/proof"
	kept "cairn/internal/plan/proof/record"
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
	}, {
		Path: "plan verify proof", Short: "Show what the last proof of a phase found",
		Long: "Reads NN-PROOF.jsonl and runs nothing. --markdown prints it as a report or a pull request\n" +
			"shows it: each command with its exit codes, commit and time.",
		Args:     []command.Arg{{Name: "PHASE"}},
		Flags:    []command.Flag{{Name: "markdown", Default: false, Help: "as Markdown"}},
		Examples: []string{"cairn plan verify proof 1", "cairn plan verify proof 1 --markdown"},
		Exits:    "5 if a claim is unproven, or the code or the plans changed since",
		Effect:   command.Reads, Run: reads(verifyProof),
	}}
}

// lastProof is a verdict that is kept, and whether it is of what there is.
type lastProof struct {
	*kept.Verdict
	File  string `json:"file"`
	Holds bool   `json:"holds"` // the code and the plans are those that it judged
}

func verifyProof(c *Call, tx *plan.Tx) *answer.Answer {
	p := c.phase(tx)
	l := lastProof{File: kept.File(p)}
	if tx.Has(l.File) {
		l.Verdict = kept.Last(kept.Parse(must.Get(tx.ReadBytes(l.File))))
	}
	if l.Verdict == nil {
		return fail(term.Hint(&plan.InputError{Path: l.File, What: "has no proof of the phase"}, "cairn plan prove %s makes it", p.ID))
	}
	if tree, err := kept.Tree(c.Context, c.Root); err == nil {
		l.Holds = l.For == kept.Key(tree, kept.Claims(tx, p))
	}
	return &answer.Answer{Data: l, No: !l.Proven || !l.Holds, View: answer.Text(func(w io.Writer) {
		if !l.Holds {
			fmt.Fprintln(w, "the code or the plans changed since it was made")
		}
		if c.Bool("markdown") {
			fmt.Fprintln(w, strings.TrimSpace(strings.Join(l.Markdown(), "\n")))
			return
		}
		printClaims(w, l.Claims)
		fmt.Fprintf(w, "%s at %s (%s)\n", judgement(p.ID.Padded(), l.Plan, len(l.Unproven)), short(l.Commit), path.Base(l.File))
	})}
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
	steps := c.ticker()
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
	printClaims(w, r.Claims)
	fmt.Fprintf(w, "%s at %s (%d ran, %d reused, %.1f s; %s)\n", judgement(r.Phase, r.Plan, len(r.Of(proof.Unproven))), short(r.Commit), r.Ran, r.Reused, r.Seconds, path.Base(r.File))
}

func printClaims(w io.Writer, claims []proof.Claim) {
	words := map[proof.Verdict]string{proof.Proven: "proven    ", proof.Guard: "guard     ", proof.Accepted: "accepted  ", proof.Unchecked: "unchecked ", proof.Unproven: "UNPROVEN  "}
	for _, cl := range claims {
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
}

func judgement(phase, plan string, open int) string {
	subject := "phase " + phase
	if plan != "" {
		subject = "plan " + plan
	}
	if open > 0 {
		return subject + " is not proven: " + text.Count(open, "claim") + " open"
	}
	return subject + " is proven"
}

func short(commit string) string { return commit[:min(len(commit), 7)] }

// proving is how steps of this call prove a phase. trusted: a person asked for what runs.
func (c *Call) proving(trusted bool, budget time.Duration, step func(string)) drive.Proving {
	return drive.Proving{
		Trees: home.Find(c.Getenv).Proofs(), Budget: budget, Step: step,
		Trusted: trusted || c.stepProves(),
	}
}

// stepProves says whether the person lets a step run what plans say. An agent calls
// steps without asking, so this is no setting of the project's.
func (c *Call) stepProves() bool {
	set, err := config.Load(c.Root, c.Getenv)
	return err == nil && set.Bool(config.StepProves)
}

func (c *Call) ticker() *ticker {
	return &ticker{w: c.Stderr, began: time.Now(), show: term.IsTerminal(c.Stderr)}
}

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

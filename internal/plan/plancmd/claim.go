package plancmd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/claim"
	"cairn/internal/term"
)

func claimVerbs() []*command.Command {
	by := command.Flag{Name: "by", Default: "", Help: "who; else $GIT_AUTHOR_NAME, the user, or git's user.name"}
	planArg := []command.Arg{{Name: "PLAN", Help: "its id, such as 02-01"}}
	return []*command.Command{
		{
			Path: "plan claim", Local: true, Short: "Claim a plan, so that two people do not run it",
			Long: "Writes a file under .planning/claims. Others see it when they have it: commit and push it.\n" +
				"cairn plan plan wave and cairn plan next skip what somebody else has claimed. A claim ends\n" +
				"by itself; taking it again renews it. Exits 5 if somebody else has it.",
			Args:     planArg,
			Flags:    []command.Flag{by, {Name: "for", Default: 4 * time.Hour, Help: "how long"}},
			Examples: []string{"cairn plan claim 02-01", "cairn plan claim 02-01 --by Ada --for 8h"},
			Effect:   command.Writes, Run: run(takeClaim),
		},
		{
			Path: "plan claim release", Short: "Release a claim before it ends",
			Args: planArg, Flags: []command.Flag{by},
			Examples: []string{"cairn plan claim release 02-01", "cairn plan claim release 02-01 --by Ada"},
			Effect:   command.Writes, Run: run(releaseClaim),
		},
		{
			Path: "plan claim list", Short: "List who has claimed which plan",
			Examples: []string{"cairn plan claim list", "cairn plan claim list --json"},
			Effect:   command.Reads, Run: reads(listClaims),
		},
	}
}

// owner is who claims: the flag, or who changes the plan.
func (c *Call) owner() string {
	name := ""
	if c.Has("by") {
		name = c.String("by")
	}
	if name = cmp.Or(strings.TrimSpace(name), c.By); name == "" {
		name, _ = git.Run(c.Context, c.Root, "config", "--get", "user.name")
	}
	if name == "" {
		fail(term.Hint(command.Usagef("nobody is named"), "--by NAME says who claims it"))
	}
	return name
}

// claimed is a plan that the call names, which must be there.
func (c *Call) claimed(tx *plan.Tx) string {
	id := strings.TrimSuffix(strings.TrimSuffix(c.Arg("PLAN"), ".md"), "-PLAN")
	for _, p := range tx.Phases(plan.WithIdeas) {
		for _, f := range p.Plans {
			if f.ID == id || plan.CanonicalPlanID(f.ID) == plan.CanonicalPlanID(id) && strings.Contains(id, "-") {
				return f.ID
			}
		}
	}
	fail(term.Hint(&plan.InputError{Path: tx.Path("phases"), What: fmt.Sprintf("has no plan %q", id)}, "cairn plan phase index PHASE lists a phase's plans"))
	return ""
}

func takeClaim(c *Call) *answer.Answer {
	if c.Duration("for") <= 0 {
		return fail(command.Usagef("--for must be longer than nothing"))
	}
	by := c.owner()
	done := claimGate(func() claim.Claim {
		return update(c, func(tx *plan.Tx) claim.Claim { return claim.Take(tx, c.claimed(tx), by, c.Duration("for"), time.Now()) })
	})
	return &answer.Answer{Data: done, View: answer.Line("%s", done)}
}

// claimGate says no where somebody else has the plan.
func claimGate[T any](fn func() T) (done T) {
	err := must.Catch(func() { done = fn() })
	var taken *claim.TakenError
	if errors.As(err, &taken) {
		err = term.Hint(command.Gate(err), "take another plan, or wait; cairn plan claim release %s --by %q ends that claim", taken.Plan, taken.By)
	}
	must.OK(err)
	return done
}

func releaseClaim(c *Call) *answer.Answer {
	by := c.owner()
	released := claimGate(func() []claim.Claim {
		return update(c, func(tx *plan.Tx) []claim.Claim { return claim.Release(tx, c.Arg("PLAN"), by, time.Now()) })
	})
	said := "released " + c.Arg("PLAN")
	if len(released) == 0 {
		said = c.Arg("PLAN") + " is not claimed"
	}
	return &answer.Answer{Data: answer.List(released), View: answer.Line("%s", said)}
}

func listClaims(_ *Call, tx *plan.Tx) *answer.Answer {
	claims, _ := claim.List(tx, time.Now())
	a := &answer.Answer{Data: claims}
	if len(claims) == 0 {
		a.Said = "no plan is claimed"
		return a
	}
	t := answer.NewTable("plan:name", "by", "since:time", "until:time")
	for _, c := range claims {
		t.Add(c.Plan, c.By, c.Since, c.Until)
	}
	a.View = t
	return a
}

package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
)

var decisionCommands = []command{
	{name: "check decision-coverage-plan", run: coveragePlan},
	{name: "check decision-coverage-verify", run: coverageVerify},
	{name: "decisions parse", run: reads(decisionsParse), needs: "CONTEXT.md path required"},
}

// covering is what the two coverage gates read.
type covering struct {
	gate.Subject
	context          *gate.File
	plans, summaries []gate.File
}

// cover reads a phase directory and its CONTEXT.md, both paths relative to
// the project or absolute, and calls fn.
func (c *call) cover(fn func(covering) (gate.Coverage, error)) (gate.Coverage, error) {
	if c.arg(0) == "" || c.arg(1) == "" {
		return gate.Coverage{}, fail("sdk_missing_arg", "phase directory and CONTEXT.md path required")
	}
	var out gate.Coverage
	err := c.View(func(tx *plan.Tx) error {
		in := covering{Subject: gate.Look(c.context, tx, nil)}
		var err error
		if in.context, err = gate.ReadIfThere(tx, c.rel(c.arg(1))); err != nil {
			return err
		}
		dir := c.rel(c.arg(0))
		if in.plans, err = documentsIn(tx, dir, "PLAN"); err != nil {
			return err
		}
		if in.summaries, err = documentsIn(tx, dir, "SUMMARY"); err != nil {
			return err
		}
		out, err = fn(in)
		out.Result.Warnings = append(out.Result.Warnings, in.Settings.Warnings...)
		return err
	})
	var input *plan.InputError
	if errors.As(err, &input) && strings.HasPrefix(input.What, "not a decision") { // as before: the others count
		out.Result.Warnings = append(out.Result.Warnings, err.Error())
		err = nil
	}
	for _, w := range out.Result.Warnings {
		fmt.Fprintln(c.Stderr, "Warning: "+w)
	}
	return out, err
}

func coveragePlan(c *call) (result, error) {
	cov, err := c.cover(func(in covering) (gate.Coverage, error) {
		return gate.Decisions(in.Settings.ContextCoverage, in.context, in.plans)
	})
	if err != nil {
		return result{}, err
	}
	o := object{{"passed", cov.Result.Passed}, {"skipped", cov.Result.Skipped}}
	if cov.Result.Skipped {
		o = o.with("reason", cov.Result.Reason)
	}
	o = o.with("total", cov.Total).with("covered", cov.Total-len(cov.Open)).
		with("uncovered", uncited(cov)).with("message", cov.Result.Message)
	return data(o.withData()), nil
}

func coverageVerify(c *call) (result, error) {
	cov, err := c.cover(func(in covering) (gate.Coverage, error) {
		return gate.DecisionsDelivered(in.Settings.ContextCoverage, in.context, in.plans, in.summaries, in.Root, in.Git)
	})
	if err != nil {
		return result{}, err
	}
	o := object{{"skipped", cov.Result.Skipped}, {"blocking", false}}
	if cov.Result.Skipped {
		o = o.with("reason", cov.Result.Reason)
	}
	o = o.with("total", cov.Total).with("honored", cov.Total-len(cov.Open)).
		with("not_honored", uncited(cov)).with("message", cov.Result.Message)
	return data(o.withData()), nil
}

// withData adds the object to itself under "data": the shipped workflows look
// for `.data.passed`, where the old tool never put it, and so their blocking
// gate could not pass.
func (o object) withData() object { return slices.Clip(o).with("data", o) }

func uncited(c gate.Coverage) []object {
	out := []object{}
	for _, d := range c.Open {
		out = append(out, object{{"id", d.ID}, {"text", d.Text}, {"category", d.Category}})
	}
	return out
}

func decisionsParse(c *call, tx *plan.Tx) (result, error) {
	f, err := gate.ReadIfThere(tx, c.rel(c.arg(0)))
	if err != nil {
		return result{}, err
	}
	var ds []doc.Decision
	if f != nil {
		ds, _ = f.Decisions()
	}
	decisions, trackable := []object{}, 0
	for _, d := range ds {
		if d.Trackable() {
			trackable++
		}
		decisions = append(decisions, object{
			{"id", d.ID}, {"text", d.Text}, {"category", d.Category}, {"tags", list(d.Tags)}, {"trackable", d.Trackable()},
		})
	}
	return data(object{{"decisions", decisions}, {"trackable", trackable}, {"total", len(ds)}, {"missing", f == nil}}), nil
}

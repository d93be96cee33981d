package query

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// call is one call of a command. What it was asked is in its arguments, what
// it asks of the plan goes through look and change.
type call struct {
	Env
	*plan.Workspace
	context context.Context
	table   []row
	name    string              // of the command, for the journal
	args    []string            // what stands for no option that is declared
	opts    map[string][]string // the declared options that were given; see parse
	pairs   []pair              // every option with a value, in order
	deflt   *string             // of --default
}

// result is what a command says: data as JSON, or with --raw its plain form
// when it has one. A text is printed as it is in both cases.
type result struct {
	data  any
	raw   string
	plain bool // raw is to be printed with --raw, even when it is ""
	text  bool // raw is all there is
	code  int  // exit code, when it is not 0
}

func data(v any) result                { return result{data: v} }
func dataRaw(v any, raw string) result { return result{data: v, raw: raw, plain: true} }
func rawText(s string) result          { return result{raw: s, text: true} }
func dataBool(v any, raw bool) result  { return dataRaw(v, fmt.Sprint(raw)) }

// problem is an error that ends with exit code 0.
func problem(message string, more ...member) result {
	return data(append(object{{"error", message}}, more...))
}

// failure ends a call with exit code 1 and a message on stderr.
type failure struct{ reason, message string }

func (f *failure) Error() string { return f.message }

// Whatever goes wrong in an answer ends the call and is said on stderr, so the
// functions of this package return what they found and no error. See must.
func fail(reason, format string, a ...any) error { return &failure{reason, fmt.Sprintf(format, a...)} }

// refuse ends the call; require does unless ok.
func refuse(reason, format string, a ...any) result {
	must.OK(fail(reason, format, a...))
	return result{}
}

func require(ok bool, reason, format string, a ...any) {
	if !ok {
		refuse(reason, format, a...)
	}
}

// answered is an answer that ends the call where it is found.
type answered struct{ result }

func (answered) Error() string { return "" }

func finish(res result) { must.OK(answered{res}) }

// look calls fn with the plan as it is.
func (c *call) look(fn func(*plan.Tx)) {
	must.OK(c.View(func(tx *plan.Tx) error { fn(tx); return nil }))
}

// change changes the plan; the journal calls the change as the caller did.
func (c *call) change(fn func(*plan.Tx)) *plan.Change {
	return must.Get(c.Update(c.context, c.name, func(tx *plan.Tx) error { fn(tx); return nil }))
}

// changed is change, and returns what fn has to say of it.
func (c *call) changed(fn func(*plan.Tx) result) (res result) {
	c.change(func(tx *plan.Tx) { res = fn(tx) })
	return res
}

// lookAtPhase calls fn with the phase that the first argument names.
func lookAtPhase(c *call, fn func(*call, *plan.Tx, *plan.Phase) result) (res result) {
	c.look(func(tx *plan.Tx) {
		require(c.arg(0) != "", missing, "phase number required")
		res = fn(c, tx, phaseOf(tx, c.arg(0)))
	})
	return res
}

// phaseOf finds the phase that a query names, by its id or by its directory. One
// that is not there has nothing; see known.
func phaseOf(tx *plan.Tx, name string) *plan.Phase {
	var p *plan.Phase
	id, ok := doc.ParsePhaseID(name)
	if ok {
		p = tx.Phase(id)
	}
	if id, _, ok = doc.DirPhaseID(name[strings.LastIndexByte(name, '/')+1:]); ok && p == nil {
		p = tx.Phase(id)
	}
	if p == nil {
		p = &plan.Phase{}
	}
	return p
}

func known(p *plan.Phase) bool { return p.Dir != "" || p.Section != nil || p.Box != nil }

// oldWords gives an error of a change of phases the older tool's words.
func oldWords(err error) error {
	var phase *plan.PhaseError
	var executed *plan.ExecutedError
	var open *plan.UnfinishedError
	var input *plan.InputError
	switch {
	case errors.As(err, &phase):
		return fail("phase_not_found", "Phase %s %s", phase.Phase, strings.Replace(phase.What, "is not in", "not found in", 1))
	case errors.As(err, &executed):
		return fail("usage", "Phase %s has %d executed plan(s). Use --force to remove anyway.", executed.Phase, executed.Summaries)
	case errors.As(err, &open):
		return fail("usage", "Phase %s is not complete: %s. Use --force to complete it anyway.", open.Phase, open.Unfinished)
	case errors.As(err, &input) && strings.HasSuffix(input.Path, "ROADMAP.md") && input.Line == 0:
		return fail("usage", "ROADMAP.md not found")
	}
	return err
}

package query

import (
	"context"
	"fmt"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// call is one call of a command.
type call struct {
	Env
	*plan.Workspace
	context context.Context
	name    string   // of the command, for the journal
	args    []string // after the command's words, global flags removed
	deflt   *string  // of --default
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
func problem(message string) object    { return object{{"error", message}} }
func fail(reason, format string, a ...any) error {
	return &failure{reason, fmt.Sprintf(format, a...)}
}

// failure ends a call with exit code 1 and a message on stderr.
type failure struct{ reason, message string }

func (f *failure) Error() string { return f.message }

// reads makes a command of a look at the plan.
func reads(fn func(*call, *plan.Tx) (result, error)) func(*call) (result, error) {
	return func(c *call) (res result, err error) {
		err = c.View(func(tx *plan.Tx) error {
			res, err = fn(c, tx)
			return err
		})
		return res, err
	}
}

// onPhase is reads for a command whose first argument names a phase: fn gets
// nil when there is none.
func onPhase(fn func(*call, *plan.Tx, *plan.Phase) (result, error)) func(*call) (result, error) {
	return reads(func(c *call, tx *plan.Tx) (result, error) {
		if c.arg(0) == "" {
			return result{}, fail("sdk_missing_arg", "phase number required")
		}
		p, err := phaseOf(tx, c.arg(0))
		if err != nil {
			return result{}, err
		}
		return fn(c, tx, p)
	})
}

// update is change, and returns what fn has to say of it.
func update[T any](c *call, fn func(*plan.Tx) (T, error)) (done T, err error) {
	_, err = c.change(func(tx *plan.Tx) error {
		done, err = fn(tx)
		return err
	})
	return done, err
}

// phaseOf finds the phase that a query names: by its id, or by its directory.
func phaseOf(tx *plan.Tx, name string) (*plan.Phase, error) {
	if id, ok := doc.ParsePhaseID(name); ok {
		if p, err := tx.Phase(id); p != nil || err != nil {
			return p, err
		}
	}
	if id, _, ok := doc.DirPhaseID(name[strings.LastIndexByte(name, '/')+1:]); ok {
		return tx.Phase(id)
	}
	return nil, nil
}

// change changes the plan; the journal calls the change as the caller did.
func (c *call) change(fn func(*plan.Tx) error) (*plan.Change, error) {
	return c.Update(c.context, c.name, fn)
}

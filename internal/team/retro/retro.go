// Package retro measures what a repository's history knows of a team's work: how
// much changed in a period, when and by whom, how much of it was tests, what was
// released and which pull requests were merged. docs/retro.md has every formula.
//
// [Measure] is for one period. [Read] goes over the whole history once; a [History]
// then answers for every week and for what was shipped. All of it is a function of
// the commits: whoever has the same commits gets the same bytes, whatever their clock, their
// settings of git and their zone.
//
// cli imports it. It asks git and nothing else: settings, records of the team and
// what a terminal shows are cli's.
package retro

import (
	"context"
	"errors"
	"time"
)

// Options say what is measured.
type Options struct {
	Dir  string         // in the working tree
	Rev  string         // the newest commit that counts; "" is HEAD
	Path string         // a directory relative to the top: nothing else counts; "" is all
	Zone *time.Location // whose days are counted; nil is UTC
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// ErrNoRepository is the error of a directory that is in no repository.
var ErrNoRepository = errors.New("not a git repository")

// Measure measures the period of days that ends with the day that last is in. It
// reads no more of the history than that takes.
func Measure(ctx context.Context, o Options, last time.Time, days int) (Report, error) {
	if err := checkDays(days); err != nil {
		return Report{}, err
	}
	p := endingWith(last, days, o.zone())
	h, err := read(ctx, o, enoughFor(p))
	if err != nil {
		return Report{}, err
	}
	reports, err := h.measure(ctx, []period{p})
	if err != nil {
		return Report{}, err
	}
	return reports[0], nil
}

// Weeks measures the last n weeks, from Monday to Sunday, until the one that now
// is in, or all where n is 0. A week without a commit has no report.
func Weeks(ctx context.Context, o Options, now time.Time, n int) ([]Report, error) {
	h, err := Read(ctx, o)
	if err != nil {
		return nil, err
	}
	return h.Weeks(ctx, now, n)
}

// Ships returns what was shipped, the oldest first: versions and merged pull
// requests.
func Ships(ctx context.Context, o Options) ([]Ship, error) {
	h, err := Read(ctx, o)
	if err != nil {
		return nil, err
	}
	return h.Ships(ctx)
}

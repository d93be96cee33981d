package gstackcmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/gstack"
	"cairn/internal/term"
	"cairn/internal/text"
)

// view tells what became of what was found: the same in a dry run.
func view(c *command.Call, src gstack.Source, report *gstack.Report, keep *keeper) *answer.Answer {
	a := &answer.Answer{Data: struct {
		DryRun bool   `json:"dry_run"`
		From   string `json:"from"`
		Repo   string `json:"repo"`
		*gstack.Report
		Queued map[gstack.Kind]int `json:"queued"` // for the team, by kind
	}{keep.dryRun, src.State, src.Repo.Name, report, keep.queued}}
	if len(report.Counts) == 0 {
		a.Said = "cairn: nothing of gstack's is in " + command.Shown(src.State) + " or in this repository"
		return a
	}
	t := answer.NewTable("kind:name", "found:count", "new:count", "already_here:count", "left_out:count", "for_the_team:count")
	for _, n := range report.Counts {
		t.Add(strings.TrimPrefix(text.Count(2, string(n.Kind)), "2 "), n.Found, answer.Some(n.New), answer.Some(n.Here), answer.Some(n.LeftOut), answer.Some(keep.queued[n.Kind]))
	}
	a.View = answer.Views{t, answer.Painted(func(p *answer.Page) error {
		printLeft(p, c.Env, report.Left)
		for i, n := range report.Notes {
			if i == mostNotes {
				term.Warn(c.Stderr, "and %d more of the kind; --json has all", len(report.Notes)-i)
				break
			}
			term.Warn(c.Stderr, "%s: %s", shortPath(c.Env, n.Path), n.Why)
		}
		tell(c.Env, src, report, keep)
		return nil
	})}
	return a
}

const (
	mostNotes = 5
	mostBad   = 20 // of what could not be read
	mostPaths = 4  // of one reason
)

// printLeft lists what was left out: what could not be read by file and line,
// the rest by reason.
func printLeft(p *answer.Page, env *command.Env, all []gstack.Left) {
	var reasons []gstack.Left // the first of each
	var paths [][]string
	counts := map[[2]string]int{}
	bad := 0
	for _, l := range all {
		if l.Bad {
			bad++
			continue
		}
		key := [2]string{string(l.Kind), l.Why}
		if counts[key] == 0 {
			reasons, paths = append(reasons, l), append(paths, nil)
		}
		counts[key] += l.Count
		for i, r := range reasons {
			if r.Kind == l.Kind && r.Why == l.Why && len(paths[i]) <= mostPaths {
				paths[i] = append(paths[i], placeOf(env, l))
			}
		}
	}
	for i, r := range reasons {
		if i == 0 {
			fmt.Fprintln(p, "\nleft out:")
		}
		where := strings.Join(paths[i][:min(len(paths[i]), mostPaths)], ", ")
		if len(paths[i]) > mostPaths {
			where += ", …"
		}
		why := term.Line(r.Why)
		if r.Kind != gstack.Others {
			why = text.Count(counts[[2]string{string(r.Kind), r.Why}], string(r.Kind)) + ": " + why
		}
		fmt.Fprintln(p, term.Fold(p.Writer, "  "+why, 2))
		fmt.Fprintln(p, term.Fold(p.Writer, "    "+where, 4))
	}
	if bad == 0 {
		return
	}
	fmt.Fprintln(p, "\ncould not be read:")
	n := 0
	for _, l := range all {
		if !l.Bad {
			continue
		}
		if n++; n > mostBad {
			fmt.Fprintf(p, "  and %d more; --json lists all\n", bad-mostBad)
			return
		}
		fmt.Fprintln(p, term.Fold(p.Writer, "  "+placeOf(env, l)+": "+term.Line(l.Why), 4))
	}
}

// placeOf is the name of a setting, else a path and the line in it.
func placeOf(env *command.Env, l gstack.Left) string {
	path := shortPath(env, l.Path)
	switch {
	case l.Kind == gstack.Settings && l.Name != "" && !l.Bad:
		return term.Line(l.Name)
	case l.Line > 0:
		return fmt.Sprintf("%s:%d", path, l.Line)
	case l.Name != "":
		return path + " " + term.Line(l.Name)
	}
	return path
}

// shortPath is a path as a person reads it: from here or from their home.
func shortPath(env *command.Env, path string) string {
	if rel, err := filepath.Rel(env.Here(), path); err == nil && filepath.IsLocal(rel) {
		return term.Line(rel)
	}
	if rel, err := filepath.Rel(home.UserDir(env.Getenv), path); err == nil && filepath.IsLocal(rel) {
		return term.Line(filepath.Join("~", rel))
	}
	return term.Line(path)
}

// tell says in a sentence what was done.
func tell(env *command.Env, src gstack.Source, report *gstack.Report, keep *keeper) {
	sum := report.Sum()
	switch {
	case keep.dryRun:
		fmt.Fprintf(env.Stderr, "cairn: nothing was stored; %d would be new\n", sum.New)
	case sum.New == 0 && len(keep.queued) == 0:
		fmt.Fprintf(env.Stderr, "cairn: nothing new\n")
	default:
		fmt.Fprintf(env.Stderr, "cairn: %d stored in %s\n", sum.New, shortPath(env, string(home.Find(env.Getenv))))
	}
	for _, s := range report.Settings {
		word := "set"
		if keep.dryRun {
			word = "would set"
		}
		fmt.Fprintf(env.Stderr, "cairn: %s %s to %s\n", word, s.Key, s.Value)
	}
	switch {
	case len(keep.queued) > 0 && !keep.dryRun:
		term.PrintHint(env.Stderr, "cairn sync status says how far the team's queue is")
	case keep.sync != nil && !keep.sync.Enabled && !keep.syncOn:
		term.PrintHint(env.Stderr, "sync is switched off: cairn sync setup signs in, and cairn sync migrate sends what is stored here")
	}
	if src.Repo.Name == "" {
		term.PrintHint(env.Stderr, "this is no repository; what is of one is taken by cairn migrate gstack in it, or with --repo DIR")
	}
}

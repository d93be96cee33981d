package workstream

import (
	"errors"
	"fmt"
	"slices"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
	"cairn/internal/text"
)

// ErrExists says that there is a workstream of that name.
var ErrExists = errors.New("there is a workstream of that name")

// Options say what Create makes.
type Options struct {
	Name    string // of the new one; see Name
	Migrate string // the name for the work of a flat project; "" is its milestone's
	Flat    bool   // leave the work of a flat project where it is
	Today   string // 2006-01-02
}

// Created is what Create made.
type Created struct {
	Name     string
	Path     string
	Migrated string   // the workstream that the flat project's work became, or ""
	Moved    []string // its files, by name
}

// own are what a workstream has for itself.
var own = [...]string{"ROADMAP.md", "STATE.md", "REQUIREMENTS.md", phases}

const phases = "phases"

// Name makes a workstream's name of what a person calls it: API Rework is
// api-rework.
func Name(s string) (string, error) {
	name := text.LetterSlug(s, doc.SlugLength)
	if !plan.ValidStream(name) {
		return "", term.Hint(fmt.Errorf("%q gives no workstream's name", s), "letters, digits, dashes")
	}
	return name, nil
}

// Create makes a workstream. In a flat project that has work, that work first
// becomes a workstream of its own.
func Create(tx *plan.Tx, o Options) (*Created, error) {
	name := must.Get(Name(o.Name))
	c := &Created{Name: name, Path: Path(tx.Workspace, name)}
	if Has(tx, name) && !empty(tx, c.Path) {
		return c, ErrExists
	}
	if !o.Flat && len(Names(tx)) == 0 {
		c.migrate(tx, o.Migrate)
	}
	tx.Mkdir(c.Path + "/" + phases)
	tx.Write(c.Path+"/STATE.md", doc.New(skeleton(name, o.Today)...).Bytes())
	return c, nil
}

// empty reports whether there is no file below a directory: git leaves the
// directories of a workstream that another branch has.
func empty(tx *plan.Tx, rel string) bool {
	return !slices.ContainsFunc(tx.ReadDir(rel), func(e plan.Entry) bool { return !e.Dir || !empty(tx, rel+"/"+e.Name) })
}

// migrate moves the work of a flat project into a workstream.
func (c *Created) migrate(tx *plan.Tx, into string) {
	for _, file := range own {
		if tx.Has(tx.Shared(file)) {
			c.Moved = append(c.Moved, file)
		}
	}
	switch {
	case len(c.Moved) == 0:
		return
	case len(c.Moved) == 1 && c.Moved[0] == phases:
		if len(tx.ReadDir(tx.Shared(phases))) == 0 {
			c.Moved = nil
			return
		}
	}
	name := migrated(tx, into)
	if name == c.Name {
		must.Fail(term.Hint(fmt.Errorf("the work that is there would become the workstream %s too", name), "name it with --migrate-name, or leave it with --no-migrate"))
	}
	c.Migrated = name
	for _, file := range c.Moved {
		tx.Move(tx.Shared(file), Path(tx.Workspace, name)+"/"+file)
	}
}

// migrated returns the name for a flat project's work.
func migrated(tx *plan.Tx, given string) string {
	if given != "" {
		return must.Get(Name(given))
	}
	version, milestone := tx.Milestone()
	for _, text := range []string{milestone, version} {
		if name, err := Name(text); err == nil {
			return name
		}
	}
	return "default"
}

func skeleton(name, today string) []string {
	return []string{
		"---",
		"workstream: " + name,
		"created: " + today,
		"---",
		"",
		"# Project State",
		"",
		"## Current Position",
		"",
		"**Status:** Not started",
		"**Current Phase:** None",
		"**Last Activity:** " + today,
		"**Last Activity Description:** Workstream created",
		"",
		"## Progress",
		"",
		"**Phases Complete:** 0",
		"**Current Plan:** N/A",
		"",
		"## Session Continuity",
		"",
		"**Stopped At:** N/A",
		"**Resume File:** None",
	}
}

package item

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Draft is a new item. Title is all that every kind needs.
type Draft struct {
	Title    string
	Body     string
	Area     string   // of a todo, "general" when it is ""
	Priority string   // of a todo
	Files    []string // of a todo
	Trigger  string   // of a seed: when it should be looked at again
	Scope    string   // of a seed
	During   string   // of a seed: what was worked on when it was planted
}

// nameSlug is how long the slug in a file's name may be.
const nameSlug = 50

// Add stages a new item. Two that are added in the same second under the same
// title get names of their own.
func Add(tx *plan.Tx, k Kind, d Draft, at time.Time) (Item, error) {
	if d.Title = strings.TrimSpace(d.Title); d.Title == "" || strings.ContainsAny(d.Title, "\n\r\x00") {
		return Item{}, &plan.InputError{Path: "the new " + string(k), What: "needs a title of one line"}
	}
	if k == Quick {
		dir, err := addQuick(tx, d, at)
		if err != nil {
			return Item{}, err
		}
		return readQuick(tx, dir)
	}
	date := at.Format(time.DateOnly)
	t := doc.New("---", "---", "")
	var name string
	var err error
	switch k {
	case Todo:
		area := d.Area
		if area == "" {
			area = "general"
		}
		name = date + "-" + slug(d.Title, k)
		err = setAll(t, "created", date, "title", d.Title, "area", area, "priority", d.Priority)
		if err == nil && len(d.Files) > 0 {
			err = t.SetFront(d.Files, "files")
		}
	case Note:
		name = date + "-" + slug(d.Title, k)
		err = setAll(t, "created", date, "title", d.Title)
	case Seed:
		var id string
		if id, err = nextSeed(tx); err != nil {
			return Item{}, err
		}
		name = id + "-" + slug(d.Title, k)
		err = setAll(t, "id", id, "status", k.shelf().fresh, "title", d.Title, "planted", date,
			"planted_during", d.During, "trigger_when", d.Trigger, "scope", d.Scope)
	case Thread:
		name = slug(d.Title, k)
		err = setAll(t, "status", k.shelf().fresh, "title", d.Title, "created", date, "updated", date)
	case Debug:
		name = slug(d.Title, k)
		err = setAll(t, "status", k.shelf().fresh, "trigger", d.Title, "created", date, "updated", date)
	}
	if err != nil {
		return Item{}, err
	}
	t.Insert(t.Len(), body(k, d)...)
	rel, err := freeName(tx, k, name)
	if err != nil {
		return Item{}, err
	}
	if err := tx.Write(rel, t.Bytes()); err != nil {
		return Item{}, err
	}
	return read(tx, k, rel, false)
}

// body is what stands under the fields.
func body(k Kind, d Draft) []string {
	text := strings.TrimRight(d.Body, "\n")
	var out []string
	switch k {
	case Thread:
		out = []string{"# Thread: " + d.Title, "", "## Goal", "", "## Context", "", "## Next Steps"}
	case Debug:
		out = []string{
			"# Debug: " + d.Title, "", "## Current Focus", "", "hypothesis:", "test:", "expecting:", "next_action:", "",
			"## Symptoms", "", "## Eliminated", "", "## Evidence", "", "## Resolution",
		}
	case Seed:
		out = []string{"# " + d.Title}
	}
	if text == "" {
		return out
	}
	lines := strings.Split(text, "\n")
	switch k {
	case Thread:
		return append(append(out[:3:3], append([]string{""}, lines...)...), out[3:]...)
	case Debug:
		return append(append(out[:10:10], append([]string{""}, lines...)...), out[10:]...)
	case Seed:
		return append(append(out, ""), lines...)
	}
	return lines
}

// setAll writes the fields that have a value.
func setAll(t *doc.Text, pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		if err := t.SetFront(pairs[i+1], pairs[i]); err != nil {
			return err
		}
	}
	return nil
}

// slug is never empty: a title without a letter or digit is called by its
// kind.
func slug(title string, k Kind) string {
	if s := doc.Slug(title, nameSlug); s != "" {
		return s
	}
	return string(k)
}

// freeName returns a path for a new item that no item of the kind has, open
// or closed.
func freeName(tx *plan.Tx, k Kind, name string) (string, error) {
	items, err := All(tx, k)
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, it := range items {
		taken[strings.ToLower(it.Name)] = true // a file system may not tell case
	}
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	return path.Join(k.Dir(tx.Workspace), free+".md"), nil
}

// nextSeed returns the id after the highest there is.
func nextSeed(tx *plan.Tx) (string, error) {
	seeds, err := All(tx, Seed)
	if err != nil {
		return "", err
	}
	highest := 0
	for _, s := range seeds {
		n, _ := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(s.ID), "SEED-"))
		highest = max(highest, n)
	}
	return fmt.Sprintf("SEED-%03d", highest+1), nil
}

// seedID reads the id in a file's name: SEED-001 of SEED-001-later.
func seedID(name string) string {
	parts := strings.SplitN(name, "-", 3)
	if len(parts) < 2 || !strings.EqualFold(parts[0], "SEED") || parts[1] == "" || strings.Trim(parts[1], "0123456789") != "" {
		return ""
	}
	return "SEED-" + parts[1]
}

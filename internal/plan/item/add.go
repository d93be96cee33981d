package item

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/internal/text"
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
func Add(tx *plan.Tx, k Kind, d Draft, at time.Time) Item {
	if d.Title = strings.TrimSpace(d.Title); d.Title == "" || strings.ContainsAny(d.Title, "\n\r\x00") {
		must.Fail(&plan.InputError{Path: "the new " + string(k), What: "needs a title of one line"})
	}
	if k == Quick {
		return readQuick(tx, addQuick(tx, d, at))
	}
	t, name := write(tx, k, d, at)
	rel := freeName(tx, k, name)
	tx.Write(rel, t.Bytes())
	return read(tx, k, rel, false)
}

// write returns the document of a new item and its name. What is jotted down
// has a form of its own; what will be worked on is its kind's template.
func write(tx *plan.Tx, k Kind, d Draft, at time.Time) (t *doc.Text, name string) {
	date := at.Format(time.DateOnly)
	name = cmp.Or(text.LetterSlug(d.Title, nameSlug), string(k)) // a title may have no letter or digit
	values := map[string]string{"title": d.Title, "date": date, "timestamp": at.UTC().Format(time.RFC3339)}
	switch k {
	case Todo, Note:
		return jot(k, d, date), date + "-" + name
	case Thread:
		add(values, "context", d.Body)
	case Debug:
		values["trigger"] = d.Title
		add(values, "actual", d.Body)
	case Seed:
		values["id"] = nextSeed(tx)
		name = values["id"] + "-" + name
		add(values, "idea", d.Body)
		add(values, "planted_during", d.During)
		add(values, "trigger_when", d.Trigger)
		add(values, "scope", d.Scope)
	}
	return must.Get(template.Fill(string(k), values)), name
}

// add gives a template a value, unless it is empty: then the gap stays.
func add(values map[string]string, field, value string) {
	if value = strings.TrimSpace(value); value != "" {
		values[field] = value
	}
}

// jot is a todo or a note: some fields and a text.
func jot(k Kind, d Draft, date string) *doc.Text {
	t := doc.New("---", "---")
	fields := []string{"created", date, "title", d.Title}
	if k == Todo {
		fields = append(fields, "area", cmp.Or(d.Area, "general"), "priority", d.Priority)
	}
	setAll(t, fields...)
	if len(d.Files) > 0 {
		must.OK(t.SetFront(d.Files, "files"))
	}
	if text := strings.TrimRight(d.Body, "\n"); text != "" {
		t.Insert(t.Len(), append([]string{""}, strings.Split(text, "\n")...)...)
	}
	return t
}

// setAll writes the fields that have a value.
func setAll(t *doc.Text, pairs ...string) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			must.OK(t.SetFront(pair[1], pair[0]))
		}
	}
}

// freeName returns a path for a new item that no item of the kind has, open
// or closed.
func freeName(tx *plan.Tx, k Kind, name string) string {
	taken := map[string]bool{}
	for _, it := range All(tx, k) {
		taken[strings.ToLower(it.Name)] = true // a file system may not tell case
	}
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	return path.Join(k.Dir(tx.Workspace), free+".md")
}

// nextSeed returns the id after the highest there is.
func nextSeed(tx *plan.Tx) string {
	highest := 0
	for _, s := range All(tx, Seed) {
		n, _ := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(s.ID), "SEED-"))
		highest = max(highest, n)
	}
	return fmt.Sprintf("SEED-%03d", highest+1)
}

// seedID reads the id in a file's name: SEED-001 of SEED-001-later.
func seedID(name string) string {
	parts := strings.SplitN(name, "-", 3)
	if len(parts) < 2 || !strings.EqualFold(parts[0], "SEED") || parts[1] == "" || strings.Trim(parts[1], "0123456789") != "" {
		return ""
	}
	return "SEED-" + parts[1]
}

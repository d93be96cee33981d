package item

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// Open returns the items of a kind that are open, by name.
func Open(tx *plan.Tx, k Kind) []Item {
	items := readShelves(tx, k, k.shelf().pending, false)
	return slices.DeleteFunc(items, func(it Item) bool { return !it.Open })
}

// All returns every item of a kind: those at hand by name, then those put
// away.
func All(tx *plan.Tx, k Kind) []Item {
	s := k.shelf()
	items := readShelves(tx, k, s.pending, false)
	for _, dir := range s.closed {
		items = append(items, readShelves(tx, k, dir, true)...)
	}
	return items
}

// readShelves reads a directory of a kind: the workspace's and, from within a
// workstream, also what the project had before there were any.
func readShelves(tx *plan.Tx, k Kind, dir string, closed bool) []Item {
	own, shared := tx.Path(k.shelf().dir, dir), tx.Shared(k.shelf().dir, dir)
	items := readDir(tx, k, own, closed)
	if own != shared {
		items = append(items, readDir(tx, k, shared, closed)...)
	}
	return items
}

// Find returns the item of a name: its file's, with or without .md, or its
// id. An open one is taken before one of the same name that is closed.
func Find(tx *plan.Tx, k Kind, name string) Item {
	must.OK(CheckName(k, name))
	want := strings.TrimSuffix(name, ".md")
	for _, it := range All(tx, k) {
		if it.Name == want || it.ID != "" && strings.EqualFold(it.ID, want) {
			return it
		}
	}
	missing := &plan.InputError{What: "there is no " + k.Words() + " " + printable(name)}
	must.Fail(term.Hint(missing, "cairn plan %s list shows what there is", k))
	return Item{}
}

func readDir(tx *plan.Tx, k Kind, dir string, closed bool) []Item {
	var out []Item
	for _, e := range tx.ReadDir(dir) {
		switch {
		case k == Quick && e.Dir:
			out = append(out, readQuick(tx, path.Join(dir, e.Name)))
		case k != Quick && !e.Dir && k.isFile(e.Name):
			out = append(out, read(tx, k, path.Join(dir, e.Name), closed))
		}
	}
	return out
}

func read(tx *plan.Tx, k Kind, rel string, closed bool) Item {
	t := must.Get(tx.Read(rel))
	h := readHeader(t)
	s := k.shelf()
	it := Item{
		Kind: k, Name: strings.TrimSuffix(path.Base(rel), ".md"), Path: rel,
		ID: h.get("id"), Title: title(t, h), Status: strings.ToLower(status(t, h)),
		Created: h.get("created", "planted", "date", "started"), Updated: h.get("updated", "completed", "resolved"),
		Area: h.get("area"), Priority: h.get("priority"), Scope: h.get("scope"), Files: h.list("files"),
		Trigger: h.get("trigger_when", "trigger"), Body: t.Span(h.end, t.Len()),
	}
	switch {
	case k == Seed:
		it.ID = cmp.Or(it.ID, seedID(it.Name))
		it.Title = strings.TrimPrefix(it.Title, it.ID+": ")
	case k == Debug:
		it.Title = cmp.Or(it.Title, it.Trigger)
		if sec, ok := t.Section("Current Focus"); ok {
			f, _ := t.Field(sec.Start, sec.End, "next_action")
			it.Next = f.Value
		}
	}
	if it.Status == "" {
		it.Status = s.fresh
		if closed {
			it.Status = s.end
		}
	}
	it.Open = !closed && s.isOpen(it.Status)
	return it
}

// title is what the fields say, else the first heading.
func title(t *doc.Text, h header) string {
	if text := h.get("title"); text != "" {
		return text
	}
	for _, head := range t.Headings() {
		for _, label := range []string{"Thread:", "Debug:", "Seed:", "Todo:", "Note:"} {
			if rest, ok := strings.CutPrefix(head.Text, label); ok {
				return strings.TrimSpace(rest)
			}
		}
		if head.Level == 1 {
			return head.Text
		}
	}
	return ""
}

// status is what the fields say, else a heading such as `## Status: OPEN`.
func status(t *doc.Text, h header) string {
	if text := h.get("status"); text != "" {
		return text
	}
	if i := statusHeading(t); i >= 0 {
		_, text, _ := strings.Cut(t.Line(i), ":")
		return strings.TrimSpace(text)
	}
	return ""
}

// statusHeading returns the line of a heading that names the status, or -1.
func statusHeading(t *doc.Text) int {
	for _, head := range t.Headings() {
		if name, _, ok := strings.Cut(head.Text, ":"); ok && strings.EqualFold(name, "status") {
			return head.Line
		}
	}
	return -1
}

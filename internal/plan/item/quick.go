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

// QuickID returns the id of a quick task begun at a time: its date and, in
// base 36, half the seconds since midnight.
func QuickID(at time.Time) string {
	half := (at.Hour()*3600 + at.Minute()*60 + at.Second()) / 2
	return fmt.Sprintf("%s-%03s", at.Format("060102"), strconv.FormatInt(int64(half), 36))
}

// cutQuickID reads a directory's name such as 260131-abc-fix-login.
func cutQuickID(name string) (id, slug string, ok bool) {
	parts := strings.SplitN(name, "-", 3)
	if len(parts) < 2 || len(parts[0]) != 6 || strings.Trim(parts[0], "0123456789") != "" || len(parts[1]) < 3 {
		return "", name, false
	}
	if len(parts) == 3 {
		slug = parts[2]
	}
	return parts[0] + "-" + parts[1], slug, true
}

// readQuick reads the directory of a quick task. What its SUMMARY.md says is
// its status; without one it is open.
func readQuick(tx *plan.Tx, dir string) Item {
	s := Quick.shelf()
	it := Item{Kind: Quick, Name: path.Base(dir), Path: dir, Status: s.fresh}
	id, slug, ok := cutQuickID(it.Name)
	if it.ID = id; ok {
		it.Created = "20" + id[:2] + "-" + id[2:4] + "-" + id[4:6]
	}
	it.Title = strings.ReplaceAll(slug, "-", " ")
	for _, f := range tx.ReadDir(dir) {
		switch {
		case f.Dir:
		case plan.IsDocument(f.Name, "PLAN"):
			it.Title = cmp.Or(quickTitle(must.Get(tx.Read(path.Join(dir, f.Name)))), it.Title)
		case plan.IsDocument(f.Name, "SUMMARY"):
			h := readHeader(must.Get(tx.Read(path.Join(dir, f.Name))))
			it.Status = strings.ToLower(cmp.Or(h.get("status"), "unknown"))
		}
	}
	it.Open = s.isOpen(it.Status)
	return it
}

func quickTitle(t *doc.Text) string {
	if text := readHeader(t).get("title", "description"); text != "" {
		return text
	}
	for _, b := range t.Blocks(t.Body(), t.Len(), "objective") {
		line, _, _ := strings.Cut(strings.TrimSpace(b.Text), "\n")
		return line
	}
	return ""
}

// addQuick stages the directory of a new quick task.
func addQuick(tx *plan.Tx, d Draft, at time.Time) string {
	for ; ; at = at.Add(2 * time.Second) { // the id is taken: use the next
		id := QuickID(at)
		taken := tx.ReadDir(Quick.Dir(tx.Workspace))
		if slices.ContainsFunc(taken, func(e plan.Entry) bool { return strings.HasPrefix(e.Name, id) }) {
			continue
		}
		dir := path.Join(Quick.Dir(tx.Workspace), strings.TrimSuffix(id+"-"+QuickSlug(d.Title), "-"))
		t := must.Get(template.Fill("quick-plan", map[string]string{"id": id, "objective": d.Title}))
		tx.Write(path.Join(dir, id+"-PLAN.md"), t.Bytes())
		return dir
	}
}

// QuickSlug returns what a quick task's directory has after its id; "" for a
// description without a letter or digit.
func QuickSlug(description string) string { return text.LetterSlug(description, 40) }

// closeQuick writes the status into the task's summary, which is made when
// there is none, and a row into STATE.md's table of quick tasks.
func closeQuick(tx *plan.Tx, it Item, date string) {
	rel := path.Join(it.Path, strings.TrimPrefix(it.ID+"-SUMMARY.md", "-"))
	for _, f := range tx.ReadDir(it.Path) {
		if !f.Dir && plan.IsDocument(f.Name, "SUMMARY") {
			rel = path.Join(it.Path, f.Name)
		}
	}
	if !tx.Has(rel) {
		t := doc.New("---", "---", "", "# "+it.Title)
		setAll(t, "id", it.ID, "status", Quick.shelf().end, "completed", date)
		tx.Write(rel, t.Bytes())
	} else {
		must.OK(readHeader(must.Get(tx.Read(rel))).set("status", Quick.shelf().end))
	}
	logQuick(tx, it, date)
}

// logQuick adds the task to the table of STATE.md, once.
func logQuick(tx *plan.Tx, it Item, date string) {
	rel := tx.Path("STATE.md")
	if !tx.Has(rel) {
		return
	}
	t := must.Get(tx.Read(rel))
	commit := quickCommit(tx, it)
	link := "[" + it.Name + "](" + strings.TrimPrefix(it.Path, tx.Path()+"/") + "/)"
	sec, ok := t.Section("Quick Tasks Completed")
	if !ok {
		t.Insert(t.Len(), "", "## Quick Tasks Completed", "", "| # | Description | Date | Commit | Directory |", "|---|---|---|---|---|",
			doc.Row(it.ID, it.Title, date, commit, link))
		return
	}
	tables := t.Tables(sec.Start, sec.End)
	if len(tables) == 0 {
		t.AppendTo(sec, "- "+date+" "+it.ID+": "+it.Title)
		return
	}
	table := tables[0]
	for _, cells := range table.Rows {
		if strings.Contains(strings.Join(cells, " "), it.ID) {
			return
		}
	}
	cells := map[string]string{
		"commit": commit, "#": it.ID, "id": it.ID, "description": it.Title, "task": it.Title,
		"date": date, "completed": date, "directory": link, "status": Quick.shelf().end,
	}
	row := make([]string, len(table.Head))
	for i, head := range table.Head {
		row[i] = cells[strings.ToLower(head)]
	}
	t.AppendRow(table, row...)
}

// quickCommit returns the commit that the task's summary names, "" without
// one.
func quickCommit(tx *plan.Tx, it Item) string {
	t := tx.ReadIfThere(path.Join(it.Path, it.ID+"-SUMMARY.md"))
	if t == nil {
		return ""
	}
	f, _ := t.Field(t.Body(), t.Len(), "Commit")
	return strings.Trim(f.Value, "`*[] ")
}

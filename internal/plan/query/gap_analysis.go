package query

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/settings"
)

var gapCommands = []command{
	{name: "gap-analysis", run: reads(gapAnalysis)},
}

// gapRow is a requirement or decision and whether a plan names it.
type gapRow struct {
	Source string `json:"source"`
	Item   string `json:"item"`
	Status string `json:"status"`
}

const (
	covered    = "Covered"
	notCovered = "Not covered"
)

func gapAnalysis(c *call, tx *plan.Tx) (result, error) {
	dir, ok := c.flag("phase-dir")
	if !ok || dir == "" {
		return result{}, fail("usage", "Usage: gap-analysis --phase-dir <dir>")
	}
	rows := []gapRow{}
	if !settings.Load(tx).Bool("workflow.post_planning_gaps") {
		return gapResult(false, rows), nil
	}
	dir = c.rel(dir)
	plans, err := documentsIn(tx, dir, "PLAN")
	if err != nil {
		return result{}, err
	}
	reqs, err := requirementIDs(tx)
	if err != nil {
		return result{}, err
	}
	for _, id := range reqs {
		rows = append(rows, gapRow{"REQUIREMENTS.md", id, statusIn(plans, id)})
	}
	ds, err := decisionsIn(tx, dir)
	for _, d := range ds {
		rows = append(rows, gapRow{"CONTEXT.md", d.ID, statusIn(plans, d.ID)})
	}
	return gapResult(true, rows), err
}

// decisionsIn returns all decisions of the directory's CONTEXT.md, those that
// no plan has to honor too: this is a report.
func decisionsIn(tx *plan.Tx, dir string) ([]doc.Decision, error) {
	entries, err := tx.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	p := &plan.Phase{Dir: dir}
	for _, e := range entries {
		p.Files = append(p.Files, e.Name)
	}
	f, err := gate.Document(tx, p, "CONTEXT")
	if err != nil || f == nil {
		return nil, err
	}
	all, _ := f.Decisions()
	slices.SortStableFunc(all, func(a, b doc.Decision) int { return natural(a.ID, b.ID) })
	return all, nil
}

// requirementIDs returns the ids of REQUIREMENTS.md, from its boxes and from
// the first cells of its tables, in natural order.
func requirementIDs(tx *plan.Tx) ([]string, error) {
	f, err := gate.ReadIfThere(tx, tx.Path("REQUIREMENTS.md"))
	if err != nil || f == nil {
		return nil, err
	}
	var out []string
	add := func(text string) {
		if id := requirementID(text); id != "" {
			out = append(out, id)
		}
	}
	for _, it := range f.Items(f.Body(), f.Len()) {
		if it.Box {
			add(it.Text)
		}
	}
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		for i := range tb.Rows {
			add(tb.Cell(i, 0))
		}
	}
	slices.SortFunc(out, natural)
	return slices.Compact(out), nil
}

// requirementID reads the id that a text begins with: [A-Z][A-Z0-9]*, a dash,
// and letters, digits, _ and -.
func requirementID(text string) string {
	text = strings.TrimLeft(text, "*` ")
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
	if end >= 0 {
		text = text[:end]
	}
	head, tail, ok := strings.Cut(text, "-")
	if !ok || head == "" || tail == "" || head != strings.ToUpper(head) || head[0] < 'A' || head[0] > 'Z' {
		return ""
	}
	return text
}

func statusIn(plans []gate.File, id string) string {
	if slices.ContainsFunc(plans, func(f gate.File) bool { return gate.HasID(f.String(), id) }) {
		return covered
	}
	return notCovered
}

// natural orders ids with the numbers in them as numbers: D-2 before D-10.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, ra := leadingNumber(a)
		nb, rb := leadingNumber(b)
		switch {
		case na >= 0 && nb >= 0 && na != nb:
			return na - nb
		case na >= 0 && nb >= 0:
			a, b = ra, rb
		case a[0] != b[0]:
			return int(a[0]) - int(b[0])
		default:
			a, b = a[1:], b[1:]
		}
	}
	return len(a) - len(b)
}

// leadingNumber cuts the digits at the start of s; -1 without any.
func leadingNumber(s string) (int, string) {
	rest := strings.TrimLeft(s, "0123456789")
	n, err := strconv.Atoi(s[:len(s)-len(rest)])
	if err != nil {
		return -1, s
	}
	return n, rest
}

func gapResult(enabled bool, rows []gapRow) result {
	n := 0
	for _, r := range rows {
		if r.Status == covered {
			n++
		}
	}
	table := gapTable(rows)
	summary := fmt.Sprintf("%d items: %d covered, %d not covered", len(rows), n, len(rows)-n)
	switch {
	case !enabled:
		table, summary = "", "workflow.post_planning_gaps is false"
	case len(rows) == 0:
		summary = "no requirements or decisions to check"
	}
	return dataRaw(object{
		{"enabled", enabled}, {"rows", rows}, {"table", table}, {"summary", summary},
		{"counts", object{{"total", len(rows)}, {"covered", n}, {"uncovered", len(rows) - n}}},
	}, table)
}

func gapTable(rows []gapRow) string {
	var b strings.Builder
	b.WriteString("| Source | Item | Status |\n|--------|------|--------|\n")
	for _, r := range rows {
		mark := "✓ "
		if r.Status == notCovered {
			mark = "✗ "
		}
		b.WriteString(doc.Row(path.Base(r.Source), r.Item, mark+r.Status) + "\n")
	}
	return b.String()
}

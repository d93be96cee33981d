package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/settings"
)

// covering is what the two coverage gates read.
type covering struct {
	gate.Subject
	context          *gate.File
	plans, summaries []gate.File
}

// cover reads a phase directory and its CONTEXT.md, both paths relative to
// the project or absolute, and calls fn.
func (c *call) cover(fn func(covering) (gate.Coverage, error)) (out gate.Coverage) {
	require(c.arg(0) != "" && c.arg(1) != "", missing, "phase directory and CONTEXT.md path required")
	err := must.Catch(func() {
		c.look(func(tx *plan.Tx) {
			in := covering{Subject: gate.Look(c.context, tx, nil)}
			in.context = gate.ReadIfThere(tx, c.rel(c.arg(1)))
			dir := c.rel(c.arg(0))
			in.plans, in.summaries = documentsIn(tx, dir, "PLAN"), documentsIn(tx, dir, "SUMMARY")
			var err error
			out, err = fn(in)
			out.Result.Warnings = append(out.Result.Warnings, in.Settings.Warnings...)
			must.OK(err)
		})
	})
	var input *plan.InputError
	if errors.As(err, &input) && strings.HasPrefix(input.What, "not a decision") { // as before: the others count
		out.Result.Warnings = append(out.Result.Warnings, err.Error())
		err = nil
	}
	for _, w := range out.Result.Warnings {
		fmt.Fprintln(c.Stderr, "Warning: "+w)
	}
	must.OK(err)
	return out
}

func coveragePlan(c *call) result {
	cov := c.cover(func(in covering) (gate.Coverage, error) {
		return gate.Decisions(in.Settings.ContextCoverage, in.context, in.plans)
	})
	return coverage(cov, object{{"passed", cov.Result.Passed}, {"skipped", cov.Result.Skipped}}, "covered", "uncovered")
}

func coverageVerify(c *call) result {
	cov := c.cover(func(in covering) (gate.Coverage, error) {
		return gate.DecisionsDelivered(in.Settings.ContextCoverage, in.context, in.plans, in.summaries, in.Root, in.Git)
	})
	return coverage(cov, object{{"skipped", cov.Result.Skipped}, {"blocking", false}}, "honored", "not_honored")
}

// coverage adds to o how many decisions are cited, and which are not. The
// object stands in itself under "data" once more: the shipped workflows look
// for `.data.passed`, where the old tool never put it, and so their blocking
// gate could not pass.
func coverage(cov gate.Coverage, o object, cited, uncited string) result {
	open := each(cov.Open, func(d doc.Decision) object {
		return object{{"id", d.ID}, {"text", d.Text}, {"category", d.Category}}
	})
	if cov.Result.Skipped {
		o = o.with("reason", cov.Result.Reason)
	}
	o = append(o, member{"total", cov.Total}, member{cited, cov.Total - len(cov.Open)}, member{uncited, open}, member{"message", cov.Result.Message})
	return data(slices.Clip(o).with("data", o))
}

func decisionsParse(c *call, tx *plan.Tx) result {
	f := gate.ReadIfThere(tx, c.rel(c.arg(0)))
	var ds, loose []doc.Decision
	if f != nil {
		ds, _ = f.Decisions()
		loose = f.Unnumbered()
	}
	trackable := len(only(ds, doc.Decision.Trackable))
	decisions := each(ds, func(d doc.Decision) object {
		return object{{"id", d.ID}, {"text", d.Text}, {"category", d.Category}, {"tags", list(d.Tags)}, {"trackable", d.Trackable()}}
	})
	return data(object{{"decisions", decisions}, {"trackable", trackable}, {"total", len(ds)}, {"missing", f == nil},
		{"unnumbered", each(loose, func(d doc.Decision) object {
			return object{{"text", d.Text}, {"category", d.Category}, {"line", d.Line + 1}}
		})}})
}

// gapRow is a requirement or decision and whether a plan names it.
type gapRow struct {
	Source string `json:"source"`
	Item   string `json:"item"`
	Status string `json:"status"`
}

// gapAnalysis reports which requirements and decisions no plan names: of the
// decisions also those that no plan has to honor.
func gapAnalysis(c *call, tx *plan.Tx) result {
	dir := c.opt("phase-dir")
	require(dir != "", "usage", "Usage: gap-analysis --phase-dir <dir>")
	enabled, rows := settings.Load(tx).Bool("workflow.post_planning_gaps"), []gapRow{}
	table, summary, covered := "", "workflow.post_planning_gaps is false", 0
	if enabled {
		dir = c.rel(dir)
		plans := documentsIn(tx, dir, "PLAN")
		table = "| Source | Item | Status |\n|--------|------|--------|\n"
		add := func(source, id string) {
			row, mark := gapRow{source, id, "Not covered"}, "✗ "
			if slices.ContainsFunc(plans, func(f gate.File) bool { return gate.HasID(f.String(), id) }) {
				row.Status, mark = "Covered", "✓ "
				covered++
			}
			rows = append(rows, row)
			table += doc.Row(source, id, mark+row.Status) + "\n"
		}
		for _, id := range requirementIDs(tx) {
			add("REQUIREMENTS.md", id)
		}
		for _, d := range decisionsIn(tx, dir) {
			add("CONTEXT.md", d.ID)
		}
		summary = fmt.Sprintf("%d items: %d covered, %d not covered", len(rows), covered, len(rows)-covered)
		if len(rows) == 0 {
			summary = "no requirements or decisions to check"
		}
	}
	return dataRaw(object{
		{"enabled", enabled}, {"rows", rows}, {"table", table}, {"summary", summary},
		{"counts", object{{"total", len(rows)}, {"covered", covered}, {"uncovered", len(rows) - covered}}},
	}, table)
}

// decisionsIn returns the decisions of the directory's CONTEXT.md.
func decisionsIn(tx *plan.Tx, dir string) []doc.Decision {
	files := each(tx.ReadDir(dir), func(e plan.Entry) string { return e.Name })
	f := gate.Document(tx, &plan.Phase{Dir: dir, Files: files}, "CONTEXT")
	if f == nil {
		return nil
	}
	all, _ := f.Decisions()
	slices.SortStableFunc(all, func(a, b doc.Decision) int { return natural(a.ID, b.ID) })
	return all
}

// requirementIDs returns the ids of REQUIREMENTS.md, from its boxes and from
// the first cells of its tables, in natural order.
func requirementIDs(tx *plan.Tx) (out []string) {
	f := gate.ReadIfThere(tx, tx.Path("REQUIREMENTS.md"))
	if f == nil {
		return nil
	}
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
	return slices.Compact(out)
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

package query

import (
	"fmt"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

func verificationStatus(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil {
		p = &plan.Phase{}
	}
	f, err := gate.Document(tx, p, "VERIFICATION")
	if err != nil {
		return result{}, err
	}
	status := "missing"
	var score any
	gaps, human, deferred := []string{}, []string{}, []string{}
	passed, rows := 0, rowsOf(f)
	for _, row := range rows {
		switch {
		case row.has("pass", "passed", "verified", "✓"):
			passed++
		case row.has("fail", "failed", "gap"):
			gaps = append(gaps, row.about)
		case row.has("human"):
			human = append(human, row.about)
		case row.has("deferred"):
			deferred = append(deferred, row.about)
		}
	}
	if len(rows) > 0 {
		score = fmt.Sprintf("%d/%d", passed, len(rows))
	}
	if f != nil {
		status = frontOf(f, "status")
		switch {
		case status != "":
		case len(rows) > 0 && passed == len(rows):
			status = "pass"
		case passed > 0:
			status = "partial"
		default:
			status = "fail"
		}
	}
	return data(object{{"status", status}, {"score", score}, {"gaps", gaps}, {"human_items", human}, {"deferred", deferred}}), nil
}

type statusRow struct{ about, status string }

// has reports whether the row's status has one of the words.
func (r statusRow) has(words ...string) bool { return len(wordsIn(r.status, words)) > 0 }

// rowsOf returns the rows of a document's tables that have a status: what
// each is about, and its status in the case it is written in.
func rowsOf(f *gate.File) (rows []statusRow) {
	if f == nil {
		return nil
	}
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		column := tb.Column("Status", "Result", "Verdict")
		if column < 0 {
			continue
		}
		about := tb.Column("Description", "Truth", "Test", "Name", "Item", "Must-have", "Requirement")
		if about < 0 {
			about = min(1, column)
		}
		for i := range tb.Rows {
			rows = append(rows, statusRow{about: tb.Cell(i, about), status: tb.Cell(i, column)})
		}
	}
	return rows
}

// frontOf returns a value of a document's frontmatter, "" without one.
func frontOf(f *gate.File, key string) string {
	if f == nil {
		return ""
	}
	return f.Front().Get(key).Text()
}

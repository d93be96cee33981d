package query

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/audit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
)

func auditUAT(c *call, tx *plan.Tx) result {
	byCategory, byPhase, total := counter{}, counter{}, 0
	results := each(audit.FindUAT(tx), func(o audit.Outstanding) object {
		total += len(o.Tests)
		byPhase = byPhase.add(o.Phase.ID.Padded(), len(o.Tests))
		return object{
			{"phase", o.Phase.ID.Padded()}, {"phase_dir", path.Base(o.Phase.Dir)}, {"file", o.Name}, {"file_path", o.Path()},
			{"type", o.Kind}, {"status", o.Status}, {"items", each(o.Tests, func(t audit.Test) object {
				byCategory = byCategory.add(string(t.Category), 1)
				return object{{"test", t.Number}, {"name", t.Name}}.given("expected", t.Expected).
					with("result", t.Result).with("category", t.Category).given("reason", t.Reason).given("blocked_by", t.Blocked)
			})},
		}
	})
	return data(object{{"results", results}, {"summary", object{
		{"total_files", len(results)}, {"total_items", total}, {"by_category", object(byCategory)}, {"by_phase", object(byPhase)},
	}}})
}

// counter is an object of numbers in the order they were first counted.
type counter object

func (n counter) add(key string, more int) counter {
	for i, m := range n {
		if m.key == key {
			n[i].value = m.value.(int) + more
			return n
		}
	}
	return append(n, member{key, more})
}

// shownTodos is how many todos audit-open lists; the rest is a number.
const shownTodos = 5

// auditOpen prints a report, or with --json the items by kind.
func auditOpen(c *call, tx *plan.Tx) result {
	open := audit.Find(tx)
	if !c.given("json") {
		return rawText(openReport(open))
	}
	return data(object{
		{"scanned_at", time.Now().UTC().Format(millis)}, {"has_open_items", open.Count() > 0},
		{"counts", object{
			{"debug_sessions", len(open.Debug)}, {"quick_tasks", len(open.Quick)}, {"threads", len(open.Threads)},
			{"todos", len(open.Todos)}, {"seeds", len(open.Seeds)}, {"uat_gaps", len(open.UAT)},
			{"verification_gaps", len(open.Verifications)}, {"context_questions", len(open.Questions)}, {"total", open.Count()},
		}},
		{"items", openItems(tx, open)},
	})
}

func openItems(tx *plan.Tx, o *audit.Open) object {
	todos := each(o.Todos[:min(len(o.Todos), shownTodos)], func(it item.Item) object {
		line, _, _ := strings.Cut(strings.TrimSpace(it.Body), "\n")
		return object{{"filename", path.Base(it.Path)}, {"priority", it.Priority}, {"area", it.Area}, {"summary", cmp.Or(it.Title, line)}}
	})
	if more := len(o.Todos) - shownTodos; more > 0 {
		todos = append(todos, object{{"_remainder_count", more}})
	}
	return object{
		{"debug_sessions", each(o.Debug, func(it item.Item) object {
			return object{{"slug", it.Name}, {"status", it.Status}, {"updated", it.Updated}, {"hypothesis", focus(tx, it.Path)}}
		})},
		{"quick_tasks", each(o.Quick, func(it item.Item) object {
			status := either(it.Status == "open", "missing", it.Status)
			return object{{"slug", it.Name}, {"date", it.Created}, {"status", status}, {"description", it.Title}}
		})},
		{"threads", each(o.Threads, func(it item.Item) object {
			return object{{"slug", it.Name}, {"status", it.Status}, {"updated", it.Updated}, {"title", it.Title}}
		})},
		{"todos", todos},
		{"seeds", each(o.Seeds, func(it item.Item) object {
			slug := strings.TrimPrefix(strings.TrimPrefix(it.Name, it.ID), "-")
			return object{{"seed_id", it.ID}, {"slug", slug}, {"status", it.Status}, {"title", it.Title}}
		})},
		{"uat_gaps", each(o.UAT, func(f audit.PhaseFile) object {
			return phaseFile(f).with("status", cmp.Or(f.Status, "unknown")).with("open_scenario_count", len(f.Open))
		})},
		{"verification_gaps", each(o.Verifications, func(f audit.PhaseFile) object {
			return phaseFile(f).with("status", cmp.Or(f.Status, "unknown"))
		})},
		{"context_questions", each(o.Questions, func(f audit.PhaseFile) object {
			return phaseFile(f).with("question_count", len(f.Open)).with("questions", f.Open)
		})},
	}
}

func phaseFile(f audit.PhaseFile) object {
	return object{{"phase", f.Phase.ID.Padded()}, {"file", f.Name}}
}

// focus returns the hypothesis of a debug session.
func focus(tx *plan.Tx, rel string) string {
	t := must.Get(tx.Read(rel))
	s, ok := t.Section("Current Focus")
	if !ok {
		s = doc.Section{Start: t.Body(), End: t.Len()}
	}
	f, _ := t.Field(s.Start, s.End, "hypothesis")
	return f.Value
}

// openReport is audit-open for people.
func openReport(o *audit.Open) string {
	var b strings.Builder
	b.WriteString("Open artifacts\n==============\n\n")
	if o.Count() == 0 {
		b.WriteString("All artifact types clear.\n")
		return b.String()
	}
	group := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&b, "%s (%d)\n  - %s\n\n", title, len(lines), strings.Join(lines, "\n  - "))
		}
	}
	items := func(title string, items []item.Item) {
		group(title, each(items, func(it item.Item) string {
			return strings.TrimSpace(fmt.Sprintf("%s [%s] %s", it.Name, it.Status, it.Title))
		}))
	}
	files := func(title string, files []audit.PhaseFile) {
		group(title, each(files, func(f audit.PhaseFile) string {
			return fmt.Sprintf("%s [%s] %d open", f.Name, cmp.Or(f.Status, "unknown"), len(f.Open))
		}))
	}
	items("Debug sessions", o.Debug)
	items("Quick tasks", o.Quick)
	items("Threads", o.Threads)
	items("Todos", o.Todos)
	items("Seeds", o.Seeds)
	files("UAT gaps", o.UAT)
	files("Verification gaps", o.Verifications)
	files("Context questions", o.Questions)
	fmt.Fprintf(&b, "%d open items\n", o.Count())
	return b.String()
}

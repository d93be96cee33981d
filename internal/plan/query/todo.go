package query

import (
	"cmp"
	"path"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
)

func listTodos(c *call, tx *plan.Tx) result {
	rows := todoRows(item.Open(tx, item.Todo), c.arg(0))
	return data(object{{"count", len(rows)}, {"todos", rows}})
}

// todoRows are the todos of an area, of all when it is "".
func todoRows(todos []item.Item, area string) []object {
	return each(only(todos, func(t item.Item) bool {
		return area == "" || strings.EqualFold(t.Area, area) || t.Area == "" && area == "general"
	}), todoRow)
}

func todoRow(t item.Item) object {
	return object{
		{"file", t.Name + ".md"}, {"created", cmp.Or(t.Created, "unknown")}, {"title", cmp.Or(t.Title, "Untitled")},
		{"area", cmp.Or(t.Area, "general")}, {"path", t.Path},
	}
}

func todoComplete(c *call) result {
	name := c.arg(0)
	err := item.CheckName(item.Todo, name)
	require(err == nil, "usage", "%v", err)
	now := time.Now().UTC()
	return c.changed(func(tx *plan.Tx) result {
		var it item.Item
		err := must.Catch(func() { it = item.Find(tx, item.Todo, name) })
		require(err == nil && it.Open, "unknown", "Todo not found: %s", name)
		item.Close(tx, item.Todo, name, now)
		return dataRaw(object{{"completed", true}, {"file", name}, {"date", now.Format(time.DateOnly)}}, "completed")
	})
}

func todoMatch(c *call, tx *plan.Tx) result {
	todos := item.Open(tx, item.Todo)
	rows := []object{}
	if id, ok := doc.ParsePhaseID(c.arg(0)); ok && len(todos) > 0 {
		if p := tx.Phase(id); p != nil {
			for _, m := range item.MatchTopic(todos, brief.Topic(tx, p)) {
				row := todoRow(m.Item)
				rows = append(rows, object{row[0], row[2], row[3], {"score", m.Score}, {"reasons", m.Reasons}})
			}
		}
	}
	return data(object{{"phase", c.arg(0)}, {"matches", rows}, {"todo_count", len(todos)}})
}

func initTodos(s *starting) object {
	todos := todoRows(item.Open(s.tx, item.Todo), s.arg(0))
	date, timestamp := times()
	return s.finish(object{
		s.commitDocs(), date, timestamp, {"todo_count", len(todos)}, {"todos", todos}, {"area_filter", orNull(s.arg(0))},
		{"pending_dir", item.Todo.Dir(s.tx.Workspace)}, {"completed_dir", item.Todo.Closed(s.tx.Workspace)},
		s.planning(), s.has("todos_dir_exists", "todos"), s.has("pending_dir_exists", "todos/pending"),
	})
}

func initQuick(s *starting) object {
	description := strings.Join(s.args, " ")
	id, short := item.QuickID(time.Now()), item.QuickSlug(description)
	dir := s.tx.Path("quick")
	var task any
	if short != "" {
		task = path.Join(dir, id+"-"+short)
	}
	date, timestamp := times()
	return s.finish(object{
		s.model("planner", "planner"), s.model("executor", "executor"), s.model("checker", "plan-checker"), s.model("verifier", "verifier"),
		s.commitDocs(), {"branch_name", orNull(brief.QuickBranch(s.set.Text("git.quick_branch_template"), id, short))},
		{"quick_id", id}, {"slug", orNull(short)}, {"description", orNull(description)}, date, timestamp,
		{"quick_dir", dir}, {"task_dir", task}, s.has("roadmap_exists", "ROADMAP.md"), s.planning(),
	})
}

package query

import (
	"cmp"
	"path"
	"strings"
	"time"

	"cairn/internal/plan/brief"
	"cairn/internal/plan/item"
)

func initQuick(s *starting) (object, error) {
	description := strings.Join(s.args, " ")
	id, short := item.QuickID(time.Now()), item.QuickSlug(description)
	dir := s.Tx.Path("quick")
	var task any
	if short != "" {
		task = path.Join(dir, id+"-"+short)
	}
	date, timestamp := times()
	return s.finish(object{
		{"planner_model", s.model("planner")}, {"executor_model", s.model("executor")},
		{"checker_model", s.model("plan-checker")}, {"verifier_model", s.model("verifier")}, s.commitDocs(),
		{"branch_name", orNull(brief.QuickBranch(s.set.Text("git.quick_branch_template"), id, short))},
		{"quick_id", id}, {"slug", orNull(short)}, {"description", orNull(description)}, date, timestamp,
		{"quick_dir", dir}, {"task_dir", task}, s.has("roadmap_exists", "ROADMAP.md"), s.planning(),
	}), nil
}

func initTodos(s *starting) (object, error) {
	open, err := item.Open(s.Tx, item.Todo)
	if err != nil {
		return nil, err
	}
	todos := todoRows(open, s.arg(0))
	date, timestamp := times()
	return s.finish(object{
		s.commitDocs(), date, timestamp, {"todo_count", len(todos)}, {"todos", todos}, {"area_filter", orNull(s.arg(0))},
		{"pending_dir", item.Todo.Dir(s.Tx.Workspace)}, {"completed_dir", item.Todo.Closed(s.Tx.Workspace)},
		s.planning(), s.has("todos_dir_exists", "todos"), s.has("pending_dir_exists", "todos/pending"),
	}), nil
}

// todoRows are the todos of an area, of all when it is "".
func todoRows(todos []item.Item, area string) []object {
	rows := []object{}
	for _, t := range todos {
		if o := todoRow(t); area == "" || strings.EqualFold(t.Area, area) || t.Area == "" && area == "general" {
			rows = append(rows, o)
		}
	}
	return rows
}

func todoRow(t item.Item) object {
	return object{
		{"file", t.Name + ".md"}, {"created", cmp.Or(t.Created, "unknown")}, {"title", cmp.Or(t.Title, "Untitled")},
		{"area", cmp.Or(t.Area, "general")}, {"path", t.Path},
	}
}

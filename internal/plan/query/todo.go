package query

import (
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
)

var todoCommands = []command{
	{name: "list-todos|todo list", run: listTodos},
	{name: "todo complete", run: todoComplete},
	{name: "todo match-phase", run: todoMatch},
}

func listTodos(c *call) (result, error) {
	var rows []object
	err := c.View(func(tx *plan.Tx) error {
		open, err := item.Open(tx, item.Todo)
		rows = todoRows(open, c.arg(0))
		return err
	})
	return data(object{{"count", len(rows)}, {"todos", rows}}), err
}

func todoComplete(c *call) (result, error) {
	name := c.arg(0)
	if name == "" {
		return result{}, fail("sdk_missing_arg", "filename required for todo complete")
	}
	if err := item.CheckName(item.Todo, name); err != nil {
		return result{}, fail("usage", "%v", err)
	}
	now := time.Now().UTC()
	_, err := c.Update(c.context, "todo complete", func(tx *plan.Tx) error {
		it, err := item.Find(tx, item.Todo, name)
		if err != nil || !it.Open {
			return fail("unknown", "Todo not found: %s", name)
		}
		_, _, err = item.Close(tx, item.Todo, name, now)
		return err
	})
	if err != nil {
		return result{}, err
	}
	return dataRaw(object{{"completed", true}, {"file", name}, {"date", now.Format(time.DateOnly)}}, "completed"), nil
}

func todoMatch(c *call) (result, error) {
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase required for todo match-phase")
	}
	rows := []object{}
	count := 0
	err := c.View(func(tx *plan.Tx) error {
		todos, err := item.Open(tx, item.Todo)
		if count = len(todos); err != nil || count == 0 {
			return err
		}
		id, ok := doc.ParsePhaseID(c.arg(0))
		if !ok {
			return nil
		}
		p, err := tx.Phase(id)
		if err != nil || p == nil {
			return err
		}
		topic, err := brief.Topic(tx, p)
		for _, m := range item.MatchTopic(todos, topic) {
			row := todoRow(m.Item)
			rows = append(rows, object{row[0], row[2], row[3], {"score", m.Score}, {"reasons", m.Reasons}})
		}
		return err
	})
	return data(object{{"phase", c.arg(0)}, {"matches", rows}, {"todo_count", count}}), err
}

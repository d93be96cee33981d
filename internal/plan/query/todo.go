package query

import (
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
)

var todoCommands = []command{
	{name: "list-todos|todo list", run: reads(listTodos)},
	{name: "todo complete", run: todoComplete, needs: "filename required for todo complete"},
	{name: "todo match-phase", run: reads(todoMatch), needs: "phase required for todo match-phase"},
}

func listTodos(c *call, tx *plan.Tx) (result, error) {
	open, err := item.Open(tx, item.Todo)
	rows := todoRows(open, c.arg(0))
	return data(object{{"count", len(rows)}, {"todos", rows}}), err
}

func todoComplete(c *call) (result, error) {
	name := c.arg(0)
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
	return dataRaw(object{{"completed", true}, {"file", name}, {"date", now.Format(time.DateOnly)}}, "completed"), err
}

func todoMatch(c *call, tx *plan.Tx) (result, error) {
	todos, err := item.Open(tx, item.Todo)
	if err != nil {
		return result{}, err
	}
	rows, err := todoMatches(tx, c.arg(0), todos)
	return data(object{{"phase", c.arg(0)}, {"matches", rows}, {"todo_count", len(todos)}}), err
}

func todoMatches(tx *plan.Tx, phase string, todos []item.Item) ([]object, error) {
	rows := []object{}
	id, ok := doc.ParsePhaseID(phase)
	if !ok || len(todos) == 0 {
		return rows, nil
	}
	p, err := tx.Phase(id)
	if err != nil || p == nil {
		return rows, err
	}
	topic, err := brief.Topic(tx, p)
	for _, m := range item.MatchTopic(todos, topic) {
		row := todoRow(m.Item)
		rows = append(rows, object{row[0], row[2], row[3], {"score", m.Score}, {"reasons", m.Reasons}})
	}
	return rows, err
}

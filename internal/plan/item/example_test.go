package item_test

import (
	"fmt"

	"cairn/internal/plan/item"
)

func ExampleMatchTopic() {
	todos := []item.Item{
		{Name: "docs", Title: "Write the manual", Area: "docs"},
		{Name: "login", Title: "Log failed logins", Area: "auth", Files: []string{"src/login.go:12"}},
	}
	topic := item.Topic{Text: "Authentication: logins that hold", Files: []string{"src/login.go"}}
	for _, m := range item.MatchTopic(todos, topic) {
		fmt.Println(m.Item.Name, m.Score, m.Reasons)
	}
	// Output:
	// login 0.9 [keywords: logins area: auth files: src/login.go:12]
}

package early

import (
	"strings"
	"testing"
	"time"

	"cairn/internal/budget"
	"cairn/internal/home"
	"cairn/internal/outside"
)

// What the book left in its file reaches a session that starts, once, and the status
// line; no database is there.
func TestAlert(t *testing.T) {
	h := home.Home(t.TempDir())
	vars := map[string]string{"CAIRN_HOME": string(h)}
	env := &outside.Env{Getenv: func(key string) string { return vars[key] }}
	if text := alert(env); text != "" {
		t.Errorf("without a budget: %q", text)
	}
	now := time.Now()
	day := budget.Span{Start: now.Add(-time.Hour), End: now.Add(time.Hour), Spent: 17}
	b := budget.Budget{Period: "daily", Limit: 20}
	n := budget.Now{At: now, Today: day, Uses: []budget.Use{{Budget: b, Span: day}}}
	if err := n.Keep(h); err != nil {
		t.Fatal(err)
	}
	if err := budget.Save(h, []budget.Budget{b}); err != nil {
		t.Fatal(err)
	}
	if text := alert(env); !strings.Contains(text, "85 % of the daily budget is spent") {
		t.Errorf("the first time: %q", text)
	}
	if text := alert(env); text != "" {
		t.Errorf("the second time: %q", text)
	}
	if line, level := planGuard(env).Spent(); line != "$17.00 today (85 % of daily)" || level != budget.Near {
		t.Errorf("the status line has %q, %d", line, level)
	}
	vars["CAIRN_SPEND_STATUS_LINE"] = "false"
	if line, _ := planGuard(env).Spent(); line != "" {
		t.Errorf("turned off, the status line has %q", line)
	}
}

package rest

import (
	"net/http"
	"strings"
	"testing"

	"cairn/internal/team/db/ingest"
)

// A large request is read when there is room for it, and a small one at any
// time. What is in it is looked at only then: here it is refused.
func TestLargeRequestsWait(t *testing.T) {
	b := newBench(t)
	leave, err := ingest.Enter(t.Context(), make([]byte, 32<<20))
	if err != nil {
		t.Fatal(err)
	}
	push := func(bytes int) int {
		return b.ask(t, http.MethodPost, "/rest/v1/rpc/push_eval_run", `{"p_team":"`+b.team.String()+`","p_run":{"label":"`+strings.Repeat("x", bytes)+`"}}`, "Content-Type: application/json").Code
	}
	if got := push(100); got != 400 {
		t.Errorf("a small push beside a large one: %d", got)
	}
	large := make(chan int)
	go func() { large <- push(2 << 20) }()
	select {
	case got := <-large:
		t.Errorf("a second large push came to %d while there was no room", got)
	default:
	}
	leave()
	if got := <-large; got != 400 {
		t.Errorf("a large push when there is room: %d", got)
	}
}

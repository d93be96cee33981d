package evalpage

import (
	"fmt"
	"testing"

	"cairn/internal/team/result"
)

// Checks are listed whether they held or not, those of a set below it; what is no
// list of checks is shown as any other member.
func TestHeld(t *testing.T) {
	r := result.Result{X: []byte(`{"checks":[{"passed":true,"type":"contains","value":"Tuesday","score":1,"weight":2},
		{"passed":false,"type":"assert-set","reason":"one is missing","threshold":0.5,"checks":[{"passed":false,"metric":"tone","type":"llm-rubric","reason":"rude\u001b[1m"}]},
		{"type":"exact","value":"C"}, 7, {}]}`)}
	a := attemptOf(&r)
	got := ""
	for _, h := range a.Held {
		passed := "-"
		if h.Passed != nil {
			passed = fmt.Sprint(*h.Passed)
		}
		got += fmt.Sprintf("%d %s %s (%s) %s; ", h.Depth, passed, h.Name, h.About, h.Reason)
	}
	if want := "0 true contains (value Tuesday · score 1 · weight 2) ; 0 false assert-set (threshold 0.5) one is missing; 1 false tone · llm-rubric () rude⟨ESC⟩[1m; 0 - exact (value C) ; "; got != want || a.More != nil {
		t.Errorf("%q, want %q; more %v", got, want, a.More)
	}
	r.X = []byte(`{"checks":"all fine"}`)
	if a := attemptOf(&r); a.Held != nil || len(a.More) != 1 || a.More[0].Text != "all fine" {
		t.Errorf("%+v", a)
	}
}

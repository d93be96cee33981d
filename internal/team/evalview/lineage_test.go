package evalview

import (
	"testing"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
)

// The history of a case goes on where its prompt has another number.
func TestFollow(t *testing.T) {
	made := func(prompts ...string) outcomes {
		run := &result.Run{Suite: "s"}
		for i, text := range prompts {
			name := []string{"prompt 1", "prompt 2", "prompt 3"}[i]
			run.Prompts = append(run.Prompts, result.Prompt{Name: name, ID: result.ContentID(text)})
			r := result.Result{Name: "a case", Variant: "m · " + name, CaseID: "of " + name}
			r.SetContent(result.Identity{Input: "i", Prompt: name})
			r.Set(map[bool]result.Status{true: result.Pass, false: result.Fail}[text == "good"])
			run.Results = append(run.Results, r)
		}
		return openedOf(run, eval.Tallies(run)).outcomes()
	}
	all := []outcomes{made("new", "good", "other"), made("good", "other"), made("other", "good")} // the newest first
	for here, id := range map[int]string{0: "of prompt 2", 1: "of prompt 1", 2: "of prompt 2"} {
		r := result.Result{CaseID: id}
		for i, own := range follow(all, here, idOf(&result.Run{Suite: "s"}, &r)) {
			if all[i].went[own] != "pass" {
				t.Errorf("from run %d: in run %d the case %q", here, i, all[i].went[own])
			}
		}
	}
	first := result.Result{CaseID: "of prompt 1"}
	if ids := follow(all, 0, idOf(&result.Run{Suite: "s"}, &first)); ids[1] != "" || ids[2] != "" {
		t.Errorf("the new prompt has a past: %q", ids)
	}
}

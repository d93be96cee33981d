package gate

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

const cites = "---\nphase: 2\nrequirements: [A-01, A-02]\nmust_haves:\n  truths: [D-03]\n---\n<task type=\"auto\">\n<files>src/a.go</files>\n<action>D-01, for A-01</action>\n</task>\n<task type=\"auto\">\n<files>src/none.go</files>\n<action>D-02</action>\n</task>\n"

// A task that cites something speaks for it with its own files, a promise with all.
func TestWork(t *testing.T) {
	w := Work{Plan: file("02-01-PLAN.md", cites), Files: []string{"src/a.go", "src/b.go"}}
	for id, want := range map[string][]string{"D-01": {"src/a.go"}, "D-02": nil, "D-03": {"src/a.go", "src/b.go"}, "D-04": nil} {
		files, cited := w.Decision(doc.Decision{ID: id})
		if !reflect.DeepEqual(files, want) || cited != (id != "D-04") {
			t.Errorf("%s: %v, %v", id, files, cited)
		}
	}
	for id, want := range map[string][]string{"A-01": {"src/a.go"}, "A-02": nil, "A-03": nil} {
		files, cited := w.Requirement(id)
		if !reflect.DeepEqual(files, want) || cited != (id != "A-03") {
			t.Errorf("%s: %v, %v", id, files, cited)
		}
	}
}

// What plans and summaries say, and commits of other phases with the same ids, is no
// evidence.
func TestDecisionsBuilt(t *testing.T) {
	root := repository(t, map[string]string{"src/old.go": "// D-03\n"})
	committed(t, root, "feat(01-01): as D-04 wants")
	committed(t, root, "feat(02-01): as D-05 wants")
	decided := file("02-CONTEXT.md", "<decisions>\n- **D-01:** a\n- **D-02:** b\n- **D-03:** c\n- **D-04:** d\n- **D-05:** e\n</decisions>\n")
	made, _, err := commit.OfPhase(context.Background(), root, "02")
	if err != nil {
		t.Fatal(err)
	}
	made[0].Files = []string{"src/old.go"}
	plans := []File{file("phases/02-api/02-01-PLAN.md", strings.Replace(cites, "src/a.go", "src/old.go", 1))}
	c, err := DecisionsBuilt(true, &decided, plans, root, made, nil)
	var open []string
	for _, d := range c.Open {
		open = append(open, d.ID)
	}
	if err != nil || c.Result.Passed || c.Result.No() || !reflect.DeepEqual(open, []string{"D-02", "D-04"}) {
		t.Errorf("open %v, %+v, %v", open, c.Result, err)
	}
	if c, _ := DecisionsBuilt(true, &decided, plans, root, nil, nil); len(c.Open) != 5 {
		t.Errorf("without commits %d are open", len(c.Open))
	}
}

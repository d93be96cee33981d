package plancmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/test/plantest"
)

// do runs one command, such as `roadmap annotate`, and returns what it prints.
func do(t *testing.T, root, noun, name string, args []string, flags map[string]any) (string, error) {
	t.Helper()
	cmd := command.Link(Commands(Prompts{}))["plan "+noun+" "+name]
	env := &command.Env{Dir: root, Getenv: os.Getenv}
	a, err := cmd.Run(command.NewCall(context.Background(), env, cmd, args, flags))
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = a.Print(&out, io.Discard, answer.Form{}, false)
	return out.String(), err
}

func read(t *testing.T, root, rel string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What planning a phase does to the tree, from a phase without a directory to
// a roadmap that lists its plans.
func TestPlanningAPhase(t *testing.T) {
	root := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	const roadmap = ".planning/ROADMAP.md"
	plantest.Write(t, root, map[string]string{
		roadmap: "# R\n\n- [ ] **Phase 1: Api** - Old goal\n\n### Phase 1: Api\n**Goal:** Old goal\n**Plans:** 0 plans\n\nPlans:\n- [ ] TBD\n\n### Phase 2: Web\n**Goal:** G\n",
	})
	fill := func(plan string, wave int) {
		t.Helper()
		if _, err := do(t, root, "template", "fill", []string{"plan"}, map[string]any{"phase": "1", "plan": plan, "wave": wave, "set": []string{"objective=Do " + plan}}); err != nil {
			t.Fatal(err)
		}
	}
	annotate := func(want string) {
		t.Helper()
		got, err := do(t, root, "roadmap", "annotate", []string{"1"}, nil)
		if err != nil || got != want {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	}
	fill("1", 1)
	fill("2", 1)
	annotate("phase 1: 2 plans listed, 1 wave\n")
	if got := read(t, root, roadmap); !strings.Contains(got, "**Plans:** 0/2 plans executed\n\nPlans:\n- [ ] 01-01: Do 1\n- [ ] 01-02: Do 2\n\n### Phase 2") {
		t.Error(got)
	}
	annotate("the roadmap has all of it\n")

	fill("3", 1) // a plan that closes a gap comes behind
	annotate("phase 1: 1 plan listed, 1 wave\n")
	if got := read(t, root, roadmap); !strings.Contains(got, "- [ ] 01-02: Do 2\n- [ ] 01-03: Do 3\n") {
		t.Error(got)
	}

	if _, err := do(t, root, "phase", "scaffold", []string{"2", "context"}, nil); err != nil {
		t.Error(err)
	}
	const context = ".planning/phases/01-api/01-CONTEXT.md"
	plantest.Write(t, root, map[string]string{context: ""}) // by `> file`
	if _, err := do(t, root, "template", "fill", []string{"context"}, map[string]any{"phase": "1"}); err != nil || read(t, root, context) == "" {
		t.Error(err)
	}
	if _, err := do(t, root, "template", "fill", []string{"context"}, map[string]any{"phase": "1"}); err == nil {
		t.Error("a document was written over")
	}
	if _, err := do(t, root, "frontmatter", "validate", []string{context}, nil); err == nil {
		t.Error("a CONTEXT file was held to be a plan")
	}
	if _, err := do(t, root, "phase", "edit", []string{"1"}, map[string]any{"goal": "New"}); err != nil || !strings.Contains(read(t, root, roadmap), "Api** - New\n") {
		t.Error(err, read(t, root, roadmap))
	}
}

// A task whose summary says complete is still to be entered in STATE.md.
func TestQuickDoneEnters(t *testing.T) {
	root := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	plantest.Write(t, root, map[string]string{
		".planning/STATE.md": "# S\n", ".planning/quick/260131-abc-x/260131-abc-SUMMARY.md": "---\nstatus: complete\n---\n",
	})
	for _, want := range []string{"complete ", "already complete "} {
		got, err := do(t, root, "quick", "done", []string{"260131-abc"}, nil)
		if err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

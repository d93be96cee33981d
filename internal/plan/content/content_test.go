package content

import (
	"slices"
	"strings"
	"testing"
)

// Every piece can be expanded for a runtime with all tools and for one with
// none.
func TestExpand(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	bare := Plain()
	bare.Without, bare.Runtime = Tools(), "cline"
	for _, p := range all {
		for _, s := range []Style{Plain(), bare} {
			text, err := Expand(p, s)
			if err != nil {
				t.Error(err)
			}
			if strings.Contains(text, "{{") || strings.Contains(text, "<no value>") {
				t.Errorf("%s: a template is left in it", p.Path())
			}
		}
	}
}

func TestHeads(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Kind == Partial {
			continue
		}
		if p.Description == "" || len(p.Description) > 120 || strings.HasSuffix(p.Description, ".") {
			t.Errorf("%s: its description is %q", p.Path(), p.Description)
		}
		if p.Kind == Command && !slices.Contains(Profiles(), p.Profile) {
			t.Errorf("%s: there is no profile %q", p.Path(), p.Profile)
		}
		for _, tool := range p.Tools {
			if !slices.Contains(Tools(), tool) {
				t.Errorf("%s: there is no tool %q", p.Path(), tool)
			}
		}
		if len(p.Tools) == 0 && (p.Kind == Command || p.Kind == Agent) {
			t.Errorf("%s: it needs no tool", p.Path())
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"plan-phase": "commands/plan-phase", "agents/planner": "agents/planner", "planner": "agents/planner",
		"agents/cairn-planner": "agents/planner", "plan-phase/replan.md": "workflows/plan-phase/replan", "nothing": "", "../content": "", "commands": "",
	} {
		p, err := Find(name)
		if got := ""; err == nil {
			if got = p.Path(); got != want {
				t.Errorf("%s is %s", name, got)
			}
		} else if want != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

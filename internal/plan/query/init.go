package query

import (
	"os"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/settings"
)

// starting is one init call: a look at the plan, and its settings.
type starting struct {
	*call
	tx  *plan.Tx
	set *settings.Settings
}

// model is a member that holds the model of an agent.
func (s *starting) model(key, role string) member {
	return member{key + "_model", agent.Resolve(s.set, role, 0).Model}
}

// on is a member that holds a switch among the workflow settings.
func (s *starting) on(key, setting string) member {
	return member{key, s.set.Bool("workflow." + setting)}
}

func (s *starting) commitDocs() member { return member{"commit_docs", s.set.Bool("commit_docs")} }

// pathOf returns where a document is: PROJECT.md, config.json and the codebase
// map are shared by all workstreams.
func (s *starting) pathOf(name string) string {
	switch name {
	case "PROJECT.md", "config.json", "codebase":
		return s.tx.Shared(name)
	}
	return s.tx.Path(name)
}

// key is what a document is called in the members about it: state of STATE.md.
func key(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return strings.ToLower(name)
}

// paths are members that hold where documents are, whether they are there or
// not.
func (s *starting) paths(names ...string) (out object) {
	for _, name := range names {
		out = out.with(key(name)+"_path", s.pathOf(name))
	}
	return out
}

// exist are members that hold whether documents are there.
func (s *starting) exist(names ...string) (out object) {
	for _, name := range names {
		out = append(out, s.has(key(name)+"_exists", name))
	}
	return out
}

func (s *starting) has(key, name string) member { return member{key, s.tx.Has(s.pathOf(name))} }

// planning is a member that holds whether there is a plan at all.
func (s *starting) planning() member {
	fi, err := os.Stat(s.tx.Abs(plan.Planning))
	return member{"planning_exists", err == nil && fi.IsDir()}
}

// finish adds what every workflow is told.
func (s *starting) finish(parts ...object) object {
	return s.withAgents(object{}.and(parts...)).given("response_language", s.set.Text("response_language")).
		given("project_code", s.set.Text("project_code")).given("project_title", brief.Title(s.tx))
}

// withAgents adds where the project is and what every workflow is told of the
// agents.
func (s *starting) withAgents(o object) object {
	in := agent.Look(s.set, s.Root, s.Getenv)
	return append(o, member{"project_root", s.Root}, member{"agents_installed", in.All()}, member{"missing_agents", oldNames(in.Missing)})
}

// webTool is the setting of a search service, its key masked.
func (s *starting) webTool(key string) member {
	v, _ := s.set.Value(key)
	return member{key, settings.Mask(key, v.Any)}
}

// times are the day and the moment of a call.
func times() (date, timestamp member) {
	now := time.Now().UTC()
	return member{"date", now.Format(time.DateOnly)}, member{"timestamp", now.Format(millis)}
}

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

// initCommands is a function because initUnknown lists the names in it.
func initCommands() []command {
	return []command{
		{name: "init execute-phase", run: initCall(initExecutePhase)},
		{name: "init plan-phase", run: initCall(initPlanPhase)},
		{name: "init phase-op", run: initCall(initPhaseOp)},
		{name: "init verify-work", run: initCall(initVerifyWork)},
		{name: "init new-project", run: initCall(initNewProject)},
		{name: "init new-milestone", run: initCall(initNewMilestone)},
		{name: "init ingest-docs", run: initCall(initIngestDocs)},
		{name: "init map-codebase", run: initCall(initMapCodebase)},
		{name: "init milestone-op", run: initCall(initMilestoneOp)},
		{name: "init progress", run: initCall(initProgress)},
		{name: "init manager", run: initCall(initManager)},
		{name: "init resume", run: initCall(initResume)},
		{name: "init quick", run: initCall(initQuick)},
		{name: "init todos", run: initCall(initTodos)},
		{name: "init new-workspace", run: initNewWorkspace, bare: true},
		{name: "init list-workspaces", run: initListWorkspaces, bare: true},
		{name: "init remove-workspace", run: initRemoveWorkspace, needs: "workspace name required for init remove-workspace", bare: true},
		{name: "init", run: initUnknown},
		{name: "docs-init", run: initCall(docsInit)},
	}
}

// initUnknown answers `init` without a workflow's name, or with a wrong one.
func initUnknown(c *call) (result, error) {
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "init workflow required\nAvailable: %s", initNames())
	}
	return result{}, fail("sdk_unknown_command", "Unknown init workflow: %s\nAvailable: %s", c.arg(0), initNames())
}

func initNames() string {
	var out []string
	for _, family := range families() {
		for _, cmd := range family {
			if name, ok := strings.CutPrefix(cmd.name, "init "); ok {
				out = append(out, name)
			}
		}
	}
	return strings.Join(out, ", ")
}

// starting is one init call: a look at the plan, and its settings.
type starting struct {
	*call
	*plan.Tx
	set *settings.Settings
}

// initCall makes a command of what gathers a workflow's object.
func initCall(gather func(*starting) (object, error)) func(*call) (result, error) {
	return func(c *call) (result, error) {
		var o object
		err := c.View(func(tx *plan.Tx) (err error) {
			o, err = gather(&starting{c, tx, c.load(tx)})
			return err
		})
		return data(o), err
	}
}

// model returns the model of an agent.
func (s *starting) model(role string) string { return agent.Resolve(s.set, role, 0).Model }

// on returns a flag among the workflow settings.
func (s *starting) on(key string) bool { return s.set.Bool("workflow." + key) }

func (s *starting) commitDocs() member { return member{"commit_docs", s.set.Bool("commit_docs")} }

// file is a member that holds where a document is, whether it is there or not.
func (s *starting) file(key, name string) member { return member{key, s.pathOf(name)} }

// has is a member that holds whether a document is there.
func (s *starting) has(key, name string) member { return member{key, s.Tx.Has(s.pathOf(name))} }

// pathOf returns where a document is: PROJECT.md, config.json and the codebase
// map are shared by all workstreams.
func (s *starting) pathOf(name string) string {
	switch name {
	case "PROJECT.md", "config.json", "codebase":
		return s.Tx.Shared(name)
	}
	return s.Tx.Path(name)
}

// planning is a member that holds whether there is a plan at all.
func (s *starting) planning() member {
	fi, err := os.Stat(s.Tx.Abs(plan.Planning))
	return member{"planning_exists", err == nil && fi.IsDir()}
}

// finish adds what every workflow is told.
func (s *starting) finish(o object) object {
	return s.withAgents(o.with("project_root", s.Tx.Root), s.set).given("response_language", s.set.Text("response_language")).
		given("project_code", s.set.Text("project_code")).given("project_title", brief.Title(s.Tx))
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

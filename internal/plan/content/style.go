package content

// A Style is how one runtime is spoken to: what the template in a piece is
// filled with. In Mention and AgentName a "*" stands for the name.
//
// The template is Go's text/template. Its functions:
//
//	{{cairn}}               how a shell calls cairn
//	{{args}}                what the user wrote behind the command
//	{{command "plan-phase"}} how a user calls a command of ours
//	{{agent "planner"}}     a role's name, as the runtime knows it
//	{{load "references/x"}} the shell command that prints a piece
//	{{include "spawn"}}     a partial, expanded
//	{{if can "spawn"}}      whether the runtime has a tool of content.Tools
//	{{spawn}} {{ask}}       how an agent is spawned, a user asked: sentences
//	{{memory}}              the file with the project's instructions
type Style struct {
	Runtime   string // its name, for `cairn plan content show --for`
	Cairn     string
	Args      string
	Mention   string
	AgentName string
	AnyRole   bool // one agent plays each role that is not standing: "cairn-role as debugger"
	Spawn     string
	Ask       string
	Memory    string
	Without   []string // tools of content.Tools that the runtime does not have
	Profile   string   // that is installed: a command beyond it is named by what prints its text; "" for any
}

// Plain is the style of no runtime in particular: what is shown when none is
// named.
func Plain() Style {
	return Style{
		Cairn: "cairn", Args: "$ARGUMENTS", Mention: "/cairn-*", AgentName: "cairn-*", Memory: "AGENTS.md",
		Spawn: "start the agent by its name with the prompt given, agents of one list at the same time, and wait for all",
		Ask:   "ask the user, with choices where there are some, and wait for the answer",
	}
}

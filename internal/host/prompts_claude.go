package host

// Commands are files in commands/, not skills: the model is told of both in the
// same words, with the same names, and both take arguments; but OpenCode reads
// the skills of Claude Code too and tells its model of every one.
var claudePrompts = Prompts{
	// While it follows a command that its user called, it need not ask for each
	// call of the plan; a rule of the user's that denies still does. See freely.
	Command: File{Path: commands, Form: Markdown, Told: ToldMarked, Head: []Field{described, hinted, byUser, literal("allowed-tools", freeCalls)}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described, Field{Key: "tools", Value: ToolLine}}},
	Mention: "/cairn-*", Args: "$ARGUMENTS", Memory: "CLAUDE.md",
	Ask:   "use AskUserQuestion where it is there, else ask in plain words and end your turn",
	Spawn: "call the Agent tool with the agent's name as subagent_type and the prompt given, with run_in_background false; agents of one list in one message",
	Tools: []Tool{
		{"read", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"shell", "Bash"}, {"search", "Grep"}, {"search", "Glob"},
		{"fetch", "WebFetch"}, {"fetch", "mcp__context7"}, {"web", "WebSearch"}, {"ask", "AskUserQuestion"}, {"spawn", "Agent"}, {"todo", "TodoWrite"},
	},
}

// freeCalls are the calls of ours that a command need not ask for, each with any
// arguments. `plan prove` and `plan run` are not among them: they run what the plan says
// and what they are told, which an agent may have written. `sync push` sends only where a
// person has linked a team. It is a constant, since the rows are plain data.
const freeCalls = `"Bash(@cairn@ plan check:*), Bash(@cairn@ plan claim:*), Bash(@cairn@ plan commit:*), Bash(@cairn@ plan config:*)` +
	`, Bash(@cairn@ plan content:*), Bash(@cairn@ plan context:*), Bash(@cairn@ plan debug:*), Bash(@cairn@ plan decisions:*)` +
	`, Bash(@cairn@ plan digest:*), Bash(@cairn@ plan frontmatter:*), Bash(@cairn@ plan gate:*), Bash(@cairn@ plan graph:*)` +
	`, Bash(@cairn@ plan health:*), Bash(@cairn@ plan init:*), Bash(@cairn@ plan log:*), Bash(@cairn@ plan milestone:*)` +
	`, Bash(@cairn@ plan model:*), Bash(@cairn@ plan next:*), Bash(@cairn@ plan note:*), Bash(@cairn@ plan phase:*)` +
	`, Bash(@cairn@ plan plan:*), Bash(@cairn@ plan progress:*), Bash(@cairn@ plan query:*), Bash(@cairn@ plan quick:*)` +
	`, Bash(@cairn@ plan redo:*), Bash(@cairn@ plan requirements:*), Bash(@cairn@ plan roadmap:*), Bash(@cairn@ plan seed:*)` +
	`, Bash(@cairn@ plan snapshot:*), Bash(@cairn@ plan state:*), Bash(@cairn@ plan stats:*), Bash(@cairn@ plan status:*)` +
	`, Bash(@cairn@ plan step:*), Bash(@cairn@ plan task:*), Bash(@cairn@ plan template:*), Bash(@cairn@ plan thread:*)` +
	`, Bash(@cairn@ plan todo:*), Bash(@cairn@ plan undo:*), Bash(@cairn@ plan verify:*), Bash(@cairn@ plan wave:*)` +
	`, Bash(@cairn@ plan workstream:*), Bash(@cairn@ plan worktree:*), Bash(@cairn@ sync push-ship:*), Bash(@cairn@ sync push-qa:*)` +
	`, Bash(@cairn@ sync push-triage:*)"`

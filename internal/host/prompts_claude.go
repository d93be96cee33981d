package host

// Commands are files in commands/, not skills: the model is told of both in the
// same words, with the same names, and both take arguments; but OpenCode reads
// the skills of Claude Code too and tells its model of every one.
var claudePrompts = Prompts{
	// While it follows a command that its user called, it need not ask for
	// each look into the plan; a rule of the user's that denies still does.
	Command: File{Path: commands, Form: Markdown, Head: []Field{described, hinted, byUser, literal("allowed-tools", `"Bash(@cairn@ plan:*)"`)}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described, Field{Key: "tools", Value: ToolLine}}},
	Mention: "/cairn-*", Args: "$ARGUMENTS", Memory: "CLAUDE.md",
	Ask:   "use AskUserQuestion where it is there, else ask in plain words and end your turn",
	Spawn: "call the Agent tool with the agent's name as subagent_type and the prompt given, with run_in_background false; agents of one list in one message",
	Tools: []Tool{
		{"read", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"shell", "Bash"}, {"search", "Grep"}, {"search", "Glob"},
		{"fetch", "WebFetch"}, {"fetch", "mcp__context7"}, {"web", "WebSearch"}, {"ask", "AskUserQuestion"}, {"spawn", "Agent"}, {"todo", "TodoWrite"},
	},
}

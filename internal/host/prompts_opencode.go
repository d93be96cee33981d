package host

// OpenCode, and Kilo, which is a fork of it: both read agent/ and command/ as
// well. A command is not told to the model, so it costs nothing until it is
// called.
var opencodePrompts = Prompts{
	Command: File{Path: commands, Form: Markdown, Head: []Field{described}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{described, literal("mode", "subagent"), Field{Key: "permission", Value: Denied}}},
	Mention: "/cairn-*", Args: "$ARGUMENTS", Memory: "AGENTS.md",
	Ask:   "use the question tool where it is there, else ask in plain words and end your turn",
	Spawn: "call the task tool with the agent's name as subagent_type and the prompt given, agents of one list in one message",
	Tools: []Tool{
		{"read", "read"}, {"write", "edit"}, {"edit", "edit"}, {"shell", "bash"}, {"search", "grep"}, {"search", "glob"},
		{"fetch", "webfetch"}, {"web", "websearch"}, {"ask", "question"}, {"spawn", "task"}, {"todo", "todowrite"},
	},
}

package host

// A skill is called by its name behind a slash, also one that the model is not
// told of. With -p the slash is passed on to the model as it stands, so the
// words behind it are not in the text.
var copilotPrompts = Prompts{
	Command: File{Path: skills, Form: Markdown, Told: ToldMarked, Head: []Field{named, described, hinted, byUser}},
	Agent:   File{Path: "agents/cairn-*.agent.md", Form: Markdown, Head: []Field{named, described, listed}},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask:   "use ask_user where it is there, else ask in plain words and end your turn",
	Spawn: "call the task tool with the agent's name as agent_type, the prompt given, and mode sync for one agent; several of one list in one message with mode background, then read_agent until all have ended",
	Tools: []Tool{
		{"read", "read"}, {"write", "edit"}, {"edit", "edit"}, {"shell", "execute"}, {"search", "search"},
		{"fetch", "web"}, {"web", "web"}, {"ask", "ask_user"}, {"spawn", "agent"}, {"todo", "todo"},
	},
}

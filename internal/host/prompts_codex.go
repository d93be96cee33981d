package host

// Codex gives every agent its tools; a file of an agent's cannot take one away.
var codexPrompts = Prompts{
	Command: File{
		Path: "skills/cairn-*/SKILL.md", Form: Markdown,
		Head: []Field{{Key: "name", Value: Name}, {Key: "description", Value: Description}},
	},
	Agent: File{
		Path: "agents/cairn-*.toml", Form: TOML, Text: "developer_instructions",
		Head: []Field{{Key: "name", Value: Name}, {Key: "description", Value: Description}},
	},
	Mention: "$cairn-*", Args: "What the user wrote behind the command's name are its arguments.", Memory: "AGENTS.md",
	Spawn: "call spawn_agent with the agent's name as agent_type and the prompt given, all agents of one list first, then wait for all",
	Ask:   "use request_user_input where it is there, else ask in plain words and end your turn",
	Tools: []Tool{
		{"read", "exec_command"}, {"write", "apply_patch"}, {"edit", "apply_patch"}, {"shell", "exec_command"}, {"search", "exec_command"},
		{"fetch", "web_search"}, {"web", "web_search"}, {"ask", "request_user_input"}, {"spawn", "spawn_agent"}, {"todo", "update_plan"},
	},
}

package host

// Codex gives every agent its tools; a file of an agent's cannot take one away.
var codexPrompts = Prompts{
	Command: File{
		Path: skills, Form: Markdown, Told: ToldMarked, Head: []Field{named, described},
		Aside: Extra{"skills/cairn-*/agents/openai.yaml", "policy:\n  allow_implicit_invocation: false\n"},
	},
	Agent:   File{Path: "agents/cairn-*.toml", Form: TOML, Text: "developer_instructions", Head: []Field{named, described}},
	Mention: "$cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask:   plainly,
	Spawn: "call spawn_agent with the agent's name as agent_type and the prompt given as message, all agents of one list first; then wait_agent, with a long timeout, until all have ended, and close_agent each",
	Tools: []Tool{
		{"read", "exec_command"}, {"write", "apply_patch"}, {"edit", "apply_patch"}, {"shell", "exec_command"}, {"search", "exec_command"},
		{"fetch", "web_search"}, {"web", "web_search"}, {"ask", "request_user_input"}, {"spawn", "spawn_agent"}, {"todo", "update_plan"},
	},
}

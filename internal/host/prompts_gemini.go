package host

var geminiPrompts = Prompts{
	Command: File{Path: "commands/cairn/*.toml", Form: TOML, Text: "prompt", Head: []Field{described}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described, listed, literal("max_turns", "200"), literal("timeout_mins", "60")}},
	Mention: "/cairn:*", Args: "{{args}}", Memory: "GEMINI.md",
	Ask:   "use ask_user where it is there, else ask in plain words and end your turn",
	Spawn: "call invoke_agent with the agent's name and the prompt given, agents of one list in one turn",
	Tools: []Tool{
		{"read", "read_file"}, {"read", "read_many_files"}, {"read", "list_directory"}, {"write", "write_file"}, {"edit", "replace"},
		{"shell", "run_shell_command"}, {"search", "grep_search"}, {"search", "glob"}, {"fetch", "web_fetch"}, {"fetch", "mcp_*"},
		{"web", "google_web_search"}, {"ask", "ask_user"}, {"spawn", "invoke_agent"}, {"todo", "write_todos"},
	},
}

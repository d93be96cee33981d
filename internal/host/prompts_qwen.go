package host

// Qwen Code does not read a list of tools that stands on one line: an agent
// with such a head is not there, without a word.
var qwenPrompts = Prompts{
	Command: File{Path: commands, Form: Markdown, Head: []Field{described}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described, listed}},
	Mention: "/cairn-*", Args: "{{args}}", Memory: "QWEN.md",
	Ask:   "use ask_user_question where it is there, else ask in plain words and end your turn",
	Spawn: "call the agent tool with the agent's name as subagent_type and the prompt given, agents of one list in one message, and wait until all have ended",
	Tools: []Tool{
		{"read", "read_file"}, {"read", "list_directory"}, {"write", "write_file"}, {"edit", "edit"}, {"shell", "run_shell_command"},
		{"search", "grep_search"}, {"search", "glob"}, {"fetch", "web_fetch"}, {"web", "web_search"},
		{"ask", "ask_user_question"}, {"spawn", "agent"}, {"todo", "todo_write"},
	},
}

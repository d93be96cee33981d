package host

// These are built from documentation (docs/agents.md says which) and have not
// been seen at work here, but for Cline. An agent's file says nothing of tools
// where the names of theirs are not known for sure: then it has all.

var cursorPrompts = Prompts{
	Command: File{Path: skills, Form: Markdown, Told: ToldMarked, Head: []Field{named, described, byUser}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described, literal("model", "inherit")}},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask:   plainly,
	Spawn: "start the subagent of that name with the prompt given, agents of one list at the same time, and wait until all have ended",
}

// Windsurf has workflows, which a user calls and no model, and no agents of a
// user's.
var windsurfPrompts = Prompts{
	Command: File{
		Path: "global_workflows/cairn-*.md", Local: "workflows/cairn-*.md", Form: Markdown, Max: 12_000, Head: []Field{described},
	},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask: plainly, Spawn: yourself, Tools: noAgents,
}

var augmentPrompts = Prompts{
	Command: File{Path: commands, Form: Markdown, Head: []Field{described, hinted}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described}},
	Mention: "/cairn-*", Args: "$ARGUMENTS", Memory: "AGENTS.md",
	Ask:   plainly,
	Spawn: "start the subagent of that name with the prompt given, agents of one list at the same time, and wait until all have ended",
}

var antigravityPrompts = Prompts{
	Command: File{Path: skills, Form: Markdown, Told: ToldAll, Head: []Field{named, described}},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask:   plainly,
	Spawn: "call invoke_subagent of type self with the prompt \"Run `@show@` and do what it says.\" and behind it the prompt given, agents of one list in one call; without that tool do the work yourself, as the command says it",
}

var traePrompts = Prompts{
	Command: File{Path: skills, Form: Markdown, Told: ToldAll, Head: []Field{named, described}},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask: plainly, Spawn: yourself, Tools: noAgents,
}

// Hermes keeps skills by category, and each is a command.
var hermesPrompts = Prompts{
	Command: File{Path: "skills/cairn/cairn-*/SKILL.md", Form: Markdown, Told: ToldAll, Head: []Field{named, described, literal("version", "1.0.0")}},
	Mention: "/cairn-*", Args: behind, Memory: "AGENTS.md",
	Ask:   "use clarify where it is there, else ask in plain words and end your turn",
	Spawn: "call delegate_task, agents of one list in one call, each with the goal \"Run `@show@` and do what it says.\" and the prompt given as its context",
	Also:  []Extra{{"skills/cairn/DESCRIPTION.md", "---\ndescription: \"Plan a project in phases and build it with agents\"\n---\n"}},
}

var codebuddyPrompts = Prompts{
	Command: File{Path: skills, Form: Markdown, Told: ToldMarked, Head: []Field{named, described, byUser}},
	Agent:   File{Path: agents, Form: Markdown, Head: []Field{named, described}},
	Mention: "/cairn-*", Args: behind, Memory: "CODEBUDDY.md",
	Ask:   plainly,
	Spawn: "start the sub-agent of that name with the prompt given, agents of one list at the same time, and wait until all have ended",
}

// Cline puts what the user wrote behind the text of a workflow. Its spawned
// agents have no files.
var clinePrompts = Prompts{
	Command: File{Path: "workflows/cairn-*.md", Form: Markdown, Head: []Field{described}},
	Mention: "/cairn-*", Args: "The arguments stand behind the end of this text.", Memory: "AGENTS.md",
	Ask:   "use ask_question where it is there, else ask in plain words and end your turn",
	Spawn: "call spawn_agent with \"Run `@show@` and do what it says.\" as systemPrompt and the prompt given as task; where there is no such tool, run that line yourself and do the work",
}

const (
	behind   = "What the user wrote behind the command's name are its arguments."
	plainly  = "ask in plain words, with choices where there are some, and end your turn"
	yourself = "run `@show@` and do that work yourself, one agent of a list after the other"
)

// noAgents are the tools of a host that spawns none; what they are called does
// not matter where no file names them.
var noAgents = []Tool{
	{"read", ""}, {"write", ""}, {"edit", ""}, {"shell", ""}, {"search", ""}, {"fetch", ""}, {"web", ""}, {"ask", ""}, {"todo", ""},
}

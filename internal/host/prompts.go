package host

// Prompts is how a host takes prompts of ours: where commands and agents go,
// in which form, and the words it has for things. Paths are below the
// configuration directory, with slashes; a "*" in them stands for a name.
type Prompts struct {
	Command File
	Agent   File // Path "" where the host has no agents of a user's

	Mention string // how a user calls a command: "/cairn-*"
	Args    string // what the host replaces by the user's words in a command; else a sentence that says where they are
	Memory  string // the file with a project's instructions
	Spawn   string // how an agent is spawned, a sentence for the model; where that cannot be, how its work is done otherwise
	Ask     string // how a user is asked, likewise
	Tools   []Tool // by its own names; a tool that is not listed is not there
}

// A File is where a piece of content goes and how it is written.
type File struct {
	Path string
	Form Form
}

// A Form is a file format of commands or agents.
type Form string

// A Tool is a tool of a host: Name in words of content.Tools, Own what the
// host calls it.
type Tool struct{ Name, Own string }

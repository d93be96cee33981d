package host

// Prompts is how a host takes prompts of ours: where commands and agents go,
// in which form, and the words it has for things.
type Prompts struct {
	Command File
	Agent   File // Path "" where the host has no agents of a user's

	Mention string // how a user calls a command; a "*" is its name: "/cairn-*"
	Args    string // what the host replaces by the user's words in a command; else a sentence that says where they are
	Memory  string // the file with a project's instructions
	Ask     string // how a user is asked, words for the model
	// Spawn is how an agent is spawned, likewise; where that cannot be, how its
	// work is done otherwise. "@show@" is the command line that prints what the
	// agent NAME is told.
	Spawn string
	// Tools are the host's own, and those of ours that each serves. One of
	// content.Tools that is not here is not there.
	Tools []Tool

	Also []Extra // files that are written once
}

// A File is where a piece of content goes and how it is written. Paths have
// slashes, and a "*" in them stands for the piece's name.
type File struct {
	Path  string // below the configuration directory
	Local string // below LocalDir, where that is another; "-": there it has none
	Form  Form
	Head  []Field // in the order to write them
	// Text is the name of the member that holds the text, in TOML.
	Text string
	Max  int // characters that the host takes, 0: no limit known
	Told Told
	// Aside is written for each command that a model need not know of, where
	// that is said in a file of its own.
	Aside Extra
}

// What is the same in several rows.
var (
	named     = Field{Key: "name", Value: Name}
	described = Field{Key: "description", Value: Description}
	hinted    = Field{Key: "argument-hint", Value: Arguments}
	byUser    = Field{Key: "disable-model-invocation", Value: UserOnly}
	listed    = Field{Key: "tools", Value: ToolList}
)

// Where most hosts look.
const (
	skills   = "skills/cairn-*/SKILL.md"
	commands = "commands/cairn-*.md"
	agents   = "agents/cairn-*.md"
)

func literal(key, text string) Field { return Field{Key: key, Value: Literal, Text: text} }

// Told is of which commands a host tells its model in every request, by name and
// description. Those that it tells no model of cost nothing until they are called.
type Told string

const (
	ToldNone   Told = ""       // it is the user who calls them
	ToldMarked Told = "marked" // of all but those that are marked as a user's (UserOnly, Aside)
	ToldAll    Told = "all"    // no way is known to keep one from it, so fewer are installed
)

// An Extra is a file with the same text in every installation.
type Extra struct{ Path, Text string }

// A Form is a file format of commands or agents.
type Form string

const (
	Markdown Form = "markdown" // a frontmatter in YAML, then the text
	TOML     Form = "toml"     // the text is a member
)

// A Field is one member of the head of a file.
type Field struct {
	Key   string
	Value Value
	Text  string // for Literal: the value as it is written; "@cairn@" stands for how a shell calls us
}

// A Value is what of a piece a field says.
type Value string

const (
	Name        Value = "name"        // cairn-plan-phase
	Description Value = "description" // one line
	Arguments   Value = "arguments"   // of a command; no field when it takes none
	Literal     Value = "literal"     // the row's own
	UserOnly    Value = "user only"   // true for a command that a model need not know of; else no field
	ToolList    Value = "tool list"   // of the host's names, each on a line of its own
	ToolLine    Value = "tool line"   // a, b
	// Denied is a map of the tools that the piece does not need, {a: deny}.
	// What it needs stays as the user has it: we allow nothing.
	Denied Value = "denied"
)

// A Tool is a tool of a host: Name in words of content.Tools, Own what the
// host calls it. Several may serve one need, and one several.
type Tool struct{ Name, Own string }

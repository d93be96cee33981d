// Package host knows the coding agents that cairn works with. A runtime is a
// row of the table in hosts.go and a file with its name: where its settings
// are, which events it can call us on, what it makes of a matcher. What it says
// and wants to hear is in its codec. No other package asks which host it has;
// it asks the row.
//
// What domains may know of a row, too, is in the leaf runtimes; nothing else of
// ours is imported. A row may read what its own agent keeps (a session's record,
// its settings) and ask that agent. What is done with a row (registering hooks,
// answering events) never belongs here.
package host

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cairn/internal/runtimes"
)

// A Host is one agent runtime.
type Host struct {
	*runtimes.Runtime // what domains may know of it, too: its name and its directories

	Title string // what the host calls itself

	Prompts *Prompts // how it takes commands and agents of ours

	// RunOnly says why no hook of ours would be of use: then none is
	// registered and what follows is empty. Source is where that is written.
	RunOnly, Source string

	// Settings is the file in the configuration directory that registers
	// hooks, with slashes, and Shape how it does.
	Settings string
	Shape    Shape
	// Own are the parts of Settings (in own/, see OwnText) where the host takes
	// a file of ours beside the user's: the whole file belongs to us, and Shape says nothing. In it
	// "@host@", "@binary@", "@command@" and "@powershell@" (with the quotes)
	// stand for Name, the path of the binary and the command line of the hook,
	// for a POSIX shell and for PowerShell, as JSON strings; "@timeout@" is
	// Timeout in milliseconds, a number.
	Own []string
	// ProjectSettings are files of the same form, relative to a repository.
	ProjectSettings []string
	// StrictJSON: the host drops a settings file with a comment or a trailing
	// comma whole, without a word.
	StrictJSON bool
	// OffSwitch is the member of a settings file that stops every hook, with
	// the value that does: "a.b=true"; or "".
	OffSwitch string
	// Forbids says what in the settings in these directories keeps the host
	// from taking an answer of ours, or ""; nil: nothing does.
	Forbids func(configDir, project string) string

	Hooks   []Hook
	Timeout time.Duration // of each hook

	Members []Member // of settings files, that a part needs beside its hooks
	// Matches reports whether a hook with this matcher is called for a tool.
	Matches func(matcher, tool string) bool
	// Advice is what the user has to do after install, a sentence, or "".
	Advice string

	// Trust asks the host which of the registered hooks it runs; nil: it runs
	// all of them.
	Trust func(ctx context.Context, configDir, project string) ([]Trust, error)

	// ReplaceEvent is the event whose answer may replace a tool's output. The
	// host takes one answer, so two hooks on one tool may fight.
	ReplaceEvent string
	// ReplaceTools are names of tools, one of each kind that we replace.
	ReplaceTools []string
	// Failures: the output of a command that failed can be replaced too.
	Failures bool

	// EnvFile is the variable in which the host names, to a hook at the start
	// of a session, a file that its shell sources before every command.
	EnvFile string
	// EnvFiles are all such files, of sessions that ended too, as a pattern in the
	// configuration directory.
	EnvFiles string

	// Marker is a variable that the host sets for the commands it runs, and
	// SessionEnv the one that names the session to them, or "".
	Marker     string
	SessionEnv string

	// ShellCommand finds in the script that the host gives its shell the
	// agent's own command, "" if it is not there; nil without EnvFile.
	ShellCommand func(script string) string

	// Reserve is the percentage of the context window that the host keeps free
	// before it compacts, and ReserveEnv the variable that says how many tokens.
	Reserve    float64
	ReserveEnv string

	// Clip and ClipFailed are what the host itself passes on of a long output
	// of a command, by how the command ended.
	Clip       Clip
	ClipFailed Clip

	// Decode reads an event as the host sends it.
	Decode func(data []byte) (Event, error)

	// AdviseLate: of a change of a file the agent can be told something only
	// when it is made.
	AdviseLate bool
	// ReadsFirst: the host itself refuses to change a file that the agent has
	// not read.
	ReadsFirst bool
}

// A Shape is how a host writes hooks down: {"hooks": {EVENT: [ENTRY, …]}}. An
// entry is {"matcher": …, "hooks": [HANDLER, …]} and a handler
// {"type": "command", "command": …, "timeout": …}.
type Shape struct {
	Flat    bool          // an entry is a handler, without type and with the matcher in it
	Unit    time.Duration // of the timeout
	Version int           // of the member "version", which a new file must have; 0: there is none
}

// A Part is what of cairn is put into a host.
type Part string

const (
	Compact Part = "compact" // the hooks that cut tool output
	Plan    Part = "plan"    // commands, agents, and the hooks that guard a plan

	// Telemetry is what has an agent tell the team's server what it costs. It is none
	// of Parts: it is there only where somebody named a server.
	Telemetry Part = "telemetry"
)

// A Hook is one registration of ours.
type Hook struct {
	Event   string
	Matcher string // "" is every tool, and is not written
	Part    Part   // what it serves; "" is Compact
	// Shell: the registration serves only what we put into the agent's shell, a
	// POSIX one; elsewhere it is left out.
	Shell bool
	// Told: we are only told of these calls, and their results stay.
	Told bool
}

// A Member is a member of a settings file that install sets where there is
// none.
type Member struct {
	File string // in the configuration directory, with slashes
	// Else are files that the host reads as well: the first that is there
	// gets the member instead of File.
	Else []string
	Path []string // from the outermost object; objects above the member are made
	// Value is JSON, in which the placeholders of Own stand for the same, "@otlp@" for
	// the server of telemetry, and "@otlp-headers@" for the command that prints the
	// headers that it wants.
	Value string
	Part  Part // what it serves; "" is Compact
	// Personal: it is a matter of taste. It is not put into a repository, and
	// a user's own value gives way to it, both only when that is asked for.
	Personal bool
}

// Takes reports whether a part can be put into the host at all.
func (h Host) Takes(p Part) bool {
	switch p {
	case Compact:
		return h.RunOnly == ""
	case Telemetry:
		return slices.ContainsFunc(h.Members, func(k Member) bool { return k.Part == p })
	}
	return h.Prompts.Command.Path != "" || h.Prompts.Agent.Path != "" ||
		slices.ContainsFunc(h.Hooks, func(k Hook) bool { return k.Part == p })
}

// Parts are all parts, in the order to show them.
func Parts() []Part { return []Part{Compact, Plan} }

// A Clip makes Keep characters of an output of more than Over. The zero Clip
// passes everything on.
type Clip struct{ Over, Keep int }

// Received returns how many of an output's characters the host passes on to
// the model, by how the command ended: all of them when that is not known.
func (h Host) Received(chars int, exit *int) int {
	if exit == nil {
		return chars
	}
	clip := h.Clip
	if *exit != 0 {
		clip = h.ClipFailed
	}
	if clip.Over > 0 && chars > clip.Over {
		return clip.Keep
	}
	return chars
}

// Running returns the host that runs the command with this environment.
func Running(getenv func(string) string) (Host, bool) {
	return first(func(h Host) bool { return h.Marker != "" && getenv(h.Marker) != "" })
}

// Sourcing returns the host whose shell sources a file of ours.
func Sourcing() (Host, bool) {
	return first(func(h Host) bool { return h.EnvFile != "" })
}

// HooksOn returns the registrations of some parts for an operating system (a
// GOOS).
func (h Host) HooksOn(goos string, parts ...Part) []Hook {
	return slices.DeleteFunc(slices.Clone(h.Hooks), func(k Hook) bool {
		return k.Shell && goos == "windows" || !slices.Contains(parts, cmp.Or(k.Part, Compact))
	})
}

// All returns every host, in the order to show them.
func All() []Host {
	all := make([]Host, len(hosts))
	for i, h := range hosts {
		all[i] = *h
	}
	return all
}

// Find returns the host with this name.
func Find(name string) (Host, bool) {
	return first(func(h Host) bool { return h.Name == name })
}

func first(is func(Host) bool) (Host, bool) {
	for _, h := range hosts {
		if is(*h) {
			return *h, true
		}
	}
	return Host{Runtime: &runtimes.Runtime{}, Prompts: &Prompts{}}, false
}

// Names returns the names of every host, in the order to show them.
func Names() []string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name)
	}
	return names
}

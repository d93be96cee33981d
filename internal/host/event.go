package host

import (
	"errors"
	"fmt"
)

// A Kind is what happened, in words of ours: each host has its own.
type Kind uint8

const (
	Other        Kind = iota // nothing that concerns us
	SessionBegan             // a session starts, or starts again
	CallBegins               // a tool is about to run
	CallEnded                // a tool has finished, and its result may be replaced
	StatusLine               // a line of text about the session is wanted; Status says what is known
	ContextGoes              // what the model was shown so far is about to be replaced by a summary
)

// An Event is what a host tells a hook. Tools have Claude Code's names, which
// rules use, whatever the host calls them: Bash, Read, Grep, Glob (any list of
// paths), WebFetch, WebSearch, Write, Edit (any change of a file), Agent,
// mcp__SERVER__TOOL.
type Event struct {
	Kind    Kind
	Session string
	Cwd     string
	Tool    string // by its name in rules
	Command string // of a shell call
	File    string // that a Write or an Edit is about
	Text    string // what a Write or an Edit puts there

	// Change is what a Write or an Edit that succeeded made of its file, where
	// the host says so in full; else nil.
	Change *Change

	Subagent bool   // the call is not of the session's own agent
	Agent    string // of a subagent: its name in the session

	Background bool   // the call does not wait for the command
	Task       string // under which the command goes on, when the call has ended and it has not

	ExitCode *int // of a command that ended; nil: the host does not say

	Output *Output  // of CallEnded, nil when it must not be touched
	Texts  []string // what the model reads of a call without Output, as far as it comes from outside

	// Used returns how many tokens the last request of the session had, and
	// how many its window has (0: not said), by the host's own record of it;
	// nil: there is none that we can read.
	Used func() (tokens, window int, ok bool)

	Status *Status // of StatusLine

	// Advise gives the answer by which the model gets a text of ours beside
	// what answer says; nil stands for no answer yet. The member is nil where
	// the host takes no such text.
	Advise func(answer []byte, text string) ([]byte, error)
	// Refuse gives the answer by which a call that begins does not run, and
	// the model is told why; nil where the host takes none.
	Refuse func(why string) ([]byte, error)
}

// A Status is what a host says of a session for a line below its prompt.
type Status struct {
	Model string
	Dir   string   // the agent works in
	Left  *float64 // percent of the context window; nil: not known yet
	Size  int      // of the window in tokens; 0: not known

	Task    func() string // what the agent says that it is doing, or ""
	Command func() string // of the host's own that was called last, or ""
}

// An Output is the result of a finished tool.
type Output struct {
	Texts    []string // the texts the model would get
	Complete string   // a file with the complete text, when Texts[0] is only its beginning
	File     string   // the file that was read, "" when this is not a file's content
	Range    bool     // only a part of that file was asked for
	Passed   int      // bytes of Texts[0] that the model would get, when the host clips it; 0: all
	Clipped  string   // the line in Texts that stands where the host left something out, or ""

	Rest  string // asks for a File from a line on, in the host's words, with %d for its number; "": not known
	Lines *Lines // of a File, where a part of it can stand for the whole; else nil

	// Encode gives the host's answer that puts other texts in place; no
	// answer when the host would not take them. Where a host takes a text by
	// a file, it writes that.
	Encode func(texts []string) ([]byte, error)
}

// Lines are those of a file that a Read would show: the host numbers them.
type Lines struct {
	First int // number of the first
	Total int // lines of the file; 0: not known

	// Encode gives the host's answer that shows a text instead, numbered from
	// a line on.
	Encode func(first int, text string) ([]byte, error)
}

// A Change is a file's content before and after the agent changed it. All: it
// wrote the whole content, and before is not known.
type Change struct {
	File, Before, After string
	All                 bool
}

// ErrEvent is returned for an envelope that is not the host's.
var ErrEvent = errors.New("not an event of this host")

// wrong is err as an ErrEvent, nil for nil.
func wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrEvent, err)
}

// Package guard decides what an agent is told about a project's plan when
// something happens in its session: what of the context window is left, what
// a file says that was read, where the work stands. It also writes the line
// below the prompt.
//
// Package hook asks it, and cli gives it what it may start. It knows no agent
// and no envelope: what happened comes in words of ours, what is to be said
// goes out as text. It reads the plan and keeps what it has to remember of a
// session in the temporary directory; what changes the plan, starts a process or
// reads cairn's own files is given to it, sockets are for others, and whatever it
// cannot read it says nothing about.
//
// Everything is advice, but for a commit message that a project has asked to
// be checked.
package guard

import (
	"os"
	"strings"
	"time"

	"cairn/internal/plan"
)

// A Kind is what happened.
type Kind uint8

// The kinds. Any other is nothing that concerns a plan. A session begins when it
// starts, is resumed or cleared, and when what the model was shown is replaced by
// a summary.
const (
	SessionBegan Kind = iota + 1
	CallBegins
	CallEnded
)

// An Event is what happened in a session. Tools have the names that package
// host gives them.
type Event struct {
	Kind     Kind
	Session  string
	Dir      string // the agent works in
	Tool     string
	Command  string   // of a shell call
	File     string   // that is read, written or edited
	Text     string   // what is written there
	Results  []string // the texts of a finished call
	Subagent bool

	Late   bool // the agent takes no advice before a call, so it gets that after
	Unread bool // the agent may edit a file that it did not read
	Mute   bool // the agent takes no advice at this event

	// Used is how many tokens are in the context window, and how many it has
	// (0: not said), by the agent's own record; may be nil.
	Used    func() (tokens, window int, ok bool)
	Reserve Reserve // of the window
}

// Advice is what is to be said.
type Advice struct {
	Text    string // for the model; "" is nothing
	Refusal string // why the call must not run; "" lets it
}

// A Guard is what decisions may look at and start.
type Guard struct {
	Temp   string // the directory for files of a session; "" is the system's
	Getenv func(string) string
	Now    func() time.Time         // nil is time.Now
	Start  func(args ...string)     // a cairn in the background, with these arguments; nil starts none
	Update func() bool              // whether to look for a newer version, today; nil is no
	Newer  func() string            // the version that is newer than this one, by what was found last, or ""
	Saved  func(session string) int // tokens that compaction saved in a session
	Spent  func() (string, int)     // what agents cost, in a few words, and the percentage of a budget that is reached; nil is nothing

	// Trusted reports whether the person trusts the plan of the project in a
	// directory; nil is no.
	Trusted func(root string) bool

	bound    time.Duration // how long reading a plan may take when a session begins; 0: standingBound
	patience time.Duration // how long a call waits for others that end at the same time; 0: lockPatience
}

// Answer decides about an event.
func (g *Guard) Answer(ev Event) Advice {
	l := g.look(ev.Dir)
	ev.Dir = l.dir
	switch ev.Kind {
	case SessionBegan:
		if g.Update != nil && g.Start != nil && g.Update() {
			g.Start("update", "--check")
		}
		if !ev.Mute {
			return Advice{Text: l.session()}
		}
	case CallBegins:
		if ev.Tool == "Bash" {
			return Advice{Refusal: l.commit(ev)}
		}
		if !ev.Late {
			return Advice{Text: join(l.before(ev)...)}
		}
	case CallEnded:
		var texts []string
		if ev.Late {
			texts = l.before(ev)
		}
		return Advice{Text: join(append(texts, l.scan(ev), l.boundary(ev), l.context(ev))...)}
	}
	return Advice{}
}

// before is what there is to say of a change of a file.
func (l *look) before(ev Event) []string {
	if !isChange(ev.Tool) || ev.File == "" {
		return nil
	}
	return []string{prompt(ev), unread(ev), l.unplanned(ev)}
}

func isChange(tool string) bool { return tool == "Write" || tool == "Edit" }

// join puts what there is to say together.
func join(texts ...string) string {
	var said []string
	for _, t := range texts {
		if t != "" {
			said = append(said, t)
		}
	}
	return strings.Join(said, "\n\n")
}

func (g *Guard) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}

func (g *Guard) getenv(key string) string {
	if g.Getenv != nil {
		return g.Getenv(key)
	}
	return os.Getenv(key)
}

// inPlanning reports whether a path is of something in a planning directory.
func inPlanning(file string) bool {
	return strings.Contains("/"+strings.ReplaceAll(file, `\`, "/"), "/"+plan.Planning+"/")
}

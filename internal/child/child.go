// Package child runs a tool as if cairn were not there: same output, exit
// code, death by signal, terminal, job control and descendants.
//
// It is a leaf: it may be imported by everything that runs tools and imports
// none of ours. What the output means never belongs here, only how it gets
// from the tool to us.
//
// # A pipe for run
//
// [Pipe] serves `cairn run`: constant memory, no disk, the tool is slowed
// down when the reader is slow and gets SIGPIPE when the reader is gone, as in
// any pipeline. The price is that somebody must read for as long as anybody
// writes. On Linux the tool therefore dies with us, and the read end is handed
// over to a process of its own when descendants outlive the tool.
//
// [Exec] is for everything that is to be left alone: we are gone.
//
// # One process group
//
// The tool stays in our process group, always. So what the terminal, a shell's
// job control or an agent's `kill(-pgid, SIGKILL)` sends to the group reaches
// the tool and its descendants from the kernel, exactly once and at the same
// time as without us, and no reader of the terminal is ever in the background.
// A group of its own would have to be handed the terminal and given it back,
// and would survive the SIGKILL of its parent's group, which nobody can forward.
//
// What is sent to us alone must be passed on, though, and what was sent to
// the group must not be: to tools such as terraform a second interrupt means
// "now, without cleaning up". A signal does not say to whom else it went, so a
// [witness] in the group tells the two apart. INT, TERM and HUP for us alone
// end the whole tree of the tool, found by parentage, by session and by who
// holds our output, since signalling the group would hit our own parent.
package child

import (
	"os"
	"syscall"
)

// Command is a tool to run. Standard input, the working directory, limits and
// every other open descriptor are inherited.
type Command struct {
	Path string   // the file to execute, see [Find]
	Args []string // argv; Args[0] is the name the tool sees
	Env  []string // nil: our environment

	Stderr *os.File // nil: merged with stdout in the order written

	// Copier is the argv of a program that calls [Copy], normally this one
	// with a hidden verb, to read on for descendants that outlive the tool.
	// Without it they get SIGPIPE.
	Copier []string

	// Late receives what descendants write after the tool has ended. nil: it
	// is discarded, and nobody waits for it.
	Late *os.File

	// Reader is our own stdout when it is a pipe that nothing is written to
	// until the tool has ended: when its reader goes away, the tool is told
	// by SIGPIPE at its next write, as if it wrote there itself.
	Reader *os.File
}

// Status is how a tool ended, as wait(2) reports it.
type Status struct {
	Code   int            // exit code, 0 if it died of a signal
	Signal syscall.Signal // 0: it exited by itself
}

// ExitCode is the code a shell shows for s: 128+n for death by signal n.
func (s Status) ExitCode() int {
	if s.Signal != 0 {
		return 128 + int(s.Signal)
	}
	return s.Code
}

func (c Command) env() []string {
	if c.Env != nil {
		return c.Env
	}
	return os.Environ()
}

// Package spend is what agents cost: requests of models as their agents wrote
// them down, where each belongs, and what it is worth in dollars.
//
//	spend         the records, and their prices
//	spend/reader  usage records that agents write
//	spend/place   repository, branch, commit and pull request of a request
//	spend/book    reads and attributes what is new, in the machine's store
//	spend/bill    sums
//
// No word of a prompt, an answer or a file is in any of it: only numbers, times,
// names of models, branches and directories, and hashes of commits.
package spend

import "time"

// A Request is one answer of a model, which is billed once.
type Request struct {
	Agent   string
	ID      string // of the answer, unique among those of the agent
	Session string // the session that pays: a subagent's is its parent's
	Sub     string // the subagent, "" of the session itself
	At      time.Time
	Sent    time.Time // when it was asked for, as far as the file tells
	Dir     string    // in which the agent worked
	Branch  string    // that the agent says; it may be late
	Model   string
	Tier    string // "" is the ordinary one; such as batch, priority, fast

	Tokens
	Tool     string // that the answer called first, "" for none, or where the file does not tell
	Searches int64  // of the web, by the service itself

	// Own is what the agent itself says it cost, in dollars; 0 where it says nothing.
	Own float64
}

// Tokens of a request, told apart by their price.
type Tokens struct {
	Input     int64 // fresh: neither read from the cache nor written to it
	CacheRead int64
	Write5m   int64
	Write1h   int64
	Output    int64 // with what was thought
}

// Prompt is the size of all that was sent.
func (t Tokens) Prompt() int64 { return t.Input + t.CacheRead + t.Write5m + t.Write1h }

// A Call is a tool call during which the session's working tree may have moved
// on: between Start and End a commit or a checkout is the session's own.
type Call struct {
	Session string
	Sub     string
	ID      string
	Start   time.Time
	End     time.Time
	Dir     string
	Git     Git      // what it may have git do
	Commits []string // the beginnings of hashes that its result shows as made
	On      string   // the branch of the last of them, "" for none
}

// Git is what a call may have git do.
type Git int8

const (
	NoGit   Git = iota
	Looks       // it names git, and makes no commit: status, checkout
	Commits     // it may make one
)

// A Place is where a request belongs. What is not known is "".
type Place struct {
	Repo   string // as acme/shop, or the name of its directory
	Branch string
	Commit string // the session's next one there, as it is called today
	Made   string // as it was called when it was made
	Pull   int64  // of a pull request, 0 for none
	Phase  string // of a plan
}

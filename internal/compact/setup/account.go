package setup

import (
	"fmt"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/outside"
	"cairn/internal/term"
	"cairn/internal/tokens"
	"cairn/internal/transcript"
)

// A Use says where an output was compacted, and for whom.
type Use struct {
	Path    string // usage.Hook and so on
	Agent   host.Host
	Session string
}

// InShell is the use of a command that an agent's shell runs, or a person's.
func InShell(env *outside.Env, path string) Use {
	h, _ := host.Running(env.Getenv)
	u := Use{Path: path, Agent: h}
	if h.SessionEnv != "" {
		u.Session = env.Getenv(h.SessionEnv)
	}
	return u
}

// Note adds a line to the account of what compaction did. What fails here costs
// nobody an output: it goes to the log.
func (u Use) Note(env *outside.Env, e compact.Envelope, m compact.Meta) {
	if m.Rule == "none" || m.BytesBefore == 0 {
		return // untouched: empty, excluded, not text, or compacted already
	}
	project := env.WorkDir(e.Cwd)
	entry := usage.Entry{
		Project: project,
		Tool:    e.Tool, Call: usage.Call(e.Command, project), Rule: m.Rule, Exit: "unknown",
		Lines: m.LinesBefore, LinesAfter: m.LinesAfter,
		Tokens: m.TokensBefore, Without: m.TokensBefore, With: m.TokensAfter,
		Guard: m.Restored, Raw: m.TeeID, Ms: m.DurationMs,
	}
	if repo := home.FindRepo(project, env.Getenv); repo != "" {
		entry.Project = string(repo)
	}
	if e.ExitCode != nil {
		entry.Exit = "ok"
		if *e.ExitCode != 0 {
			entry.Exit = "failed"
		}
	}
	if received := u.Agent.Received(m.BytesBefore, e.ExitCode); received < m.BytesBefore && !m.Unchanged {
		entry.Without = tokens.EstimateBytes(received)
	}
	if m.VerifierFired {
		entry.Verifier = &usage.Verifier{
			Restored: m.VerifierRestored, Model: m.VerifierModel,
			Input: m.VerifierInputTokens, Output: m.VerifierOutputTokens,
		}
	}
	u.add(env, entry)
}

// NoteBack notes that an agent got after all what was left out under an id.
func (u Use) NoteBack(env *outside.Env, id string, tokens int) {
	u.Path = usage.Show
	u.add(env, usage.Entry{Raw: id, With: tokens})
}

// NoteShow notes that an agent read a stored output after all.
func NoteShow(env *outside.Env, id string, bytes int) {
	InShell(env, usage.Show).add(env, usage.Entry{Raw: id, With: tokens.EstimateBytes(bytes)})
}

func (u Use) add(env *outside.Env, entry usage.Entry) {
	entry.Time = time.Now().UTC().Truncate(time.Millisecond)
	entry.Path, entry.Agent, entry.Session = u.Path, u.Agent.Name, u.Session
	if err := usage.Append(home.Find(env.Getenv).Usage(), entry); err != nil {
		Log(env, fmt.Errorf("usage: %w", err))
	}
}

// Coverage tells how many of an agent's shell calls that failed since then, and
// printed something, came to us, and how many there were. The second are in the
// transcripts; each of them is looked for in our account, by its command and
// the directory it began in.
func Coverage(env *outside.Env, roots []transcript.Root, agent string, since time.Time) (seen, failing int) {
	ours := map[string]int{}
	_, _ = usage.Each(home.Find(env.Getenv).Usage(), since, func(e usage.Entry) {
		if e.Path == usage.Shell && e.Agent == agent && e.Exit == "failed" {
			ours[e.Call]++
		}
	})
	progress := term.NewProgress(env.Stderr)
	begin := func(bytes int64) { progress.Begin("reading transcripts", bytes) }
	transcript.Failing(roots, agent, since, begin, progress.Add, func(c *transcript.Call) {
		failing++
		if id := usage.Call(c.Command, env.WorkDir(c.Project)); ours[id] > 0 {
			ours[id]--
			seen++
		}
	})
	progress.End()
	return seen, failing
}

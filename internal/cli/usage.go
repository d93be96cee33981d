package cli

import (
	"fmt"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/term"
	"cairn/internal/tokens"
	"cairn/internal/transcript"
)

// A use says where an output was compacted, and for whom.
type use struct {
	path    string // usage.Hook and so on
	agent   host.Host
	session string
}

// inShell is the use of a command that an agent's shell runs, or a person's.
func inShell(env *Env, path string) use {
	h, _ := host.Running(env.Getenv)
	u := use{path: path, agent: h}
	if h.SessionEnv != "" {
		u.session = env.Getenv(h.SessionEnv)
	}
	return u
}

// noteUse adds a line to the account of what compaction did. What fails here
// costs nobody an output: it goes to the log.
func noteUse(env *Env, u use, e compact.Envelope, m compact.Meta) {
	if m.Rule == "none" || m.BytesBefore == 0 {
		return // untouched: empty, excluded, not text, or compacted already
	}
	h := home.Find(env.Getenv)
	project := env.WorkDir(e.Cwd)
	entry := usage.Entry{
		Time: now(), Path: u.path,
		Agent: u.agent.Name, Session: u.session, Project: project,
		Tool: e.Tool, Call: usage.Call(e.Command, project), Rule: m.Rule, Exit: "unknown",
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
	if received := u.agent.Received(m.BytesBefore, e.ExitCode); received < m.BytesBefore && !m.Unchanged {
		entry.Without = tokens.EstimateBytes(received)
	}
	if m.VerifierFired {
		entry.Verifier = &usage.Verifier{
			Restored: m.VerifierRestored, Model: m.VerifierModel,
			Input: m.VerifierInputTokens, Output: m.VerifierOutputTokens,
		}
	}
	if err := usage.Append(h.Usage(), entry); err != nil {
		logHook(env, fmt.Errorf("usage: %w", err))
	}
}

// noteShow notes that an agent read a stored output after all.
func noteShow(env *Env, id string, bytes int) {
	u := inShell(env, usage.Show)
	entry := usage.Entry{
		Time: now(), Path: u.path, Agent: u.agent.Name, Session: u.session, Raw: id,
		With: tokens.EstimateBytes(bytes),
	}
	if err := usage.Append(home.Find(env.Getenv).Usage(), entry); err != nil {
		logHook(env, fmt.Errorf("usage: %w", err))
	}
}

// coverage tells how many of an agent's shell calls that failed since then
// went through a shell function, and how many there were: what is called by a
// path, by sudo or inside a script passes them by. Both are counted where they
// are known, the first in our account and the second in the transcripts.
func coverage(env *Env, roots []transcript.Root, agent string, since time.Time) (seen, failing int) {
	progress := term.NewProgress(env.Stderr)
	failing = transcript.Failing(roots, agent, since, func(bytes int64) { progress.Begin("reading transcripts", bytes) }, progress.Add)
	progress.End()
	if failing == 0 {
		return 0, 0
	}
	_, _ = usage.Each(home.Find(env.Getenv).Usage(), since, func(e usage.Entry) {
		if e.Path == usage.Shim && e.Agent == agent && e.Exit == "failed" {
			seen++
		}
	})
	return min(seen, failing), failing
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

type pushTranscriptOptions struct {
	since string
	json  bool
}

func newSyncPushTranscript(env *Env) *cobra.Command {
	var opts pushTranscriptOptions
	cmd := &cobra.Command{
		Use:   "push-transcript [FILE|-]",
		Short: "Share what was said in sessions with an agent, if you agreed to",
		Long: `Sends sessions of Claude Code and Codex in this repository that are new since
the last time: who said what, which tools were called, when. What the tools
returned is not sent. A session that goes on is sent anew and replaces what the
team has of it; one that is being written this moment is taken the next time.

Only while sync_transcripts is true, which it is not unless you set it. Nothing
is taken out of what was said. You and the team's admins can read it.

A FILE is a transcript, Claude Code's history.jsonl, or a JSON object with
session_id and messages.`,
		Example: "  cairn config set sync_transcripts true && cairn sync push-transcript\n  cairn sync push-transcript --since 2w --json",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			return runSyncPushTranscript(env, strings.Join(args, ""), opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.since, "since", "30d", "how far back to begin the first time: 30d, 12h, 2w, a date, or all")
	f.BoolVar(&opts.json, "json", false, "print what was queued as JSON, one object a line")
	return cmd
}

func runSyncPushTranscript(env *Env, name string, opts pushTranscriptOptions) error {
	queue := link.Queue(env)
	if queue == nil {
		return nil
	}
	if set, _ := config.Load(env.Here(), env.Getenv); !set.Bool(config.SyncTranscripts) {
		fmt.Fprintln(env.Stderr, "cairn: transcripts are not shared: sync_transcripts is false")
		return nil
	}
	since, err := command.Since(opts.since, time.Now())
	if err != nil {
		return err
	}
	when := recordContext(env, name)
	if name != "" {
		rows, err := sessionsOf(env, name, when)
		if err != nil {
			return command.Data(term.Hint(fmt.Errorf("%s: %w", shownRecords(name), err), "nothing was queued"))
		}
		return queueRows(env, queue, record.Transcript.Noun(), rows, opts.json)
	}
	return pushNewSessions(env, queue, when, since, opts.json)
}

// sessionsOf reads a file that was named: what it is its content says.
func sessionsOf(env *Env, name string, when record.Context) ([]record.Row, error) {
	if filepath.Base(name) == "history.jsonl" {
		list, err := transcript.History(env.Path(name), time.Time{})
		if err != nil {
			return nil, err
		}
		return sessionRows(list, when)
	}
	if name != "-" && env.IsFile(name) && filepath.Ext(name) == ".jsonl" {
		c, err := transcript.ReadConversation(transcript.File{Path: env.Path(name)})
		if err != nil {
			return nil, err
		}
		if len(c.Messages) > 0 && c.Session != "" {
			return sessionRows([]transcript.Conversation{c}, when)
		}
	}
	data, err := readRecords(env, name)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("empty; a transcript is wanted")
	}
	file, err := record.Read(record.Transcript, data, when)
	return file.Rows, err
}

func sessionRows(list []transcript.Conversation, when record.Context) ([]record.Row, error) {
	var rows []record.Row
	for _, c := range list {
		s := record.Session{ID: c.Session, Started: c.Started, Ended: c.Ended}
		for _, m := range c.Messages {
			s.Messages = append(s.Messages, record.Message{Role: m.Role, Text: m.Text, Tools: m.Tools, Time: m.Time})
		}
		row, err := s.Row(when)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// pushNewSessions queues the sessions of this repository that are new, source by
// source, and notes after each how far it came.
func pushNewSessions(env *Env, queue *spool.Spool, when record.Context, since time.Time, asJSON bool) error {
	here, err := treesHere(env)
	if err != nil {
		return err
	}
	marks := readMarks(env)
	var all []record.Row
	var ids []string
	known := map[string]bool{} // sessions with a transcript of their own
	for _, host := range []string{transcript.Claude, transcript.Codex} {
		var roots []transcript.Root
		for _, r := range transcript.Roots(env.Getenv) {
			if r.Host == host {
				roots = append(roots, r)
			}
		}
		mark := marks.of(host, queue.URL, here[0], since)
		files := transcript.Files(roots, time.Time{}, func(err error) { term.Warn(env.Stderr, "left out: %v", err) })
		rows := mark.newSessions(env, files, here, when, known)
		if host == transcript.Claude {
			rows = append(rows, mark.newHistory(env, here, when, known)...)
		}
		all = append(all, rows...)
		queued, err := queueAll(queue, rows)
		if err != nil {
			return err
		}
		ids = append(ids, queued...)
		if err := marks.write(env); err != nil {
			return err
		}
	}
	return sayQueued(env, record.Transcript.Noun(), all, ids, asJSON)
}

// treesHere are the directories whose sessions are this repository's: where one
// is, and the tree that a linked worktree belongs to.
func treesHere(env *Env) ([]string, error) {
	top, ok := git.Top(env.Here())
	if !ok {
		s, err := link.Find(env)
		if err != nil || s == nil {
			return nil, err
		}
		return []string{string(s.Repo)}, nil
	}
	return []string{top, git.MainTree(top)}, nil
}

func within(dir string, trees []string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, tree := range trees {
		if rel, err := filepath.Rel(tree, dir); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

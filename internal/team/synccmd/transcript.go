package synccmd

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/must"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/transcript"
)

func transcriptCommand() *command.Command {
	since := command.SinceFlag("30d")
	since.Help = "how far back to begin the first time: 30d, 12h, 2w, a date, or all"
	return &command.Command{
		Path: "sync push-transcript", Args: fileArg,
		Short: "Share sessions with an agent, if you agreed to",
		Long: `Sends the sessions of Claude Code and Codex in this repository that are new since
the last time: who said what, which tools were called, when. What the tools
returned is not sent. A session that goes on is sent again and replaces the
team's copy. One that is being written right now is sent next time.

Only while sync_transcripts is true, which is never the default. Nothing is
removed from what was said. You and the team's admins can read it.

A FILE is a transcript, Claude Code's history.jsonl, or a JSON object with
session_id and messages.`,
		Examples: []string{"cairn config set sync_transcripts true && cairn sync push-transcript", "cairn sync push-transcript --since 2w --json"},
		Flags:    []command.Flag{since},
		Effect:   command.Writes, Run: pushTranscript,
	}
}

func pushTranscript(c *command.Call) (*answer.Answer, error) {
	queue := link.Queue(c.Env)
	if queue == nil {
		return nil, nil
	}
	if set, _ := config.Load(c.Here(), c.Getenv); !set.Bool(config.SyncTranscripts) {
		fmt.Fprintln(c.Stderr, "cairn: transcripts are not shared: sync_transcripts is false")
		return nil, nil
	}
	since := must.Get(command.Since(c.String("since"), time.Now()))
	name := c.Arg("FILE|-")
	when := contextOf(c.Env, name)
	if name != "" {
		rows, err := sessionsOf(c.Env, name, when)
		if err != nil {
			return nil, nothingQueued(name, err)
		}
		return link.Share(c.Env, queue, record.Transcript, rows)
	}
	s := must.Get(link.Find(c.Env))
	var all []record.Row
	var ids []string
	must.OK(collect.Of(s).Sessions(since, when, func(rows []record.Row) error {
		queued, err := link.Enqueue(queue, rows)
		all, ids = append(all, rows...), append(ids, queued...)
		return err
	}))
	return link.Shared(c.Env, record.Transcript, all, ids), nil
}

// sessionsOf reads a file that was named: what it is its content says.
func sessionsOf(env *command.Env, name string, when record.Context) (rows []record.Row, err error) {
	var found []transcript.Conversation
	switch {
	case filepath.Base(name) == "history.jsonl":
		if found, err = transcript.History(env.Path(name), time.Time{}); err != nil || len(found) == 0 {
			return nil, err
		}
	case filepath.Ext(name) == ".jsonl" && env.IsFile(name):
		c, err := transcript.ReadConversation(transcript.File{Path: env.Path(name)})
		if err != nil {
			return nil, err
		}
		if len(c.Messages) > 0 && c.Session != "" {
			found = append(found, c)
		}
	}
	for _, c := range found {
		row, err := collect.Session(c, when)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if rows != nil {
		return rows, nil
	}
	data, err := readRecords(env, name)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("empty; it must be a transcript")
	}
	file, err := record.Read(record.Transcript, data, when)
	return file.Rows, err
}

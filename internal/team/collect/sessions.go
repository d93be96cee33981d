package collect

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/record"
	"cairn/internal/transcript"
)

// marks say up to where sessions were shared, by agent, server and repository.
// Losing them costs sending sessions again, which replaces what the team has of
// them.
type marks struct {
	Version int              `json:"v"`
	Sources map[string]*mark `json:"sources"`
}

// A mark is of one source. Files that were written to after Until are new,
// unless Done knows them as they are: one that was busy keeps Until back.
type mark struct {
	Until   time.Time            `json:"until"`
	Done    map[string]time.Time `json:"done,omitempty"`
	History time.Time            `json:"history,omitzero"` // of Claude Code's history.jsonl
}

// Sessions hands over the sessions of this repository that are new, agent by
// agent, and notes after each how far it came. The first time it begins at since.
func (c *Collector) Sessions(since time.Time, when record.Context, put func([]record.Row) error) error {
	file, all := c.Home.Transcripts(), marks{}
	data, err := atomicfile.ReadRegular(file, 16<<20)
	if err != nil || json.Unmarshal(data, &all) != nil || all.Sources == nil {
		all.Sources = map[string]*mark{}
	}
	all.Version = 1
	known := map[string]bool{} // sessions with a transcript of their own
	for _, agent := range []string{transcript.Claude, transcript.Codex} {
		key := agent + " " + c.Queue().URL + " " + c.trees[0]
		m := all.Sources[key]
		if m == nil {
			m = &mark{Until: since, History: since}
			all.Sources[key] = m
		}
		found := c.newSessions(m, agent, known)
		if agent == transcript.Claude {
			found = append(found, c.newHistory(m, known)...)
		}
		var rows []record.Row
		for _, s := range found {
			row, err := Session(s, when)
			if err != nil {
				c.leftOut(err)
				continue
			}
			rows = append(rows, row)
		}
		if err := put(rows); err != nil {
			return err
		}
		if data, err = json.Marshal(all, json.Deterministic(true)); err != nil {
			return err
		}
		if err := atomicfile.WriteDeep(file, append(data, '\n'), home.PrivateDir, home.PrivateFile); err != nil {
			return err
		}
	}
	return nil
}

// newSessions returns the sessions of the files that are new, and moves the mark.
// Every session that has a file is noted in known.
func (c *Collector) newSessions(m *mark, agent string, known map[string]bool) (found []transcript.Conversation) {
	var roots []transcript.Root
	for _, r := range transcript.Roots(c.Env.Getenv) {
		if r.Host == agent {
			roots = append(roots, r)
		}
	}
	done := map[string]time.Time{}
	until, waits := m.Until, false
	for _, f := range transcript.Files(roots, time.Time{}, c.leftOut) { // the oldest first
		if !f.IsSession() {
			continue
		}
		known[strings.TrimSuffix(filepath.Base(f.Path), ".jsonl")] = true
		if !f.Mod.After(m.Until) {
			continue
		}
		if at, ok := m.Done[f.Path]; !ok || !at.Equal(f.Mod) {
			s, err := transcript.ReadConversation(f)
			if err != nil {
				if !errors.Is(err, transcript.ErrBusy) {
					c.leftOut(err)
				}
				waits = true // not now, perhaps the next time
				continue
			}
			if len(s.Messages) > 0 && s.Session != "" && c.within(s.Project) {
				found = append(found, s)
			}
		}
		if waits {
			done[f.Path] = f.Mod
		} else {
			until = f.Mod
		}
	}
	m.Until, m.Done = until, done
	return found
}

// newHistory returns what was typed in sessions whose transcript is gone.
func (c *Collector) newHistory(m *mark, known map[string]bool) (gone []transcript.Conversation) {
	list, err := transcript.History(transcript.HistoryFile(c.Env.Getenv), m.History)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.leftOut(err)
	}
	for _, s := range list {
		if !known[s.Session] && c.within(s.Project) {
			gone = append(gone, s)
		}
		m.History = s.Ended
	}
	return gone
}

// Session makes of what was said in a session the row that the team keeps.
func Session(c transcript.Conversation, when record.Context) (record.Row, error) {
	s := record.Session{ID: c.Session, Started: c.Started, Ended: c.Ended}
	for _, m := range c.Messages {
		s.Messages = append(s.Messages, record.Message{Role: m.Role, Text: m.Text, Tools: m.Tools, Time: m.Time})
	}
	return s.Row(when)
}

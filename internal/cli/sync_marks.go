package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/record"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

// marks say up to where sessions were shared: ~/.cairn/transcripts.json. Losing
// them costs sending sessions again, which replaces what the team has of them.
type marks struct {
	Version int              `json:"v"`
	Sources map[string]*mark `json:"sources"` // by agent, server and repository
}

// A mark is of one source. Files that were written to after Until are new,
// unless Done knows them as they are: one that was busy keeps Until back.
type mark struct {
	Until   time.Time            `json:"until"`
	Done    map[string]time.Time `json:"done,omitempty"`
	History time.Time            `json:"history,omitzero"` // of Claude Code's history.jsonl
}

func readMarks(env *Env) *marks {
	m := &marks{}
	data, err := atomicfile.ReadRegular(home.Find(env.Getenv).Transcripts(), 16<<20)
	if err != nil || json.Unmarshal(data, m) != nil || m.Sources == nil {
		m.Sources = map[string]*mark{}
	}
	m.Version = 1
	return m
}

func (m *marks) write(env *Env) error {
	data, err := json.Marshal(m, json.Deterministic(true))
	if err != nil {
		return err
	}
	file := home.Find(env.Getenv).Transcripts()
	if err := os.MkdirAll(filepath.Dir(file), home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(file, append(data, '\n'), home.PrivateFile)
}

// of returns the mark of a source, which begins at since.
func (m *marks) of(host, server, tree string, since time.Time) *mark {
	key := host + " " + server + " " + tree
	if m.Sources[key] == nil {
		m.Sources[key] = &mark{Until: since, History: since}
	}
	return m.Sources[key]
}

// newSessions returns the rows of the files that are new, and moves the mark.
// Every session that has a file is noted in known.
func (m *mark) newSessions(env *Env, files []transcript.File, here []string, when record.Context, known map[string]bool) []record.Row {
	var rows []record.Row
	done := map[string]time.Time{}
	until, waits := m.Until, false
	for _, f := range files { // the oldest first
		if !f.IsSession() {
			continue
		}
		known[strings.TrimSuffix(filepath.Base(f.Path), ".jsonl")] = true
		if !f.Mod.After(m.Until) {
			continue
		}
		if at, ok := m.Done[f.Path]; !ok || !at.Equal(f.Mod) {
			c, err := transcript.ReadConversation(f)
			switch {
			case errors.Is(err, transcript.ErrBusy):
				waits = true
				continue
			case err != nil: // not now, perhaps the next time
				term.Warn(env.Stderr, "left out: %v", err)
				waits = true
				continue
			}
			if len(c.Messages) > 0 && c.Session != "" && within(c.Project, here) {
				if row, err := sessionRows([]transcript.Conversation{c}, when); err == nil {
					rows = append(rows, row...)
				}
			}
		}
		if waits {
			done[f.Path] = f.Mod
		} else {
			until = f.Mod
		}
	}
	m.Until, m.Done = until, done
	return rows
}

// newHistory returns what was typed in sessions whose transcript is gone.
func (m *mark) newHistory(env *Env, here []string, when record.Context, known map[string]bool) []record.Row {
	list, err := transcript.History(transcript.HistoryFile(env.Getenv), m.History)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			term.Warn(env.Stderr, "left out: %v", err)
		}
		return nil
	}
	var gone []transcript.Conversation
	for _, c := range list {
		if !known[c.Session] && within(c.Project, here) {
			gone = append(gone, c)
		}
		m.History = c.Ended
	}
	rows, err := sessionRows(gone, when)
	if err != nil {
		term.Warn(env.Stderr, "left out: %v", err)
	}
	return rows
}

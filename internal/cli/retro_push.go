package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/retro"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// retroRow makes of what was measured the row that the team keeps.
func retroRow(repo string, r retro.Report) (record.Row, error) {
	data, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return record.Row{}, err
	}
	file, err := record.Read(record.Retro, data, record.Context{Repo: repo})
	if err != nil {
		return record.Row{}, err
	}
	return file.Rows[0], nil
}

// shipRow makes of what git knows of a ship the row that the team keeps.
func shipRow(repo string, s retro.Ship) (record.Row, error) {
	return record.Shipped{
		Key: s.Key(), Version: s.Version, Branch: s.Branch, SHA: s.SHA, Title: s.Title,
		Author: s.Author, Email: s.Email, URL: s.URL, At: s.At,
	}.Row(record.Context{Repo: repo})
}

// printRecord prints a report as push-retro takes it.
func (m *measuring) printRecord(r retro.Report) error {
	data, err := m.record(r)
	if err != nil {
		return err
	}
	_, err = m.env.Stdout.Write(term.PrintableJSON(append(data, '\n')))
	return err
}

func (m *measuring) record(r retro.Report) (jsontext.Value, error) {
	return json.Marshal(struct {
		Repo string `json:"repo_slug"`
		retro.Report
	}{m.repo, r}, json.Deterministic(true))
}

// push stores reports here and queues them for the team. What a shallow clone
// does not know, it does not tell.
func (m *measuring) push(reports []retro.Report) error {
	queue := link.Queue(m.env)
	var rows []record.Row
	for _, r := range reports {
		if r.Shallow {
			return command.Data(term.Hint(errors.New("nothing was sent: this clone is shallow and lacks a part of the period"), "git fetch --unshallow"))
		}
		row, err := retroRow(m.repo, r)
		if err != nil {
			return err
		}
		if err := m.keep(r); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if queue == nil {
		return nil
	}
	return queueRows(m.env, queue, record.Retro.Noun(), rows, m.opts.json)
}

// safeName is a repository's name as the name of a directory.
func safeName(repo string) string {
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, repo)
	return strings.TrimLeft(name, ".")
}

// keep writes a report to ~/.cairn/retros.
func (m *measuring) keep(r retro.Report) error {
	data, err := m.record(r)
	if err != nil {
		return err
	}
	dir := home.Find(m.env.Getenv).Retros(safeName(m.repo))
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, r.Date+"-"+r.Period+".json"), append(data, '\n'), home.PrivateFile)
}

// pushShips queues the ships of this repository that were not queued for its team
// before.
func pushShips(env *Env, queue *spool.Spool, asJSON bool) error {
	m, err := newMeasuring(env, retroOptions{timezone: "UTC"})
	if err != nil {
		return err
	}
	ships, err := retro.Ships(context.Background(), m.retro)
	if err != nil {
		return command.Data(err)
	}
	file := home.Find(env.Getenv).Ships()
	done, place := readMigrated(file), fmt.Sprintf("%s %s", queue.URL, queue.Team)
	if done[place] == nil {
		done[place] = map[string]bool{}
	}
	var rows []record.Row
	for _, s := range ships {
		row, err := shipRow(m.repo, s)
		if err != nil {
			return err
		}
		if done[place][row.IngestKey] {
			continue
		}
		rows = append(rows, row)
	}
	ids, err := queueAll(queue, rows)
	for _, row := range rows[:len(ids)] {
		done[place][row.IngestKey] = true
	}
	if len(ids) > 0 {
		if err := done.write(file); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return sayQueued(env, record.Ship.Noun(), rows, ids, asJSON)
}

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/retro"
	"cairn/internal/term"
)

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
func (m *measuring) push(reports []retro.Report) (*answer.Answer, error) {
	queue := link.Queue(m.env)
	var rows []record.Row
	for _, r := range reports {
		if r.Shallow {
			return nil, command.Data(term.Hint(errors.New("nothing was sent: this clone is shallow and lacks a part of the period"), "git fetch --unshallow"))
		}
		row, err := collect.Retro(m.repo, r)
		if err != nil {
			return nil, err
		}
		if err := m.keep(r); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	if queue == nil {
		return nil, nil
	}
	return link.Share(m.env, queue, record.Retro, rows)
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

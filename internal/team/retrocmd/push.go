package retrocmd

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/retro"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// Week sends the last 7 days to the team, as cairn sync push-retro does.
func Week(c *command.Call, queue *spool.Spool) (*answer.Answer, error) {
	m := measuring{env: c.Env, days: 7, last: time.Now()}
	if err := m.open(c, "", ""); err != nil {
		return nil, err
	}
	reports, err := m.measure(c)
	if err != nil {
		return nil, err
	}
	return m.push(queue, reports)
}

// records are reports as push-retro takes them.
func (m *measuring) records(reports []retro.Report) answer.Lines {
	lines := answer.Lines{}
	for _, r := range reports {
		lines = append(lines, m.record(r))
	}
	return lines
}

func (m *measuring) record(r retro.Report) jsontext.Value {
	return must.Get(json.Marshal(struct {
		Repo string `json:"repo_slug"`
		retro.Report
	}{m.repo, r}, json.Deterministic(true)))
}

// push keeps reports in ~/.cairn/retros and sends them to the team, if there is
// one. What a shallow clone does not know, it does not send.
func (m *measuring) push(queue *spool.Spool, reports []retro.Report) (*answer.Answer, error) {
	a, rows := &answer.Answer{Data: answer.Lines{}, View: answer.Views{}}, []record.Row(nil)
	for _, r := range reports {
		if r.Shallow {
			return a, command.Data(term.Hint(errors.New("nothing was sent: this clone is shallow and lacks a part of the period"), "git fetch --unshallow"))
		}
		row, err := collect.Retro(m.repo, r)
		if err != nil {
			return a, err
		}
		data := m.record(r)
		file := filepath.Join(home.Find(m.env.Getenv).Retros(safeName(m.repo)), r.Date+"-"+r.Period+".json")
		if err := atomicfile.WriteDeep(file, append(data, '\n'), home.PrivateDir, home.PrivateFile); err != nil {
			return a, err
		}
		rows = append(rows, row)
	}
	if queue == nil {
		return a, nil
	}
	sent, err := link.Share(m.env, queue, record.Retro, rows)
	if err != nil {
		return a, err
	}
	return sent, nil
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

package synccmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/record/local"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

func migrateCommand() *command.Command {
	return &command.Command{
		Path:  "sync migrate",
		Short: "Send the team what was stored here before there was one",
		Long: `Queues this repository's runs in ~/.cairn/evals and records in ~/.cairn/records,
and the records that skills left: .context/retros/*.json and
.gstack/qa-reports/baseline.json in the repository, and the lines about it in
~/.gstack/greptile-history.md. cairn migrate gstack takes more of that kind. What
it queued before is left out, and the server stores nothing twice. Transcripts are
not part of it: cairn sync push-transcript --since all.`,
		Examples: []string{"cairn sync migrate --dry-run", "cairn sync migrate"},
		Flags:    []command.Flag{{Name: "dry-run", Default: false, Help: "print what would be queued, and queue nothing"}},
		Effect:   command.Writes, Run: migrate,
	}
}

// A migration is one run of the command.
type migration struct {
	*command.Call
	queue  *spool.Spool
	sent   *spool.Sent
	dryRun bool
	seen   map[string]bool // the rows of this time
	done   migrated
	said   []string // what is queued, in words
}

// migrated is what --json prints.
type migrated struct {
	Queued map[string]int `json:"queued"` // by kind; with --dry-run what would be
	Before int            `json:"before"` // queued by an earlier one
}

func migrate(c *command.Call) (*answer.Answer, error) {
	s := must.Get(link.Want(c.Env))
	m := &migration{Call: c, queue: s.Queue(), dryRun: c.Bool("dry-run"), seen: map[string]bool{}, done: migrated{Queued: map[string]int{}}}
	m.sent = m.queue.Sent(s.Home.Migrated())
	m.runs()
	for _, from := range []struct {
		kind    record.Kind
		pattern string
	}{
		{record.Retro, filepath.Join(string(s.Repo), ".context", "retros", "*.json")},
		{record.QA, filepath.Join(string(s.Repo), ".gstack", "qa-reports", "baseline.json")},
		{record.Triage, filepath.Join(home.UserDir(c.Getenv), ".gstack", "greptile-history.md")},
		{record.Ship, ""},
	} {
		m.records(from.kind, from.pattern, local.Open(s.Home.Records()))
	}
	what := strings.Join(m.said, ", ")
	if what == "" {
		what = "nothing new"
	}
	if m.done.Before > 0 {
		what += fmt.Sprintf("; %d before", m.done.Before)
	}
	if m.dryRun {
		return &answer.Answer{Data: m.done, View: answer.Line("would queue for %s: %s", s.Name(), what)}, nil
	}
	must.OK(m.sent.Save())
	s.DrainBehind(false)
	a := &answer.Answer{Data: m.done, View: answer.Line("queued for %s: %s", s.Name(), what), Done: true}
	if len(m.said) > 0 {
		a.Hint = "cairn sync status says how far it is"
	}
	return a, nil
}

// take queues something, and counts it, unless it was queued before.
func (m *migration) take(noun, key string, put func() error) error {
	if m.sent.Has(key) {
		m.done.Before++
		return nil
	}
	if !m.dryRun {
		if err := put(); err != nil {
			return err
		}
	}
	m.sent.Add(key)
	m.done.Queued[noun]++
	return nil
}

func (m *migration) say(noun string) {
	if n := m.done.Queued[noun]; n > 0 {
		m.said = append(m.said, text.Count(n, noun))
	}
}

// runs queues the runs of this repository.
func (m *migration) runs() {
	all := must.Get(runs.Own(m.Env).List())
	repo, _ := runs.Repo(m.Env)
	for _, e := range (eval.Filter{Repo: repo}).Of(all) {
		if repo == "" {
			break
		}
		run, err := runs.Own(m.Env).Load(e)
		if err != nil {
			term.Warn(m.Stderr, "left out: %v", err)
			continue
		}
		must.OK(m.take("run", run.IngestKey, func() error {
			if runs.Enqueue(m.Env, m.queue, e.ID, run) == "" {
				return fmt.Errorf("%s could not be queued", e.ID)
			}
			return nil
		}))
	}
	m.say("run")
}

// records queues what files hold, and the records that were stored here. A file
// that cannot be read is left out.
func (m *migration) records(kind record.Kind, pattern string, kept *local.Store) {
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		data := must.Get(readRecords(m.Env, name))
		file, err := record.Read(kind, data, contextOf(m.Env, name))
		if err != nil {
			term.Warn(m.Stderr, "left out: %s: %v", command.Shown(name), err)
			continue
		}
		for _, row := range file.Rows {
			must.OK(m.row(kind, row))
		}
	}
	repo := contextOf(m.Env, "").Repo
	err := kept.Each(kind.Table(), func(row record.Row) error {
		if repo == "" || row.Repo() != repo || m.seen[row.IngestKey] {
			return nil
		}
		return m.row(kind, row)
	})
	m.say(kind.Noun())
	must.OK(err)
}

func (m *migration) row(kind record.Kind, row record.Row) error {
	m.seen[row.IngestKey] = true
	return m.take(kind.Noun(), row.IngestKey, func() error {
		_, err := link.Enqueue(m.queue, []record.Row{row})
		return err
	})
}

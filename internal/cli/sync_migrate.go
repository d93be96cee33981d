package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/record/local"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newSyncMigrate(env *Env) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Send the team what was stored here before there was one",
		Long: `Queues the runs in ~/.cairn/evals and the records in ~/.cairn/records that are
of this repository, and the records that skills left in it:
.context/retros/*.json and .gstack/qa-reports/baseline.json, and of
~/.gstack/greptile-history.md the lines about it. cairn migrate gstack takes
more of that kind. What was queued by it before is left out, and the server
stores nothing twice. Transcripts are not part of it:
cairn sync push-transcript --since all.`,
		Example: "  cairn sync migrate --dry-run\n  cairn sync migrate",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncMigrate(env, dryRun) },
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be queued, and queue nothing")
	return cmd
}

func runSyncMigrate(env *Env, dryRun bool) error {
	s, err := link.Want(env)
	if err != nil {
		return err
	}
	m := &migration{env: env, sync: s, done: readMigrated(home.Find(env.Getenv).Migrated()), dryRun: dryRun, place: link.CleanURL(s.File.URL) + " " + s.File.Slug, seen: map[string]bool{}}
	if err := m.runs(); err != nil {
		return err
	}
	for _, from := range []struct {
		kind    record.Kind
		pattern string
	}{
		{record.Retro, filepath.Join(string(s.Repo), ".context", "retros", "*.json")},
		{record.QA, filepath.Join(string(s.Repo), ".gstack", "qa-reports", "baseline.json")},
		{record.Triage, filepath.Join(home.UserDir(env.Getenv), ".gstack", "greptile-history.md")},
		{record.Ship, ""},
	} {
		if err := m.records(from.kind, from.pattern); err != nil {
			return err
		}
	}
	return m.end()
}

// migration is one run of the verb.
type migration struct {
	env    *Env
	sync   *link.Checkout
	done   migrated
	place  string // the team that it is for
	dryRun bool
	seen   map[string]bool // the rows of this time

	said   []string // what is queued, in words
	before int      // what was queued by an earlier one
}

// runs queues the runs of this repository.
func (m *migration) runs() error {
	all, err := runs.Own(m.env).List()
	if err != nil {
		return err
	}
	repo, _ := runs.Repo(m.env)
	queue, n := m.sync.Queue(), 0
	for _, e := range (eval.Filter{Repo: repo}).Of(all) {
		if repo == "" {
			break
		}
		run, err := runs.Own(m.env).Load(e)
		if err != nil {
			term.Warn(m.env.Stderr, "left out: %v", err)
			continue
		}
		if m.known(run.IngestKey) {
			continue
		}
		n++
		if !m.dryRun && runs.Enqueue(m.env, queue, e.ID, run) == "" {
			return fmt.Errorf("%s could not be queued", e.ID)
		}
		m.take(run.IngestKey)
	}
	m.say(n, "run")
	return nil
}

// records queues what files hold, and the records that were stored here. A file
// that cannot be read is left out.
func (m *migration) records(kind record.Kind, pattern string) error {
	names, _ := filepath.Glob(pattern)
	n := 0
	for _, name := range names {
		data, err := readRecords(m.env, name)
		if err != nil {
			return err
		}
		file, err := record.Read(kind, data, recordContext(m.env, name))
		if err != nil {
			term.Warn(m.env.Stderr, "left out: %s: %v", command.Shown(name), err)
			continue
		}
		for _, row := range file.Rows {
			if err := m.row(row, &n); err != nil {
				return err
			}
		}
	}
	repo := recordContext(m.env, "").Repo
	err := local.Open(m.sync.Home.Records()).Each(kind.Table(), func(row record.Row) error {
		if repo == "" || repoOfRow(row) != repo || m.seen[row.IngestKey] {
			return nil
		}
		return m.row(row, &n)
	})
	m.say(n, kind.Noun())
	return err
}

// row queues a row that was not before, and counts it.
func (m *migration) row(row record.Row, n *int) error {
	m.seen[row.IngestKey] = true
	if m.known(row.IngestKey) {
		return nil
	}
	*n++
	if !m.dryRun {
		if _, err := queueAll(m.sync.Queue(), []record.Row{row}); err != nil {
			return err
		}
	}
	m.take(row.IngestKey)
	return nil
}

func (m *migration) known(key string) bool {
	if m.done[m.place][key] {
		m.before++
		return true
	}
	return false
}

func (m *migration) take(key string) {
	if m.done[m.place] == nil {
		m.done[m.place] = map[string]bool{}
	}
	m.done[m.place][key] = true
}

func (m *migration) say(n int, noun string) {
	if n > 0 {
		m.said = append(m.said, text.Count(n, noun))
	}
}

func (m *migration) end() error {
	what := strings.Join(m.said, ", ")
	if what == "" {
		what = "nothing new"
	}
	if m.before > 0 {
		what += fmt.Sprintf("; %d before", m.before)
	}
	if m.dryRun {
		_, err := fmt.Fprintf(m.env.Stdout, "would queue for %s: %s\n", m.sync.Name(), what)
		return err
	}
	if err := m.done.write(home.Find(m.env.Getenv).Migrated()); err != nil {
		return err
	}
	m.sync.DrainBehind(false)
	_, err := fmt.Fprintf(m.env.Stdout, "queued for %s: %s\n", m.sync.Name(), what)
	if len(m.said) > 0 {
		term.PrintHint(m.env.Stderr, "cairn sync status says how far it is")
	}
	return err
}

// migrated are the ingest keys that were queued, by team, in a file. Without it
// they are queued again, and the server knows them.
type migrated map[string]map[string]bool

func readMigrated(file string) migrated {
	m := migrated{}
	data, err := atomicfile.ReadRegular(file, 64<<20)
	if err != nil || json.Unmarshal(data, &m) != nil || m == nil {
		return migrated{}
	}
	return m
}

func (m migrated) write(file string) error {
	data, err := json.Marshal(m, json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(file, append(data, '\n'), home.PrivateFile)
}

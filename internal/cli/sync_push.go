package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// mostRecord is how many bytes a file of records may have.
const mostRecord = 8 << 20

// newSyncPushRetro and its like differ in what they read.
func newSyncPushRetro(env *Env) *cobra.Command {
	return newSyncPush(env, record.Retro, "push-retro", "Send a retrospective to the team",
		`Reads a retrospective as JSON: date, period (7d, 14d, 30d), metrics, authors,
and what else the table retro_snapshots has; window is read as period. Without
a file the last 7 days are measured, as cairn retro does.`,
		"  cairn sync push-retro\n  cairn sync push-retro .context/retros/2026-03-15-1.json")
}

func newSyncPushQA(env *Env) *cobra.Command {
	return newSyncPush(env, record.QA, "push-qa", "Send a QA report to the team",
		`Reads a QA report as JSON: url, mode, health_score from 0 to 100, issues,
category_scores, report_markdown; healthScore and categoryScores are read, too.`,
		"  cairn sync push-qa .gstack/qa-reports/baseline.json\n  ./qa --json | cairn sync push-qa -")
}

func newSyncPushShip(env *Env) *cobra.Command {
	return newSyncPush(env, record.Ship, "push-ship", "Send what was shipped to the team",
		`Reads a ship as JSON: version, branch, pr_url, review_findings, greptile_stats,
todos_completed, test_results, occurred_at. Of a log of skills, one JSON object
a line, the ships that were completed are taken. Without a file the versions and
merged pull requests that git knows are sent, those that were not sent before.`,
		"  cairn sync push-ship\n  echo '{\"version\":\"1.4.0\",\"pr_url\":\"https://…/pull/12\"}' | cairn sync push-ship -")
}

func newSyncPushTriage(env *Env) *cobra.Command {
	return newSyncPush(env, record.Triage, "push-triage", "Send verdicts on review comments to the team",
		`Reads verdicts on review comments, as JSON (date, triage_type, file_pattern,
category) or one a line:

  2026-03-15 | acme/app | fp | app/services/auth.rb | race-condition

A verdict is fp, fix or already-fixed. Of a history with several repositories
only the lines of this one are sent. What was sent before is not sent twice.`,
		"  cairn sync push-triage ~/.gstack/greptile-history.md\n  tail -1 history.md | cairn sync push-triage -")
}

func newSyncPush(env *Env, kind record.Kind, verb, short, long, example string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   verb + " [FILE|-]",
		Short: short,
		Long: long + `

- reads stdin. The record goes into ~/.cairn/queue and from there to the team's
server; the same record is stored once. In a repository without a team, or with
sync_enabled=false, it does nothing and says nothing.`,
		Example: example,
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			return runSyncPush(env, kind, strings.Join(args, ""), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was queued as JSON, one object a line")
	return cmd
}

// runSyncPush queues all records of a file or, when one is wrong, none.
func runSyncPush(env *Env, kind record.Kind, name string, asJSON bool) error {
	queue := link.Queue(env)
	if queue == nil {
		return nil
	}
	switch {
	case name != "":
	case kind == record.Ship:
		return pushShips(env, queue, asJSON)
	case kind == record.Retro:
		return runRetro(env, retroOptions{days: 7, timezone: "UTC", push: true, quiet: true, json: asJSON})
	}
	data, err := readRecords(env, name)
	if err != nil {
		return err
	}
	file, err := record.Read(kind, data, recordContext(env, name))
	if err != nil {
		return command.Data(term.Hint(fmt.Errorf("%s: %w", shownRecords(name), err), "nothing was queued"))
	}
	for _, w := range file.Warnings {
		term.Warn(env.Stderr, "%s: %s", shownRecords(name), term.Printable(w))
	}
	return queueRows(env, queue, kind.Noun(), file.Rows, asJSON)
}

// queueRows puts rows into the queue, waits shortly for the server, and says how
// it ended.
func queueRows(env *Env, queue *spool.Spool, noun string, rows []record.Row, asJSON bool) error {
	ids, err := queueAll(queue, rows)
	if err != nil {
		return err
	}
	return sayQueued(env, noun, rows, ids, asJSON)
}

func queueAll(queue *spool.Spool, rows []record.Row) (ids []string, err error) {
	for i, row := range rows {
		id, err := queue.Put(row.Table, row.IngestKey, row.Body)
		if err != nil {
			return ids, term.Hint(fmt.Errorf("%d of %d records are queued for the team, then: %w", i, len(rows), err), "send it again when that is mended: nothing is stored twice")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// sayQueued tells what became of records that are in the queue.
func sayQueued(env *Env, noun string, rows []record.Row, ids []string, asJSON bool) error {
	said := link.Deliver(env, ids)
	if asJSON {
		for i, row := range rows {
			if err := printJSON(env, struct {
				Table     string `json:"table"`
				IngestKey string `json:"ingest_key"`
				Queued    bool   `json:"queued"`
				Synced    bool   `json:"synced"`
			}{row.Table, row.IngestKey, true, said[ids[i]] == link.Synced}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(rows) == 0 {
		return nil
	}
	what := text.Count(len(rows), noun)
	if len(rows) == 1 && rows[0].Title != "" {
		what = noun + " " + term.Line(rows[0].Title)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s  %s\n", what, worst(ids, said))
	return err
}

// worst is what is said of the record that did worst.
func worst(ids []string, said map[string]string) string {
	for _, word := range [...]string{link.Refused, link.Setup, link.Offline, link.Later} {
		for _, id := range ids {
			if said[id] == word {
				return word
			}
		}
	}
	return link.Synced
}

func readRecords(env *Env, name string) ([]byte, error) {
	switch {
	case name == "" && term.IsTerminal(env.Stdin):
		return nil, command.Usage(term.Hint(errors.New("no file is named"), "a file, or - for stdin"))
	case name == "" || name == "-":
		data, err := io.ReadAll(io.LimitReader(env.Stdin, mostRecord+1))
		if err == nil && len(data) > mostRecord {
			err = fmt.Errorf("stdin holds more than %d MB", mostRecord>>20)
		}
		return data, command.Data(err)
	}
	data, err := atomicfile.ReadFile(env.Path(name), mostRecord)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is not there", command.Shown(name))
	}
	return data, command.Data(err)
}

func shownRecords(name string) string {
	if name == "" {
		name = "-"
	}
	return command.Shown(name)
}

// recordContext is what is known here of a record that was read from a file.
func recordContext(env *Env, name string) record.Context {
	c := record.Context{Time: time.Now()}
	if fi, err := os.Stat(env.Path(name)); err == nil {
		c.Time = fi.ModTime()
	}
	if dir := env.Here(); git.Repo(dir) {
		c.Repo, _ = runs.Repo(env)
		c.Branch = runs.Branch(env, dir)
	} else { // a repository of cairn's, without git
		c.Repo = filepath.Base(string(home.FindRepo(dir, env.Getenv)))
	}
	return c
}

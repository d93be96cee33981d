package synccmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// mostRecord is how many bytes a file of records may have.
const mostRecord = 8 << 20

// Measure sends what is measured here instead of read from a file.
type Measure func(*command.Call, *spool.Spool) (*answer.Answer, error)

var fileArg = []command.Arg{{Name: "FILE|-", Optional: true}}

func pushCommands(week Measure) []*command.Command {
	all := []*command.Command{
		pushCommand(record.Retro, "Send a retrospective to the team",
			`Reads a retrospective as JSON: date, period (7d, 14d, 30d), metrics, authors and
the other columns of the table retro_snapshots; window is read as period. Without
a file it measures the last 7 days, as cairn retro does.`,
			week, "cairn sync push-retro", "cairn sync push-retro .context/retros/2026-03-15-1.json"),
		pushCommand(record.QA, "Send a QA report to the team",
			`Reads a QA report as JSON: url, mode, health_score from 0 to 100, issues,
category_scores, report_markdown. healthScore and categoryScores are accepted, too.`,
			nil, "cairn sync push-qa .gstack/qa-reports/baseline.json", "./qa --json | cairn sync push-qa -"),
		pushCommand(record.Ship, "Send a release to the team",
			`Reads a release as JSON: version, branch, pr_url, review_findings, greptile_stats,
todos_completed, test_results, occurred_at. From a log of skills, one JSON object
a line, it takes the releases that were completed. Without a file it sends the
versions and merged pull requests that git knows and that were not sent before.`,
			pushShips, "cairn sync push-ship", `echo '{"version":"1.4.0","pr_url":"https://…/pull/12"}' | cairn sync push-ship -`),
		pushCommand(record.Triage, "Send verdicts on review comments to the team",
			`Reads verdicts on review comments, as JSON (date, triage_type, file_pattern,
category) or one a line:

  2026-03-15 | acme/app | fp | app/services/auth.rb | race-condition

A verdict is fp, fix or already-fixed. From a history of several repositories,
only the lines of this one are sent. A verdict is sent once.`,
			nil, "cairn sync push-triage ~/.gstack/greptile-history.md", "tail -1 history.md | cairn sync push-triage -"),
	}
	return append(all, transcriptCommand())
}

// pushCommand is push-KIND, which differ in what they read. Without a file, here
// sends what is known anyhow.
func pushCommand(kind record.Kind, short, long string, here Measure, examples ...string) *command.Command {
	name := map[record.Kind]string{record.Retro: "retro", record.QA: "qa", record.Ship: "ship", record.Triage: "triage"}[kind]
	return &command.Command{
		Path: "sync push-" + name, Args: fileArg, Short: short, Examples: examples, Effect: command.Writes,
		Long: long + `

- reads stdin. The record goes into ~/.cairn/queue and from there to the team's
server, which stores the same record once. In a repository without a team, or with
sync_enabled=false, nothing is done and nothing is printed.`,
		Run: func(c *command.Call) (*answer.Answer, error) {
			queue, file := link.Queue(c.Env), c.Arg("FILE|-")
			switch {
			case queue == nil:
				return nil, nil
			case file == "" && here != nil:
				return here(c, queue)
			}
			data, err := readRecords(c.Env, file)
			if err != nil {
				return nil, err
			}
			found, err := record.Read(kind, data, contextOf(c.Env, file))
			if err != nil {
				return nil, nothingQueued(file, err)
			}
			for _, w := range found.Warnings {
				term.Warn(c.Stderr, "%s: %s", shown(file), term.Printable(w))
			}
			return link.Share(c.Env, queue, kind, found.Rows)
		},
	}
}

// pushShips sends the ships of this repository that were not sent to its team
// before.
func pushShips(c *command.Call, queue *spool.Spool) (*answer.Answer, error) {
	ships := must.Get(collect.Ships(c, c.Env))
	sent := queue.Sent(home.Find(c.Getenv).Ships())
	var rows []record.Row
	for _, row := range ships {
		if !sent.Has(row.IngestKey) {
			rows = append(rows, row)
		}
	}
	ids, err := link.Enqueue(queue, rows)
	for _, row := range rows[:len(ids)] {
		sent.Add(row.IngestKey)
	}
	if len(ids) > 0 {
		err = errors.Join(err, sent.Save())
	}
	must.OK(err)
	return link.Shared(c.Env, record.Ship, rows, ids), nil
}

func nothingQueued(file string, err error) error {
	return command.Data(term.Hint(fmt.Errorf("%s: %w", shown(file), err), "nothing was queued"))
}

func readRecords(env *command.Env, name string) ([]byte, error) {
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
		err = fmt.Errorf("%s does not exist", command.Shown(name))
	}
	return data, command.Data(err)
}

func shown(name string) string {
	if name == "" {
		name = "-"
	}
	return command.Shown(name)
}

// contextOf is what is known here of a record that was read from a file.
func contextOf(env *command.Env, name string) record.Context {
	c := record.Context{Time: time.Now()}
	if fi, err := os.Stat(env.Path(name)); err == nil {
		c.Time = fi.ModTime()
	}
	var top string
	if c.Repo, top = collect.Repo(env, home.FindRepo(env.Here(), env.Getenv)); top != "" {
		c.Branch = runs.Branch(env, env.Here())
	}
	return c
}

func collectCommand() *command.Command {
	return &command.Command{
		Path:  "sync collect",
		Short: "Send the team what git, the plan and agents' work show",
		Long: `Reads records from git and the plan and delivers them: commits by week for the last
two years, and the releases; the progress of .planning/ and of each workstream; what
compaction saved in this repository on each day. Only while
sync_plan_text is true also what the plan says: decisions, requirements and
blockers. Only while sync_transcripts is true also how many sessions, turns,
prompts and tool calls a day had: counts, and no word of what was said. Only while
sync_spend is true also what agents cost here: tokens and dollars by day, session,
branch, commit, pull request and model.

With --dry-run --json the list records has each record in full.

Records that were queued before and have not changed are left out, so it can run
as often as you like. cairn up does the same.`,
		Examples: []string{"cairn sync collect", "cairn sync collect --dry-run --json"},
		Flags:    []command.Flag{{Name: "dry-run", Default: false, Help: "print what would be queued, and queue nothing"}},
		Effect:   command.Writes, Waits: true, Run: runCollect,
	}
}

func runCollect(c *command.Call) (*answer.Answer, error) {
	s := must.Get(link.Want(c.Env))
	of, dry := collect.Of(s), c.Bool("dry-run")
	tables, view := []collect.Table{}, answer.NewTable("source:name=", "found:name=")
	var records []dryRecord
	must.OK(of.Gather(c, dry, func(from collect.Source) {
		if from.Err != nil {
			term.Warn(c.Stderr, "%s is left out: %v", from.Name, from.Err)
		}
		tables = append(tables, from.Tables...)
		for _, row := range from.New {
			records = append(records, dryRecord{row.Table, row.Body})
		}
		if found := from.String(); found != "" {
			view.Add(from.Name, found)
		}
	}))
	var report client.Drained
	var err error
	views := answer.Views{view}
	if dry {
		views = append(views, spendView(records)...)
	} else {
		records = nil
		report, err = of.Deliver(c)
		what := text.Count(report.Delivered.N(), "record")
		if len(report.Stopped) > 0 {
			what += ", the others are " + link.WhyQueued(report.Stopped)
		}
		view.Add("delivered", what)
	}
	return &answer.Answer{Data: struct {
		Collected []collect.Table `json:"collected"`
		Delivered int             `json:"delivered"`
		Refused   int             `json:"refused"`
		Failed    int             `json:"failed"` // they wait
		Records   []dryRecord     `json:"records,omitempty"`
	}{tables, report.Delivered.N(), report.Refused.N(), report.Failed, records}, View: views, Err: err, Done: !dry}, nil
}

// A dryRecord is one that would be queued.
type dryRecord struct {
	Table  string         `json:"table"`
	Record jsontext.Value `json:"record"`
}

// spendView lists what agents cost as the team would get it.
func spendView(records []dryRecord) (views answer.Views) {
	t := answer.NewTable("day", "agent:name", "session:name", "branch:name", "commit:name", "pr:name", "model:name", "requests:count", "usd:usd", "unpriced:count")
	rows := 0
	for _, r := range records {
		var s record.SpendDay
		if r.Table != record.Spend.Table() || json.Unmarshal(r.Record, &s) != nil {
			continue
		}
		pull := ""
		if s.PullRequest > 0 {
			pull = fmt.Sprintf("#%d", s.PullRequest)
		}
		var usd any = float64(s.Micros) / 1e6
		if s.Unpriced > 0 && s.Unpriced == s.Requests {
			usd = nil // nobody knows
		}
		t.Add(s.Day, s.Agent, s.Session, s.Branch, git.Short(s.Commit), pull, s.Model, s.Requests, usd, answer.Some(s.Unpriced))
		rows++
	}
	if rows > 0 {
		views = append(views, answer.Painted(func(p *answer.Page) error { fmt.Fprintln(p); return nil }), t)
	}
	return views
}

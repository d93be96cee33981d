package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/result"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// keep says what becomes of runs that a verb read or made.
type keep struct {
	label, suite string // instead of what is found out
	noPush       bool   // store here only
	json         bool
}

// complete fills in what is known of runs from a file, and refuses what cannot
// be stored before any of them is.
func (k keep) complete(env *Env, file string, runs []*result.Run) error {
	c := evalContext(env, file)
	c.Suite = k.suite
	if k.label != "" {
		c.Label = k.label
	}
	if err := (&result.Run{Scope: c.Scope}).Check(); err != nil {
		return command.Usagef("EVAL_TIER is %q; quick, standard or full is wanted", c.Scope)
	}
	if err := (&result.Run{JudgeTier: c.JudgeTier}).Check(); err != nil {
		return command.Usagef("EVAL_JUDGE_TIER is %q; fast, standard or full is wanted", c.JudgeTier)
	}
	for _, run := range runs {
		c.Fill(run)
		eval.Strip(run)
		if err := run.Check(); err != nil {
			return command.Dataf("%s: %w", shownName(file), err)
		}
	}
	return nil
}

// kept is a run that is stored.
type kept struct {
	eval.Entry
	Fresh  bool `json:"fresh"`
	Queued bool `json:"queued"`
	Synced bool `json:"synced"`

	record string // id in the queue
}

// store puts complete runs into the store and, where the repository has a team
// and the user wants it, into the queue for its server. A run that was stored
// before is queued again: the first time may have ended in between, and the
// server knows a run by its ingest key.
func (k keep) store(env *Env, runs []*result.Run) error {
	var queue *spool.Spool
	var failed error
	if !k.noPush {
		queue = link.Queue(env)
	}
	var done []kept
	var ids []string
	for _, run := range runs {
		e, fresh, err := evalStore(env).Put(run)
		if err != nil {
			failed = err
			break
		}
		one := kept{Entry: e, Fresh: fresh}
		if queue != nil {
			one.record = queueRun(env, queue, e.ID, run)
			one.Queued = one.record != ""
		}
		if one.Queued {
			ids = append(ids, one.record)
		}
		done = append(done, one)
	}
	said := link.Deliver(env, ids)
	for _, one := range done {
		one.Synced = said[one.record] == link.Synced
		if err := k.say(env, one, said[one.record]); err != nil {
			return err
		}
	}
	return failed
}

// queueRun returns the id of a run in the queue, "" if it could not be put
// there: it is stored here, and that is what counts.
func queueRun(env *Env, queue *spool.Spool, id string, run *result.Run) string {
	copied := *run
	if copied.Repo == "" { // the server wants one
		copied.Repo = filepath.Base(string(home.FindRepo(env.Here(), env.Getenv)))
	}
	body, err := json.Marshal(&copied, json.Deterministic(true))
	record := ""
	if err == nil {
		record, err = queue.Put(client.Runs, run.IngestKey, body)
	}
	if err != nil {
		term.Warn(env.Stderr, "%s is stored here, but not queued for the team: %v; push it again when that is mended", id, err)
		client.OpenLog(home.Find(env.Getenv)).Add("PUSH", "eval_runs", "LOST", err.Error())
		return ""
	}
	return record
}

// made keeps a run that a verb made itself: in the store and, if file is not "",
// there. What is said of it goes to stderr when stdout has the run.
func (k keep) made(env *Env, run *result.Run, file string) error {
	if err := k.complete(env, "", []*result.Run{run}); err != nil {
		return err
	}
	talk := *env
	if k.json {
		talk.Stdout, k.json = env.Stderr, false
	}
	if err := k.store(&talk, []*result.Run{run}); err != nil || file == "" {
		return err
	}
	data, err := result.Encode(run)
	if err == nil {
		err = atomicfile.WriteFile(env.Path(file), data, home.SharedFile)
	}
	if err == nil {
		sayWrote(env, file)
	}
	return err
}

func (k keep) say(env *Env, e kept, sync string) error {
	if k.json {
		return printJSON(env, e)
	}
	word := "stored"
	if !e.Fresh {
		word = "already stored"
	}
	if sync != "" {
		sync = "  " + sync
	}
	names := strings.Join(nonEmpty([]string{term.Printable(e.Label), term.Printable(e.Suite)}), "  ")
	_, err := fmt.Fprintf(env.Stdout, "%s %s  %s  %s%s\n", word, e.ID, names, countsText(e.Counts, e.CostUSD), sync)
	return err
}

// countsText is "18 results: 16 passed, 1 failed, 1 error, $0.69".
func countsText(n result.Counts, usd float64) string {
	parts := []string{fmt.Sprintf("%d passed", n.Passed)}
	if n.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", n.Failed))
	}
	if n.Errored > 0 {
		parts = append(parts, text.Count(n.Errored, "error"))
	}
	if n.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", n.Skipped))
	}
	if usd > 0 {
		parts = append(parts, text.Some(usd, text.Dollars))
	}
	return fmt.Sprintf("%s: %s", text.Count(n.Total, "result"), strings.Join(parts, ", "))
}

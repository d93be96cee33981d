package runs

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

// A Keeper says what becomes of runs that a command read or made.
type Keeper struct {
	Env          *command.Env
	Label, Suite string // instead of what is found out
	NoPush       bool   // store here only
}

// Complete fills in what is known of runs from a file, and refuses what cannot
// be stored before any of them is.
func (k Keeper) Complete(file string, runs []*result.Run) error {
	c := contextOf(k.Env, file)
	c.Suite = k.Suite
	if k.Label != "" {
		c.Label = k.Label
	}
	if err := (&result.Run{Scope: c.Scope}).Check(); err != nil {
		return command.Usagef("EVAL_TIER must be quick, standard or full, not %q", c.Scope)
	}
	if err := (&result.Run{JudgeTier: c.JudgeTier}).Check(); err != nil {
		return command.Usagef("EVAL_JUDGE_TIER must be fast, standard or full, not %q", c.JudgeTier)
	}
	for _, run := range runs {
		c.Fill(run)
		eval.Strip(run)
		if err := run.Check(); err != nil {
			return command.Dataf("%s: %w", command.Shown(file), err)
		}
	}
	return nil
}

// Kept is a run that is stored.
type Kept struct {
	eval.Entry
	Fresh  bool `json:"fresh"`
	Queued bool `json:"queued"`
	Synced bool `json:"synced"`

	record string // id in the queue
	sync   string // what became of it there
}

// Store puts complete runs into the store and, where the repository has a team
// and the user wants it, into the queue for its server. A run that was stored
// before is queued again: the first time may have ended in between, and the
// server knows a run by its ingest key. An error comes with what was stored
// before it.
func (k Keeper) Store(runs []*result.Run) (done []Kept, failed error) {
	var queue *spool.Spool
	if !k.NoPush {
		queue = link.Queue(k.Env)
	}
	var ids []string
	for _, run := range runs {
		var one Kept
		if one.Entry, one.Fresh, failed = Own(k.Env).Put(run); failed != nil {
			break
		}
		if queue != nil {
			one.record = Enqueue(k.Env, queue, one.ID, run)
			one.Queued = one.record != ""
		}
		if one.Queued {
			ids = append(ids, one.record)
		}
		done = append(done, one)
	}
	said := link.Deliver(k.Env, ids)
	for i := range done {
		done[i].sync = said[done[i].record]
		done[i].Synced = done[i].sync == link.Synced
	}
	return done, failed
}

// Made keeps a run that a command made itself: in the store and, if file is not
// "", there.
func (k Keeper) Made(run *result.Run, file string) (Kept, error) {
	if err := k.Complete("", []*result.Run{run}); err != nil {
		return Kept{}, err
	}
	done, err := k.Store([]*result.Run{run})
	if err != nil {
		return Kept{}, err
	}
	if file == "" {
		return done[0], nil
	}
	data, err := result.Encode(run)
	if err == nil {
		err = atomicfile.WriteFile(k.Env.Path(file), data, home.SharedFile)
	}
	if err == nil {
		SayWrote(k.Env, file)
	}
	return done[0], err
}

// SayWrote says on stderr that a file was written.
func SayWrote(env *command.Env, name string) {
	fmt.Fprintf(env.Stderr, "cairn: wrote %s\n", term.Line(name))
}

// Enqueue returns the id of a run in the queue, "" if it could not be put
// there: it is stored here, and that is what counts.
func Enqueue(env *command.Env, queue *spool.Spool, id string, run *result.Run) string {
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

// String is a line about the run: what it is called and what is in it.
func (k Kept) String() string {
	line := "stored " + k.ID
	if !k.Fresh {
		line = "already stored " + k.ID
	}
	names := strings.TrimSpace(term.Printable(k.Label) + "  " + term.Printable(k.Suite))
	line += "  " + names + "  " + Outcome(k.Counts, k.CostUSD)
	if k.sync != "" {
		line += "  " + k.sync
	}
	return line
}

// Outcome is "18 results: 16 passed, 1 failed, 1 error, $0.69".
func Outcome(n result.Counts, usd float64) string {
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
		parts = append(parts, text.Dollars(usd))
	}
	return fmt.Sprintf("%s: %s", text.Count(n.Total, "result"), strings.Join(parts, ", "))
}

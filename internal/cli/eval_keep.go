package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// runRecord is the kind of a spooled run; its body is the run in the standard
// format.
const runRecord = "eval_run"

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
		return withKind(errUsage, fmt.Errorf("EVAL_TIER is %q; quick, standard or full is wanted", c.Scope))
	}
	if err := (&result.Run{JudgeTier: c.JudgeTier}).Check(); err != nil {
		return withKind(errUsage, fmt.Errorf("EVAL_JUDGE_TIER is %q; fast, standard or full is wanted", c.JudgeTier))
	}
	for _, run := range runs {
		c.Fill(run)
		eval.Strip(run)
		if err := run.Check(); err != nil {
			return withKind(errData, fmt.Errorf("%s: %w", shownName(file), err))
		}
	}
	return nil
}

// store puts complete runs into the store and, where the repository has a team
// and the user wants it, into the queue for its server. A run that was stored
// before is queued again: the first time may have ended in between, and the
// server knows a run by its ingest key.
func (k keep) store(env *Env, runs []*result.Run) error {
	queue, err := teamQueue(env)
	if err != nil {
		return err
	}
	for _, run := range runs {
		e, fresh, err := evalStore(env).Put(run)
		if err != nil {
			return err
		}
		queued := queue != nil && !k.noPush
		if queued {
			body, err := json.Marshal(run, json.Deterministic(true))
			if err == nil {
				_, err = queue.Put(runRecord, run.IngestKey, body)
			}
			if err != nil {
				return term.Hint(fmt.Errorf("%s is stored here, but not queued for the team: %w", e.ID, err), "push it again when that is mended")
			}
		}
		if err := k.say(env, e, fresh, queued); err != nil {
			return err
		}
	}
	return nil
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
		err = atomicfile.WriteFile(file, data, home.SharedFile)
	}
	if err == nil {
		sayWrote(env, file)
	}
	return err
}

func (k keep) say(env *Env, e eval.Entry, fresh, queued bool) error {
	if k.json {
		return printJSON(env, struct {
			eval.Entry
			Fresh  bool `json:"fresh"`
			Queued bool `json:"queued"`
		}{e, fresh, queued})
	}
	word, more := "stored", ""
	if !fresh {
		word = "already stored"
	}
	if queued {
		more = "  queued for the team"
	}
	names := strings.Join(nonEmpty([]string{term.Printable(e.Label), term.Printable(e.Suite)}), "  ")
	_, err := fmt.Fprintf(env.Stdout, "%s %s  %s  %s%s\n", word, e.ID, names, countsText(e.Counts, e.CostUSD), more)
	return err
}

// teamQueue returns the queue of records for the server of the team that this
// repository has, nil where it has none or the user wants no sync.
func teamQueue(env *Env) (*spool.Spool, error) {
	dir := workDir("")
	repo := home.FindRepo(dir, env.Getenv)
	if repo == "" {
		return nil, nil
	}
	if set, _ := config.Load(dir, env.Getenv); !set.Bool(config.SyncEnabled) {
		return nil, nil
	}
	team, err := config.ReadTeam(repo)
	if isNotThere(err) {
		return nil, nil
	}
	if err != nil {
		return nil, withKind(errData, err)
	}
	queue := spool.Open(home.Find(env.Getenv).Queue())
	queue.URL = team.URL
	return queue, nil
}

// countsText is "18 results: 16 passed, 1 failed, 1 error, $0.69".
func countsText(n result.Counts, usd float64) string {
	parts := []string{fmt.Sprintf("%d passed", n.Passed)}
	if n.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", n.Failed))
	}
	if n.Errored > 0 {
		parts = append(parts, term.Count(n.Errored, "error"))
	}
	if n.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", n.Skipped))
	}
	if usd > 0 {
		parts = append(parts, usdText(usd))
	}
	return fmt.Sprintf("%s: %s", term.Count(n.Total, "result"), strings.Join(parts, ", "))
}

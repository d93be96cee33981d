package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/mcp"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/gate"
	"cairn/internal/team/compare"
	"cairn/internal/team/eval"
)

// mcpTools are the questions that an agent can ask. What they take and say costs
// each session tokens: a test keeps it small. data says whether answers are
// wanted as data, too.
func mcpTools(env *Env, data bool) []mcp.Tool {
	team := mcp.Param{Name: "team", Kind: mcp.Flag, Does: "with the runs of the team's server"}
	run := " (file, id, label, @branch, commit, latest, previous, merge-base; label~1 is the one before)"
	return []mcp.Tool{
		{
			Name: "plan_context", Does: "All that a workflow of the plan needs, as JSON.",
			Params: []mcp.Param{
				{Name: "workflow", Kind: mcp.Text, OneOf: brief.Workflows(), Required: true},
				{Name: "subject", Kind: mcp.Text, Does: "phase number; for todos an area, for quick a description"},
			},
			Run: askPlan(env, "context", func(a mcp.Args) []string { return append([]string{a.String("workflow")}, given(a, "subject")...) }),
		},
		{
			Name: "plan_progress", Does: "How far the project's milestone is, by phase, and what comes next.",
			Run: askPlan(env, "progress", nil),
		},
		{
			Name: "plan_next", Does: "What to do next in the plan, why, and what blocks it.",
			Run: askPlan(env, "next", nil),
		},
		{
			Name: "gate", Does: "Whether a gate of a phase passes, and what it misses.",
			Params: []mcp.Param{
				{Name: "name", Kind: mcp.Text, OneOf: append(gate.Names(), "all"), Required: true},
				{Name: "phase", Kind: mcp.Text, Does: "its number; default: the current one"},
				{Name: "stage", Kind: mcp.Text, OneOf: []string{"plan", "execute", "verify"}},
			},
			Run: func(ctx context.Context, a mcp.Args) (mcp.Answer, error) { return askGate(ctx, env, a) },
		},
		{
			Name: "eval_list", Does: "Stored runs of evals, newest first.",
			Params: []mcp.Param{
				{Name: "suite", Kind: mcp.Text}, {Name: "branch", Kind: mcp.Text}, {Name: "label", Kind: mcp.Text},
				{Name: "since", Kind: mcp.Text, Does: "such as 30d or a date"},
				{Name: "limit", Kind: mcp.Whole, Does: "default 20"}, team,
			},
			Network: true,
			Run:     func(_ context.Context, a mcp.Args) (mcp.Answer, error) { return askEvalList(env, a) },
		},
		{
			Name: "eval_compare", Does: "What changed from eval run a to b, tested for being more than noise.",
			Params: []mcp.Param{
				{Name: "a", Kind: mcp.Text, Does: "run" + run + "; default: where the branch began"},
				{Name: "b", Kind: mcp.Text, Does: "default: latest"},
				{Name: "suite", Kind: mcp.Text},
				{Name: "limit", Kind: mcp.Whole, Does: "of each list, default 20"}, team,
			},
			Network: true,
			Run:     func(_ context.Context, a mcp.Args) (mcp.Answer, error) { return askEvalCompare(env, a) },
		},
		{
			Name: "eval_trend", Does: "Pass rate, flakiness and cost over the last runs, by suite.",
			Params: []mcp.Param{
				{Name: "of", Kind: mcp.Text, Does: "a suite or case, then by case"}, {Name: "branch", Kind: mcp.Text},
				{Name: "runs", Kind: mcp.Whole, Does: "default 20"}, team,
			},
			Network: true,
			Run: func(_ context.Context, a mcp.Args) (mcp.Answer, error) {
				opts := evalTrendOptions{team: a.Bool("team"), since: "all", runs: a.Int("runs", 20), limit: 30}
				opts.filter.Branch = a.String("branch")
				return saidTwice(env, data, func(env *Env, asJSON bool) error {
					opts.json = asJSON
					return runEvalTrend(env, given(a, "of"), opts)
				})
			},
		},
		{
			Name: "retro", Does: "The repository's last days from git: commits, lines, tests, hotspots, people, agents.",
			Params: []mcp.Param{
				{Name: "days", Kind: mcp.Whole, Does: "default 7"},
				{Name: "path", Kind: mcp.Text, Does: "only this directory"},
			},
			Run: func(_ context.Context, a mcp.Args) (mcp.Answer, error) { return askRetro(env, data, a) },
		},
		{
			Name: "team_pulse", Does: "What the team did lately: runs, ships, retros, QA; as of the last pull.",
			Run: func(context.Context, mcp.Args) (mcp.Answer, error) { return askPulse(env) },
		},
		{
			Name: "compact_show", Does: "Raw output behind a compacted one ([cairn: … → … show ID]).",
			Params: []mcp.Param{
				{Name: "id", Kind: mcp.Text, Does: "default: the last"},
				{Name: "grep", Kind: mcp.Text, Does: "only lines that match this regular expression (RE2)"},
				{Name: "lines", Kind: mcp.Text, Does: "100-180, 100- or -180"},
			},
			Run: func(_ context.Context, a mcp.Args) (mcp.Answer, error) { return askRaw(env, a) },
		},
	}
}

// given returns an argument, or nothing where there is none.
func given(a mcp.Args, name string) []string {
	if s := a.String(name); s != "" {
		return []string{s}
	}
	return nil
}

// said has a verb print into an answer, then what it says beside that.
func said(env *Env, print func(*Env) error) (mcp.Answer, error) {
	page, talk := &mcp.Page{}, &bytes.Buffer{}
	err := print(&Env{Stdin: strings.NewReader(""), Stdout: page, Stderr: talk, Getenv: env.Getenv})
	if err != nil {
		return mcp.Answer{}, err
	}
	_, _ = talk.WriteTo(page) // a page takes everything
	return mcp.Answer{Page: page}, nil
}

// saidTwice is said for a verb that prints JSON by itself.
func saidTwice(env *Env, data bool, print func(env *Env, asJSON bool) error) (mcp.Answer, error) {
	answer, err := said(env, func(env *Env) error { return print(env, false) })
	if err != nil || !data {
		return answer, err
	}
	var object bytes.Buffer
	err = print(&Env{Stdin: strings.NewReader(""), Stdout: &object, Stderr: io.Discard, Getenv: env.Getenv}, true)
	answer.Data = json.RawMessage(object.Bytes())
	return answer, err
}

// askPlan asks a verb of plan itself.
func askPlan(env *Env, name string, args func(mcp.Args) []string) func(context.Context, mcp.Args) (mcp.Answer, error) {
	return func(ctx context.Context, a mcp.Args) (mcp.Answer, error) {
		var words []string
		if args != nil {
			words = args(a)
		}
		return callPlan(ctx, env, "", name, words, nil)
	}
}

func askGate(ctx context.Context, env *Env, a mcp.Args) (mcp.Answer, error) {
	flags := map[string]any{}
	if stage := a.String("stage"); stage != "" {
		flags["stage"] = stage
	}
	answer, err := callPlan(ctx, env, "gate", a.String("name"), given(a, "phase"), flags)
	if gates, ok := answer.Data.([]gate.Result); ok {
		answer.Data = map[string]any{"gates": gates}
	}
	return answer, err
}

// callPlan calls a command of the plan, which changes nothing.
func callPlan(ctx context.Context, env *Env, noun, name string, args []string, flags map[string]any) (mcp.Answer, error) {
	cmd := command.Link(planCommands(env))[strings.TrimSpace("plan "+noun)+" "+name]
	if cmd == nil {
		return mcp.Answer{}, fmt.Errorf("cairn plan has no %s %s", noun, name)
	}
	if cmd.Effect == command.Writes {
		rehearsal := map[string]any{"dry-run": true}
		maps.Copy(rehearsal, flags)
		flags = rehearsal
	}
	var res *answer.Answer
	answer, err := said(env, func(env *Env) (err error) {
		if res, err = cmd.Run(command.NewCall(ctx, env, cmd, args, flags)); err != nil {
			return err
		}
		res.Diff = nil
		return res.Print(env.Stdout, env.Stderr, answer.Form{}, false)
	})
	if err == nil {
		answer.Data = res.Data
	}
	return answer, err
}

func askEvalList(env *Env, a mcp.Args) (mcp.Answer, error) {
	opts := evalListOptions{team: a.Bool("team"), since: "all", limit: a.Int("limit", 20)}
	opts.filter = eval.Filter{Suite: a.String("suite"), Branch: a.String("branch"), Label: a.String("label")}
	if since := a.String("since"); since != "" {
		opts.since = since
	}
	var found foundRuns
	answer, err := said(env, func(env *Env) (err error) {
		if found, err = findRuns(env, opts); err != nil {
			return err
		}
		return found.print(env)
	})
	answer.Data = found
	return answer, err
}

// comparedData is a comparison without the cases that passed in both.
type comparedData struct {
	*compare.Comparison
	Cases []compare.Case `json:"cases"`
	More  int            `json:"cases_more"` // that are no news, or beyond the limit
}

func askEvalCompare(env *Env, a mcp.Args) (mcp.Answer, error) {
	opts := evalCompareOptions{team: a.Bool("team"), limit: a.Int("limit", 20)}
	opts.Alpha, opts.Confidence, opts.Suite = 0.05, 0.95, a.String("suite")
	refs := given(a, "a")
	if b := a.String("b"); b != "" {
		refs = []string{a.String("a"), b}
	}
	for _, ref := range refs {
		if name := env.Path(ref); ref != "" && isFile(name) && !isRegular(name) { // a pipe would keep the tool waiting for ever
			return mcp.Answer{}, fmt.Errorf("%s is not a regular file", shownName(ref))
		}
	}
	var c *compare.Comparison
	answer, err := said(env, func(env *Env) (err error) {
		if c, err = compareRuns(env, refs, opts); err != nil {
			return err
		}
		return c.Text(env.Stdout, compare.View{Limit: opts.limit})
	})
	if err != nil {
		return answer, err
	}
	data := comparedData{Comparison: c, Cases: []compare.Case{}}
	for _, k := range c.Cases {
		if news := k.Class != compare.Passed && k.Class != compare.Skipped; news && (opts.limit == 0 || len(data.Cases) < opts.limit) {
			data.Cases = append(data.Cases, k)
		}
	}
	data.More = len(c.Cases) - len(data.Cases)
	answer.Data = data
	return answer, nil
}

func askRetro(env *Env, data bool, a mcp.Args) (mcp.Answer, error) {
	days, err := parseDays(fmt.Sprintf("%dd", a.Int("days", 7)))
	if err != nil {
		return mcp.Answer{}, err
	}
	return saidTwice(env, data, func(env *Env, asJSON bool) error {
		return runRetro(env, retroOptions{days: days, path: a.String("path"), timezone: "UTC", json: asJSON})
	})
}

func askPulse(env *Env) (mcp.Answer, error) {
	var show *teamShow
	answer, err := said(env, func(env *Env) (err error) {
		if show, err = pulledTeam(env); err != nil {
			return err
		}
		return show.print(env)
	})
	if err != nil {
		return answer, err
	}
	answer.Data = show.newest()
	return answer, nil
}

func askRaw(env *Env, a mcp.Args) (mcp.Answer, error) {
	opts := compactShowOptions{grep: a.String("grep"), lines: a.String("lines"), last: a.String("id") == ""}
	answer, err := said(env, func(env *Env) error { return runCompactShow(env, opts, given(a, "id")) })
	from, _, _ := lineRange(opts.lines)
	answer.Rest = func(lines int) string {
		if opts.grep != "" {
			return "a narrower grep, or lines, shows them"
		}
		return fmt.Sprintf(`lines "%d-" goes on`, from+lines)
	}
	return answer, err
}

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/mcp"
	"cairn/internal/team/compare"
	"cairn/internal/team/eval"
)

// mcpTools are the questions that an agent can ask. What they take and say costs
// each session tokens: a test keeps it small. data says whether answers are
// wanted as data, too.
func mcpTools(env *Env, data bool) []mcp.Tool {
	team := mcp.Param{Name: "team", Kind: mcp.Flag, Does: "with the runs of the team's server"}
	run := " (file, id, label, @branch, commit, latest, previous, merge-base; label~1 is the one before)"
	return append(declaredTools(env), []mcp.Tool{
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
	}...)
}

// declaredTools are those of the commands that declare one.
func declaredTools(env *Env) (tools []mcp.Tool) {
	all := declared(env)
	paths := command.Link(all)
	for _, c := range all {
		if c.Tool != nil {
			tools = append(tools, mcpTool(env, c, paths))
		}
	}
	return tools
}

// mcpTool makes a tool of a command, which runs once: what it says is both text
// and data.
func mcpTool(env *Env, c *command.Command, paths map[string]*command.Command) mcp.Tool {
	tool := mcp.Tool{Name: c.Tool.Name, Does: c.Tool.Does, Network: c.Tool.Network}
	if tool.Does == "" {
		tool.Does = c.Short
	}
	params, defaults := c.ToolParams()
	for i, p := range params {
		kind := mcp.Text
		switch defaults[i].(type) {
		case bool:
			kind = mcp.Flag
		case int:
			kind = mcp.Whole
		}
		tool.Params = append(tool.Params, mcp.Param{Name: p.Name, Kind: kind, Does: p.Does, OneOf: p.OneOf, Required: p.Required})
	}
	tool.Run = func(ctx context.Context, args mcp.Args) (mcp.Answer, error) {
		page, talk := &mcp.Page{}, &bytes.Buffer{}
		of := c
		if c.Tool.Of != nil {
			of = c.Tool.Of(paths, args)
		}
		quiet := &Env{Stdin: strings.NewReader(""), Stdout: page, Stderr: talk, Getenv: env.Getenv}
		call := of.ToolCall(ctx, quiet, c.Tool, args)
		a, err := of.Do(call)
		if err != nil {
			return mcp.Answer{}, err
		}
		a.Diff = nil // of a rehearsal: nothing is changed here
		if err := a.Print(page, talk, answer.Form{}, false); err != nil {
			return mcp.Answer{}, err
		}
		_, _ = talk.WriteTo(page) // a page takes everything
		out := mcp.Answer{Page: page, Data: a.Data}
		if c.Tool.Data != nil {
			out.Data = c.Tool.Data(call, a)
		}
		if c.Tool.Rest != nil {
			out.Rest = func(lines int) string { return c.Tool.Rest(call, lines) }
		}
		return out, nil
	}
	return tool
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

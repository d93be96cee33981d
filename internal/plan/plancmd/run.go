package plancmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/content"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/headless"
	"cairn/internal/term"
	"cairn/internal/text"
)

func runVerbs(prompts Prompts) []*command.Command {
	var names []string
	for _, cli := range headless.CLIs() {
		names = append(names, cli.Name)
	}
	return []*command.Command{{
		Path: "plan run", Short: "Run a phase with headless coding agents",
		Long: "Does what cairn plan step says, with a headless agent per role: plans of a wave at the\n" +
			"same time, each again with the reason if it did not finish. It goes on until the phase\n" +
			"is complete, the budget is spent, or only a person can decide; the questions are then\n" +
			"kept in .planning and printed with the call that answers them, and it exits 5. Killed\n" +
			"at any point, the next run goes on and waits for agents that outlived it.\n\n" +
			"Without PHASE it begins with the idea: an agent drafts the project, you agree to the\n" +
			"roadmap, and the first open phase is run. Agents draft each discussion and ask only what\n" +
			"you would notice; with --assume they ask nothing and mark what they assumed. What was\n" +
			"built you try: each acceptance test is a question. A complete phase gets the text of its\n" +
			"pull request; --ship pushes the branch and opens it with gh.\n\n" +
			"The agents work with the permissions that you give them: Claude Code may edit files and\n" +
			"call cairn plan, and what --allow names; Codex may do what its sandbox allows, and write\n" +
			"the repository's git directory, without which it could commit nothing. What each agent\n" +
			"cost, as it says itself, is kept in .planning/.cairn/run-NN.jsonl.",
		Args: []command.Arg{{Name: "PHASE", Optional: true, Help: "the first that is open"}},
		Flags: []command.Flag{
			{Name: "idea", Default: "", Help: "what is to be built, where there is no project yet"},
			{Name: "answer", Default: []string(nil), Help: `an answer to what the last run asked: "uat-1: pass"`},
			{Name: "assume", Default: false, Help: "take an agent's assumptions instead of asking about the project and how phases are built"},
			{Name: "ship", Default: false, Help: "push the branch and open the pull request with gh"},
			{Name: "agent", Default: "claude", Help: "whose command line to start: " + strings.Join(names, ", ")},
			{Name: "until", Default: "", Help: "stop when it is so far: project, discuss, plan, execute, verify"},
			{Name: "budget", Default: 0.0, Help: "dollars in all runs of the phase; 0 for no limit"},
			{Name: "patience", Default: 30 * time.Minute, Help: "how long one agent may take"},
			{Name: "parallel", Default: 2, Help: "how many agents at the same time"},
			{Name: "allow", Default: []string(nil), Help: `what agents may do without asking: for Claude Code a tool such as "Bash(go test:*)", for Codex a directory to write`},
		},
		Examples: []string{
			`cairn plan run --idea "Count what happens in our office"`,
			`cairn plan run 2 --answer "uat-1: pass" --answer "uat-2: the columns are not aligned"`,
			"cairn plan run 2 --until plan",
			`cairn plan run 2 --allow "Bash(go build:*)" --allow "Bash(go test:*)" --budget 5`,
			"cairn plan run 2 --agent codex --json",
		},
		Effect: command.Writes, Run: anywhere(func(c *Call) *answer.Answer { return planRun(c, prompts) }),
	}}
}

// FreeCalls are the calls that an agent may make without asking, by their first words. Not
// among them is what runs programs that the plan or a flag names: an agent may have
// written those.
func FreeCalls() (out []string) {
	asks := []string{"plan prove", "plan run", "plan merge-driver"}
	for _, c := range Commands(Prompts{}) {
		words := strings.Fields(c.Path)
		if len(words) < 2 {
			continue
		}
		if call := words[0] + " " + words[1]; !slices.Contains(asks, call) && !slices.Contains(out, call) {
			out = append(out, call)
		}
	}
	return out
}

func planRun(c *Call, prompts Prompts) *answer.Answer {
	cli, ok := headless.Find(c.String("agent"))
	if !ok {
		return fail(command.Usagef("there is no agent %q to run; see --agent", c.String("agent")))
	}
	const project = "project" // as far as that a person has agreed to the roadmap
	until := drive.Goal(c.String("until"))
	if until != "" && until != project && !slices.Contains(drive.Goals(), until) {
		return fail(command.Usagef("--until is project, discuss, plan, execute or verify, not %q", until))
	}
	if !c.Exists() {
		if c.Arg("PHASE") != "" || c.String("idea") == "" {
			return fail(command.Data(term.Hint(fmt.Errorf("%w in %s", plan.ErrNoProject, c.Root), "cairn plan run --idea TEXT begins one")))
		}
	}
	var said []drive.Said
	for _, text := range c.List("answer") {
		s, err := drive.ParseAnswer(text)
		must.OK(command.Usage(err))
		said = append(said, s)
	}
	if _, err := exec.LookPath(cli.Name); err != nil && !c.DryRun {
		return fail(term.Hint(fmt.Errorf("%s is not installed", cli.Name), "--agent names another"))
	}
	style := must.Get(prompts.Style(c.Env, cli.Name))
	var free []string
	for _, call := range FreeCalls() {
		free = append(free, style.Cairn+" "+call)
	}
	view := newRunView(c.Stderr)
	r := headless.Runner{
		Workspace: c.Workspace, CLI: cli, Until: until, Budget: c.Float("budget"), Patience: c.Duration("patience"), Parallel: c.Int("parallel"),
		Free: free, Allow: c.List("allow"), Getenv: c.Getenv, Env: os.Environ(),
		Proving: c.proving(true, c.Duration("patience"), nil),
		Prompt: func(piece, args string) (string, error) {
			p, err := content.Find(piece)
			if err != nil {
				return "", err
			}
			style := style
			style.Args = args
			return content.Expand(p, style)
		},
		Idea: c.String("idea"), Said: said, Assume: c.Bool("assume"), Ship: c.Bool("ship"),
		Mention: func(command string) string { return strings.ReplaceAll(style.Mention, "*", command) },
		Say:     view.say, Work: view.work,
	}
	if r.Budget < 0 {
		return fail(command.Usagef("--budget is in dollars, 0 for no limit, not %v", r.Budget))
	}
	if !c.Exists() && !c.DryRun { // nothing can be refused any more
		makePlan(c, "", "")
	}
	stop := view.watch()
	rep, err := runPhase(c, &r, until == project)
	stop()
	if errors.Is(err, headless.ErrRunning) {
		err = term.Hint(err, "wait for it, or end it; what its agents have done is kept")
	}
	must.OK(err)
	c.change = nil // of a plan that was made first
	return &answer.Answer{Data: rep, No: !rep.Done && !c.DryRun, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s; %s, $%.2f", rep.Reached, text.Count(len(rep.Agents), "agent"), rep.USD)
		if rep.Unpriced > 0 {
			fmt.Fprintf(w, " and %s whose cost is not known", text.Count(rep.Unpriced, "agent"))
		}
		fmt.Fprintln(w)
		for _, q := range rep.Asked {
			fmt.Fprintln(w, term.Fold(w, "ask    "+q.ID+": "+q.Question, 7))
			for _, o := range q.Options {
				fmt.Fprintf(w, "       - %s\n", o)
			}
		}
		if rep.Pull != nil {
			fmt.Fprintln(w, "text   "+rep.Pull.Body)
		}
		for _, call := range rep.Then {
			fmt.Fprintln(w, "then   "+call)
		}
	})}
}

// runPhase runs the phase that was named, else the project's beginning and then the first
// phase that is open.
func runPhase(c *Call, r *headless.Runner, onlyProject bool) (*headless.Report, error) {
	if c.Arg("PHASE") != "" {
		return r.Run(c.Context, c.phaseID("PHASE"))
	}
	until := r.Until
	if onlyProject {
		until = ""
	}
	begun, err := r.Begin(c.Context)
	if err != nil || !begun.Done || onlyProject || c.DryRun {
		return begun, err
	}
	var next *brief.Next
	c.look(func(tx *plan.Tx) { next = brief.FindNext(tx) })
	id, ok := r.Unshipped()
	if !ok {
		id, ok = doc.ParsePhaseID(next.Phase)
	}
	if !ok {
		begun.Reached = next.Reason
		begun.Then = append(begun.Then, r.Mention(next.Command)+", in "+r.CLI.Name)
		return begun, nil
	}
	r.Until, r.Said = until, slices.DeleteFunc(r.Said, func(s drive.Said) bool { return s.ID == "new-project" })
	rep, err := r.Run(c.Context, id)
	if err == nil {
		rep.Agents, rep.USD, rep.Unpriced = append(begun.Agents, rep.Agents...), rep.USD+begun.USD, rep.Unpriced+begun.Unpriced
	}
	return rep, err
}

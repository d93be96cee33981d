package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

type evalJudgeOptions struct {
	judgeOptions
	profile  string
	profiles string
	criteria []string
	kind     string
	rubric   string
	models   []string
	judges   int
	combine  string
	tier     string
	only     []string
	limit    int
	dryRun   bool
	noPush   bool
	json     bool
	out      string
	prices   string
}

func newEvalJudge(env *Env) *cobra.Command {
	var opts evalJudgeOptions
	cmd := &cobra.Command{
		Use:   "judge RUN",
		Short: "Have language models score the outputs of a run",
		Long: `Asks judges how well each output of a run meets the criteria, from 0 to 1, and
stores a run with their scores, reasoning, failures and cost. RUN is a file of
results, an id, a label, @branch or latest. A criterion fails below its
threshold: the one given, the profile's, or 0.7.

Judges are models of Anthropic (` + anthropicKey + `) or of any server that speaks
OpenAI's chat completions (` + openaiKey + `, ` + openaiURL + `: also vLLM, Ollama,
LM Studio, which need no key on this machine). --tier picks fast, standard or
full (also haiku, sonnet, opus; ` + "EVAL_JUDGE_TIER" + `); --model names models, with
anthropic: or openai: before a name that does not tell by itself.

With several judges, --judges 3 or --model twice, the median counts, and the
table below the results says how far they agree: cases that split them, and
Fleiss' κ. A judge whose answer is unusable twice is left out; where half of
them are, the case is an error, not a failure.

Answers are kept in ~/.cairn/judge-cache, and another threshold needs no new
ones. EVAL_JUDGE_CACHE=0 asks again. EVAL_VERBOSE=1 writes every request and
answer to ~/.cairn/log/evals. What is judged is sent to the judge's server.`,
		Example: `  cairn eval judge results.json --criteria accuracy=0.8,no_filler --dry-run
  cairn eval judge latest --criteria direct_tone --type voice_check --rubric voice.md --judges 3`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalJudge(env, args[0], opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.profile, "profile", "", "a judge profile: who judges, by what criteria")
	f.StringVar(&opts.profiles, "profiles", "", "a file of judge profiles (default: .cairn/judge-profiles.yaml of the repository)")
	f.StringSliceVar(&opts.criteria, "criteria", nil, "what to score, each with the least score that passes: accuracy=0.8,tone (default: the profile's)")
	f.StringVar(&opts.kind, "type", "quality_check", "what kind of judging: "+strings.Join(judge.Kinds[:], ", "))
	f.StringVar(&opts.rubric, "rubric", "", "a file with instructions for the judges, such as a description of the voice")
	f.StringArrayVar(&opts.models, "model", nil, "who judges, instead of the tier's model; may be repeated")
	f.IntVar(&opts.judges, "judges", 0, "how many answers to ask for, of the models in turn")
	f.StringVar(&opts.combine, "combine", "", "what several scores become: median, mean or min (default: the profile's, or median)")
	f.StringVar(&opts.tier, "tier", "", "fast, standard or full (default: the profile's, EVAL_JUDGE_TIER, or standard)")
	f.StringArrayVar(&opts.only, "only", nil, "judge only the case of this name; may be repeated")
	f.IntVar(&opts.limit, "limit", 0, "judge no more than so many results")
	f.BoolVar(&opts.dryRun, "dry-run", false, "print what would be asked and what it costs at most; ask nothing")
	f.BoolVar(&opts.json, "json", false, "print the run in the standard format")
	f.StringVarP(&opts.out, "output", "o", "", "also write the run to `FILE`")
	f.BoolVar(&opts.noPush, "no-push", false, "store the run here only, also where the repository has a team")
	f.IntVar(&opts.concurrency, "concurrency", 4, "how many requests at once")
	f.DurationVar(&opts.timeout, "timeout", time.Hour, "give up after so long")
	f.StringVar(&opts.prices, "prices", "", "a `FILE` of prices that comes before all others")
	cmd.AddCommand(newEvalJudgeAgreement(env))
	return cmd
}

func runEvalJudge(env *Env, ref string, opts evalJudgeOptions) error {
	like, err := opts.question(env)
	if err != nil {
		return err
	}
	prices, err := loadPrices(env, opts.prices)
	if err != nil {
		return err
	}
	if opts.limit < 0 || opts.timeout <= 0 {
		return command.Usagef("--limit is from 0, and --timeout above it")
	}
	panel, err := newPanel(env, opts.judgeOptions)
	if err != nil {
		return err
	}
	run, e, err := findRun(env, ref)
	if err != nil {
		return err
	}
	at, questions, err := opts.questions(env, run, like)
	if err != nil {
		return err
	}
	if opts.dryRun {
		return printJudgePlan(env, panel, prices, questions, opts)
	}
	verdicts, err := askJudges(env, panel, prices, questions, opts.judgeOptions)
	if err != nil {
		return err
	}
	from := run.Timestamp
	for i, v := range verdicts {
		judge.Apply(&run.Results[at[i]], &questions[i], &v)
	}
	addJudgeCosts(run, prices, verdicts)
	run.JudgeTier = judgedTier(questions[0])
	run.Timestamp = result.Time{Time: time.Now().UTC().Truncate(time.Millisecond)}
	run.X = judgedFrom(run.X, e.ID, from)
	run.ID, run.IngestKey = "", ""
	run.Recount()
	if err := run.Check(); err != nil {
		return command.Data(err)
	}
	lost, lostErr := countLost(verdicts)
	if lost == len(verdicts) {
		return judgeError(lostErr, 0, lost)
	}
	if err := opts.write(env, run, at, questions, verdicts); err != nil {
		return err
	}
	if lost > 0 {
		return judgeError(fmt.Errorf("%d of %d results could not be judged: %w", lost, len(verdicts), lostErr), len(verdicts)-lost, len(verdicts))
	}
	return nil
}

// judgedTier is the tier that judged, "" where models were named.
func judgedTier(q judge.Question) string {
	if len(q.Models) > 0 {
		return ""
	}
	return q.Tier
}

// judgedFrom notes which run was judged.
func judgedFrom(object jsontext.Value, id string, at result.Time) jsontext.Value {
	data, err := json.Marshal(struct {
		ID        string      `json:"id,omitzero"`
		Timestamp result.Time `json:"timestamp,omitzero"`
	}{id, at})
	if err != nil {
		return object
	}
	return judge.WithMember(object, "judged_from", data)
}

// write prints the run and keeps it.
func (o *evalJudgeOptions) write(env *Env, run *result.Run, at []int, questions []judge.Question, verdicts []judge.Verdict) error {
	if o.json {
		data, err := result.Encode(run)
		if err == nil {
			_, err = env.Stdout.Write(term.PrintableJSON(data))
		}
		if err != nil {
			return err
		}
	} else if err := printJudged(env, run, at, questions, verdicts); err != nil {
		return err
	}
	return keep{noPush: o.noPush, json: o.json}.made(env, run, o.out)
}

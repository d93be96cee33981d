package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/team/eval"
	"cairn/internal/team/judge"
	"cairn/internal/team/stats"
	"cairn/internal/term"
)

type evalJudgeAgreementOptions struct {
	against  string
	criteria []string
	json     bool
}

func newEvalJudgeAgreement(env *Env) *cobra.Command {
	var opts evalJudgeAgreementOptions
	cmd := &cobra.Command{
		Use:   "agreement RUN",
		Short: "Tell how far judges agree with each other, and with people",
		Long: `Compares what several judges said in a run: how many cases split them into pass
and fail, how far their scores lie apart, and Fleiss' κ.

--against compares them with people, whose verdicts are in a file: CSV with a
head of case, criterion and pass, or JSON, a list of {"case": "a", "criterion":
"accuracy", "pass": true}. A judge that people have not checked says little:
the table tells what share of the outputs that people pass the judge passes
too, what share of those that they fail it fails too, each with its 95 %
interval (Wilson), and Cohen's κ.`,
		Example: `  cairn eval judge agreement latest
  cairn eval judge agreement judged.json --against labels.csv`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalJudgeAgreement(env, args[0], opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.against, "against", "", "a file of people's verdicts, - is stdin")
	f.StringSliceVar(&opts.criteria, "criteria", nil, "the least scores that pass, where the run does not say: accuracy=0.8")
	f.BoolVar(&opts.json, "json", false, "print the figures as JSON")
	return cmd
}

func runEvalJudgeAgreement(env *Env, ref string, opts evalJudgeAgreementOptions) error {
	criteria, err := parseCriteria(opts.criteria)
	if err != nil {
		return err
	}
	thresholds := map[string]float64{}
	for _, c := range criteria {
		if thresholds[c.name] = c.threshold; !c.given {
			return command.Usagef("--criteria %s: a score is missing, as in %s=0.7", c.name, c.name)
		}
	}
	run, _, err := findRun(env, ref)
	if err != nil {
		return err
	}
	_, questions, verdicts, err := judge.Stored(run, thresholds)
	if err != nil {
		return command.Data(term.Hint(err, "--criteria NAME=0.7 says it"))
	}
	if len(questions) == 0 {
		return command.Data(term.Hint(errors.New("no result of the run has judge scores"), "cairn eval judge RUN --criteria accuracy=0.8 asks judges"))
	}
	agreed := judge.Agree(questions, verdicts)
	var found []judge.Validation
	var unmatched []judge.Label
	if opts.against != "" {
		labels, err := readLabels(env, opts.against)
		if err != nil {
			return err
		}
		if found, unmatched = judge.Validate(questions, verdicts, labels); len(found) == 0 {
			return command.Dataf("none of the %d labels is of a case and criterion that was judged, such as %q, %q", len(labels), questions[0].CaseName, questions[0].Criteria[0].Name)
		}
		if len(unmatched) > 0 {
			term.Warn(env.Stderr, "%d labels are of no case and criterion that was judged once, such as %q, %q", len(unmatched), unmatched[0].Case, unmatched[0].Criterion)
		}
	}
	if opts.json {
		return printJSON(env, struct {
			Agreement  []judge.Agreement  `json:"agreement"`
			Validation []judge.Validation `json:"validation"`
			Unmatched  int                `json:"unmatched"`
		}{agreed, found, len(unmatched)})
	}
	if len(agreed) == 0 && opts.against == "" {
		return command.Data(term.Hint(errors.New("the run has one judge, who agrees with itself"), "cairn eval judge RUN --judges 3 asks more; --against compares with people"))
	}
	if err := printAgreement(env, agreed); err != nil {
		return err
	}
	return printValidation(env, found)
}

const maxLabels = 16 << 20

func readLabels(env *Env, name string) ([]judge.Label, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(env.Stdin, maxLabels+1))
	} else {
		data, err = atomicfile.ReadFile(env.Path(name), maxLabels)
	}
	if err == nil && len(data) > maxLabels {
		err = fmt.Errorf("stdin holds more than %d MB, which is the most that is read", maxLabels>>20)
	}
	if err != nil {
		return nil, command.Data(err)
	}
	labels, err := judge.ReadLabels(data)
	if err != nil {
		return nil, command.Dataf("%s: %w", shownName(name), err)
	}
	return labels, nil
}

// printAgreement prints how far judges agree, if there are several.
func printAgreement(env *Env, agreed []judge.Agreement) error {
	if len(agreed) == 0 {
		return nil
	}
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, "CRITERION\tJUDGES\tCASES\tSPLIT\tSPREAD\tKAPPA")
	for _, a := range agreed {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2f\t%s\n", term.Printable(a.Criterion), a.Judges, a.Cases, a.Split, a.Spread, kappaText(a.Kappa, a.Known))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Stdout)
	return err
}

func kappaText(kappa float64, known bool) string {
	if !known {
		return "– (all say the same of all cases)"
	}
	return fmt.Sprintf("%.2f", kappa)
}

func printValidation(env *Env, found []judge.Validation) error {
	if len(found) == 0 {
		return nil
	}
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, "CRITERION\tJUDGE\tLABELS\tBOTH PASS\tBOTH FAIL\tONLY JUDGE\tONLY PEOPLE\tPASSES FOUND\tFAILURES FOUND\tKAPPA")
	for _, v := range found {
		who := "all"
		if v.Judge != "" {
			who = term.Printable(v.Judge)
		}
		passes, passed := v.PassRate()
		failures, failed := v.FailRate()
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", term.Printable(v.Criterion), who, v.Cases, v.BothPass, v.BothFail, v.OnlyJudge, v.OnlyHuman,
			intervalText(passes, passed), intervalText(failures, failed), kappaText(v.Kappa, v.Known))
	}
	return w.Flush()
}

// intervalText is "80 % (49–94)", with the 95 % interval.
func intervalText(k, n int) string {
	if n == 0 {
		return "–"
	}
	lo, hi := stats.Wilson(k, n, eval.Confidence)
	return rateText(eval.Rate{Cases: n, Mean: float64(k) / float64(n), Lo: lo, Hi: hi})
}

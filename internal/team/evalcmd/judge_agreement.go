package evalcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/cases"
	"cairn/internal/team/eval"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/team/stats"
	"cairn/internal/term"
	"cairn/internal/text"
)

var agreement = command.Command{
	Path: "eval judge agreement", Short: "Show how far judges agree with each other and with people",
	Long: "Compares what several judges said in a run: how many cases split them into pass\n" +
		"and fail, how far their scores lie apart, and Fleiss' κ.\n\n" +
		"Labels of people come from the pages of the run (cairn eval view: keys r and w),\n" +
		"with --team from those of the team's members too, each of whom has one word for\n" +
		"an answer; where two contradict each other, it is left out. Your labels on this\n" +
		"machine count before yours on the team's pages.\n\n" +
		"With --against labels come from a file: CSV with a head of case, criterion and pass, or\n" +
		"JSON, a list of {\"case\": \"a\", \"criterion\": \"accuracy\", \"pass\": true}. The\n" +
		"criterion * is the answer as a whole, which a judge passes if every score does.\n\n" +
		"A judge that people have not checked says little:\n" +
		"the table shows what share of the outputs that people pass the judge passes\n" +
		"too, what share of those that they fail it fails too, each with its 95 %\n" +
		"interval (Wilson), and Cohen's κ.",
	Args: []command.Arg{needRun},
	Flags: []command.Flag{
		{Name: "team", Default: false, Help: "with the runs of the team's server, and its members' labels"},
		{Name: "against", Default: "", Help: "a file of people's verdicts; - is stdin (default: the labels given in cairn eval view)"},
		{Name: "criteria", Default: []string(nil), Commas: true, Help: "the lowest scores that pass, where the run does not say: accuracy=0.8"}},
	Examples: []string{"cairn eval judge agreement latest", "cairn eval judge agreement judged.json --against labels.csv"},
	Effect:   command.Reads, Run: runAgreement,
}

func runAgreement(c *command.Call) (*answer.Answer, error) {
	criteria := parseCriteria(c.List("criteria"))
	thresholds := map[string]float64{}
	for _, name := range sorted(criteria) {
		if criteria[name] == nil {
			return nil, command.Usagef("--criteria %s: the score is missing, as in %s=0.7", name, name)
		}
		thresholds[name] = *criteria[name]
	}
	sel := must.Get((&runs.Finder{Store: must.Get(runs.Open(c.Env, c.Bool("team")))}).Find(c.Arg("RUN"), nil))
	runs.SayNote(c.Env, sel)
	_, questions, verdicts, err := judge.Stored(sel.Run, thresholds)
	if err != nil {
		return nil, command.Data(term.Hint(err, "--criteria NAME=0.7 says it"))
	}
	if len(questions) == 0 {
		return nil, command.Data(term.Hint(errors.New("no result of the run has judge scores"), "cairn eval judge RUN --criteria accuracy=0.8 asks judges"))
	}
	agreed := judge.Agree(questions, verdicts)
	var found []judge.Validation
	var unmatched []judge.Label
	labels, disputed := labelsOf(c, sel.Run)
	if labels != nil {
		if found, unmatched = judge.Validate(questions, verdicts, labels); len(found) == 0 {
			return nil, command.Dataf("none of the %d labels is for a case and criterion that was judged, such as %q, %q", len(labels), questions[0].CaseName, questions[0].Criteria[0].Name)
		}
		if len(unmatched) > 0 {
			term.Warn(c.Stderr, "%d labels are of no case and criterion that was judged once, such as %q, %q", len(unmatched), unmatched[0].Case, unmatched[0].Criterion)
		}
	}
	a := &answer.Answer{Data: struct {
		Agreement  []judge.Agreement  `json:"agreement"`
		Validation []judge.Validation `json:"validation"`
		Unmatched  int                `json:"unmatched"`
		Disputed   int                `json:"disputed"` // people contradict each other
	}{agreed, found, len(unmatched), disputed}, View: apart(agreementView(agreed), validationView(found))}
	if asked := c.Given("json") || c.Given("get"); len(agreed) == 0 && found == nil && !asked {
		return nil, command.Data(term.Hint(errors.New("the run has one judge, who agrees with itself"), "cairn eval judge RUN --judges 3 asks more; --against, or labels given in cairn eval view, compare with people"))
	}
	return a, nil
}

// labelsOf are the labels of the file of --against, or else those given on the
// run's pages, nil for none, and on how many more people contradict each other.
func labelsOf(c *command.Call, run *result.Run) (labels []judge.Label, disputed int) {
	if against := c.String("against"); against != "" {
		return readLabels(c.Env, against), 0
	}
	same := *run
	if same.ID == "" { // a file
		must.OK(same.Identify())
	}
	own, err := judge.KeptLabels(home.Find(c.Getenv).EvalLabels(), same.ID)
	must.OK(command.Data(err))
	if c.Bool("team") {
		return teamLabels(c, &same, own)
	}
	if len(own) > 0 {
		fmt.Fprintf(c.Stderr, "cairn: compared with the %s given in cairn eval view\n", text.Count(len(own), "label"))
	}
	return own, 0
}

// teamLabels joins one's own labels with those of the team's members.
func teamLabels(c *command.Call, run *result.Run, own []judge.Label) ([]judge.Label, int) {
	var mine []judge.Label
	var people []judge.Voice
	team, err := runs.OpenLabels(c.Env)
	if err == nil {
		mine, people, err = team.Of(run)
	}
	if err != nil {
		term.Warn(c.Stderr, "the team's labels are not counted: %v", err)
	}
	if mine = judge.Over(own, mine); len(mine) > 0 {
		people = append(people, judge.Voice{Labels: mine})
	}
	agreed, disputed := judge.Common(people)
	if len(people) > 0 {
		fmt.Fprintf(c.Stderr, "cairn: compared with %s of %s\n", text.Count(len(agreed), "label"), text.Count(len(people), "person"))
	}
	if len(disputed) > 0 {
		term.Warn(c.Stderr, "people contradict each other on %s, left out, such as %q, %q", text.Count(len(disputed), "label"), disputed[0].Case, disputed[0].Criterion)
	}
	return agreed, len(disputed)
}

const maxLabels = 16 << 20

func readLabels(env *command.Env, name string) []judge.Label {
	var data []byte
	var err error
	if name == "-" {
		data, err = io.ReadAll(io.LimitReader(env.Stdin, maxLabels+1))
	} else {
		data, err = atomicfile.ReadFile(env.Path(name), maxLabels)
	}
	if err == nil && len(data) > maxLabels {
		err = fmt.Errorf("stdin must have at most %d MB", maxLabels>>20)
	}
	must.OK(command.Data(err))
	labels, err := judge.ReadLabels(data)
	if err != nil {
		must.Fail(command.Dataf("%s: %w", command.Shown(name), err))
	}
	return labels
}

// agreementView says how far judges agree, if there are several.
func agreementView(agreed []judge.Agreement) answer.View {
	if len(agreed) == 0 {
		return nil
	}
	t := answer.NewTable("criterion:name", "judges:count", "cases:count", "split:count", "spread:number", "kappa:name")
	for _, a := range agreed {
		t.Add(a.Criterion, a.Judges, a.Cases, a.Split, fmt.Sprintf("%.2f", a.Spread), kappa(a.Kappa, a.Known))
	}
	return t
}

func kappa(kappa float64, known bool) string {
	if !known {
		return "– (all say the same of all cases)"
	}
	return fmt.Sprintf("%.2f", kappa)
}

// validationView compares judges with people.
func validationView(found []judge.Validation) answer.View {
	if len(found) == 0 {
		return nil
	}
	t := answer.NewTable("criterion:name", "judge:name", "labels:count", "both_pass:count", "both_fail:count", "only_judge:count", "only_people:count",
		"passes_found:name", "failures_found:name", "kappa:name")
	for _, v := range found {
		t.Add(cmp.Or(map[string]string{judge.Whole: "(whole)"}[v.Criterion], v.Criterion), cmp.Or(v.Judge, "all"), v.Cases, v.BothPass, v.BothFail, v.OnlyJudge, v.OnlyHuman,
			wilson(v.PassRate()), wilson(v.FailRate()), kappa(v.Kappa, v.Known))
	}
	return t
}

// wilson is 80 % (49–94), k of n with the 95 % interval.
func wilson(k, n int) string {
	if n == 0 {
		return ""
	}
	lo, hi := stats.Wilson(k, n, eval.Confidence)
	return rate(eval.Rate{Cases: n, Mean: float64(k) / float64(n), Lo: lo, Hi: hi})
}

const maxRubric = 1 << 20

// commonQuestion is what all questions have in common: what the profile says, and
// flags before it.
func commonQuestion(c *command.Call) (q judge.Question) {
	profile := judgeProfile(c)
	given := parseCriteria(c.List("criteria"))
	criteria := map[string]float64{}
	for name, threshold := range given {
		if criteria[name] = profile.ThresholdOf(name); threshold != nil {
			criteria[name] = *threshold
		}
	}
	for name := range profile.Criteria {
		if len(given) == 0 {
			criteria[name] = profile.ThresholdOf(name)
		}
	}
	judges, kind := c.Int("judges"), c.String("type")
	if usual, least := judge.Usual(kind); usual != "" && len(given) == 0 {
		lo, hi, err := profile.Scale.Bounds()
		must.OK(command.Data(err))
		criteria = map[string]float64{usual: profile.ThresholdOf(usual)}
		if least > 0 {
			criteria[usual] = lo + least*(hi-lo)
		}
	}
	switch {
	case kind == judge.Pairwise && c.String("versus") == "":
		must.Fail(command.Usage(term.Hint(errors.New("--type pairwise_check needs another run to compare with"), "name it with --versus RUN")))
	case kind != judge.Pairwise && c.String("versus") != "":
		must.Fail(command.Usagef("--versus needs --type %s", judge.Pairwise))
	case len(criteria) == 0:
		must.Fail(command.Usage(term.Hint(errors.New("there are no criteria to judge by"), "--criteria accuracy=0.8,completeness, or a --profile that has some")))
	case !slices.Contains(judge.Kinds[:], kind):
		must.Fail(command.Usagef("--type must be %s, not %q", strings.Join(judge.Kinds[:], ", "), kind))
	case judges > 9:
		must.Fail(command.Usagef("--judges must be 1 to 9, not %d", judges))
	}
	q = must.Get(profileQuestion(c.Env, profile, criteria, c.String("tier")))
	q.Type = kind
	if kind == judge.Similar {
		q.Models, q.Judges = []string{embeddingModel(c.Env)}, 1
	}
	if models := c.List("model"); len(models) > 0 {
		q.Models = models
	}
	if judges > 0 {
		q.Judges = judges
	}
	if combine := c.String("combine"); combine != "" {
		q.Combine = combine
	}
	if rubric := c.String("rubric"); rubric != "" {
		data, err := atomicfile.ReadFile(c.Path(rubric), maxRubric)
		must.OK(command.Data(err))
		q.System = strings.TrimSpace(q.System + "\n\n" + string(data))
	}
	must.OK(command.Usage(q.Check()))
	return q
}

// judgeProfile reads the profile that is named, or the usual one.
func judgeProfile(c *command.Call) cases.Profile {
	profiles, problems := readProfiles(c.Env, c.String("profiles"))
	if wrong := problems.Errors(); len(wrong) > 0 {
		must.Fail(command.Data(errors.New(term.Printable(wrong.Error()))))
	}
	profile, ok := profiles.Find(c.String("profile"))
	if !ok {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("no judge profile is called %q", c.String("profile")), "profiles are in .cairn/judge-profiles.yaml of the repository, or in a file that --profiles names")))
	}
	return profile
}

// parseCriteria reads NAME and NAME=THRESHOLD; nil is no threshold.
func parseCriteria(list []string) map[string]*float64 {
	criteria := map[string]*float64{}
	for _, one := range list {
		name, value, given := strings.Cut(one, "=")
		name = strings.TrimSpace(name)
		if _, twice := criteria[name]; name == "" || twice {
			must.Fail(command.Usagef("--criteria: %q is empty or given twice", one))
		}
		criteria[name] = nil
		if given {
			threshold, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(threshold >= 0) {
				must.Fail(command.Usagef("--criteria %s: %q is not a score", one, value))
			}
			criteria[name] = &threshold
		}
	}
	return criteria
}

// questions are those of the results that can be judged, and where each is.
func questionsOf(c *command.Call, run *result.Run, like judge.Question) (at []int, questions []judge.Question) {
	only, limit := c.List("only"), c.Int("limit")
	lacking, wanted := map[string]int{}, map[string]bool{}
	other := func(*result.Result) string { return "" }
	if versus := c.String("versus"); versus != "" {
		other = counterparts(find(c, versus).Run)
	}
	for _, name := range only {
		wanted[name] = false
	}
	for i := range run.Results {
		r := &run.Results[i]
		if len(only) > 0 {
			_, byName := wanted[r.Name]
			_, byTitle := wanted[r.Title()]
			if !byName && !byTitle {
				continue
			}
			wanted[r.Name], wanted[r.Title()] = true, true
		}
		if r.Status == result.Skip || r.Status == result.Error && !judge.Unjudged(r) {
			continue
		}
		if limit > 0 && len(at) == limit {
			break
		}
		q := like
		q.CaseName, q.Output, q.Input = r.Title(), judge.OutputOf(r), judge.InputOf(r)
		q.Expected, q.Other = judge.ExpectedOf(r), other(r)
		if what := q.Lacks(); what != "" {
			lacking[what]++
			continue
		}
		at, questions = append(at, i), append(questions, q)
	}
	for _, name := range only {
		if !wanted[name] {
			must.Fail(command.Usage(term.Hint(fmt.Errorf("no result is called %q", name), "cairn eval show --all lists them")))
		}
	}
	for _, what := range sorted(lacking) {
		term.Warn(c.Stderr, "%d results have no %s and are not judged", lacking[what], what)
	}
	delete(lacking, "output")
	if len(at) == 0 && len(lacking) > 0 {
		must.Fail(command.Data(fmt.Errorf("nothing to judge: no result has both an output and a %s", sorted(lacking)[0])))
	}
	if len(at) == 0 {
		must.Fail(command.Data(term.Hint(errors.New("nothing to judge: no result has an output"), `a runner writes it as "output": {"response": …}; cairn eval schema prints the format`)))
	}
	return at, questions
}

package evalcmd

import (
	"bytes"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/team/compare"
	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

var comparing = command.Command{
	Path: "eval compare", Short: "Show what changed from run A to run B beyond noise",
	Long: "Without B it is latest, and without A what the branch started from (merge-base).\n\n" +
		"Tests the whole run, then each suite and each variant, and scores criterion by\n" +
		"criterion. The unit is the input: its variants and repeats are averaged. An error\n" +
		"is not a failure. \"no difference shown\" does not mean that there is none: the\n" +
		"line says what so few cases cannot show. --margin asks the opposite question: is\n" +
		"B shown to be at most so much worse? docs/eval-compare.md has the formulas.",
	Args: []command.Arg{
		{Name: "A", Optional: true, Values: runs.Refs, Files: true, Help: "a file of results, an id or its beginning, a label, @branch, a commit, latest, previous or merge-base; label~1 is the one before"},
		{Name: "B", Optional: true, Values: runs.Refs, Files: true, Help: "as A"},
	},
	Examples: []string{"cairn eval compare @main latest", "cairn eval compare before.json after.json --html compare.html",
		"cairn eval compare models.json --by model --between opus,haiku --margin 5pp"},
	Flags: []command.Flag{teamFlag,
		{Name: "alpha", Default: 0.05, Help: "call a change real if its p-value, adjusted for all tests, is below this"},
		{Name: "confidence", Default: 0.95, Help: "of the intervals"},
		seedFlag, suiteFlag, attemptsFlag, mapFlag,
		{Name: "by", Default: "", Help: "test groups of cases: variant, model, prompt, category or tag (default: variant, if there are several)", Values: dimensions},
		{Name: "between", Default: "", Help: "compare two values of --by within one run, as `A,B`"},
		{Name: "margin", Default: "", Help: "also test whether B is at most so much worse, such as `5pp`"},
		{Name: "limit", Short: "n", Default: 20, Help: "show at most so many lines of each list; 0 shows all"},
		markdownFlag, htmlFlag},
	Exclusive: [][]string{{"json", "markdown"}},
	Effect:    command.Reads, Run: runCompare,
	Tool: &command.Tool{Name: "eval_compare", Does: "What changed from eval run a to b, tested for being more than noise.", Params: []command.Param{
		{Name: "a", Does: "run (file, id, label, @branch, commit, latest, previous, merge-base; label~1 is the one before); default: where the branch began"},
		{Name: "b", Does: "default: latest"}, {Name: "suite"}, {Name: "limit", Does: "of each list, default 20"}, teamParam,
	}, Network: true, Check: onlyRegular, Data: newsOf},
}

func runCompare(c *command.Call) (*answer.Answer, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(collected))
	diff, a, b := compareRuns(c)
	if file := c.String("html"); file != "" {
		var page bytes.Buffer
		must.OK(evalpage.Compare(&page, diff, a, b))
		writeReports(c.Env, []report{{file, page.Bytes()}})
		runs.SayWrote(c.Env, file)
	}
	said := &answer.Answer{Data: diff}
	if limit := c.Int("limit"); c.Bool("markdown") {
		said.View = plain(diff.Markdown(limit))
	} else {
		said.View = answer.Painted(func(p *answer.Page) error { return diff.Text(p.Writer, compare.View{Paint: p.Paint, Limit: limit}) })
	}
	return said, nil
}

// plain is a view of text that is printed as it is: a document, in which nothing
// of strangers stands unescaped.
func plain(text string) answer.View {
	return answer.Painted(func(p *answer.Page) error {
		_, err := io.WriteString(p, text)
		return err
	})
}

// collected is how much may be allocated between two collections, in percent of what is
// live. Nearly all of two runs is live until the end: collecting as often as a server
// does takes a fifth of the time and frees little.
const collected = 175

// compareRuns finds both runs and says on stderr what a reader should know of
// them.
func compareRuns(c *command.Call) (*compare.Comparison, *result.Run, *result.Run) {
	o := compare.Options{Alpha: c.Float("alpha"), Confidence: c.Float("confidence"), Seed: c.Uint("seed"), Suite: c.String("suite"),
		By: c.String("by"), Margin: margin(c.String("margin"))}
	f := finder(c)
	switch {
	case !(o.Alpha > 0 && o.Alpha < 1):
		must.Fail(command.Usagef("--alpha must be between 0 and 1, such as 0.05"))
	case !(o.Confidence > 0 && o.Confidence < 1):
		must.Fail(command.Usagef("--confidence must be between 0 and 1, such as 0.95"))
	case o.By != "" && !slices.Contains(compare.Dimensions[:], o.By):
		must.Fail(command.Usagef("--by must be %s, not %q", strings.Join(compare.Dimensions[:], ", "), o.By))
	case c.String("between") != "":
		return compareWithin(c, f, o)
	}
	before, after := c.Arg("A"), ref(c.Arg("B"))
	if before == "" {
		if before = eval.MergeBase; !git.Repo(c.Here()) {
			before = eval.Previous
		}
	}
	a, b, err := f.Pair(before, after)
	if err != nil && b.Run != nil && c.Arg("A") == "" {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("no baseline: %w", err), "name run A: cairn eval compare A latest")))
	}
	must.OK(err)
	diff := compare.Runs(a.Run, b.Run, o)
	diff.A.Ref, diff.B.Ref = before, after
	if o.Suite != "" && len(diff.Suites) == 0 {
		must.Fail(command.Usagef("neither run has a suite %q", o.Suite))
	}
	if o.By != "" && len(diff.Groups) == 0 {
		must.Fail(command.Usagef("--by %s: no case of the two runs has one", o.By))
	}
	return diff, a.Run, b.Run
}

func dimensions(*command.Call) []string { return compare.Dimensions[:] }

// compareWithin compares two values of a dimension in one run.
func compareWithin(c *command.Call, f *runs.Finder, o compare.Options) (*compare.Comparison, *result.Run, *result.Run) {
	before, after, ok := strings.Cut(c.String("between"), ",")
	if before, after = strings.TrimSpace(before), strings.TrimSpace(after); !ok || before == "" || after == "" {
		must.Fail(command.Usagef("--between must name two, such as opus,haiku"))
	}
	if c.Arg("B") != "" {
		must.Fail(command.Usagef("--between compares within one run: leave out B"))
	}
	name := ref(c.Arg("A"))
	within := must.Get(f.Find(name, nil))
	a, b, err := compare.Between(within.Run, o.By, before, after)
	if err != nil {
		must.Fail(command.Usage(err))
	}
	o.By = "" // they differ in it
	diff := compare.Runs(a, b, o)
	diff.A.Ref, diff.B.Ref = name, name
	return diff, a, b
}

// margin reads a margin as a share: "5pp" and "5%" are 0.05, as is 0.05.
func margin(text string) float64 {
	if text == "" {
		return 0
	}
	number, unit := text, 1.
	for _, suffix := range [...]string{"pp", "%"} {
		if cut, ok := strings.CutSuffix(text, suffix); ok {
			number, unit = strings.TrimSpace(cut), 100
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v/unit > 0 && v/unit < 1) {
		must.Fail(command.Usagef("--margin must be points between 0 and 100, such as 5pp, not %q", text))
	}
	return v / unit
}

// onlyRegular keeps a tool from waiting for ever for what writes to a pipe.
func onlyRegular(c *command.Call) error {
	for _, name := range c.Args() {
		if name != "" && c.IsFile(name) && !c.IsRegular(name) {
			return fmt.Errorf("%s is not a regular file", command.Shown(name))
		}
	}
	return nil
}

// newsOf is a comparison without the cases that passed in both.
func newsOf(c *command.Call, a *answer.Answer) any {
	diff, limit := a.Data.(*compare.Comparison), c.Int("limit")
	news := struct {
		*compare.Comparison
		Cases []compare.Case `json:"cases"`
		More  int            `json:"cases_more"` // that are no news, or beyond the limit
	}{Comparison: diff, Cases: []compare.Case{}}
	for _, k := range diff.Cases {
		if k.Class != compare.Passed && k.Class != compare.Skipped && (limit == 0 || len(news.Cases) < limit) {
			news.Cases = append(news.Cases, k)
		}
	}
	news.More = len(diff.Cases) - len(news.Cases)
	return news
}

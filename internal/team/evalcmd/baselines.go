package evalcmd

import (
	"os"
	"path/filepath"
	"time"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var baselines = command.Command{
	Path: "eval baselines", Short: "Write a Markdown report of every suite, by judges' tier",
	Long: "Reports, for each suite and label, the newest run that is not after DATE, in a column\n" +
		"for each tier of judges: pass rates with intervals, scores, cost, duration; then\n" +
		"by category, and the cases that fail most.",
	Args:     []command.Arg{{Name: "DATE", Optional: true, Help: "such as 2026-01-31 (default: today)"}},
	Examples: []string{"cairn eval baselines --label main -o docs/baselines.md", "cairn eval baselines 2026-01-31 --suite summaries"},
	Flags: []command.Flag{teamFlag, suiteFlag, branchFlag, repoFlag, kindFlag,
		{Name: "label", Default: "", Help: "only this label, at all tiers", Values: runs.Labels},
		{Name: "labels", Short: "n", Default: 3, Help: "of each suite the newest so many labels; 0 is all"},
		{Name: "output", Short: "o", Default: "", Help: "write the report to `FILE`"}},
	Effect: command.Reads, Run: runBaselines,
}

func runBaselines(c *command.Call) (*answer.Answer, error) {
	now := time.Now()
	day, until := now, now
	if date := c.Arg("DATE"); date != "" {
		var err error
		if day, err = time.ParseInLocation(time.DateOnly, date, now.Location()); err != nil {
			return nil, command.Usagef("DATE must be like 2026-01-31, not %q", term.Line(date))
		}
		until = day.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	ch := choose(c, true)
	found := ch.found
	if label := c.String("label"); label != "" {
		found = eval.OfLabel(found, label)
	}
	all, more := ch.Baselines(found, ch.suite, until, c.Int("labels"))
	a := &answer.Answer{Data: struct {
		Until     time.Time       `json:"until"`
		Baselines []eval.Baseline `json:"baselines"`
	}{until, answer.List(all)}}
	if len(all) == 0 {
		return ch.none(a.Data), nil
	}
	if more > 0 {
		a.Said = "cairn: " + text.Count(more, "older label") + " left out; --label NAME shows one, -n 0 all"
	}
	report, file := eval.Markdown(all, day), c.String("output")
	if file == "" {
		a.View = plain(report)
		return a, nil
	}
	must.OK(os.MkdirAll(filepath.Dir(c.Path(file)), home.SharedDir))
	if err := atomicfile.WriteFile(c.Path(file), []byte(report), home.SharedFile); err != nil {
		return nil, term.Hint(err, "name a file in a directory that you may write to")
	}
	runs.SayWrote(c.Env, file)
	return a, nil
}

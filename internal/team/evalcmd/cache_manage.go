package evalcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/cache"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var judgeFlag = command.Flag{Name: "judge", Default: false, Help: "the answers of judges, in ~/.cairn/judge-cache"}

var cacheStats = command.Command{
	Path: "eval cache stats", Short: "Show entries, size and dates by suite",
	Flags:    []command.Flag{judgeFlag},
	Examples: []string{"cairn eval cache stats", "cairn eval cache stats --judge --json"},
	Effect:   command.Reads, CSV: true, Run: runCacheStats,
}

var cacheVerify = command.Command{
	Path: "eval cache verify", Short: "Check every entry of the cache",
	Long: "Reads every entry: it must be JSON, of this version, and its suite and key must\n" +
		"be those of its place. An entry that is not is a miss for a runner, so removing\n" +
		"it loses nothing.",
	Flags:    []command.Flag{judgeFlag, {Name: "remove", Default: false, Help: "remove unusable entries, and exit 0"}},
	Exits:    "5 if an entry cannot be used",
	Examples: []string{"cairn eval cache verify", "cairn eval cache verify --remove"},
	Effect:   command.Reads, Run: runCacheVerify,
}

var cacheClear = command.Command{
	Path: "eval cache clear", Short: "Remove the entries of a suite, or all",
	Args: []command.Arg{{Name: "SUITE", Optional: true, Values: runs.Suites}},
	Flags: []command.Flag{judgeFlag,
		{Name: "older", Default: "", Help: "only entries written before this `time`: 30d, 12h, 2w ago, or a date"}},
	Examples: []string{"cairn eval cache clear my_suite", "cairn eval cache clear --older 30d"},
	Effect:   command.Writes, Run: runCacheClear,
}

// chosenCache is the one that a command about all entries is for.
func chosenCache(c *command.Call) cache.Cache {
	h := home.Find(c.Getenv)
	if c.Bool("judge") {
		return cache.Cache{Root: h.JudgeCache()}
	}
	return cache.Cache{Root: h.EvalCache()}
}

func runCacheStats(c *command.Call) (*answer.Answer, error) {
	from := chosenCache(c)
	suites := must.Get(from.Stats())
	var total cache.Suite
	for _, s := range suites {
		total.Add(s)
	}
	a := &answer.Answer{Data: struct {
		Dir    string        `json:"dir"`
		Suites []cache.Suite `json:"suites"`
		Total  cache.Suite   `json:"total"`
	}{from.Root, answer.List(suites), total}}
	if len(suites) == 0 {
		a.Said, a.Hint = "cairn: "+from.Root+" has no entry yet", "cairn eval cache --help shows how a runner uses it"
		return a, nil
	}
	if len(suites) > 1 {
		total.Name = "(all)" // no suite can be called that
		suites = append(suites, total)
	}
	t := answer.NewTable("suite", "files:count", "size:count", "oldest:day", "newest:day")
	for _, s := range suites {
		t.Add(s.Name, s.Files, text.Bytes(s.Bytes), s.Oldest.Local(), s.Newest.Local())
	}
	a.View = t
	return a, nil
}

func runCacheVerify(c *command.Call) (*answer.Answer, error) {
	from := chosenCache(c)
	suites := must.Get(from.Stats())
	var size int64
	for _, s := range suites {
		size += s.Bytes
	}
	bar := term.NewProgress(c.Stderr)
	bar.Begin("checking", size)
	entries, invalid, err := from.Verify(bar.Add)
	bar.End()
	must.OK(err)
	type unusable struct {
		File   string `json:"file"`
		Reason string `json:"reason"`
	}
	list, removed := make([]unusable, 0, len(invalid)), 0
	var view answer.Views
	for _, i := range invalid {
		list = append(list, unusable{i.File, i.Err.Error()})
		name, err := filepath.Rel(from.Root, i.File)
		if err != nil {
			name = i.File
		}
		view = append(view, answer.Line("%s: %v", name, i.Err))
		if c.Bool("remove") {
			if err := os.Remove(i.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			removed++
		}
	}
	view = append(view, answer.Line("%s, %d cannot be used, %d removed", text.Count(entries, "entry"), len(list), removed))
	a := &answer.Answer{View: view, Data: struct {
		Entries int        `json:"entries"`
		Invalid []unusable `json:"invalid"`
		Removed int        `json:"removed"`
	}{entries, list, removed}}
	judge := ""
	if c.Bool("judge") {
		judge = "--judge "
	}
	if len(list) > removed {
		a.Err = command.Gate(term.Hint(fmt.Errorf("%s of %s cannot be used", text.Count(len(list), "entry"), from.Root), "cairn eval cache verify %s--remove removes them", judge))
	}
	return a, nil
}

func runCacheClear(c *command.Call) (*answer.Answer, error) {
	if len(c.Args()) == 1 && c.Arg("SUITE") == "" {
		return nil, command.Usagef("SUITE must not be empty; leave it out to clear all")
	}
	var before time.Time
	if older := c.String("older"); older != "" {
		var err error
		if before, err = command.Since(older, time.Now()); err != nil || before.IsZero() {
			return nil, command.Usagef("--older must be 30d, 12h, 2w or 2026-01-31, not %q", term.Line(older))
		}
	}
	files, bytes, err := chosenCache(c).Clear(c.Arg("SUITE"), before)
	if err != nil {
		return nil, cacheError(err)
	}
	return &answer.Answer{Data: struct {
		Removed int   `json:"removed"`
		Bytes   int64 `json:"bytes"`
	}{files, bytes}, View: answer.Line("%s removed, %s", text.Count(files, "entry"), text.Bytes(bytes)), Done: true}, nil
}

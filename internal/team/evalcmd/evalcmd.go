// Package evalcmd declares the commands of `cairn eval`. A declaration is data; its
// function asks runs for what the arguments name and the domain (eval, compare,
// cost, grade, judge, cache …) for the figures, and says how they are shown.
//
// Only package cli imports it. It knows nothing of cobra.
package evalcmd

import (
	"fmt"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/result/reader"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Commands are eval and all below it, in the order of their first need.
func Commands() []*command.Command {
	declared := [...]command.Command{
		root, push, importing, list, show, comparing, gating, trend, baselines, leaderboard, costing, grading,
		judging, agreement, casesWord, casesLint, casesTypes, casesImport, watching, viewing,
		cacheWord, cacheRead, cacheWrite, cacheKey, cacheStats, cacheVerify, cacheClear, schema,
	}
	all := make([]*command.Command, len(declared))
	for i := range declared {
		all[i] = &declared[i]
	}
	return all
}

var root = command.Command{
	Path: "eval", Short: "Store, compare and gate the results of evals in any language",
	Long: "Your runner runs the evals and writes the results. cairn reads them, whatever tool\n" +
		"wrote them, stores them in ~/.cairn/evals and says whether a change is real.",
	Examples: []string{"cairn eval push results.json", "cairn eval compare @main latest"},
}

// Arguments and flags that several commands have.
var (
	runArg = command.Arg{Name: "RUN", Optional: true, Values: runs.Refs, Files: true,
		Help: "a file of results, an id or its beginning, a label, @branch, a commit, a suite, latest, previous or merge-base; label~1 is the one before (default: latest)"}
	needRun = command.Arg{Name: "RUN", Values: runs.Refs, Files: true,
		Help: "a file of results, an id or its beginning, a label, @branch, a commit, a suite, latest, previous or merge-base; label~1 is the one before"}

	teamFlag        = command.Flag{Name: "team", Default: false, Help: "with the runs of the team's server"}
	mapFlag         = command.Flag{Name: "map", Default: []string(nil), Commas: true, Help: "which columns of a CSV, or members of lines of JSON, are what: name=id,passed=ok,output=answer"}
	suiteFlag       = command.Flag{Name: "suite", Default: "", Help: "only this suite", Values: runs.Suites}
	branchFlag      = command.Flag{Name: "branch", Default: "", Help: "only runs of this branch", Values: runs.Branches}
	repoFlag        = command.Flag{Name: "repo", Default: "", Help: "another repository, as owner/name", Values: runs.Repositories}
	kindFlag        = command.Flag{Name: "kind", Default: "", Help: "only this kind: eval, e2e, llm-judge, unit", Values: kinds}
	sinceFlag       = command.SinceFlag("all")
	attemptsFlag    = command.Flag{Name: "all-attempts", Default: false, Help: "join all runs of the same commit, as repeats"}
	seedFlag        = command.Flag{Name: "seed", Default: uint64(0), Help: "of the resampling: the same seed gives the same figures"}
	markdownFlag    = command.Flag{Name: "markdown", Default: false, Help: "print Markdown, for a pull request"}
	htmlFlag        = command.Flag{Name: "html", Default: "", Help: "write a self-contained page to `FILE`"}
	outputFlag      = command.Flag{Name: "output", Short: "o", Default: "", Help: "also write the run to `FILE`"}
	noPushFlag      = command.Flag{Name: "no-push", Default: false, Help: "do not send the run to the team"}
	newSuiteFlag    = command.Flag{Name: "suite", Default: "", Help: "the suite of results that name none", Values: runs.Suites}
	pricesFlag      = command.Flag{Name: "prices", Default: "", Help: "a `FILE` of prices, used before all others"}
	profilesFlag    = command.Flag{Name: "profiles", Default: "", Help: "a file of judge profiles (default: the repository's .cairn/judge-profiles.yaml)"}
	tierFlag        = command.Flag{Name: "tier", Default: "", Help: "fast, standard or full (default: the profile's, EVAL_JUDGE_TIER, or standard)", Values: tiers}
	concurrencyFlag = command.Flag{Name: "concurrency", Default: 4, Help: "how many requests at once, up to 64"}
	maxCostFlag     = command.Flag{Name: "max-cost", Default: 0.0, Help: "stop asking judges once that has cost `DOLLARS` (at most five requests at once then)"}
	timeoutFlag     = command.Flag{Name: "timeout", Default: time.Hour, Help: "give up after so long"}
)

func kinds(*command.Call) []string { return []string{"eval", "e2e", "llm-judge", "unit"} }
func tiers(*command.Call) []string { return []string{"fast", "standard", "full"} }

// A choice is the stored runs that the flags of a command choose.
type choice struct {
	runs.Store
	suite  string
	since  time.Time
	all    []eval.Entry
	found  []eval.Entry // what the flags leave, whatever their age
	recent []eval.Entry // of them, what --since leaves
}

// choose reads the flags that choose runs. Of the repository that one is in, where
// it has runs and no other is asked for, if here is set.
func choose(c *command.Call, here bool) (ch choice) {
	ch.Store = must.Get(runs.Open(c.Env, c.Bool("team")))
	if c.Has("since") {
		ch.since = must.Get(command.Since(c.String("since"), time.Now()))
	}
	ch.all = must.Get(ch.List())
	ch.found = ch.all
	filter := eval.Filter{Suite: c.String("suite"), Branch: c.String("branch"), Repo: c.String("repo")}
	if c.Has("kind") {
		filter.Kind = c.String("kind")
	}
	ch.suite = filter.Suite
	if repo, _ := runs.Repo(c.Env); here && filter.Repo == "" && repo != "" && len(ch.all) > 0 {
		if len((eval.Filter{Repo: repo}).Of(ch.all)) == 0 {
			fmt.Fprintf(c.Stderr, "cairn: no run of %s is stored; these are of all repositories\n", term.Line(repo))
		} else {
			filter.Repo = repo
		}
	}
	ch.keep(filter)
	return ch
}

// finder finds runs as the flags of a command say.
func finder(c *command.Call) *runs.Finder {
	return &runs.Finder{Store: must.Get(runs.Open(c.Env, c.Bool("team"))), AllAttempts: c.Bool("all-attempts"), Map: mapping(c)}
}

// mapping is what --map says of tables.
func mapping(c *command.Call) reader.Mapping {
	m, err := reader.ParseMapping(c.List("map"))
	if err != nil {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("--map: %w", err), "docs/eval-formats.md lists the members")))
	}
	return m
}

// find finds a run in files and the user's own store.
func find(c *command.Call, ref string) eval.Selection {
	sel := must.Get((&runs.Finder{Store: runs.Own(c.Env)}).Find(ref, nil))
	runs.SayNote(c.Env, sel)
	return sel
}

// keep leaves out what a filter does not keep.
func (ch *choice) keep(filter eval.Filter) {
	ch.found = filter.Of(ch.found)
	ch.recent = eval.Since(ch.found, ch.since)
}

// none is the answer where no run was chosen: data, and why there is nothing.
func (ch *choice) none(data any) *answer.Answer {
	if n := len(ch.all); n > 0 {
		return &answer.Answer{Data: data, Said: "cairn: none of the " + text.Count(n, "stored run") + " matches", Hint: "cairn eval list shows them all"}
	}
	return &answer.Answer{Data: data, Said: "cairn: no run is stored yet", Hint: "cairn eval push FILE stores what a runner wrote"}
}

// Package reader reads the result files of other tools as runs of the format
// in package result: gstack's, promptfoo's, DeepEval's, Harbor's, OpenAI's, Inspect AI's, go test's, Jest's and
// Vitest's, JUnit XML, pytest's, and tables.
//
// It works on bytes, opens no file and knows no store. The command line imports
// it; it imports package result, and live for its lines. What decides about a
// format lives in the file of that format; a runner of ours writes version 1
// and needs nothing of this.
package reader

import (
	"errors"
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// A File is what was read from one file of results.
type File struct {
	Format   string // one of Formats
	Runs     []*result.Run
	Warnings []string // what was taken all the same, one sentence each
}

// Formats says what Read reads, for help and for refusals.
const Formats = "cairn's and gstack's JSON, the lines of cairn eval watch, promptfoo's JSON, JSONL, CSV, YAML, XML and JUnit, DeepEval's JSON, Harbor's and Terminal-Bench's JSON, OpenAI evals' JSONL, Inspect AI's JSON and .eval, go test -json, Jest's and Vitest's JSON, JUnit XML, pytest-json-report, lines {\"name\", \"passed\"}, and with --map any table in CSV or lines of JSON"

// Read finds out what data is, by its content, and reads it. The name is for
// messages, and for what the content leaves open. An error is one sentence that
// begins with the name.
func Read(name string, data []byte) (f File, err error) { return ReadMapped(name, data, nil) }

// ReadMapped is Read that takes a table and lines of JSON by what a person says of
// them.
func ReadMapped(name string, data []byte, m Mapping) (f File, err error) {
	if err := must.Catch(func() { f = read(name, data, m) }); err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// read and all that it calls end where something is wrong with a file.
func read(name string, data []byte, m Mapping) File {
	if len(data) > result.MaxBytes {
		must.Fail(fmt.Errorf("%d MB; at most %d MB of results are read", len(data)>>20, result.MaxBytes>>20))
	}
	data = must.Get(asUTF8(data))
	format, err := detect(name, data)
	ours := err == nil && (format.name == linesName || format.name == tableName)
	if by, ok := mappable(data, m, ours); ok && (err != nil || ours) {
		format, err = by, nil
	}
	must.OK(err)
	var c collector
	run := format.read(data, &c)
	if format.name != v1Name {
		must.OK(c.finish(run))
	}
	return File{Format: format.name, Runs: []*result.Run{run}, Warnings: c.warnings}
}

// A format is one kind of file.
type format struct {
	name string
	read func(data []byte, c *collector) *result.Run
}

// collector gathers what a reader wants said.
type collector struct{ warnings []string }

const mostWarnings = 20

func (c *collector) warn(format string, args ...any) {
	switch {
	case len(c.warnings) < mostWarnings:
		c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
	case len(c.warnings) == mostWarnings:
		c.warnings = append(c.warnings, "and more of the kind")
	}
}

// repeats numbers the results of one case. Those that are no retries, which the
// format tells, have the name of another: maybe they are other cases.
func (c *collector) repeats(run *result.Run, retries int) {
	run.NumberAttempts()
	for i := range run.Results {
		if run.Results[i].Try() > 1 {
			retries--
		}
	}
	if retries < 0 {
		c.warn("results with the name of another, taken as repeats of one case: %d", -retries)
	}
}

// finish derives and checks a run that was put together from a foreign file.
func (c *collector) finish(run *result.Run) error {
	run.SchemaVersion = result.Version
	if run.Results == nil {
		run.Results = []result.Result{}
	}
	run.Derive()
	if run.Kind == "" {
		run.Kind = "unit"
		for i := range run.Results {
			if r := &run.Results[i]; r.Score != nil || len(r.JudgeScores) > 0 {
				run.Kind = "eval"
				break
			}
		}
	}
	if len(run.Results) == 0 {
		c.warn("no results in it")
	}
	return inFile(run, run.Check())
}

// inFile says of a problem with a result which one it is: its place in
// all_results is not its place in the file.
func inFile(run *result.Run, err error) error {
	var problems result.Problems
	if !errors.As(err, &problems) {
		return err
	}
	var i int
	first := problems[0]
	for _, p := range problems { // a sum is wrong because a result is
		if strings.HasPrefix(p.Path, "all_results[") {
			first = p
			break
		}
	}
	if _, err := fmt.Sscanf(first.Path, "all_results[%d]", &i); err == nil && i < len(run.Results) {
		_, member, _ := strings.Cut(first.Path, "].")
		return fmt.Errorf("the result %q: %s: %s", oneLine(run.Results[i].Title(), 60), member, first.What)
	}
	return first
}

const (
	v1Name    = "cairn v1"
	linesName = "lines of results"
	tableName = "table"
)

// readV1 reads the format of our own. Its unit is the file, its order kept.
func readV1(data []byte, c *collector) *result.Run {
	run, warnings := must.Get2(result.Decode(data))
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return run
}

// readLive reads what a runner wrote for cairn eval watch. Its unit is the
// line, in the order in which tests began.
func readLive(data []byte, c *collector) *result.Run {
	run, warnings := must.Get2(live.Read(data))
	for _, w := range warnings {
		c.warn("%s", w)
	}
	return run
}

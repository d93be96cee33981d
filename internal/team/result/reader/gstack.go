package reader

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// gstackRun is the older format that says version 1 as well. Members that are
// not listed are kept under their names.
type gstackRun struct {
	SchemaVersion *int         `json:"schema_version"`
	Version       string       `json:"version"`
	Branch        string       `json:"branch"`
	GitBranch     string       `json:"git_branch"`
	GitSHA        string       `json:"git_sha"`
	Timestamp     result.Time  `json:"timestamp"`
	Hostname      string       `json:"hostname"`
	Label         string       `json:"label"`
	Tier          string       `json:"tier"`
	Total         *int         `json:"total_tests"`
	Passed        *int         `json:"passed"`
	Failed        *int         `json:"failed"`
	TotalCostUSD  float64      `json:"total_cost_usd"`
	TotalMS       float64      `json:"total_duration_ms"`
	WallClockMS   float64      `json:"wall_clock_ms"`
	Partial       bool         `json:"_partial"`
	Tests         []gstackTest `json:"tests"`

	X jsontext.Value `json:",embed"`
}

type gstackTest struct {
	Name           string             `json:"name"`
	Suite          string             `json:"suite"`
	Passed         *bool              `json:"passed"`
	DurationMS     float64            `json:"duration_ms"`
	CostUSD        float64            `json:"cost_usd"`
	Model          string             `json:"model"`
	Output         jsontext.Value     `json:"output"`
	JudgeScores    map[string]float64 `json:"judge_scores"`
	JudgeReasoning string             `json:"judge_reasoning"`
	Error          string             `json:"error"`

	X jsontext.Value `json:",embed"` // transcript, detection_rate (a count, in spite of its name), harvest and more
}

// ErrPartial is the error of a file that a run writes while it goes on.
var ErrPartial = errors.New("gstack's file of a run that is not over (_partial); the finished run has a file of its own")

func readGstack(data []byte, c *collector) *result.Run {
	var in gstackRun
	decode(data, &in)
	switch {
	case in.Partial:
		must.Fail(ErrPartial)
	case in.SchemaVersion != nil && *in.SchemaVersion != 1:
		must.Fail(fmt.Errorf("schema_version: %d is not known; 1 is wanted", *in.SchemaVersion))
	}
	run := &result.Run{
		Timestamp: in.Timestamp, GitBranch: cmp.Or(in.Branch, in.GitBranch), GitSHA: in.GitSHA, Hostname: in.Hostname, Label: in.Label,
		Tool: "gstack", AppVersion: in.Version, Tier: in.Tier,
		DurationSeconds: in.TotalMS / 1000, WallClockMS: in.WallClockMS, TotalCostUSD: in.TotalCostUSD, X: spare[result.Run](in.X),
	}
	for i := range in.Tests {
		t := &in.Tests[i]
		if t.Passed == nil {
			must.Fail(fmt.Errorf("tests[%d].passed: missing; true or false is wanted", i))
		}
		r := result.Result{
			Name: t.Name, Category: t.Suite, DurationMS: t.DurationMS, CostUSD: t.CostUSD, Model: t.Model,
			JudgeScores: t.JudgeScores, JudgeReasoning: t.JudgeReasoning, X: spare[result.Result](t.X),
		}
		if len(t.JudgeScores) > 0 {
			r.Scale = "1-5"
		}
		respond(&r, t.Output)
		r.Set(result.Fail) // the format knows passed and failed only, so an error is what a verdict says
		if *t.Passed {
			r.Set(result.Pass)
		}
		if t.Error != "" {
			r.Failures = append(r.Failures, result.Failure{Message: message(t.Error)})
		}
		run.Results = append(run.Results, r)
	}
	run.NumberAttempts()
	run.Recount()
	for _, n := range [...]struct {
		name  string
		given *int
		own   int
	}{{"total_tests", in.Total, run.Total}, {"passed", in.Passed, run.Passed}, {"failed", in.Failed, run.Failed}} {
		if n.given != nil && *n.given != n.own {
			must.Fail(fmt.Errorf("%s: %d, but tests hold %d", n.name, *n.given, n.own))
		}
	}
	return run
}

// spare keeps the members that a file has beyond its format. One whose name
// means something in a T of ours gets a name that does not.
func spare[T any](x jsontext.Value) jsontext.Value {
	if x.Kind() != '{' {
		return nil
	}
	var in map[string]jsontext.Value
	if json.Unmarshal(x, &in, foreign()) != nil {
		return nil
	}
	taken := map[string]bool{}
	ownNames(reflect.TypeFor[T](), taken)
	var list []member
	for _, name := range slices.Sorted(maps.Keys(in)) {
		as := name
		if taken[name] {
			as = "gstack_" + name
		}
		if in["gstack_"+name] == nil || as == name {
			list = append(list, member{as, valid(in[name])})
		}
	}
	return object(list...)
}

// ownNames collects the names of a struct's members as JSON has them.
func ownNames(t reflect.Type, names map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			ownNames(f.Type, names)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[name] = true
	}
}

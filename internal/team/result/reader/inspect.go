package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// inspectLog is the head of an Inspect AI log, version 2: the JSON without its
// samples, which is also header.json of an .eval file.
type inspectLog struct {
	Version float64 `json:"version"`
	Status  string  `json:"status"`
	Eval    struct {
		RunID   string          `json:"run_id"`
		Created string          `json:"created"`
		Task    string          `json:"task"`
		Model   string          `json:"model"`
		Tags    jsontext.Value  `json:"tags"`
		Version jsontext.Value  `json:"task_version"`
		Config  jsontext.Value  `json:"config"`
		Package inspectPackages `json:"packages"`
		Dataset struct {
			Samples   int            `json:"samples"`
			SampleIDs jsontext.Value `json:"sample_ids"`
		} `json:"dataset"`
		Revision *struct {
			Origin string `json:"origin"`
			Commit string `json:"commit"`
			Dirty  bool   `json:"dirty"`
		} `json:"revision"`
	} `json:"eval"`
	Results *struct {
		Total     int `json:"total_samples"`
		Completed int `json:"completed_samples"`
	} `json:"results"`
	Stats struct {
		StartedAt   string                  `json:"started_at"`
		CompletedAt string                  `json:"completed_at"`
		Usage       map[string]inspectUsage `json:"model_usage"`
	} `json:"stats"`
	Error *inspectError `json:"error"`
}

type inspectPackages struct {
	Inspect string `json:"inspect_ai"`
}

type inspectUsage struct {
	Input      float64  `json:"input_tokens"` // without those of a cache
	Output     float64  `json:"output_tokens"`
	CacheRead  float64  `json:"input_tokens_cache_read"`
	CacheWrite float64  `json:"input_tokens_cache_write"`
	Cost       *float64 `json:"total_cost"`
}

type inspectError struct {
	Message string `json:"message"`
}

// inspect puts a run together from a log's head and samples.
type inspect struct {
	c       *collector
	log     inspectLog
	samples []inspectSample
}

// readInspect reads the JSON log, sample by sample: a sample holds the whole
// conversation, of which little is kept.
func readInspect(data []byte, c *collector) *result.Run {
	data = withoutNaN(data)
	in := inspect{c: c}
	var head bytes.Buffer // the members before and after the samples
	enc := jsontext.NewEncoder(&head, foreign())
	dec := jsontext.NewDecoder(bytes.NewReader(data), foreign())
	must.OK(enc.WriteToken(jsontext.BeginObject))
	eachOf(data, dec, func(name string) {
		switch name {
		case "samples":
			in.readSamples(dec)
		case "version", "status", "eval", "results", "stats", "error":
			must.OK(enc.WriteToken(jsontext.String(name)))
			must.OK(enc.WriteValue(must.Get(dec.ReadValue())))
		default:
			must.OK(dec.SkipValue())
		}
	})
	must.OK(enc.WriteToken(jsontext.EndObject))
	must.OK(withoutLine(must.Catch(func() { decode(head.Bytes(), &in.log) })))
	return in.run()
}

func (in *inspect) readSamples(dec *jsontext.Decoder) {
	if dec.PeekKind() == 'n' {
		must.OK(dec.SkipValue())
		return
	}
	eachItem(dec, "samples", func(s *inspectSample) {
		s.settle()
		in.samples = append(in.samples, *s)
	})
}

func (in *inspect) run() *result.Run {
	log := &in.log
	if log.Version != 2 && log.Version != 1 {
		must.Fail(fmt.Errorf("version: %v of Inspect's log is not known; 2 is wanted", log.Version))
	}
	if len(in.samples) == 0 {
		must.Fail(errors.New("an Inspect log without samples; write it with log_samples on, and not with --header-only"))
	}
	run := &result.Run{
		Suite: log.Eval.Task, Tool: "inspect_ai", ToolVer: log.Eval.Package.Inspect, Kind: "eval",
		Timestamp: stamp(log.Stats.StartedAt),
	}
	if run.Timestamp.IsZero() {
		run.Timestamp = stamp(log.Eval.Created)
	}
	if end := stamp(log.Stats.CompletedAt); !end.IsZero() && !run.Timestamp.IsZero() {
		run.WallClockMS = max(0, end.Sub(run.Timestamp.Time).Seconds()*1000)
	}
	if rev := log.Eval.Revision; rev != nil {
		run.GitSHA, run.GitDirty, run.Repo = rev.Commit, rev.Dirty, repo(rev.Origin)
	}
	for model, u := range log.Stats.Usage {
		cost := result.Cost{Model: model, InputTokens: whole(u.Input), OutputTokens: whole(u.Output), CacheReadTokens: whole(u.CacheRead), CacheWriteTokens: whole(u.CacheWrite)}
		if u.Cost != nil {
			cost.CostUSD = *u.Cost
		}
		run.Costs = append(run.Costs, cost)
	}
	byModel(run.Costs)
	in.say()
	scales := in.scales()
	for i := range in.samples {
		run.Results = append(run.Results, in.samples[i].result(log, scales, in.c))
	}
	order(run)
	return run
}

// say warns of a log that does not hold the whole eval.
func (in *inspect) say() {
	log := &in.log
	if log.Status != "success" && log.Status != "" {
		why := ""
		if log.Error != nil && log.Error.Message != "" {
			why = ": " + oneLine(log.Error.Message, 120)
		}
		in.c.warn("the eval ended with the status %s%s", oneLine(log.Status, 40), why)
	}
	unscored := 0
	for i := range in.samples {
		if s := &in.samples[i]; len(s.Scores) == 0 && s.Error == nil {
			unscored++
		}
	}
	if unscored > 0 {
		in.c.warn("samples that are not scored and count as errors: %d of %d; inspect score scores a log", unscored, len(in.samples))
	}
	if r := log.Results; r != nil && r.Total > len(in.samples) {
		in.c.warn("%d of %d samples are in the log", len(in.samples), r.Total)
	}
}

// order sorts by case and attempt: a log lists samples as they ended.
func order(run *result.Run) {
	slices.SortStableFunc(run.Results, func(a, b result.Result) int {
		return cmp.Or(cmp.Compare(len(a.CaseID), len(b.CaseID)), strings.Compare(a.CaseID, b.CaseID), cmp.Compare(a.Try(), b.Try()))
	})
}

// repo is owner/name of a git remote.
func repo(origin string) string {
	s := strings.TrimSuffix(origin, ".git")
	if _, rest, ok := strings.Cut(s, "://"); ok {
		if _, s, ok = strings.Cut(rest, "/"); !ok {
			return ""
		}
	} else if _, rest, ok := strings.Cut(s, ":"); ok {
		s = rest
	} else {
		return ""
	}
	return oneLine(strings.Trim(s, "/"), mostName)
}

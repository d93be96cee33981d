package result

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The most that one file of results may hold.
const (
	MaxBytes   = 100 << 20
	MaxResults = 500_000
)

// incoming is a run as runners write it: with members that may be missing, and
// names that older formats used.
type incoming struct {
	Run
	SchemaVersion *int            `json:"schema_version"`
	Total         *int            `json:"total"`
	Passed        *int            `json:"passed"`
	Failed        *int            `json:"failed"`
	Results       incomingResults `json:"all_results"`
	ByCategory    map[string]struct {
		Counts
		Total  *int `json:"total"`
		Failed *int `json:"failed"`
	} `json:"by_category"`
	Failures []struct {
		TestName string `json:"test_name"`
		Error    string `json:"error"`
	} `json:"failures"`
}

// incomingResults turns each result into what the run keeps as soon as it is read:
// of a hundred thousand, two copies would be the most that reading takes. It stops
// at too many, small as they are in the file.
type incomingResults struct {
	list  []Result
	given bool    // not null, and not missing
	found checker // what is wrong with how they ended
}

// expect makes room for the results of a file, about as many as it has names: a list
// that grows is copied as often as it doubles.
func (rs *incomingResults) expect(data []byte) {
	begin := data[:min(len(data), 256<<10)]
	names, objects := bytes.Count(begin, []byte(`"name"`)), bytes.Count(begin, []byte("{"))
	if len(begin) < len(data) { // looking for one byte takes a tenth of the time
		names = int(1.03 * float64(bytes.Count(data, []byte("{"))) * float64(names) / float64(max(objects, 1)))
	}
	rs.list = make([]Result, 0, min(names, len(data)/16, MaxResults))
}

func (rs *incomingResults) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '[' {
		var none []incomingResult
		return json.UnmarshalDecode(dec, &none) // null, or an error
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	rs.list, rs.given, rs.found = rs.list[:0], true, checker{}
	var in incomingResult
	for dec.PeekKind() != ']' {
		if len(rs.list) == MaxResults {
			return fmt.Errorf("more than %d results; split the run", MaxResults)
		}
		in = incomingResult{}
		if err := json.UnmarshalDecode(dec, &in); err != nil {
			return err
		}
		rs.add(&in)
	}
	_, err := dec.ReadToken()
	return err
}

// add turns a result that was read into one of the run.
func (rs *incomingResults) add(in *incomingResult) {
	rs.list = append(rs.list, in.Result)
	r := &rs.list[len(rs.list)-1]
	r.JudgeScores = given(in.JudgeScores)
	r.Answered(r.Output)
	for _, f := range in.Failures {
		r.Failures = append(r.Failures, Failure(f))
	}
	rs.found.status(len(rs.list)-1, r, in)
}

type incomingResult struct {
	Result
	Status      string              `json:"status"`
	Passed      *bool               `json:"passed"`
	JudgeScores map[string]*float64 `json:"judge_scores"`
	Failures    []incomingFailure   `json:"failures"`
}

// incomingFailure is an object or, from simple runners, a message alone.
type incomingFailure Failure

func (f *incomingFailure) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '"' {
		return json.UnmarshalDecode(dec, &f.Message)
	}
	var in struct {
		Failure
		Scores map[string]*float64 `json:"scores"`
	}
	err := json.UnmarshalDecode(dec, &in)
	*f = incomingFailure(in.Failure)
	f.Scores = given(in.Scores)
	return err
}

// given leaves out scores that are null: a judge that gave none did not give 0.
func given(scores map[string]*float64) (out map[string]float64) {
	for name, s := range scores {
		if s == nil {
			continue
		}
		if out == nil {
			out = make(map[string]float64, len(scores))
		}
		out[name] = *s
	}
	return out
}

// Decode reads a run of version 1, checks it and fills in what can be derived.
// The warnings are about what was taken all the same. An error is Problems.
func Decode(data []byte) (run *Run, warnings []string, err error) {
	if len(data) > MaxBytes {
		return nil, nil, Problems{{What: fmt.Sprintf("%d MB; at most %d MB are read", len(data)>>20, MaxBytes>>20)}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var in incoming
	in.Results.expect(data)
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, nil, Explain(data, err)
	}
	var c checker
	run = c.take(&in)
	c.run(run)
	warnings = c.counts(run, &in)
	if len(c.problems) > 0 {
		return nil, nil, c.problems
	}
	run.Derive()
	return run, warnings, nil
}

// take turns what was read into a run.
func (c *checker) take(in *incoming) *Run {
	run := in.Run
	switch {
	case in.SchemaVersion == nil:
		c.say("schema_version", "missing; 1 is wanted")
	case *in.SchemaVersion != Version:
		c.say("schema_version", "%d is not known; 1 is wanted", *in.SchemaVersion)
	}
	run.SchemaVersion = Version
	if !in.Results.given {
		c.say("all_results", "missing; a list of results is wanted")
	}
	run.Results = in.Results.list
	c.problems = append(c.problems, in.Results.found.problems...)
	byName := map[string]*Result{}
	if len(in.Failures) > 0 {
		for i := range run.Results {
			byName[run.Results[i].Name] = &run.Results[i]
		}
	}
	for i, f := range in.Failures { // an older form tells failures at the end of the run
		r := byName[f.TestName]
		if r == nil {
			c.say(at("failures", i)+".test_name", "%q is no name in all_results", f.TestName)
			continue
		}
		if len(r.Failures) == 0 {
			r.Failures = append(r.Failures, Failure{Message: f.Error})
		}
	}
	for name, given := range in.ByCategory {
		counts := given.Counts
		switch {
		case given.Total != nil && given.Failed != nil:
			counts.Total, counts.Failed = *given.Total, *given.Failed
		case given.Total != nil:
			counts.Total, counts.Failed = *given.Total, *given.Total-counts.Passed-counts.Skipped-counts.Errored
		case given.Failed != nil:
			counts.Failed = *given.Failed
			counts.Total = counts.Passed + counts.Failed + counts.Skipped + counts.Errored
		}
		if run.ByCategory == nil {
			run.ByCategory = Categories{}
		}
		run.ByCategory[name] = counts
	}
	return &run
}

// status settles how a result ended from status, passed and error.
func (c *checker) status(i int, r *Result, in *incomingResult) {
	where := listed(i)
	switch {
	case in.Status != "":
		s, err := StatusOf(in.Status)
		if err != nil {
			c.say(where.at(".status"), "%s", err)
			return
		}
		if in.Passed != nil && *in.Passed != (s == Pass) {
			c.say(where.at(".passed"), "%v, but status says %s", *in.Passed, s)
		}
		r.Set(s)
	case in.Passed == nil:
		c.say(where.at(".passed"), "missing; true, false or a status is wanted")
	case *in.Passed:
		r.Set(Pass)
	case r.Error != "" && len(r.Failures) == 0 && len(r.JudgeScores) == 0:
		r.Set(Error) // nothing was judged
	default:
		r.Set(Fail)
	}
}

// Encode writes a run as indented JSON with a line end.
func Encode(run *Run) ([]byte, error) {
	data, err := json.Marshal(run, jsontext.WithIndent("  "), json.Deterministic(true))
	return append(data, '\n'), err
}

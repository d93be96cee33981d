package reader

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// jestFile is what `jest --json` and Vitest's json reporter write.
type jestFile struct {
	StartTime     float64        `json:"startTime"`
	RuntimeErrors *int           `json:"numRuntimeErrorTestSuites"` // Jest only
	Total         *int           `json:"numTotalTests"`
	Interrupted   bool           `json:"wasInterrupted"`
	Suites        []jestSuite    `json:"testResults"`
	X             jsontext.Value `json:",embed"`
}

type jestSuite struct {
	Name      string     `json:"name"`
	Status    string     `json:"status"`
	Message   string     `json:"message"`
	StartTime float64    `json:"startTime"`
	EndTime   float64    `json:"endTime"`
	Tests     []jestTest `json:"assertionResults"`
}

type jestTest struct {
	Ancestors    []string `json:"ancestorTitles"`
	Title        string   `json:"title"`
	FullName     string   `json:"fullName"`
	Status       string   `json:"status"`
	Duration     float64  `json:"duration"`
	Messages     []string `json:"failureMessages"`
	Invocations  int      `json:"invocations"`  // Jest: how often it ran
	RetryReasons []string `json:"retryReasons"` // Jest: why each time before the last failed
	Tags         []string `json:"tags"`
}

func readJest(data []byte, c *collector) *result.Run {
	var in jestFile
	decode(data, &in)
	run := &result.Run{Tool: "vitest", Timestamp: unixMS(in.StartTime)}
	if in.RuntimeErrors != nil {
		run.Tool = "jest"
	}
	if in.Interrupted {
		c.warn("the run was interrupted: tests are missing")
	}
	names := shortNames(in.Suites)
	var end float64
	tests, retries := 0, 0
	for i := range in.Suites {
		s := &in.Suites[i]
		end = max(end, s.EndTime)
		failed := false
		for j := range s.Tests {
			t := &s.Tests[j]
			tests++
			list := t.attempts(names[i])
			failed = failed || list[len(list)-1].Status == result.Fail
			retries += len(list) - 1
			run.Results = append(run.Results, list...)
		}
		if s.Status == "failed" && !failed { // it could not be loaded, or broke around its tests
			r := result.Result{Suite: names[i], Name: cmp.Or(names[i], "(test file)")}
			broke(&r, message(s.Message))
			run.Results = append(run.Results, r)
		}
	}
	if in.StartTime > 0 && end > in.StartTime {
		run.WallClockMS = end - in.StartTime
	}
	if n := len(run.Results) - tests; n > 0 && in.Total != nil {
		c.warn("%s counts %d tests; here retries and files that did not load are results as well", run.Tool, *in.Total)
	}
	c.repeats(run, retries)
	return run
}

// attempts is a test, each retry by itself. Jest says how often it ran. Vitest
// only keeps the messages: of a test that passed they are of failed tries; of
// one that failed they can be several of one try, so that it stays one result.
func (t *jestTest) attempts(suite string) []result.Result {
	status, err := result.StatusOf(t.Status)
	if err != nil {
		must.Fail(result.Problem{Path: "testResults", What: oneLine(t.FullName, 60) + ": " + err.Error()})
	}
	r := result.Result{Suite: suite, Name: strings.Join(append(t.Ancestors, t.Title), " > "), DurationMS: max(0, t.Duration), Tags: t.Tags}
	if t.Title == "" {
		r.Name = t.FullName
	}
	before := t.RetryReasons
	messages := t.Messages
	if status == result.Pass && len(before) == 0 && t.Invocations == 0 {
		before, messages = t.Messages, nil
	}
	const most = 100
	var list []result.Result
	for _, why := range before[:min(len(before), most)] {
		try := r
		try.DurationMS = 0
		fail(&try, message(why))
		list = append(list, try)
	}
	if r.Set(status); status == result.Fail {
		for _, m := range messages {
			fail(&r, message(m))
		}
		if len(r.Failures) == 0 {
			fail(&r, "failed without a message")
		}
	}
	return append(list, r)
}

// shortNames names test files by as few of their last path elements as tell
// them apart: the machine's own directories are no part of a case's identity.
func shortNames(suites []jestSuite) []string {
	names := make([]string, len(suites))
	const deepest = 12
	for n := 1; n <= deepest; n++ {
		of := map[string]string{} // the end of a path → the path, "" is several
		for _, s := range suites {
			end := pathEnd(s.Name, n)
			if path, ok := of[end]; ok && path != s.Name {
				of[end] = ""
			} else {
				of[end] = s.Name
			}
		}
		for i, s := range suites {
			if end := pathEnd(s.Name, n); names[i] == "" && (of[end] != "" || n == deepest) {
				names[i] = end
			}
		}
	}
	return names
}

// pathEnd is the last n elements of a path.
func pathEnd(path string, n int) string {
	path = strings.ReplaceAll(path, `\`, "/")
	at := len(path)
	for ; n > 0 && at > 0; n-- {
		at = max(0, strings.LastIndexByte(path[:at], '/'))
	}
	return strings.TrimPrefix(path[at:], "/")
}

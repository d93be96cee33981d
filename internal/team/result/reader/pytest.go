package reader

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// pytestFile is what the plugin pytest-json-report writes, as its README tells.
type pytestFile struct {
	Created  float64 `json:"created"` // seconds since 1970
	Duration float64 `json:"duration"`
	Summary  struct {
		Collected *int `json:"collected"`
	} `json:"summary"`
	Environment struct {
		Python string `json:"Python"`
	} `json:"environment"`
	Collectors []struct {
		NodeID   string         `json:"nodeid"`
		Outcome  string         `json:"outcome"`
		LongRepr jsontext.Value `json:"longrepr"`
	} `json:"collectors"`
	Tests []pytestTest `json:"tests"`
}

type pytestTest struct {
	NodeID   string         `json:"nodeid"`
	Outcome  string         `json:"outcome"`
	Setup    *pytestStage   `json:"setup"`
	Call     *pytestStage   `json:"call"`
	Teardown *pytestStage   `json:"teardown"`
	Props    jsontext.Value `json:"user_properties"`
	Metadata jsontext.Value `json:"metadata"`
}

type pytestStage struct {
	Duration float64        `json:"duration"`
	Outcome  string         `json:"outcome"`
	LongRepr jsontext.Value `json:"longrepr"`
	Crash    struct {
		Message string `json:"message"`
	} `json:"crash"`
}

func readPytest(data []byte, c *collector) *result.Run {
	var in pytestFile
	decode(withoutNaN(data), &in)
	run := &result.Run{Tool: "pytest", DurationSeconds: max(0, in.Duration)}
	if in.Created > 0 && in.Created < 1e11 {
		run.Timestamp = result.Time{Time: time.UnixMilli(int64(in.Created * 1000)).UTC()}
	}
	for _, k := range in.Collectors {
		if k.Outcome != "failed" {
			continue
		}
		var r result.Result
		r.Suite, r.Name = pytestNode(k.NodeID)
		broke(&r, message(asText(k.LongRepr)))
		run.Results = append(run.Results, r)
	}
	if n := in.Summary.Collected; n != nil && *n > len(in.Tests) {
		c.warn("pytest collected %d tests, %d are listed", *n, len(in.Tests))
	}
	for i := range in.Tests {
		run.Results = append(run.Results, in.Tests[i].result(c))
	}
	run.NumberAttempts()
	return run
}

func (t *pytestTest) result(c *collector) (r result.Result) {
	r.Suite, r.Name = pytestNode(t.NodeID)
	why, skipped := "", ""
	for _, s := range [...]*pytestStage{t.Setup, t.Call, t.Teardown} {
		if s == nil {
			continue
		}
		r.DurationMS += max(0, s.Duration*1000)
		if s.Outcome == "failed" || s.Outcome == "rerun" {
			why = cmp.Or(message(s.Crash.Message), message(asText(s.LongRepr)))
		}
		if s.Outcome == "skipped" {
			skipped = asText(s.LongRepr)
		}
	}
	switch t.Outcome {
	case "passed", "xpassed": // not strict: pytest itself does not call it failed
		r.Set(result.Pass)
	case "failed", "rerun":
		fail(&r, why)
	case "error":
		broke(&r, why)
	case "skipped", "xfailed":
		r.Set(result.Skip)
	default:
		must.Fail(result.Problem{Path: "tests", What: oneLine(t.NodeID, 80) + ": the outcome " + oneLine(t.Outcome, 40) + " is not known"})
	}
	var f figures
	f.say("skip_reason", skipped)
	f.members(t.Metadata)
	f.members(t.Props)
	f.apply(&r, c)
	return r
}

// members takes properties from an object, or from a list of objects or pairs.
func (f *figures) members(v jsontext.Value) {
	switch v.Kind() {
	case '{':
		var members map[string]jsontext.Value
		_ = json.Unmarshal(v, &members, foreign()) // what cannot be read says nothing
		for _, name := range slices.Sorted(maps.Keys(members)) {
			f.set(oneLine(name, mostValue), asText(members[name]))
		}
	case '[':
		var list []jsontext.Value
		_ = json.Unmarshal(v, &list, foreign())
		for _, e := range list {
			var pair []jsontext.Value
			if e.Kind() == '{' {
				f.members(e)
			} else if e.Kind() == '[' && json.Unmarshal(e, &pair, foreign()) == nil && len(pair) == 2 {
				f.set(oneLine(asText(pair[0]), mostValue), asText(pair[1]))
			}
		}
	}
}

// pytestNode parts a node's ID as pytest's JUnit does: module and classes, and
// the function with its parameters.
func pytestNode(id string) (suite, name string) {
	head, params := id, ""
	if i := strings.IndexByte(id, '['); i >= 0 {
		head, params = id[:i], id[i:]
	}
	if i := strings.LastIndex(head, "::"); i >= 0 {
		suite, name = head[:i], head[i+2:]+params
	} else {
		suite, name = head, id
	}
	suite = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(suite, ".py", ""), "::", "."), "/", ".")
	return suite, cmp.Or(name, "(collection)")
}

package live

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// MaxLine is the longest line that is read.
const MaxLine = 8 << 20

// A beginning is the event "start", and how "finish" tells when.
type beginning struct {
	Suite  string      `json:"suite"`
	Label  string      `json:"label"`
	Branch string      `json:"git_branch"`
	SHA    string      `json:"git_sha"`
	Tool   string      `json:"tool"`
	Total  int         `json:"total"`
	PID    int         `json:"pid"`
	Host   string      `json:"hostname"`
	Time   result.Time `json:"time"`
	Error  string      `json:"error"`
}

// Line takes one line, without its end. A line that cannot be read is noted in
// Broken; events of other names are left alone. now is when it came, for
// events that tell no time.
func (run *Run) Line(line []byte, now time.Time) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(line) == 0 {
		return
	}
	run.Lines++
	if err := run.take(line, now); err != nil {
		run.Broken.Lines++
		run.Broken.Last = run.Lines
		run.Broken.Text = short(string(line[:min(len(line), 400)]), 120)
		run.Broken.Why = short(err.Error(), 200)
	}
	run.Heard = now
}

func (run *Run) take(line []byte, now time.Time) error {
	if len(line) > MaxLine {
		return fmt.Errorf("longer than %d MB", MaxLine>>20)
	}
	var head struct {
		Event  *string         `json:"event"`
		Action string          `json:"Action"`
		Name   *jsontext.Value `json:"name"`
		Time   result.Time     `json:"time"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return plain(err)
	}
	if !head.Time.IsZero() {
		now = head.Time.Time
	}
	switch {
	case head.Event == nil && head.Action != "":
		return run.goTest(line, now)
	case head.Event == nil && head.Name != nil: // a result alone
		return run.result(line, now)
	case head.Event == nil:
		return errors.New(`no member "event"`)
	}
	switch *head.Event {
	case "start":
		return run.start(line, now)
	case "case":
		return run.result(line, now)
	case "running":
		var r result.Result
		if err := json.Unmarshal(line, &r); err != nil {
			return plain(err)
		}
		if strings.TrimSpace(r.Name) == "" {
			return errors.New("name: missing")
		}
		r.X = nil
		run.begin(now)
		run.running(r, now)
	case "cost":
		return run.cost(line)
	case "finish":
		var end beginning
		if err := json.Unmarshal(line, &end); err != nil {
			return plain(err)
		}
		run.begin(now)
		run.Ended, run.Aborted = now, short(end.Error, 400)
	}
	return nil
}

// start begins a run; a second one in the same stream is a new run.
func (run *Run) start(line []byte, now time.Time) error {
	var b beginning
	if err := json.Unmarshal(line, &b); err != nil {
		return plain(err)
	}
	if b.Total < 0 || b.PID < 0 {
		return errors.New("total and pid cannot be negative")
	}
	if run.Lines > 1 && !run.Started.IsZero() {
		lines, broken := run.Lines, run.Broken
		run.Reset()
		run.Lines, run.Broken = lines, broken
	}
	run.Suite, run.Label, run.Branch, run.SHA, run.Tool = b.Suite, b.Label, b.Branch, b.SHA, b.Tool
	run.Expected, run.PID, run.Host = b.Total, b.PID, b.Host
	run.Started = now
	return nil
}

// begin is for streams that have no start.
func (run *Run) begin(now time.Time) {
	if run.Started.IsZero() {
		run.Started = now
	}
	run.Ended, run.Aborted = time.Time{}, ""
}

func (run *Run) result(line []byte, now time.Time) error {
	r, err := decode(line)
	if err != nil {
		return err
	}
	if run.Started.IsZero() && r.DurationMS > 0 {
		run.Started = now.Add(-time.Duration(r.DurationMS * float64(time.Millisecond)))
	}
	run.begin(now)
	run.done(r, now)
	return nil
}

// decode reads one result as a run of one: the same members, the same rules.
func decode(line []byte) (result.Result, error) {
	doc := append([]byte(`{"schema_version":1,"all_results":[`), line...)
	one, _, err := result.Decode(append(doc, "]}"...))
	var problems result.Problems
	if errors.As(err, &problems) {
		path := strings.TrimPrefix(strings.TrimPrefix(problems[0].Path, "all_results[0]"), ".")
		return result.Result{}, result.Problem{Path: path, What: problems[0].What}
	}
	if err != nil {
		return result.Result{}, err
	}
	r := one.Results[0]
	r.X, err = without(r.X, "event", "time")
	return r, err
}

// without takes members out of an object of unknown members.
func without(x jsontext.Value, names ...string) (jsontext.Value, error) {
	if len(x) == 0 {
		return nil, nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(x, &members); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(members, name)
	}
	if len(members) == 0 {
		return nil, nil
	}
	return json.Marshal(members, json.Deterministic(true))
}

func (run *Run) cost(line []byte) error {
	var c result.Cost
	if err := json.Unmarshal(line, &c); err != nil {
		return plain(err)
	}
	if c.Model == "" {
		return errors.New("model: missing")
	}
	if c.CostUSD < 0 || c.Calls < 0 || c.InputTokens < 0 || c.OutputTokens < 0 || c.CacheReadTokens < 0 || c.CacheWriteTokens < 0 {
		return errors.New("a cost is negative")
	}
	c.X = nil
	run.Costs = result.AddCosts(run.Costs, []result.Cost{c})
	return nil
}

// plain makes a sentence of a decoder's error.
func plain(err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON: %s", strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	case errors.As(err, &semantic) && semantic.JSONPointer == "":
		return errors.New("an object is wanted")
	case errors.As(err, &semantic):
		return fmt.Errorf("%s: cannot be a %s", strings.TrimPrefix(string(semantic.JSONPointer), "/"), semantic.JSONKind)
	}
	return err
}

// short makes one line of at most limit characters of a stranger's text, of
// which no more is looked at than that may take.
func short(s string, limit int) string {
	return text.Shorten(term.Line(s[:min(len(s), 8*limit)]), limit)
}

// message says in one line why a result did not pass.
func message(r *result.Result) string {
	switch {
	case r.Status == result.Pass:
		return ""
	case len(r.Failures) > 0:
		f := r.Failures[0]
		text := telling(f.Message)
		if f.Criterion != "" && !strings.Contains(text, f.Criterion) {
			text = f.Criterion + ": " + text
		}
		if n := len(r.Failures) - 1; n > 0 {
			return fmt.Sprintf("%s (and %d more)", short(text, 200), n)
		}
		return short(text, 220)
	}
	return short(telling(r.Error), 220)
}

// telling is the line of a longer output that says most: where a Go test last
// complained or panicked, else the first one that holds anything.
func telling(text string) string {
	first, last := "", ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "panic: "):
			return line
		case strings.Contains(line, "_test.go:"):
			last = line
		case first == "":
			first = strings.TrimSpace(line)
		}
	}
	if last != "" {
		return last
	}
	return first
}

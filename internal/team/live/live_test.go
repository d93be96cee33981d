package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/result"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// told is a run after these lines, a second apart.
func told(lines ...string) *Run {
	run := &Run{}
	for i, line := range lines {
		run.Line([]byte(line), noon.Add(time.Duration(i)*time.Second))
	}
	return run
}

func rowsOf(run *Run) string {
	var out []string
	for _, r := range run.Rows {
		status := string(r.Status)
		if status == "" {
			status = "running"
		}
		if r.Attempt > 0 {
			status += fmt.Sprintf("#%d", r.Attempt)
		}
		out = append(out, r.Name+" "+status)
	}
	return strings.Join(out, ", ")
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		what  string
		lines []string
		rows  string
		bad   string // why the last broken line is
	}{
		{"a test that begins and ends", []string{`{"event":"start","suite":"s","total":2}`, `{"event":"running","name":"a"}`, `{"event":"case","name":"a","status":"pass"}`}, "a pass", ""},
		{"a case that never began", []string{`{"event":"case","name":"a","passed":false,"failures":["no"]}`}, "a fail", ""},
		{"a result alone", []string{`{"name":"a","passed":true}`}, "a pass", ""},
		{"the same name again is the next attempt", []string{`{"name":"a","passed":true}`, `{"name":"a","passed":false}`}, "a pass, a fail#2", ""},
		{"a named attempt is written again", []string{`{"name":"a","attempt":2,"passed":true}`, `{"name":"a","attempt":2,"status":"error"}`}, "a error#2", ""},
		{"two attempts side by side", []string{`{"event":"running","name":"a"}`, `{"event":"running","name":"a","attempt":2}`, `{"name":"a","attempt":1,"status":"skip"}`}, "a skip, a running#2", ""},
		{"variants are cases of their own", []string{`{"event":"running","name":"a","variant":"x"}`, `{"name":"a","variant":"y","passed":true}`}, "a running, a pass", ""},
		{"other events and members", []string{`{"event":"weather","sun":true}`, `{"event":"case","name":"a","status":"pass","mood":"good","time":"2026-03-15T10:00:00Z"}`}, "a pass", ""},
		{"an empty line", []string{"", "  \r"}, "", ""},
		{"no JSON", []string{"Traceback", `{"name":"a","passed":true}`}, "a pass", "not JSON: invalid character 'T' at start of value"},
		{"half an object", []string{`{"event":"ca`}, "", "not JSON: unexpected EOF"},
		{"no event", []string{`{"x":1}`}, "", `no member "event"`},
		{"no object", []string{`[1]`}, "", "an object is wanted"},
		{"a name twice", []string{`{"event":"case","event":"start"}`}, "", "not JSON: duplicate object member name"},
		{"an unknown status", []string{`{"event":"case","name":"a","status":"fine"}`}, "", `status: "fine" is no status: pass, fail, skip or error is wanted`},
		{"no status", []string{`{"event":"case","name":"a"}`}, "", "passed: missing; true, false or a status is wanted"},
		{"no name", []string{`{"event":"running"}`}, "", "name: missing"},
		{"a wrong type", []string{`{"event":"start","total":"many"}`}, "", "total: cannot be a string"},
		{"a negative cost", []string{`{"event":"cost","model":"m","cost_usd":-1}`}, "", "a cost is negative"},
		{"a cost without a model", []string{`{"event":"cost","cost_usd":1}`}, "", "model: missing"},
	} {
		run := told(c.lines...)
		if rowsOf(run) != c.rows || run.Broken.Why != c.bad {
			t.Errorf("%s: %q, broken %q; want %q, %q", c.what, rowsOf(run), run.Broken.Why, c.rows, c.bad)
		}
		var counts result.Counts
		going := 0
		for _, r := range run.Rows {
			if r.Status == "" {
				going++
			} else {
				counts.Count(r.Status)
			}
		}
		if run.Counts != counts || run.Going != going {
			t.Errorf("%s: counts %+v and %d running, want %+v and %d", c.what, run.Counts, run.Going, counts, going)
		}
	}
}

// What was told is what is stored: the members of a result, unknown ones too.
func TestResult(t *testing.T) {
	run := told(`{"event":"start","suite":"posts","label":"l","git_sha":"abc","total":3}`,
		`{"event":"case","name":"a","status":"pass","cost_usd":0.5,"mood":"good"}`, `{"event":"running","name":"b"}`, `{"event":"finish"}`)
	out := run.Result()
	if err := out.Check(); err != nil {
		t.Fatal(err)
	}
	if out.Suite != "posts" || out.Total != 1 || out.TotalCostUSD != 0.5 || out.WallClockMS != 3000 || string(out.Results[0].X) != `{"mood":"good"}` {
		t.Errorf("%+v", out)
	}
}

func TestCost(t *testing.T) {
	price := func(c result.Cost) (float64, bool) { return float64(c.InputTokens) / 1000, c.Model == "m" }
	run := told(`{"name":"a","passed":true,"cost_usd":0.25}`, `{"name":"b","passed":true,"cost_usd":0.25}`)
	if got := run.Spent(price); got != (Spent{USD: 0.5}) {
		t.Errorf("cost of the results: %+v", got)
	}
	for range 2 {
		run.Line([]byte(`{"event":"cost","model":"m","calls":1,"input_tokens":1000,"output_tokens":10,"cost_usd":1.5}`), noon)
	}
	run.Line([]byte(`{"event":"cost","model":"other","input_tokens":1000}`), noon)
	if got := run.Spent(price); got != (Spent{USD: 3, Unknown: "other"}) || run.Tokens() != 3020 || run.Costs[0].Calls != 2 {
		t.Errorf("costs told apart: %+v, %d tokens, %+v", got, run.Tokens(), run.Costs)
	}
	run = told(`{"event":"cost","model":"m","input_tokens":2000}`)
	if got := run.Spent(price); got != (Spent{USD: 2, Estimated: true}) {
		t.Errorf("an estimate: %+v", got)
	}
	if got := run.Spent(nil); got != (Spent{Unknown: "m"}) {
		t.Errorf("without prices: %+v", got)
	}
}

func TestLeft(t *testing.T) {
	run := told(`{"event":"start","total":10}`, `{"name":"a","passed":true}`)
	if _, ok := run.Left(noon.Add(time.Second)); ok {
		t.Error("one test alone tells nothing")
	}
	run.Line([]byte(`{"name":"b","passed":true}`), noon.Add(20*time.Second)) // 10 s each, 8 to go
	for _, c := range []struct{ at, want time.Duration }{{20, 80}, {25, 75}, {300, 0}} {
		if left, ok := run.Left(noon.Add(c.at * time.Second)); !ok || left != c.want*time.Second {
			t.Errorf("at %d s: %v left, want %d s", c.at, left, c.want)
		}
	}
}

func TestAnew(t *testing.T) {
	run := told(`{"event":"start","suite":"one","total":2,"pid":7}`, `{"name":"a","passed":true}`, "garbage")
	before := run.Changes()
	run.Line([]byte(`{"event":"start","suite":"two"}`), noon)
	run.Line([]byte(`{"name":"a","passed":true}`), noon)
	if run.Suite != "two" || run.PID != 0 || rowsOf(run) != "a pass" || run.Generation != 1 || run.Changes() <= before || run.Lines != 5 || run.Broken.Last != 3 {
		t.Errorf("%+v", run)
	}
}

func TestDocument(t *testing.T) {
	doc := func(ms float64, names ...string) *result.Run {
		d := &result.Run{Suite: "s", Costs: []result.Cost{{Model: "m", CostUSD: 1}}}
		for _, n := range names {
			r := result.Result{Name: n, DurationMS: ms}
			r.Set(result.Pass)
			d.Results = append(d.Results, r)
		}
		d.Recount()
		return d
	}
	run := &Run{}
	run.Document("1", doc(10, "a"), noon)
	changes := run.Changes()
	run.Document("1", doc(10, "a", "b"), noon)
	if rowsOf(run) != "a pass, b pass" || run.Changes() != changes+1 {
		t.Errorf("%s, %d changes after %d: what is as it was does not change", rowsOf(run), run.Changes(), changes)
	}
	run.Document("2", doc(5, "b", "c"), noon)
	if run.Counts.Total != 3 || run.Rows[1].DurationMS != 10 || run.Spent(nil).USD != 2 || run.Expected != 0 {
		t.Errorf("two workers: %+v, %v, $%v", run.Counts, run.Rows[1].DurationMS, run.Spent(nil).USD)
	}
}

func TestState(t *testing.T) {
	const begin, case1, end = `{"event":"start","total":2,"pid":7,"hostname":"here"}`, `{"name":"a","passed":true}`, `{"event":"finish"}`
	doc := &Run{}
	doc.Document("1", &result.Run{}, noon)
	partial := &Run{}
	partial.Document("1", &result.Run{Counts: result.Counts{Total: 3}}, noon)
	for _, c := range []struct {
		what  string
		run   *Run
		alive bool
		later time.Duration
		over  bool
		pids  []int
		want  State
	}{
		{"nothing yet", told(), true, 0, false, nil, Waiting},
		{"an empty stream", told(), true, 0, true, nil, Crashed},
		{"in progress", told(begin, case1), true, time.Hour, false, nil, Running},
		{"killed", told(begin, case1), false, 0, false, nil, Crashed},
		{"finished, its process gone", told(begin, case1, end), false, 0, true, nil, Finished},
		{"gave up", told(begin, `{"event":"finish","error":"no key"}`), true, 0, false, nil, Crashed},
		{"goes on after all", told(begin, end, case1), true, 0, false, nil, Running},
		{"cut off", told(`{"event":"start"}`, case1), true, 0, true, nil, Crashed},
		{"on another machine", told(`{"event":"start","pid":7,"hostname":"there"}`), false, time.Second, false, nil, Running},
		{"on another machine, silent", told(`{"event":"start","pid":7,"hostname":"there"}`), false, time.Hour, false, nil, Silent},
		{"silent", told(`{"event":"start"}`, case1), false, time.Hour, false, nil, Silent},
		{"Go between two packages", told(`{"Action":"start","Package":"p"}`, `{"Action":"pass","Package":"p"}`), false, 2 * time.Second, false, nil, Running},
		{"Go at the end", told(`{"Action":"start","Package":"p"}`, `{"Action":"pass","Package":"p"}`), false, time.Minute, false, nil, Finished},
		{"Go cut off", told(`{"Action":"start","Package":"p"}`), false, 0, true, nil, Crashed},
		{"a worker works", doc, true, time.Hour, false, []int{7}, Running},
		{"no worker works", doc, false, 0, false, []int{7}, Finished},
		{"no worker works, results are missing", partial, false, 0, false, []int{7}, Crashed},
		{"a file of results at rest", doc, false, time.Minute, false, nil, Finished},
		{"a file of results that lacks some", partial, false, time.Hour, false, nil, Silent},
	} {
		around := Around{Now: c.run.Heard.Add(c.later), Alive: func(int) bool { return c.alive }, Here: "here", Over: c.over, PIDs: c.pids, Quiet: 2 * time.Minute}
		if got, why := c.run.State(around); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.what, got, why, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for in, want := range map[string]string{"a\x1b[31m\n b": "a b", "abcdefghijkl": "abcdefghi…", "\x00": "", "  x  ": "x"} {
		if got := short(in, 10); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A run of many large results does not take all memory.
func TestBounded(t *testing.T) {
	run := &Run{}
	big := strings.Repeat("x", 1<<20)
	for i := range keepBytes>>20 + 3 {
		r := result.Result{Name: fmt.Sprint(i), ResponsePreview: big}
		r.Set(result.Pass)
		run.done(r, noon)
	}
	if last := run.Rows[len(run.Rows)-1]; last.ResponsePreview != "" || run.Rows[0].ResponsePreview == "" || run.kept > keepBytes {
		t.Errorf("kept %d", run.kept)
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"event":"case","name":"a","status":"pass"}`))
	f.Add([]byte(`{"Action":"fail","Package":"p","Test":"T"}`))
	f.Add([]byte(`{"Action":"run","Package":"p","Test":"T/a"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		run := told(`{"event":"start","total":2}`)
		run.Line(line, noon)
		run.Line(line, noon)
		groups := 0
		for _, r := range run.Rows {
			if r.Group {
				groups++
			}
		}
		if run.Going < 0 || run.Counts.Total < 0 || run.Counts.Total+run.Going+groups != len(run.Rows) {
			t.Errorf("%d rows, %+v, %d running", len(run.Rows), run.Counts, run.Going)
		}
	})
}

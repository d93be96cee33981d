package ingest

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// MostPayload is how many bytes the payload of one result has at most.
const MostPayload = 1_000_000

// checked is what is found out about a run before it is written.
type checked struct {
	body     []byte  // the run as JSON, for PostgreSQL
	strange  []int64 // ids of cases that results have and the run does not name
	payloads int     // bytes of them
}

// check refuses what a database would, with its codes, computes the ids of cases,
// and brings figures to the precision that columns have.
func check(push *wire.EvalPush, wantsBody bool) (ready checked, err error) {
	run := &push.Run
	run.RunAt = run.RunAt.UTC().Truncate(time.Microsecond)
	// The parts may be shared with the caller, so what is rounded is copied.
	run.Results = slices.Clone(run.Results)
	run.Costs = slices.Clone(run.Costs)
	for _, fn := range [...]func(*wire.EvalRun) error{checkSizes, checkRun, checkCounts, func(run *wire.EvalRun) error {
		ready.strange, err = identify(run)
		return err
	}, checkResults, checkCosts} {
		if err := fn(run); err != nil {
			return ready, err
		}
	}
	for i := range run.Results {
		r := &run.Results[i]
		if ready.payloads += len(r.Payload); !wantsBody && hasPayload(r) { // as it is stored and counted; the writer need not do it
			r.Payload = r.Payload.Clone()
			_ = r.Payload.Compact() // it is valid
		}
	}
	// Without PostgreSQL nobody needs the text, only what cannot be said in one.
	nul := &nulFinder{}
	if wantsBody {
		ready.body, err = json.Marshal(run)
		_, _ = nul.Write(ready.body)
	} else {
		err = json.MarshalWrite(nul, run)
	}
	if err != nil {
		return ready, &postgrest.Error{Status: 400, Code: "22P02", Message: "invalid input syntax for type json"}
	}
	if nul.found {
		return ready, errNUL()
	}
	return ready, nil
}

func checkRun(run *wire.EvalRun) error {
	if run.ID == uuid.Nil {
		return missing("eval_runs", "id")
	}
	if run.Parts < 0 || run.Parts > wire.MostParts {
		return &postgrest.Error{Status: 400, Code: "22023", Message: "a run has at most 1000 parts"}
	}
	if run.RunAt.IsZero() {
		return missing("eval_runs", "run_at")
	}
	if err := db.CheckRunAt(run.RunAt); err != nil {
		return err
	}
	if n := len([]rune(run.IngestKey)); n < 16 || n > 128 {
		return violates("eval_runs", "ingest_key")
	}
	switch run.Scope {
	case "", "quick", "standard", "full":
	default:
		return violates("eval_runs", "scope")
	}
	if t := run.JudgeTier; t != nil && *t != "fast" && *t != "standard" && *t != "full" {
		return violates("eval_runs", "judge_tier")
	}
	for _, part := range [...]jsontext.Value{run.JudgeAverages, run.ByCategory, run.Meta} {
		if part != nil && !part.IsValid() {
			return &postgrest.Error{Status: 400, Code: "22P02", Message: "invalid input syntax for type json"}
		}
	}
	return money(&run.TotalCostUSD, 14, "eval_runs", "total_cost_usd")
}

// checkCounts holds the counts to their bounds and to their sum.
func checkCounts(run *wire.EvalRun) error {
	for _, n := range [...]struct {
		column string
		value  int
	}{
		{"total_tests", run.TotalTests}, {"passed", run.Passed}, {"failed", run.Failed},
		{"skipped", run.Skipped}, {"errored", run.Errored},
	} {
		if n.value < 0 {
			return violates("eval_runs", n.column)
		}
		if err := within(int64(n.value), 32); err != nil {
			return err
		}
	}
	if run.Passed+run.Failed+run.Skipped+run.Errored != run.TotalTests {
		return violates("eval_runs", "")
	}
	if err := within(int64(run.Attempt), 32); err != nil {
		return err
	}
	return within(int64(run.SchemaVersion), 32)
}

func checkResults(run *wire.EvalRun) error {
	type key struct {
		id     int64
		repeat int
	}
	seen := make(map[key]bool, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		if r.Status < 0 || r.Status > 3 {
			return violates("eval_results", "status")
		}
		if err := within(int64(r.Repeat), 16); err != nil {
			return err
		}
		if r.Turns != nil {
			if err := within(int64(*r.Turns), 16); err != nil {
				return err
			}
		}
		if r.DurationMS != nil {
			if err := within(*r.DurationMS, 32); err != nil {
				return err
			}
		}
		if r.Score != nil {
			single, err := Single(*r.Score)
			if err != nil {
				return err
			}
			r.Score = &single
		}
		if r.CostUSD != nil {
			cost := *r.CostUSD
			if err := rounded(&cost, 12); err != nil {
				return err
			}
			r.CostUSD = &cost
		}
		if k := (key{r.CaseID, r.Repeat}); seen[k] {
			return double("eval_results")
		} else {
			seen[k] = true
		}
		if r.Payload != nil && r.Payload.Kind() == '{' && (len(r.Payload) >= MostPayload || !r.Payload.IsValid()) {
			return violates("eval_payloads", "payload")
		}
	}
	return nil
}

func checkCosts(run *wire.EvalRun) error {
	models := make(map[string]bool, len(run.Costs))
	for i := range run.Costs {
		c := &run.Costs[i]
		for _, n := range [...]struct {
			column string
			value  int64
		}{
			{"calls", c.Calls}, {"input_tokens", c.InputTokens}, {"output_tokens", c.OutputTokens},
			{"cache_read_tokens", c.CacheReadTokens}, {"cache_write_tokens", c.CacheWriteTokens},
		} {
			if n.value < 0 {
				return violates("eval_costs", n.column)
			}
		}
		if err := money(&c.EstimatedCostUSD, 14, "eval_costs", "estimated_cost_usd"); err != nil {
			return err
		}
		if models[c.Model] {
			return double("eval_costs")
		}
		models[c.Model] = true
	}
	return nil
}

// Single is the figure that a column of type real gives back: the shortest
// decimal of the nearest 32-bit number.
func Single(v float64) (float64, error) {
	if math.Abs(v) > math.MaxFloat32 {
		return 0, &postgrest.Error{Status: 400, Code: "22003", Message: "\"" + strconv.FormatFloat(v, 'g', -1, 64) + "\" is out of range for type real"}
	}
	return strconv.ParseFloat(strconv.FormatFloat(float64(float32(v)), 'g', -1, 32), 64)
}

func money(v *float64, precision int, table, column string) error {
	if *v < 0 {
		return violates(table, column)
	}
	return rounded(v, precision)
}

// rounded brings a figure to six digits after the point, of precision in all.
func rounded(v *float64, precision int) error {
	millionths := math.Round(*v * 1e6)
	if math.Abs(millionths) >= math.Pow10(precision) {
		return &postgrest.Error{Status: 400, Code: "22003", Message: "numeric field overflow"}
	}
	*v = millionths / 1e6
	return nil
}

func within(v int64, bits int) error {
	most := int64(1)<<(bits-1) - 1
	if v >= -most-1 && v <= most {
		return nil
	}
	name := "integer"
	if bits == 16 {
		name = "smallint"
	}
	return &postgrest.Error{Status: 400, Code: "22003", Message: "value \"" + strconv.FormatInt(v, 10) + "\" is out of range for type " + name}
}

func violates(table, column string) error {
	name := table + "_check"
	if column != "" {
		name = table + "_" + column + "_check"
	}
	return &postgrest.Error{Status: 400, Code: "23514", Message: "new row for relation \"" + table + "\" violates check constraint \"" + name + "\""}
}

func missing(table, column string) error {
	return &postgrest.Error{Status: 400, Code: "23502", Message: "null value in column \"" + column + "\" of relation \"" + table + "\" violates not-null constraint"}
}

func double(table string) error {
	return &postgrest.Error{Status: 409, Code: "23505", Message: "duplicate key value violates unique constraint \"" + table + "_pkey\""}
}

func errNUL() error {
	return &postgrest.Error{Status: 400, Code: "22P05", Message: "unsupported Unicode escape sequence: \\u0000 cannot be converted to text"}
}

// HasNUL says whether a text in JSON has the character 0, in one pass over it.
func HasNUL(data []byte) bool {
	var n nulFinder
	_, _ = n.Write(data)
	return n.found
}

// nulFinder looks for the character 0 in the JSON that is written to it, which
// PostgreSQL cannot keep in a text, and keeps none of it.
type nulFinder struct {
	at    int // how much of its escape the last bytes are
	found bool
}

func (n *nulFinder) Write(data []byte) (int, error) {
	for rest := data; ; rest = rest[1:] {
		if n.at == 0 {
			i := bytes.IndexByte(rest, '\\')
			if i < 0 {
				return len(data), nil
			}
			n.at, rest = 1, rest[i+1:]
		}
		if len(rest) == 0 {
			return len(data), nil
		}
		switch c := rest[0]; {
		case n.at == 1 && c == 'u', n.at > 1 && c == '0':
			n.at++
		default: // another escape, of a backslash for example
			n.at = 0
		}
		if n.at == len(`\u0000`) {
			n.at, n.found = 0, true
		}
	}
}

// Most rows of a run.
const (
	MostResults = 1_000_000
	mostCosts   = 1_000
)

// checkSizes holds the number of rows and the length of every text to their limits.
func checkSizes(run *wire.EvalRun) error {
	switch {
	case len(run.Cases) > MostResults:
		return tooMany("cases", len(run.Cases))
	case len(run.Results) > MostResults:
		return tooMany("results", len(run.Results))
	case len(run.Costs) > mostCosts:
		return tooMany("costs", len(run.Costs))
	}
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	sizes := sizes{table: table.Find("eval_runs")}
	sizes.check("repo_slug", len(run.RepoSlug))
	sizes.check("branch", len(run.Branch))
	sizes.check("git_sha", len(run.GitSHA))
	sizes.check("label", len(run.Label))
	sizes.check("suite", len(run.Suite))
	sizes.check("hostname", len(run.Hostname))
	sizes.check("tool", len(run.Tool))
	sizes.check("tool_version", len(run.ToolVersion))
	sizes.check("kind", len(run.Kind))
	sizes.check("tier", len(run.Tier))
	sizes.check("prompt_sha", len(text(run.PromptSHA)))
	sizes.check("judge_averages", len(run.JudgeAverages))
	sizes.check("by_category", len(run.ByCategory))
	sizes.check("meta", len(run.Meta))
	sizes.table = table.Find("eval_costs")
	for i := range run.Costs {
		sizes.check("model", len(run.Costs[i].Model))
		sizes.check("price_table", len(run.Costs[i].PriceTable))
	}
	sizes.table = table.Find("eval_cases")
	name, suite, category := sizes.limit("name"), sizes.limit("suite"), sizes.limit("category") // looked up once: there may be very many
	for i := range run.Cases {
		if c := &run.Cases[i]; max(len(c.Name), len(c.Variant), len(c.OwnID)) > name || len(c.Suite) > suite || len(c.Category) > category {
			sizes.check("name", len(c.Name))
			sizes.check("variant", max(len(c.Variant), len(c.OwnID)))
			sizes.check("suite", len(c.Suite))
			sizes.check("category", len(c.Category))
		}
	}
	return sizes.err
}

func tooMany(what string, have int) error {
	most := MostResults
	if what == "costs" {
		most = mostCosts
	}
	return &postgrest.Error{Status: 413, Code: "54000", Message: fmt.Sprintf("a run has at most %d %s, not %d", most, what, have)}
}

// sizes notes the first value of a table's rows that is too long.
type sizes struct {
	table *table.Table
	err   error
}

func (s *sizes) limit(column string) int { return s.table.Column(column).Limit() }

func (s *sizes) check(column string, have int) {
	if most := s.limit(column); have > most && s.err == nil {
		s.err = postgrest.TooLong(s.table.Name, column, most, have)
	}
}

package table

// evalRuns are runs of evals. They never change: what a run says is what its ingest key is made of.
var evalRuns = Table{
	Name: "eval_runs",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID},
		{Name: "run_at", Type: Timestamp},
		{Name: "ingest_key", Type: Text},
		{Name: "user_id", Type: UUID, Null: true, Default: true},
		{Name: "repo_slug", Type: Text, Most: 500},
		{Name: "branch", Type: Text, Default: true},
		{Name: "git_sha", Type: Text, Most: 100, Default: true},
		{Name: "git_dirty", Type: Bool, Null: true},
		{Name: "label", Type: Text},
		{Name: "suite", Type: Text, Most: 800, Default: true},
		{Name: "hostname", Type: Text, Default: true},
		{Name: "tool", Type: Text, Default: true},
		{Name: "tool_version", Type: Text, Default: true},
		{Name: "kind", Type: Text, Most: 100, Default: true},
		{Name: "scope", Type: Text, Default: true},
		{Name: "judge_tier", Type: Text, Null: true},
		{Name: "tier", Type: Text, Default: true},
		{Name: "prompt_sha", Type: Text, Null: true},
		{Name: "attempt", Type: Int, Default: true},
		{Name: "total_tests", Type: Int},
		{Name: "passed", Type: Int},
		{Name: "failed", Type: Int},
		{Name: "skipped", Type: Int, Default: true},
		{Name: "errored", Type: Int, Default: true},
		{Name: "total_cost_usd", Type: Numeric, Scale: 6, Precision: 14, Default: true},
		{Name: "total_duration_ms", Type: BigInt, Default: true},
		{Name: "wall_clock_ms", Type: BigInt, Null: true},
		{Name: "judge_averages", Type: JSON, Null: true},
		{Name: "by_category", Type: JSON, Null: true},
		{Name: "meta", Type: JSON, Default: true},
		{Name: "schema_version", Type: Int, Default: true},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Unique:   [][]string{{"team_id", "ingest_key"}},
	Authored: true,
	Read:     Members,
	Repo:     ByRepo,
	Insert:   Members,
	Delete:   Admins,
	Relations: []Relation{
		{Name: "eval_results", Constraint: "eval_results_team_id_run_id_fkey", Here: []string{"team_id", "id"}, There: []string{"team_id", "run_id"}, Many: true},
		{Name: "eval_payloads", Constraint: "eval_payloads_team_id_run_id_fkey", Here: []string{"team_id", "id"}, There: []string{"team_id", "run_id"}, Many: true},
		{Name: "eval_costs", Constraint: "eval_costs_team_id_run_id_fkey", Here: []string{"team_id", "id"}, There: []string{"team_id", "run_id"}, Many: true},
	},
}

// evalCases name what results are of. The id is computed from the rest: wire.CaseID.
var evalCases = Table{
	Name: "eval_cases",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: BigInt},
		{Name: "repo_slug", Type: Text, Most: 500},
		{Name: "suite", Type: Text, Most: 800, Default: true},
		{Name: "name", Type: Text, Most: 10_000},
		{Name: "variant", Type: Text, Most: 10_000, Default: true},
		{Name: "category", Type: Text, Default: true},
	},
	Read:   Members,
	Repo:   ByRepo,
	Insert: Members,
}

// evalResults have one narrow row per run, case and repeat. Status: 0 pass, 1 fail, 2 skip, 3 error.
var evalResults = Table{
	Name: "eval_results",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "run_id", Type: UUID},
		{Name: "run_at", Type: Timestamp},
		{Name: "case_id", Type: BigInt},
		{Name: "repeat_no", Type: SmallInt, Default: true},
		{Name: "status", Type: SmallInt},
		{Name: "score", Type: Real, Null: true},
		{Name: "duration_ms", Type: Int, Null: true},
		{Name: "cost_usd", Type: Numeric, Scale: 6, Precision: 12, Null: true},
		{Name: "turns", Type: SmallInt, Null: true},
	},
	Key:    []string{"team_id", "run_id", "case_id", "repeat_no", "run_at"},
	Month:  "run_at",
	Read:   Members,
	Repo:   ByRun,
	Insert: Members,
	Relations: []Relation{
		{Name: "eval_runs", Constraint: "eval_results_team_id_run_id_fkey", Here: []string{"team_id", "run_id"}, There: []string{"team_id", "id"}},
		{Name: "eval_cases", Constraint: "eval_results_team_id_case_id_fkey", Here: []string{"team_id", "case_id"}, There: []string{"team_id", "id"}},
	},
}

// evalPayloads hold what a result had to say: output, failures, judges.
var evalPayloads = Table{
	Name: "eval_payloads",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "run_id", Type: UUID},
		{Name: "run_at", Type: Timestamp, Default: true},
		{Name: "case_id", Type: BigInt},
		{Name: "repeat_no", Type: SmallInt, Default: true},
		{Name: "payload", Type: JSON},
	},
	Key:    []string{"team_id", "run_id", "case_id", "repeat_no", "run_at"},
	Month:  "run_at",
	Read:   Members,
	Repo:   ByRun,
	Insert: Members,
	Relations: []Relation{
		{Name: "eval_runs", Constraint: "eval_payloads_team_id_run_id_fkey", Here: []string{"team_id", "run_id"}, There: []string{"team_id", "id"}},
	},
}

// evalCosts are what the models of a run were called and cost.
var evalCosts = Table{
	Name: "eval_costs",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "run_id", Type: UUID},
		{Name: "model", Type: Text, Most: 500},
		{Name: "run_at", Type: Timestamp},
		{Name: "calls", Type: BigInt, Default: true},
		{Name: "input_tokens", Type: BigInt, Default: true},
		{Name: "output_tokens", Type: BigInt, Default: true},
		{Name: "cache_read_tokens", Type: BigInt, Default: true},
		{Name: "cache_write_tokens", Type: BigInt, Default: true},
		{Name: "estimated_cost_usd", Type: Numeric, Scale: 6, Precision: 14, Default: true},
		{Name: "price_table", Type: Text, Most: 100, Default: true},
	},
	Key:    []string{"team_id", "run_id", "model"},
	Read:   Members,
	Repo:   ByRun,
	Insert: Members,
	Relations: []Relation{
		{Name: "eval_runs", Constraint: "eval_costs_team_id_run_id_fkey", Here: []string{"team_id", "run_id"}, There: []string{"team_id", "id"}},
	},
}

// evalLabels are what members say of an answer: it is right, or wrong, as a whole (*)
// or by one criterion of the judges. Each member has one word for each. Only people
// have one: no token of CI may write them.
var evalLabels = Table{
	Name: "eval_labels",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "run_id", Type: UUID},
		{Name: "case_id", Type: BigInt},
		{Name: "criterion", Type: Text, Most: 500, Default: true},
		{Name: "user_id", Type: UUID, Default: true},
		{Name: "pass", Type: Bool},
		{Name: "created_at", Type: Timestamp, Default: true}, // when it was given, or changed
	},
	Key:      []string{"team_id", "run_id", "case_id", "criterion", "user_id"},
	Authored: true,
	Read:     Members,
	Repo:     ByRun,
	Insert:   Author,
	Update:   Author,
	Delete:   AuthorOrAdmins,
	Relations: []Relation{
		{Name: "eval_runs", Constraint: "eval_labels_team_id_run_id_fkey", Here: []string{"team_id", "run_id"}, There: []string{"team_id", "id"}},
	},
}

// dailyEvals sum runs by day; the database keeps them right.
var dailyEvals = Table{
	Name: "daily_evals",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "day", Type: Date},
		{Name: "repo_slug", Type: Text},
		{Name: "label", Type: Text},
		{Name: "suite", Type: Text},
		{Name: "runs", Type: BigInt, Default: true},
		{Name: "passed", Type: BigInt, Default: true},
		{Name: "failed", Type: BigInt, Default: true},
		{Name: "errored", Type: BigInt, Default: true},
		{Name: "total", Type: BigInt, Default: true},
		{Name: "cost_usd", Type: Numeric, Scale: 6, Precision: 16, Default: true},
	},
	Key:  []string{"team_id", "day", "repo_slug", "label", "suite"},
	Read: Members,
	Repo: ByRepo,
}

// dailyCosts sum costs by day and model; the database keeps them right.
var dailyCosts = Table{
	Name: "daily_costs",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "day", Type: Date},
		{Name: "model", Type: Text},
		{Name: "calls", Type: BigInt, Default: true},
		{Name: "input_tokens", Type: BigInt, Default: true},
		{Name: "output_tokens", Type: BigInt, Default: true},
		{Name: "cost_usd", Type: Numeric, Scale: 6, Precision: 16, Default: true},
	},
	Key:  []string{"team_id", "day", "model"},
	Read: Members,
	Repo: Whole,
}

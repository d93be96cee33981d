package table

import (
	"cmp"
	"slices"
)

// records are the tables of what skills and collectors write. Their literals say
// what is special; complete adds what all have.
var records = [...]*Table{&retroSnapshots, &qaReports, &shipLogs, &greptileTriage, &sessionTranscripts, &planSnapshots, &usageDays, &spendDays}

// complete gives the records their common columns and policy, and each table the
// key and the team that most have.
func complete() {
	for _, t := range records {
		t.Columns = slices.Concat([]Column{
			{Name: "team_id", Type: UUID},
			{Name: "id", Type: UUID, Default: true},
			{Name: "ingest_key", Type: Text},
			{Name: "user_id", Type: UUID, Null: true, Default: true},
			{Name: "occurred_at", Type: Timestamp, Default: true},
			{Name: "created_at", Type: Timestamp, Default: true},
			{Name: "repo_slug", Type: Text, Most: 500},
		}, t.Columns)
		t.Repo, t.Authored = ByRepo, true
		t.Unique = slices.Concat([][]string{{"team_id", "ingest_key"}}, t.Unique)
		t.Insert, t.Read, t.Delete = Members, cmp.Or(t.Read, Members), cmp.Or(t.Delete, Admins)
	}
	for _, t := range append(records[:], &syncHeartbeats, &teamSettings, &teamChannels, &alerts, &evalRuns, &evalCases, &teamMembers, &teamInvites) {
		t.Relations = append([]Relation{{Name: "teams", Constraint: t.Name + "_team_id_fkey", Here: []string{"team_id"}, There: []string{"id"}}}, t.Relations...)
	}
	for _, t := range tables {
		if t.Team = cmp.Or(t.Team, "team_id"); t.Key == nil {
			t.Key = []string{"team_id", "id"}
		}
	}
}

// retroSnapshots are what a retrospective measured. The period is '7d', '14d' or '30d'.
var retroSnapshots = Table{
	Name: "retro_snapshots",
	Columns: []Column{
		{Name: "date", Type: Date},
		{Name: "period", Type: Text, Default: true},
		{Name: "metrics", Type: JSON, Default: true},
		{Name: "authors", Type: JSON, Default: true, Address: true},
		{Name: "version_range", Type: JSON, Null: true},
		{Name: "streak_days", Type: Int, Null: true},
		{Name: "tweetable", Type: Text, Most: 10_000, Null: true},
		{Name: "greptile", Type: JSON, Null: true},
		{Name: "backlog", Type: JSON, Null: true},
		{Name: "test_health", Type: JSON, Null: true},
	},
	Update: Author,
}

// qaReports are reports of a look at a running site.
var qaReports = Table{
	Name: "qa_reports",
	Columns: []Column{
		{Name: "url", Type: Text, Most: 10_000},
		{Name: "mode", Type: Text, Default: true},
		{Name: "health_score", Type: Numeric, Scale: 2, Precision: 5, Null: true},
		{Name: "issues", Type: JSON, Null: true},
		{Name: "category_scores", Type: JSON, Null: true},
		{Name: "report_markdown", Type: Text, Most: 2_000_000, Null: true},
	},
	Update: Author,
}

// shipLogs are what was shipped.
var shipLogs = Table{
	Name: "ship_logs",
	Columns: []Column{
		{Name: "version", Type: Text, Default: true},
		{Name: "branch", Type: Text, Default: true},
		{Name: "git_sha", Type: Text, Default: true},
		{Name: "title", Type: Text, Most: 10_000, Default: true},
		{Name: "author", Type: Text, Default: true}, // who did it, by git, where that is not user_id
		{Name: "author_email", Type: Text, Default: true, Address: true},
		{Name: "pr_url", Type: Text, Most: 10_000, Null: true},
		{Name: "review_findings", Type: JSON, Null: true},
		{Name: "greptile_stats", Type: JSON, Null: true},
		{Name: "todos_completed", Type: TextArray, Null: true},
		{Name: "test_results", Type: JSON, Null: true},
	},
}

// greptileTriage are verdicts on a review comment: fp, fix or already-fixed.
var greptileTriage = Table{
	Name: "greptile_triage",
	Columns: []Column{
		{Name: "date", Type: Date},
		{Name: "triage_type", Type: Text},
		{Name: "file_pattern", Type: Text, Most: 10_000},
		{Name: "category", Type: Text, Default: true},
	},
}

// sessionTranscripts are sessions with an agent that their author chose to share.
var sessionTranscripts = Table{
	Name: "session_transcripts",
	Columns: []Column{
		{Name: "session_id", Type: Text},
		{Name: "messages", Type: JSON, Most: 8_000_000, Default: true},
		{Name: "total_turns", Type: Int, Null: true},
		{Name: "tools_used", Type: JSON, Null: true},
		{Name: "summary", Type: Text, Most: 100_000, Null: true},
		{Name: "started_at", Type: Timestamp, Null: true},
		{Name: "ended_at", Type: Timestamp, Null: true},
	},
	Unique: [][]string{{"team_id", "session_id"}},
	Read:   AuthorOrAdmins,
	Update: Author,
	Delete: AuthorOrAdmins,
}

// planSnapshots say how far a plan was: the newest of a repository, project and workstream counts.
var planSnapshots = Table{
	Name: "plan_snapshots",
	Columns: []Column{
		{Name: "project", Type: Text, Default: true},
		{Name: "workstream", Type: Text, Default: true},
		{Name: "milestone", Type: Text, Default: true},
		{Name: "phases", Type: Int, Default: true},
		{Name: "phases_done", Type: Int, Default: true},
		{Name: "plans", Type: Int, Default: true},
		{Name: "plans_done", Type: Int, Default: true},
		{Name: "requirements", Type: Int, Default: true},
		{Name: "requirements_done", Type: Int, Default: true},
		{Name: "detail", Type: JSON, Default: true}, // record.PlanDetail
	},
}

// usageDays say how a person worked with an agent on a day: figures, never
// words. The newest of a person, machine, agent, repository and day counts.
var usageDays = Table{
	Name: "usage_days",
	Columns: []Column{
		{Name: "date", Type: Date},
		{Name: "hostname", Type: Text, Default: true},
		{Name: "agent", Type: Text, Default: true},
		{Name: "sessions", Type: Int, Default: true},
		{Name: "turns", Type: Int, Default: true},
		{Name: "prompts", Type: Int, Default: true}, // what the person wrote
		{Name: "prompt_chars", Type: BigInt, Default: true},
		{Name: "tools", Type: JSON, Default: true},           // {"Bash": 12}: calls by tool
		{Name: "outputs", Type: Int, Default: true},          // that compaction looked at
		{Name: "tokens_before", Type: BigInt, Default: true}, // of them, as the model would have got them
		{Name: "tokens_after", Type: BigInt, Default: true},
	},
	Delete: AuthorOrAdmins,
}

// spendDays say what a person's agents cost on a day in one place: figures, never
// words. What comes for the same place, session and model takes the place of what
// was there, or, of telemetry, is added to it. Of a session that several sources
// tell of one counts: the ledger, then otlp, then metrics.
var spendDays = Table{
	Name: "spend_days",
	Columns: []Column{
		{Name: "day", Type: Date},              // UTC
		{Name: "source", Type: Text, Most: 20}, // ledger: of what agents leave on a disk; otlp: of events of telemetry; metrics: of its sums
		{Name: "hostname", Type: Text, Most: 255, Default: true},
		{Name: "agent", Type: Text, Most: 100, Default: true},
		{Name: "session", Type: Text, Most: 200, Default: true}, // "" is not known; so with what follows
		{Name: "branch", Type: Text, Most: 500, Default: true},
		{Name: "commit_sha", Type: Text, Most: 64, Default: true},
		{Name: "pull_request", Type: Int, Default: true}, // 0 is none
		{Name: "phase", Type: Text, Most: 100, Default: true},
		{Name: "model", Type: Text, Most: 200, Default: true},
		{Name: "input_tokens", Type: BigInt, Default: true}, // those that no cache had
		{Name: "cache_read_tokens", Type: BigInt, Default: true},
		{Name: "write_5m_tokens", Type: BigInt, Default: true}, // written to a cache for five minutes
		{Name: "write_1h_tokens", Type: BigInt, Default: true},
		{Name: "output_tokens", Type: BigInt, Default: true},
		{Name: "requests", Type: BigInt, Default: true},
		{Name: "usd_micros", Type: BigInt, Default: true}, // of the requests whose price is known
		{Name: "unpriced", Type: BigInt, Default: true},   // requests whose price is not
	},
	Unique: [][]string{SpendPlace},
	Update: Author,
	Delete: AuthorOrAdmins,
}

// SpendPlace is what a row of spend_days is about.
var SpendPlace = []string{"team_id", "user_id", "day", "source", "hostname", "session", "agent", "repo_slug", "branch", "commit_sha", "pull_request", "model"}

// syncHeartbeats prove that the whole path to the server works.
var syncHeartbeats = Table{
	Name: "sync_heartbeats",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID, Default: true},
		{Name: "user_id", Type: UUID, Null: true, Default: true},
		{Name: "hostname", Type: Text, Default: true},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Authored: true,
	Read:     Members,
	Repo:     Own,
	Insert:   Members,
	Delete:   Admins,
}

package table

// teamSettings say when a team's digest is sent, whether people are ranked and whether
// all see what each spends.
var teamSettings = Table{
	Name: "team_settings",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "timezone", Type: Text, Default: true},           // as Europe/Berlin
		{Name: "digest_weekday", Type: SmallInt, Default: true}, // 0 is Sunday
		{Name: "digest_hour", Type: SmallInt, Default: true},
		{Name: "updated_at", Type: Timestamp, Default: true},
		{Name: "people_ranked", Type: Bool, Default: true},
		{Name: "people_spend", Type: Bool, Default: true},
	},
	Key:       []string{"team_id"},
	Read:      Members,
	Repo:      Whole,
	Insert:    Admins,
	Update:    Admins,
	Updatable: []string{"timezone", "digest_weekday", "digest_hour", "people_ranked", "people_spend"},
}

// teamChannels are where a team is told. The target is a secret: whoever has a
// webhook's address can write to it.
var teamChannels = Table{
	Name: "team_channels",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID, Default: true},
		{Name: "user_id", Type: UUID, Null: true, Default: true},
		{Name: "kind", Type: Text}, // slack, webhook, mail
		{Name: "name", Type: Text},
		{Name: "target", Type: Text, Most: 8_000, Address: true}, // an address of the web, or of mail
		{Name: "secret", Type: Text, Default: true},              // signs what is sent to a webhook, "" for no signature
		{Name: "alerts", Type: Bool, Default: true},
		{Name: "digest", Type: Bool, Default: true},
		{Name: "test_at", Type: Timestamp, Null: true}, // when somebody asked for a message to try it
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Unique:    [][]string{{"team_id", "name"}},
	Authored:  true,
	Read:      Admins,
	Repo:      Whole,
	Insert:    Admins,
	Update:    Admins,
	Delete:    Admins,
	Updatable: []string{"name", "alerts", "digest", "test_at"},
}

// alerts are evals that got worse: one row from the first sign until it is
// resolved.
var alerts = Table{
	Name: "alerts",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID, Default: true},
		{Name: "repo_slug", Type: Text},
		{Name: "suite", Type: Text},
		{Name: "branch", Type: Text},
		{Name: "kind", Type: Text},
		{Name: "state", Type: Text},                        // pending, firing, resolved
		{Name: "outcome", Type: Text, Default: true},       // how it ended: passed (never fired), recovered, usual, quiet
		{Name: "began_at", Type: Timestamp, Default: true}, // when the first bad run was made
		{Name: "pushes", Type: Int, Default: true},         // judged since then, that one too
		{Name: "good", Type: Int, Default: true},           // good ones in a row up to now
		{Name: "run_id", Type: UUID, Null: true},           // the newest that was judged
		{Name: "run_at", Type: Timestamp, Null: true},
		{Name: "p", Type: Real},        // of the newest judgment
		{Name: "expected", Type: Real}, // share of the cases that should pass
		{Name: "observed", Type: Real}, // that did
		{Name: "cases", Type: Int},
		{Name: "detail", Type: JSON, Default: true}, // {"worst": [{"case_id", "name", "expected", "passed", "of"}]}
		{Name: "opened_at", Type: Timestamp, Default: true},
		{Name: "fired_at", Type: Timestamp, Null: true},
		{Name: "resolved_at", Type: Timestamp, Null: true},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Read: Members,
	Repo: ByRepo,
}

// deliveries are messages to a channel: made together with what they tell of,
// each sent once.
var deliveries = Table{
	Name: "deliveries",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID, Default: true},
		{Name: "channel_id", Type: UUID},
		{Name: "event", Type: Text}, // alert:<id>:firing, alert:<id>:resolved, digest:2026-03-02, test:<time>
		{Name: "message", Type: JSON, Default: true},
		{Name: "due_at", Type: Timestamp, Default: true},
		{Name: "attempts", Type: Int, Default: true},
		{Name: "sent_at", Type: Timestamp, Null: true},
		{Name: "failed_at", Type: Timestamp, Null: true}, // given up
		{Name: "error", Type: Text, Default: true},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Unique: [][]string{{"team_id", "channel_id", "event"}},
	Read:   Admins,
	Repo:   Whole,
	Relations: []Relation{
		{Name: "team_channels", Constraint: "deliveries_channel_fkey", Here: []string{"team_id", "channel_id"}, There: []string{"team_id", "id"}},
	},
}

// auditLog says who did what to a team, when and from which address. The
// database writes it; nobody changes it.
var auditLog = Table{
	Name: "audit_log",
	Columns: []Column{
		{Name: "id", Type: UUID, Default: true},
		{Name: "occurred_at", Type: Timestamp, Default: true},
		{Name: "team_id", Type: UUID, Null: true}, // null: of the server, which only its operator reads
		{Name: "actor", Type: Text},               // user, token, service, operator, server, anonymous
		{Name: "user_id", Type: UUID, Null: true},
		{Name: "token_id", Type: UUID, Null: true},
		{Name: "action", Type: Text}, // member.removed, token.created, …: docs/server.md lists them
		{Name: "object_id", Type: UUID, Null: true},
		{Name: "detail", Type: Text, Default: true},
		{Name: "address", Type: Text, Default: true},
	},
	Key:  []string{"id"},
	Read: Admins,
	Repo: Whole,
}

// teams are the teams of a server.
var teams = Table{
	Name: "teams",
	Columns: []Column{
		{Name: "id", Type: UUID, Default: true},
		{Name: "name", Type: Text},
		{Name: "slug", Type: Text},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Key:    []string{"id"},
	Unique: [][]string{{"slug"}},
	Team:   "id",
	Read:   Members,
	Repo:   Shared,
	Relations: []Relation{
		{Name: "team_members", Constraint: "team_members_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
		{Name: "eval_runs", Constraint: "eval_runs_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
		{Name: "ship_logs", Constraint: "ship_logs_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
		{Name: "retro_snapshots", Constraint: "retro_snapshots_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
		{Name: "qa_reports", Constraint: "qa_reports_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
		{Name: "greptile_triage", Constraint: "greptile_triage_team_id_fkey", Here: []string{"id"}, There: []string{"team_id"}, Many: true},
	},
}

// teamMembers say who is in a team, and as what.
var teamMembers = Table{
	Name: "team_members",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "user_id", Type: UUID},
		{Name: "role", Type: Text, Default: true},
		{Name: "joined_at", Type: Timestamp, Default: true},
	},
	Key:       []string{"team_id", "user_id"},
	Read:      Members,
	Repo:      Own,
	Update:    Roles,
	Delete:    Roles,
	Updatable: []string{"role"},
}

// teamInvites wait for someone to join. What proves the invitation is kept as a hash and not shown.
var teamInvites = Table{
	Name: "team_invites",
	Columns: []Column{
		{Name: "team_id", Type: UUID},
		{Name: "id", Type: UUID, Default: true},
		{Name: "email", Type: Text, Address: true},
		{Name: "role", Type: Text, Default: true},
		{Name: "token_hash", Type: Text, Hidden: true},
		{Name: "invited_by", Type: UUID, Null: true},
		{Name: "expires_at", Type: Timestamp, Default: true},
		{Name: "accepted_at", Type: Timestamp, Null: true},
		{Name: "created_at", Type: Timestamp, Default: true},
	},
	Read:   Admins,
	Repo:   Whole,
	Delete: Admins,
}

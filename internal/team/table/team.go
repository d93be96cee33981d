package table

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
	Team:      "team_id",
	Read:      Members,
	Repo:      Own,
	Update:    Roles,
	Delete:    Roles,
	Updatable: []string{"role"},
	Relations: []Relation{
		{Name: "teams", Constraint: "team_members_team_id_fkey", Here: []string{"team_id"}, There: []string{"id"}},
	},
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
	Key:    []string{"team_id", "id"},
	Team:   "team_id",
	Read:   Admins,
	Repo:   Whole,
	Delete: Admins,
	Relations: []Relation{
		{Name: "teams", Constraint: "team_invites_team_id_fkey", Here: []string{"team_id"}, There: []string{"id"}},
	},
}

package table

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
	Team: "team_id",
	Read: Admins,
	Repo: Whole,
}

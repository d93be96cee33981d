package export

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
)

// A source is a table as it is exported.
type source struct {
	name    string // of the file
	from    string // the table, or a subselect
	columns []table.Column
	key     []string
	team    string // the column of the team, "" for what is no team's
	// person is the condition of a person's rows: ? is the id, and @ the address
	// in small letters. "" leaves the table out of a person's export.
	person string
	month  bool
	// instead has expressions in the place of columns.
	instead map[string]string
}

func columns(kind table.Type, names string) (out []table.Column) {
	for _, n := range strings.Fields(names) {
		out = append(out, table.Column{Name: n, Type: kind})
	}
	return out
}

// persons are the conditions of a person's rows where they are not user_id = ?.
var persons = map[string]string{
	"teams":        `id in (select team_id from team_members where user_id = ?)`,
	"team_invites": `(lower(email) = @ or invited_by = ?)`,
	"eval_costs":   ofRuns, "eval_results": ofRuns, "eval_payloads": ofRuns,
	"ship_logs":     `(user_id = ? or lower(author_email) = @)`,
	"team_channels": `(user_id = ? or kind = 'mail' and lower(target) = @)`,
	"audit_log":     `(user_id = ? or object_id = ?)`,
	"eval_cases":    "", "daily_evals": "", "daily_costs": "", "team_settings": "", "alerts": "", "deliveries": "", // nobody's
}

const ofRuns = `(team_id, run_id) in (select team_id, id from eval_runs where user_id = ?)`

// registered are the registry's tables.
func registered() (out []source) {
	for _, t := range table.All() {
		s := source{name: t.Name, from: t.Name, key: t.Key, team: t.Team, month: t.Month != "", person: "user_id = ?"}
		if person, other := persons[t.Name]; other {
			s.person = person
		}
		for _, c := range t.Columns {
			if !c.Hidden && omitted[t.Name+"."+c.Name] == "" {
				s.columns = append(s.columns, c)
			}
		}
		if t.Name == "team_channels" { // whoever has the address of a webhook can write to it
			s.instead = map[string]string{"target": `case when kind = 'mail' then target else '' end`}
		}
		out = append(out, s)
	}
	return out
}

// unregistered are tables that no request can name.
func unregistered() []source {
	return []source{
		{name: "people", team: "team_id", key: []string{"team_id", "id"}, person: `id = ?`,
			from:    `(select m.team_id, u.id, u.email, u.bot, m.role from auth.users u join team_members m on m.user_id = u.id) people`,
			columns: slices.Concat(columns(table.UUID, "team_id id"), columns(table.Text, "email role"), columns(table.Bool, "bot"))},
		{name: "ingest_tokens", from: "cairn.ingest_tokens", team: "team_id", key: []string{"id"}, person: `created_by = ?`,
			columns: slices.Concat(columns(table.UUID, "id team_id user_id workflow_id created_by"), columns(table.Text, "name repo_slug prefix"), columns(table.TextArray, "scopes"),
				columns(table.Timestamp, "created_at last_used_at expires_at revoked_at"))},
		{name: "trusted_workflows", from: "cairn.trusted_workflows", team: "team_id", key: []string{"id"}, person: `created_by = ?`,
			columns: slices.Concat(columns(table.UUID, "id team_id user_id created_by"), columns(table.Text, "issuer repository ref repository_id"), columns(table.TextArray, "scopes"),
				columns(table.Timestamp, "created_at"))},
		{name: "mail_receivers", from: "cairn.mail_receivers", team: "team_id", key: []string{"team_id", "address"}, person: `address = @`,
			columns: slices.Concat(columns(table.UUID, "team_id"), columns(table.Text, "address"), columns(table.Timestamp, "asked_at confirmed_at refused_at"))},
		{name: "quotas", from: "cairn.team_quotas", team: "team_id", key: []string{"team_id"},
			columns: slices.Concat(columns(table.UUID, "team_id"), columns(table.BigInt, "max_rows max_bytes max_messages max_channels max_invitations"), columns(table.Timestamp, "changed_at"))},
		{name: "former_slugs", from: "cairn.team_slugs", team: "team_id", key: []string{"slug"},
			columns: slices.Concat(columns(table.Text, "slug"), columns(table.UUID, "team_id"), columns(table.Timestamp, "created_at"))},
	}
}

// accounts are what is a person's and no team's.
func accounts() []source {
	return []source{
		{name: "account", from: "auth.users", key: []string{"id"}, person: `id = ?`,
			columns: slices.Concat(columns(table.UUID, "id"), columns(table.Text, "email"), columns(table.JSON, "app_metadata user_metadata"), columns(table.Bool, "bot"),
				columns(table.Timestamp, "email_confirmed_at invited_at confirmation_sent_at recovery_sent_at last_sign_in_at banned_until created_at updated_at"))},
		{name: "identities", from: "auth.identities", key: []string{"id"}, person: `user_id = ?`,
			columns: slices.Concat(columns(table.UUID, "id user_id"), columns(table.Text, "provider provider_id email"), columns(table.JSON, "data"),
				columns(table.Timestamp, "last_sign_in_at created_at updated_at"))},
		{name: "sessions", from: "auth.sessions", key: []string{"id"}, person: `user_id = ?`,
			columns: slices.Concat(columns(table.UUID, "id user_id"), columns(table.Text, "method user_agent ip"), columns(table.Timestamp, "refreshed_at not_after second_factor_at created_at"))},
		{name: "factors", from: "auth.factors", key: []string{"id"}, person: `user_id = ?`,
			columns: slices.Concat(columns(table.UUID, "id user_id"), columns(table.Text, "name"), columns(table.Timestamp, "verified_at created_at updated_at"))},
	}
}

// omitted is what the database has and no export, with the reason: a table, or
// a column of one.
var omitted = map[string]string{
	"team_invites.token_hash":         "proves the invitation",
	"team_channels.secret":            "signs messages",
	"cairn.ingest_tokens.token_hash":  "proves the token",
	"cairn.mail_receivers.token_hash": "proves who answers for an address",
	"auth.users.encrypted_password":   "proves the person",
	"auth.factors.secret":             "makes the second factor's codes",
	"auth.factors.last_step":          "which code was taken last",
	"auth.factors.tries":              "wrong codes, for minutes",
	"auth.factors.tries_since":        "wrong codes, for minutes",
	"auth.challenges":                 "second factors that are being asked for, for minutes",
	"auth.refresh_tokens":             "proves sessions",
	"auth.one_time_tokens":            "proves links and codes that were sent",
	"auth.flows":                      "sign-ins under way, for minutes",
	"cairn.judgments":                 "runs that wait to be judged, for seconds",
	"cairn.past_receivers":            "addresses that teams which are gone had asked",
	"cairn.secrets":                   "the server's keys",
	"cairn.jobs":                      "the server's",
	"cairn.migrations":                "the server's",
	"cairn.origin":                    "the server's, empty",
	"cairn.used_tokens":               "the server's: hashes of identity tokens of CI that were exchanged",
	"cairn.hidden_runs":               "runs that are being written",
	"cairn.eval_parts":                "runs that are on their way",
	"cairn.team_versions":             "counts changes, so that no page from before is shown",
	"cairn.team_deletions":            "of teams that are gone",
	"cairn.erasures":                  "of people who are being erased",
	"cairn.quota_defaults":            "the server's",
	"cairn.team_usage":                "counts of what the export has",
	"cairn.counted_teams":             "when they were counted",
	"cairn.team_messages":             "how many messages were sent on a day",
	"cairn.telemetry_sums":            "hashes, and where sums of agents stood",
	"cairn.telemetry_seen":            "hashes of messages of the last hour",
	"cairn.ledger_files":              "of a machine's own store; a server has no row there",
	"cairn.ledger_requests":           "of a machine's own store; a server has no row there",
	"cairn.ledger_sums":               "of a machine's own store; a server has no row there",
	"cairn.ledger_dirs":               "of a machine's own store; a server has no row there",
	"cairn.ledger_calls":              "of a machine's own store; a server has no row there",
	"cairn.ledger_marks":              "of a machine's own store; a server has no row there",
	"cairn.ledger_heads":              "of a machine's own store; a server has no row there",
	"cairn.ledger_notes":              "of a machine's own store; a server has no row there",
}

// leftOut is what of omitted belongs to an export.
func leftOut(what What) []LeftOut {
	out := []LeftOut{
		{"team_invites", []string{"token_hash"}, omitted["team_invites.token_hash"]},
		{"team_channels", []string{"secret"}, omitted["team_channels.secret"]},
		{"team_channels", []string{"target"}, "of Slack and webhooks: whoever has it can write there"},
		{"cairn.ingest_tokens", []string{"token_hash"}, omitted["cairn.ingest_tokens.token_hash"]},
		{"cairn.mail_receivers", []string{"token_hash"}, omitted["cairn.mail_receivers.token_hash"]},
		{"cairn.judgments", nil, omitted["cairn.judgments"]},
	}
	if !what.Account {
		const reason = "accounts belong to people, not to teams; people.ndjson has members' addresses"
		return append(out, LeftOut{"auth.users", nil, reason}, LeftOut{"auth.identities", nil, reason}, LeftOut{"auth.sessions", nil, reason})
	}
	out = append(out, LeftOut{"auth.users", []string{"encrypted_password"}, omitted["auth.users.encrypted_password"]})
	out = append(out, LeftOut{"auth.factors", []string{"secret", "last_step", "tries", "tries_since"}, omitted["auth.factors.secret"]})
	for _, name := range [...]string{"auth.challenges", "auth.refresh_tokens", "auth.one_time_tokens", "auth.flows"} {
		out = append(out, LeftOut{name, nil, omitted[name]})
	}
	return out
}

// A selection is what one export has.
type selection struct {
	What
	dialect db.Dialect
	email   string // of the person
}

// sources are the tables of an export, in the order in which rows can be put
// back: parents first.
func (s *selection) sources() (out []source) {
	if s.Account {
		out = append(out, accounts()...)
	}
	for _, src := range slices.Concat(registered(), unregistered()) {
		if s.Person == uuid.Nil || src.person != "" {
			out = append(out, src)
		}
	}
	return out
}

package rows

import (
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/table"
)

// mostOwned is how many teams one user can own: names are few.
const mostOwned = 20

// sqlite does what PostgreSQL's functions of the same names do.
func (c *call) sqlite() (jsontext.Value, error) {
	switch c.f.Name {
	case "create_team":
		return c.createTeam()
	case "team_pulse":
		return c.teamPulse()
	case "team_people":
		return c.teamPeople()
	case "invite_member":
		return c.inviteMember()
	}
	return c.acceptInvite()
}

func (c *call) refuse(message string) error { return fail(forbidden(c.as), "42501", message) }

// lite is an argument as SQLite is given it: nil where it is null or not given.
func (c *call) lite(name string) any {
	v, has := c.args[name]
	if !has {
		return nil
	}
	return v.as(db.SQLite)
}

// insert runs an insert as the tables' owner would, who is told everything.
func (c *call) insert(name, query string, values row, args ...any) error {
	if _, err := c.tx.Exec(c.ctx, query, args...); err != nil {
		owner := &reader{ctx: c.ctx, tx: c.tx, as: db.Identity{Role: db.Service}}
		return explainWrite(owner, err, table.Find(name), values.get(table.Find(name)))
	}
	return nil
}

func (c *call) createTeam() (jsontext.Value, error) {
	if c.as.User == uuid.Nil {
		return nil, c.refuse("must be authenticated")
	}
	var owned int
	if err := c.tx.QueryRow(c.ctx, `select count(*) from team_members where user_id = ? and role = 'owner'`, c.as.User).Scan(&owned); err != nil {
		return nil, err
	}
	if owned >= mostOwned {
		return nil, c.refuse(ownsMost)
	}
	team, teams := uuid.New(), table.Find("teams")
	values := row{teams.Column("id"): uuidValue(team), teams.Column("slug"): c.args["team_slug"]}
	if err := c.insert("teams", `insert into teams (id, slug, name) values (?, ?, ?)`, values, team, c.lite("team_slug"), c.lite("team_name")); err != nil {
		return nil, err
	}
	err := c.insert("team_members", `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, row{}, team, c.as.User)
	if err != nil {
		return nil, err
	}
	return json.Marshal(team)
}

// pulse is what team_pulse returns.
type pulse struct {
	Members    *int64         `json:"members"` // nil for a token of one repository
	Runs       int64          `json:"runs"`
	CostUSD    jsontext.Value `json:"cost_usd"`
	Ships      int64          `json:"ships"`
	LastShipAt *string        `json:"last_ship_at"`
}

func (c *call) teamPulse() (jsontext.Value, error) {
	days := int64(7)
	if v, has := c.args["p_days"]; has && !v.null {
		days = v.lite.(int64)
	}
	if days > mostDays || days < -mostDays {
		return nil, fail(400, "22008", "date out of range")
	}
	now := time.Now().UTC()
	from := now.AddDate(0, 0, -int(days))
	day, midnight, since := any(from.Format(time.DateOnly)), any(from.Truncate(24*time.Hour).UnixMicro()), any(from.UnixMicro())
	if v := c.args["p_days"]; v.null { // compares as unknown, so nothing is of those days
		day, midnight, since = nil, nil, nil
	}
	var p pulse
	var cost, members int64
	var last *int64
	team := c.lite("p_team")
	type part struct {
		name, what, and string
		more            any
		into            any
	}
	parts := []part{
		{"daily_evals", "coalesce(sum(runs), 0)", " and day >= ?", day, &p.Runs},
		{"ship_logs", "count(*)", " and occurred_at >= ?", since, &p.Ships},
		{"ship_logs", "max(occurred_at)", "", nil, &last},
	}
	if c.as.Repo == "" {
		p.Members = &members
		parts = append(parts, part{"team_members", "count(*)", " and role <> ?", "ci", &members}, // people, no tokens
			part{"daily_costs", "coalesce(sum(cost_usd), 0)", " and day >= ?", day, &cost})
	} else { // daily sums of costs are of all repositories
		parts = append(parts, part{"eval_costs", "coalesce(sum(estimated_cost_usd), 0)", " and run_at >= ?", midnight, &cost})
	}
	for _, part := range parts {
		t, err := c.enter(table.Find(part.name), reads)
		if err != nil {
			return nil, err
		}
		s := &statement{dialect: db.SQLite}
		s.put("select "+part.what+" from "+part.name+" where team_id = ? and ", team)
		t.where(s, "")
		if part.and != "" {
			s.put(part.and, part.more)
		}
		if err := c.tx.QueryRow(c.ctx, string(s.sql), s.args...).Scan(part.into); err != nil {
			return nil, err
		}
	}
	p.CostUSD = jsontext.Value(scaled(cost, 6))
	if last != nil {
		at := showMoment(*last)
		p.LastShipAt = &at
	}
	return json.Marshal(p)
}

// mostDays is how far a pulse looks back at most.
const mostDays = 1_000_000

// A person is a row of team_people.
type person struct {
	UserID   uuid.UUID `json:"user_id"`
	Email    string    `json:"email"`
	Role     string    `json:"role"`
	JoinedAt string    `json:"joined_at"`
}

func (c *call) teamPeople() (jsontext.Value, error) {
	rows, err := c.tx.Query(c.ctx, `select m.user_id, u.email, m.role, m.joined_at from team_members m join auth.users u on u.id = m.user_id
		where m.team_id = ? and m.team_id in (select team_id from team_members where user_id = ?) order by m.joined_at, u.email`, c.lite("p_team"), c.as.User)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	people := []person{}
	for rows.Next() {
		var p person
		var at int64
		if err := rows.Scan(&p.UserID, &p.Email, &p.Role, &at); err != nil {
			return nil, err
		}
		p.JoinedAt = showMoment(at)
		people = append(people, p)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return json.Marshal(people)
}

func (c *call) inviteMember() (jsontext.Value, error) {
	team, email := c.lite("p_team"), c.lite("p_email")
	address, given := email.(string)
	if given {
		address = strings.Trim(address, " ")
		email = address
	}
	var admin bool
	err := c.tx.QueryRow(c.ctx, `select count(*) > 0 from team_members where team_id = ? and user_id = ? and role in ('owner', 'admin')`, team, c.as.User).Scan(&admin)
	if err != nil {
		return nil, err
	}
	if !admin && team != nil { // no team at all is what the insert refuses
		return nil, c.refuse("only an owner or an admin can invite")
	}
	if team != nil && given {
		err := account.CanInvite(c.ctx, c.tx, id(c.args["p_team"], true), address)
		if errors.Is(err, account.ErrJoined) {
			err = fail(409, "23505", address+" is already a member of the team")
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := c.tx.Exec(c.ctx, `delete from team_invites where team_id = ? and lower(email) = lower(?) and accepted_at is null`, team, email); err != nil {
		return nil, err
	}
	role := any("member")
	if _, has := c.args["p_role"]; has {
		role = c.lite("p_role")
	}
	token := strings.ReplaceAll(uuid.NewString()+uuid.NewString(), "-", "")
	err = c.insert("team_invites", `insert into team_invites (team_id, id, email, role, token_hash, invited_by) values (?, ?, ?, ?, ?, ?)`, row{},
		team, uuid.New(), email, role, db.Hashed(token), c.as.User)
	if err != nil {
		return nil, err
	}
	return json.Marshal(token)
}

func (c *call) acceptInvite() (jsontext.Value, error) {
	if c.as.User == uuid.Nil {
		return nil, c.refuse("must be authenticated")
	}
	token, _ := c.lite("p_token").(string)
	j, err := account.Join(c.ctx, c.tx, token, c.as.User, time.Now().UTC())
	switch {
	case errors.Is(err, account.ErrToken):
		err = c.refuse("the invitation is used up, expired or was never made")
	case errors.Is(err, account.ErrInvitee), errors.Is(err, account.ErrNotFound):
		err = c.refuse("the invitation is for another address: sign in with the address that was invited")
	case errors.Is(err, account.ErrUnconfirmed):
		err = c.refuse("confirm your e-mail address before you accept an invitation to it")
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(j.Team)
}

package rows

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// A call of a function.
type call struct {
	reader
	f    *Function
	args map[string]value // those that were given
	raw  map[string]jsontext.Value
}

// Call calls a function and returns its value as JSON: an array of objects
// where it returns a set.
func Call(ctx context.Context, tx *db.Tx, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error) {
	f, err := called(as, name, args)
	if err != nil {
		return nil, err
	}
	if name == PushRun {
		push, err := pushOf(args)
		if err != nil {
			return nil, err
		}
		return pushed(ingest.Push(ctx, tx, as, push))
	}
	if name == PushPart {
		part, err := partOf(args)
		if err != nil {
			return nil, err
		}
		return numbered(part, ingest.PushPart(ctx, tx, as, part))
	}
	c := &call{reader: reader{ctx: ctx, tx: tx, as: as}, f: f, args: map[string]value{}, raw: args}
	for _, a := range f.Arguments {
		raw, has := args[a.Name]
		if !has {
			continue
		}
		v, err := (kind{Type: a.Type}).given(raw)
		if err != nil {
			return nil, err
		}
		c.args[a.Name] = v
	}
	if address, given := c.lite("p_email").(string); given && name == "invite_member" {
		if _, err := account.Address(address); err != nil { // nobody could accept it, and it may be of any length
			return nil, fail(400, "22023", err.Error())
		}
	}
	if tx.Dialect() == db.PostgreSQL {
		return c.postgres()
	}
	return c.sqlite()
}

// called finds the function and checks that one may call it so.
func called(as db.Identity, name string, args map[string]jsontext.Value) (*Function, error) {
	names := slices.Sorted(maps.Keys(args))
	f := FindFunction(name)
	if f == nil || !f.takes(names) {
		return nil, noFunction(name, names)
	}
	return f, callable(as, f)
}

// PushRun is the function that stores a run, and PushPart a part of one before.
const (
	PushRun  = "push_eval_run"
	PushPart = "push_eval_part"
)

// Push calls one of them, in transactions of its own.
func Push(ctx context.Context, d *db.DB, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error) {
	if _, err := called(as, name, args); err != nil {
		return nil, err
	}
	if name == PushPart {
		part, err := partOf(args)
		if err != nil {
			return nil, err
		}
		return numbered(part, ingest.StorePart(ctx, d, as, part))
	}
	push, err := pushOf(args)
	if err != nil {
		return nil, err
	}
	return pushed(ingest.Store(ctx, d, as, push))
}

func pushed(out wire.EvalPushed, err error) (jsontext.Value, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// partOf reads the arguments of push_eval_part.
func partOf(args map[string]jsontext.Value) (part ingest.Part, err error) {
	team, err := (kind{Type: table.UUID}).given(args["p_team"])
	if err != nil {
		return part, err
	}
	key, err := (kind{Type: table.Text}).given(args["p_key"])
	if err != nil {
		return part, err
	}
	number, err := (kind{Type: table.Int}).given(args["p_part"])
	if err != nil {
		return part, err
	}
	n, _ := number.lite.(int64)
	if number.null {
		n = -1
	}
	return ingest.Part{Team: id(team, true), Key: key.text, Number: int(n), Body: args["p_body"]}, nil
}

func numbered(part ingest.Part, err error) (jsontext.Value, error) {
	if err != nil {
		return nil, err
	}
	return jsontext.Value(`{"part": ` + strconv.Itoa(part.Number) + `}`), nil
}

// pushOf reads the arguments of push_eval_run.
func pushOf(args map[string]jsontext.Value) (push wire.EvalPush, err error) {
	team, err := (kind{Type: table.UUID}).given(args["p_team"])
	if err != nil {
		return push, err
	}
	if team.null || args["p_run"].Kind() != '{' {
		return push, fail(400, "22023", "push_eval_run wants a team and a run, which is an object")
	}
	push.Team = id(team, true)
	if err := json.Unmarshal(args["p_run"], &push.Run); err != nil {
		return push, fail(400, "22P02", "p_run cannot be read: "+reason(err))
	}
	return push, nil
}

// callable says who may call what: everyone who is signed in; a token of CI with the function's scope.
func callable(as db.Identity, f *Function) error {
	ok := as.Role == db.Service
	if as.Role == db.Authenticated {
		ok = as.Team == uuid.Nil || f.Token != "" && slices.Contains(as.Scopes, f.Token)
	}
	if !ok {
		return denied(as, "function "+f.Name)
	}
	return nil
}

func noFunction(name string, names []string) *postgrest.Error {
	what := "public." + name
	with := "without parameters"
	if len(names) > 0 {
		with = "with parameters " + strings.Join(names, ", ")
		if len(names) == 1 {
			with = "with parameter " + names[0]
		}
	}
	e := fail(404, "PGRST202", "Could not find the function "+what+"("+strings.Join(names, ", ")+") in the schema cache")
	return detailed(e, "Searched for the function "+what+" "+with+", but no matches were found in the schema cache.")
}

// reason is what json says was wrong, without the names of our types.
func reason(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 && !strings.Contains(text[i:], "wire.") {
		return text[i+2:]
	}
	return "a value is of the wrong type"
}

// postgres calls the database's own function.
func (c *call) postgres() (jsontext.Value, error) {
	s := &statement{dialect: db.PostgreSQL}
	if c.f.Set {
		s.put("select coalesce(json_agg(to_json(f)), '[]')::text from ")
	} else {
		s.put("select to_json(")
	}
	s.put("public." + c.f.Name + "(")
	first := true
	for _, a := range c.f.Arguments {
		v, has := c.args[a.Name]
		if !has {
			continue
		}
		if !first {
			s.put(", ")
		}
		first = false
		s.put(a.Name + " => ")
		s.bind(kind{Type: a.Type}, v)
	}
	if c.f.Set {
		s.put(") f")
	} else {
		s.put("))::text")
	}
	var text *string
	if err := c.tx.QueryRow(c.ctx, string(s.sql), s.args...).Scan(&text); err != nil {
		return nil, err
	}
	if text == nil {
		return jsontext.Value("null"), nil
	}
	return jsontext.Value(*text), nil
}

// A Function is one that a request may call.
type Function struct {
	Name      string
	Arguments []Argument
	Volatile  bool // writes: only POST may call it
	Set       bool // returns an array of objects, not one value
	// Token is the scope by which a token of CI may call it, "" where none may. One
	// that is for a repository then gets or writes what is of that repository.
	Token string
}

// An Argument of a function.
type Argument struct {
	Name     string
	Type     table.Type
	Required bool
}

// Functions are all that requests may call.
var Functions = [...]Function{
	{Name: "create_team", Volatile: true, Arguments: []Argument{{"team_slug", table.Text, true}, {"team_name", table.Text, true}}},
	{Name: "team_pulse", Token: wire.ScopeRead, Arguments: []Argument{{"p_team", table.UUID, true}, {"p_days", table.Int, false}}},
	{Name: "team_people", Set: true, Arguments: []Argument{{"p_team", table.UUID, true}}},
	{Name: "invite_member", Volatile: true, Arguments: []Argument{{"p_team", table.UUID, true}, {"p_email", table.Text, true}, {"p_role", table.Text, false}}},
	{Name: "accept_invite", Volatile: true, Arguments: []Argument{{"p_token", table.Text, true}}},
	{Name: "push_eval_run", Token: wire.ScopeIngest, Volatile: true, Arguments: []Argument{{"p_team", table.UUID, true}, {"p_run", table.JSON, true}}},
	{Name: "push_eval_part", Token: wire.ScopeIngest, Volatile: true, Arguments: []Argument{{"p_team", table.UUID, true}, {"p_key", table.Text, true}, {"p_part", table.Int, true}, {"p_body", table.JSON, true}}},
}

// FindFunction returns the function of a name, nil if there is none.
func FindFunction(name string) *Function {
	for i := range Functions {
		if Functions[i].Name == name {
			return &Functions[i]
		}
	}
	return nil
}

// takes says whether a call with such arguments is one of the function.
func (f *Function) takes(names []string) bool {
	for _, n := range names {
		if !slices.ContainsFunc(f.Arguments, func(a Argument) bool { return a.Name == n }) {
			return false
		}
	}
	return !slices.ContainsFunc(f.Arguments, func(a Argument) bool { return a.Required && !slices.Contains(names, a.Name) })
}

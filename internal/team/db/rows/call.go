package rows

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
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
	names := make([]string, 0, len(args))
	for n := range args {
		names = append(names, n)
	}
	slices.Sort(names)
	f := FindFunction(name)
	if f == nil || !f.takes(names) {
		return nil, noFunction(name, names)
	}
	if err := callable(as, f); err != nil {
		return nil, err
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
	switch {
	case name == "push_eval_run":
		return c.push()
	case tx.Dialect() == db.PostgreSQL:
		return c.postgres()
	}
	return c.sqlite()
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

func (c *call) push() (jsontext.Value, error) {
	team, run := c.args["p_team"], c.raw["p_run"]
	if team.null || run.Kind() != '{' {
		return nil, fail(400, "22023", "push_eval_run wants a team and a run, which is an object")
	}
	push := wire.EvalPush{Team: id(team, true)}
	if err := json.Unmarshal(run, &push.Run); err != nil {
		return nil, fail(400, "22P02", "p_run cannot be read: "+reason(err))
	}
	pushed, err := ingest.Push(c.ctx, c.tx, c.as, push)
	if err != nil {
		return nil, err
	}
	return json.Marshal(pushed)
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

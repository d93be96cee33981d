package rows

import (
	"slices"

	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

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

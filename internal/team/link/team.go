package link

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Team is the team of this repository with somebody who is signed in.
type Team struct {
	*Checkout
	*client.Client
	ID uuid.UUID
}

// Open finds the team of this repository on its server, whether or not records
// are sent there.
func Open(ctx context.Context, env *command.Env) (*Team, error) {
	here, err := Find(env)
	if err != nil {
		return nil, err
	}
	if here == nil {
		return nil, NoTeam("cairn sync init --url URL writes it")
	}
	c, err := here.Client()
	if err != nil {
		return nil, err
	}
	id, err := c.Team(ctx, "")
	return &Team{here, c, id}, err
}

// CheckSlug takes what the server takes.
func CheckSlug(slug string) error {
	if !text.IsSlug(slug, wire.MostSlug) {
		return command.Usage(term.Hint(fmt.Errorf("invalid team slug %q", term.Printable(slug)), "use small letters and digits, with dashes between, %d at most", wire.MostSlug))
	}
	return nil
}

// CheckChange takes a team's new slug and name as the server takes them.
func CheckChange(to wire.TeamChange) error {
	switch {
	case to == wire.TeamChange{}:
		return command.Usage(errors.New("a SLUG or --name NAME is missing"))
	case utf8.RuneCountInString(to.Name) > 100:
		return command.Usage(errors.New("--name must have at most 100 characters"))
	case to.Slug != "":
		return CheckSlug(to.Slug)
	}
	return nil
}

// CheckAddress refuses what cannot be somebody's address.
func CheckAddress(email string) error {
	name, host, ok := strings.Cut(email, "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(email, " \t\r\n<>\"") || len(email) > 254 {
		return command.Usage(term.Hint(fmt.Errorf("invalid e-mail address %q", term.Printable(email)), "use one like ada@example.com"))
	}
	return nil
}

// DatabaseURL is the variable with the URL of a database.
const DatabaseURL = "CAIRN_DATABASE_URL"

// DatabaseError gives an error of a Supabase project's database its code and a
// hint.
func DatabaseError(err error) error {
	switch {
	case errors.Is(err, db.ErrPassword):
		return command.Auth(term.Hint(err, "take the URL from the project's page Connect; a password with special letters has to be escaped in it (@ is %%40)"))
	case errors.Is(err, db.ErrUnreachable):
		return command.Net(term.Hint(err, "a project's direct address has IPv6 only: take that of the session pooler from its page Connect"))
	case errors.Is(err, db.ErrRights):
		return command.Auth(term.Hint(err, "take the URL with the user postgres"))
	case errors.Is(err, db.ErrNotSupabase):
		return command.Data(term.Hint(err, "a PostgreSQL of your own is served by cairn serve --database -"))
	}
	return err
}

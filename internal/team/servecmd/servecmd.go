// Package servecmd declares `cairn serve` and what an operator does on the
// server's machine: users, teams, keys, backups. All of them work on the
// server's own data, most while it runs.
//
// Package cli imports it, and teamcmd for what both print and for mail.
package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

// Commands lists serve and the commands below it.
func Commands() []*command.Command {
	all := slices.Concat([]*command.Command{serveCommand(), claimCommand()},
		userCommands(), teamCommands(), keyCommands(), []*command.Command{auditCommand()}, backupCommands(), healthCommands())
	for _, c := range all {
		if c.Run != nil && c.Path != "serve health" { // which asks a server, not its data
			c.Flags = append(c.Flags, storeFlags...)
		}
		if c.Run != nil && !c.Text { // which can be a variable and a line of the file, too
			c.Flags = append(c.Flags, command.JSONFlag)
		}
	}
	return all
}

// A call is one call of a command on a server's data.
type call struct {
	*command.Call
	st       *server.Store
	accounts *account.Accounts
	who      string // the address that the call is about
}

// with makes a command of what needs a server's data. The checks come first:
// they need the command line only.
func with(fn func(*call) (*answer.Answer, error), checks ...func(*command.Call) error) func(*command.Call) (*answer.Answer, error) {
	return func(of *command.Call) (*answer.Answer, error) {
		for _, check := range checks {
			must.OK(check(of))
		}
		place := find(of)
		of.Context = db.WithOrigin(of.Context, &db.Origin{Actor: db.ActorOperator})
		st, err := server.Join(of, place)
		if err != nil {
			return nil, Explain(err, place)
		}
		defer st.Close()
		c := &call{Call: of, st: st, accounts: account.New(st.DB)}
		var a *answer.Answer
		err = must.Catch(func() { a = must.Get(fn(c)) })
		return a, c.explain(err)
	}
}

// user finds somebody by their address.
func (c *call) user(email string) account.User {
	c.who = email
	return must.Get(c.accounts.UserByEmail(c, email))
}

// view and update read and change the database as the server itself.
func (c *call) view(fn func(*db.Tx) error) error   { return c.st.DB.View(c, db.ServerItself, fn) }
func (c *call) update(fn func(*db.Tx) error) error { return c.st.DB.Update(c, db.ServerItself, fn) }

// explain gives what went wrong with a user or a team its code and hint.
func (c *call) explain(err error) error {
	switch {
	case errors.Is(err, account.ErrNotFound):
		return command.Data(term.Hint(fmt.Errorf("%s: %w", term.Printable(c.who), err), "cairn serve user list shows who is there"))
	case errors.Is(err, db.ErrNoTeam):
		return command.Data(term.Hint(err, "cairn serve team list shows those that are there"))
	case errors.Is(err, account.ErrEmail), errors.Is(err, account.ErrEmailTaken), errors.Is(err, db.ErrNoMember):
		return command.Dataf("%s: %w", term.Printable(c.who), err)
	case errors.Is(err, db.ErrTeamSlug), errors.Is(err, db.ErrTeamTaken):
		return command.Data(err)
	case errors.Is(err, account.ErrLastOwner), errors.Is(err, db.ErrLastOwner):
		return term.Hint(err, "cairn serve team add TEAM EMAIL --role owner")
	case errors.Is(err, account.ErrClaimed):
		return term.Hint(err, "cairn serve user add EMAIL lets somebody in")
	}
	return err
}

// Explain gives what keeps a server from starting its code and hint.
func Explain(err error, place server.Place) error {
	switch {
	case errors.Is(err, server.ErrExposed):
		return command.Usage(term.Hint(err, "add --tls-cert and --tls-key, or --autocert HOST; --insecure is for a server behind a proxy that has TLS"))
	case errors.Is(err, server.ErrConfig):
		return command.Usage(err)
	case errors.Is(err, server.ErrLocked):
		return term.Hint(err, "stop that one, or give this one a directory of its own: --data DIR")
	case errors.Is(err, server.ErrNoData):
		return command.Data(term.Hint(err, "cairn serve makes it; --data DIR names another"))
	case errors.Is(err, db.ErrNewer):
		return command.Data(term.Hint(err, "cairn update brings this one up to date"))
	case errors.Is(err, db.ErrEmpty), errors.Is(err, db.ErrBehind):
		return command.Data(term.Hint(err, "cairn serve without --no-migrate brings the schema up to date"))
	case errors.Is(err, db.ErrEdited):
		return command.Data(term.Hint(err, "start it with the cairn that made it, or restore a backup: cairn serve restore"))
	case errors.Is(err, syscall.EADDRINUSE):
		return term.Hint(err, "--listen 127.0.0.1:0 takes a port that is free")
	case place.Database == "" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return term.Hint(err, "the data directory is %s; --data DIR names another", term.ShellWord(place.Dir))
	case place.Database != "" && db.Remedy(err) != "":
		return command.Usage(term.Hint(err, "%s", db.Remedy(err)))
	case db.Remedy(err) != "":
		return command.Data(term.Hint(err, "%s", db.Remedy(err)))
	}
	return err
}

// said answers with data, and says beside it what was done.
func said(data any, format string, args ...any) (*answer.Answer, error) {
	return &answer.Answer{Data: data, Said: fmt.Sprintf(format, args...), Done: true}, nil
}

// everyone lists all people of a server.
func everyone(ctx context.Context, a *account.Accounts) (out []account.User) {
	const many = 1000
	for page := 1; ; page++ {
		users, total := must.Get2(a.Users(ctx, page, many))
		if out = append(out, users...); len(out) >= total || len(users) == 0 {
			return out
		}
	}
}

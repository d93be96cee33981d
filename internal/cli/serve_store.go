package cli

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/link"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

// storeOptions say which server's data a verb is about.
type storeOptions struct {
	data, database string
	bouncer        bool
	config         string
}

func (o *storeOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.data, "data", "", "directory of the embedded database (default: ~/.cairn/server)")
	f.StringVar(&o.database, "database", "", "a PostgreSQL instead: - asks for its URL (default: CAIRN_DATABASE_URL)")
	f.BoolVar(&o.bouncer, "bouncer", false, "a pooler in transaction mode stands before the PostgreSQL")
	f.StringVar(&o.config, "config", "", "read flags from this TOML file")
}

// place finds the store that the flags, or the environment, name.
func (o *storeOptions) place(env *Env) (p server.Place, err error) {
	p = server.Place{Dir: o.data, Database: o.database, Bouncer: o.bouncer}
	if p.Dir == "" {
		p.Dir = home.Find(env.Getenv).Server()
	}
	if p.Dir, err = env.Abs(p.Dir); err != nil {
		return p, err
	}
	named := "--database"
	switch {
	case p.Database == "-":
		p.Database, err = env.Secret("URL of a database")
	case p.Database == "":
		p.Database, named = env.Getenv(link.DatabaseURL), link.DatabaseURL
	}
	if err != nil || p.Database == "" {
		return p, err
	}
	if o.data != "" {
		return p, command.Usage(term.Hint(fmt.Errorf("--data (or CAIRN_SERVE_DATA) and %s are both set: the rows are in one of them", named), "leave one out"))
	}
	if !strings.HasPrefix(p.Database, "postgres://") && !strings.HasPrefix(p.Database, "postgresql://") {
		return p, command.Usage(errors.New("the database's URL begins with postgres://; a directory is named by --data"))
	}
	return p, nil
}

// withoutPassword is the URL of a database as other programs may be given it on
// their command line.
func withoutPassword(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "postgres://USER@HOST/NAME"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	q.Del("password")
	q.Del("sslpassword")
	u.RawQuery = q.Encode()
	return u.String()
}

// showsPassword says whether a URL given on the command line has a password,
// which every user of the machine can read there.
func showsPassword(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has
}

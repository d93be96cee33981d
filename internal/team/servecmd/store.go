package servecmd

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/link"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

var configFlag = command.Flag{Name: "config", Default: "", Help: "read flags from this TOML `FILE`"}

// storeFlags say which server's data a command is about.
var storeFlags = []command.Flag{
	{Name: "data", Default: "", Help: "`DIR` of the embedded database (default: ~/.cairn/server)"},
	{Name: "database", Default: "", Help: "use PostgreSQL at this `URL`; - asks for it (default: CAIRN_DATABASE_URL)"},
	{Name: "bouncer", Default: false, Help: "PostgreSQL is behind a pooler in transaction mode"},
	configFlag,
}

// find settles the flags and finds the store that they, or the environment, name.
func find(c *command.Call) (p server.Place) {
	settle(c)
	p = server.Place{Dir: c.String("data"), Database: c.String("database"), Bouncer: c.Bool("bouncer")}
	if p.Dir == "" {
		p.Dir = home.Find(c.Getenv).Server()
	}
	p.Dir = must.Get(c.Abs(p.Dir))
	named := "--database"
	switch {
	case p.Database == "-":
		p.Database = must.Get(c.Secret("URL of a database"))
	case p.Database == "":
		p.Database, named = c.Getenv(link.DatabaseURL), link.DatabaseURL
	}
	if p.Database == "" {
		return p
	}
	if c.String("data") != "" {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("--data (or CAIRN_SERVE_DATA) and %s are both set: the rows are in one of them", named), "leave one out")))
	}
	if !strings.HasPrefix(p.Database, "postgres://") && !strings.HasPrefix(p.Database, "postgresql://") {
		must.Fail(command.Usage(errors.New("the database's URL must begin with postgres://; --data names a directory")))
	}
	return p
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

// showsPassword says whether a URL has a password.
func showsPassword(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has
}

// settle gives the flags that are not on the command line their values: from
// CAIRN_SERVE_NAME, else from the file of --config.
func settle(c *command.Call) {
	if c.Given("database") && showsPassword(c.String("database")) {
		term.Warn(c.Stderr, "everyone on this machine can read the password on the command line; CAIRN_DATABASE_URL or --database - keeps it")
	}
	filled := map[string]bool{}
	for _, f := range c.Command.Flags {
		key := "CAIRN_SERVE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		text := c.Getenv(key)
		if c.Given(f.Name) || text == "" {
			continue
		}
		filled[f.Name] = true
		if err := c.Fill(f.Name, text); err != nil {
			must.Fail(command.Usagef("%s %w", key, err))
		}
	}
	name := c.String("config")
	if name == "" {
		return
	}
	for key, value := range readConfig(c, name) {
		flag := strings.ReplaceAll(key, "_", "-")
		switch isFlag := hasFlag(c.Command, flag); {
		case flag == "config", !isFlag && !hasFlag(serveCommand(), flag): // one file is for all
			must.Fail(command.Data(term.Hint(fmt.Errorf("%s: no flag is called %q", name, key), "cairn serve --help lists the flags")))
		case !isFlag, c.Given(flag), filled[flag]:
			continue
		}
		if err := c.Fill(flag, texts(value)...); err != nil {
			must.Fail(command.Dataf("%s: %s %w", name, key, err))
		}
	}
}

// readConfig reads a TOML file whose keys are names of flags of serve.
func readConfig(c *command.Call, name string) (values map[string]any) {
	data, err := os.ReadFile(c.Path(name))
	must.OK(command.Data(err))
	if err := toml.Unmarshal(data, &values); err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := at.Position()
			must.Fail(command.Dataf("%s:%d: %s", name, line, strings.TrimPrefix(at.Error(), "toml: ")))
		}
		must.Fail(command.Dataf("%s: %w", name, err))
	}
	database, _ := values["database"].(string)
	if fi, err := os.Stat(c.Path(name)); err == nil && fi.Mode().Perm()&0o077 != 0 && showsPassword(database) {
		term.Warn(c.Stderr, "%s has a secret, and others on this machine may read it: chmod 600", name)
	}
	return values
}

func hasFlag(c *command.Command, name string) bool {
	return slices.ContainsFunc(slices.Concat(c.Flags, storeFlags), func(f command.Flag) bool { return f.Name == name })
}

// texts are a value of TOML, or a list of them, as a command line has them.
func texts(value any) (out []string) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, v := range list {
		out = append(out, fmt.Sprint(v))
	}
	return out
}

// Package synccmd declares the commands of `cairn sync`: a repository is given a
// team, a person signs in to its server, and records go there and come back.
//
// Only package cli imports it. What is collected and how a record waits and
// travels belongs to collect, link, spool and client.
package synccmd

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Commands lists sync and the commands below it. measure sends the retrospective
// of the last 7 days, as cairn retro has it.
func Commands(measure Measure) []*command.Command {
	return slices.Concat([]*command.Command{
		{
			Path:  "sync",
			Short: "Share results and records with the team",
			Long: `Records are kept on this machine first, then sent to the server that the
repository's .cairn/team.json names. The team's records are pulled into
.cairn/team-cache. Without that file, or with sync_enabled=false, nothing is sent
and no server is contacted.`,
			Examples: []string{"cairn sync setup", "cairn sync status"},
		},
		initCommand(), setupCommand(), statusCommand(), pullCommand(), showCommand(), drainCommand(), testCommand(),
		collectCommand(), migrateCommand(), headersCommand(),
	}, pushCommands(measure))
}

// migratePatience is how long a project's database may take for all of it.
const migratePatience = 2 * time.Minute

// schema answers with the SQL for a Supabase project, or writes it to a file.
func schema(c *command.Call, file string) (*answer.Answer, error) {
	data := struct {
		SQL  string `json:"sql"`
		File string `json:"file,omitzero"`
	}{db.Script(), file}
	if file == "" {
		return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) { fmt.Fprint(w, data.SQL) })}, nil
	}
	return &answer.Answer{
		Data: data, Done: true, Said: "cairn: wrote " + term.Line(file),
		Hint: "paste it into the SQL editor of the project and run it as postgres; again does no harm",
	}, atomicfile.WriteFile(c.Path(file), []byte(data.SQL), home.SharedFile)
}

// migrateProject makes the team's tables in a Supabase project's database. The
// URL comes from stdin, the terminal or the environment, and goes nowhere else.
func migrateProject(c *command.Call, from string) (*answer.Answer, error) {
	s := c.Getenv(link.DatabaseURL)
	switch {
	case from == "-":
		s = must.Get(c.Secret("URL of a database"))
	case from != "":
		return nil, command.Usage(term.Hint(errors.New("a URL on the command line shows its password to everybody on this machine"), "--database - asks for it, %s has it", link.DatabaseURL))
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, command.Usage(term.Hint(errors.New("that is no URL of a database"), "postgres://postgres.PROJECT:PASSWORD@HOST:5432/postgres, from the project's page Connect"))
	}
	ctx, cancel := context.WithTimeout(c, migratePatience)
	defer cancel()
	fmt.Fprintln(c.Stderr, "making the team's tables …")
	steps := []string{}
	err := db.MigrateSupabase(ctx, s, func(name string) {
		steps = append(steps, name)
		fmt.Fprintf(c.Stderr, "  ✓ %s\n", name)
	})
	if err != nil {
		return nil, link.DatabaseError(err)
	}
	view := answer.Line("the team's tables are made: %s", text.Count(len(steps), "step"))
	if len(steps) == 0 {
		view = answer.Line("the team's tables are there already")
	}
	return &answer.Answer{Data: struct {
		Steps []string `json:"steps"`
	}{steps}, View: view, Done: true}, nil
}

// checkAnonKey refuses the keys that may do everything: what is committed must
// be the public one.
func checkAnonKey(key string) {
	secret := strings.HasPrefix(key, "sb_secret_")
	if parts := strings.Split(key, "."); len(parts) == 3 {
		var claims struct {
			Role string `json:"role"`
		}
		data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
		if err == nil && json.Unmarshal(data, &claims) == nil {
			secret = secret || claims.Role != "" && claims.Role != "anon"
		}
	}
	if secret {
		must.Fail(command.Usage(term.Hint(errors.New("this is a service-role key: it may do everything and must not be committed, and it cannot make tables either"),
			"--anon-key takes the public key (anon or sb_publishable_…); --database - makes tables")))
	}
}

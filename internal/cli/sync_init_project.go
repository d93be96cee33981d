package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/command"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/db"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/runs"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// migratePatience is how long a project's database may take for all of it.
const migratePatience = 2 * time.Minute

// printSchema writes the SQL for a Supabase project to a file, or to stdout.
func printSchema(env *Env, file string) error {
	if file == "" {
		_, err := fmt.Fprint(env.Stdout, db.Script())
		return err
	}
	if err := atomicfile.WriteFile(env.Path(file), []byte(db.Script()), home.SharedFile); err != nil {
		return err
	}
	runs.SayWrote(env, file)
	term.PrintHint(env.Stderr, "paste it into the SQL editor of the project and run it as postgres; again does no harm")
	return nil
}

// migrateProject makes the team's tables in a Supabase project's database. The
// URL comes from stdin, the terminal or the environment, and goes nowhere else.
func migrateProject(ctx context.Context, env *Env, from string) error {
	s := env.Getenv(link.DatabaseURL)
	switch {
	case from == "-":
		var err error
		if s, err = env.Secret("URL of a database"); err != nil {
			return err
		}
	case from != "":
		return command.Usage(term.Hint(errors.New("a URL on the command line shows its password to everybody on this machine"), "--database - asks for it, %s has it", link.DatabaseURL))
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return command.Usage(term.Hint(errors.New("that is no URL of a database"), "postgres://postgres.PROJECT:PASSWORD@HOST:5432/postgres, from the project's page Connect"))
	}
	ctx, cancel := context.WithTimeout(ctx, migratePatience)
	defer cancel()
	fmt.Fprintln(env.Stderr, "making the team's tables …")
	steps := 0
	err := db.MigrateSupabase(ctx, s, func(name string) {
		steps++
		fmt.Fprintf(env.Stderr, "  ✓ %s\n", name)
	})
	if err != nil {
		return link.DatabaseError(err)
	}
	if steps == 0 {
		fmt.Fprintln(env.Stdout, "the team's tables are there already")
		return nil
	}
	_, err = fmt.Fprintf(env.Stdout, "the team's tables are made: %s\n", text.Count(steps, "step"))
	return err
}

// checkAnonKey refuses the keys that may do everything: what is committed must
// be the public one.
func checkAnonKey(key string) error {
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
		return command.Usage(term.Hint(errors.New("this is a service-role key: it may do everything and must not be committed, and it cannot make tables either"),
			"--anon-key takes the public key (anon or sb_publishable_…); --database - makes tables"))
	}
	return nil
}

// teamSlug is what a team is called by default: who owns the repository, or
// where it has no remote, its directory.
func teamSlug(repo string) string {
	remote, _ := git.Run(context.Background(), repo, "config", "--get", "remote.origin.url")
	name, _, ok := strings.Cut(eval.RepoSlug(remote), "/")
	if !ok || name == "" {
		name = filepath.Base(git.MainTree(repo))
	}
	return text.Slug(name, wire.MostSlug)
}

// gitEmail is the address that git commits with, "" where it knows none.
func gitEmail(env *Env) string {
	email, _ := git.Run(context.Background(), env.Here(), "config", "--get", "user.email")
	return email
}

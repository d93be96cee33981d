package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newServeBackup(env *Env) *cobra.Command {
	var opts storeOptions
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the embedded database into a file, also while a server runs",
		Long: `Writes the database as it is at one moment into FILE, which must not be there
yet, and its SHA-256 into FILE.sha256. A PostgreSQL is backed up by pg_dump.`,
		Example: `  cairn serve backup /backups/cairn-$(date +%F).db
  cairn serve backup --data /var/lib/cairn cairn.db && sha256sum -c cairn.db.sha256`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeBackup(cmd, env, &opts, args[0]) },
	}
	opts.flags(cmd)
	return cmd
}

func runServeBackup(cmd *cobra.Command, env *Env, opts *storeOptions, file string) error {
	place, err := opts.find(cmd, env)
	if err != nil {
		return err
	}
	size, err := server.Backup(cmd.Context(), place, env.Path(file))
	switch {
	case errors.Is(err, db.ErrNoBackup):
		return command.Usage(term.Hint(err, "pg_dump --format=custom --file=%s --dbname=%s asks for the password; PGPASSWORD or ~/.pgpass has it where nobody sits", term.ShellWord(file), term.ShellWord(withoutPassword(place.Database))))
	case errors.Is(err, server.ErrExists):
		return term.Hint(err, "a backup never replaces another; give it a name of its own")
	case err != nil:
		return serveError(err, place)
	}
	fmt.Fprintf(env.Stderr, "%s, with its checksum in %s.sha256\n", text.Bytes(size), term.Printable(file))
	return nil
}

// find takes the settings of a verb that looks after a server, and its store.
func (o *storeOptions) find(cmd *cobra.Command, env *Env) (server.Place, error) {
	if cmd.Context() == nil {
		cmd.SetContext(context.Background())
	}
	if err := serveSettings(cmd, env); err != nil {
		return server.Place{}, err
	}
	return o.place(env)
}

// join opens the store of a verb that looks after a server, which may run.
func (o *storeOptions) join(cmd *cobra.Command, env *Env) (*server.Store, error) {
	place, err := o.find(cmd, env)
	if err != nil {
		return nil, err
	}
	cmd.SetContext(db.WithOrigin(cmd.Context(), &db.Origin{Actor: db.ActorOperator}))
	st, err := server.Join(cmd.Context(), place)
	if err != nil {
		return nil, serveError(err, place)
	}
	return st, nil
}

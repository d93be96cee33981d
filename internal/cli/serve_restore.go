package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
)

type serveRestoreOptions struct {
	store             storeOptions
	force, noChecksum bool
}

func newServeRestore(env *Env) *cobra.Command {
	var opts serveRestoreOptions
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the embedded database",
		Long: `Copies FILE into the data directory, compares it with FILE.sha256, reads all of
it and looks at its schema; only then it becomes the database. No server may run
on the directory. A database that is there is replaced only with --force, and
kept beside the new one.`,
		Example: `  cairn serve restore /backups/cairn-2026-03-01.db --data /srv/cairn
  cairn serve restore cairn.db --force`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeRestore(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&opts.force, "force", false, "replace the database that is there; it is kept under another name")
	f.BoolVar(&opts.noChecksum, "no-checksum", false, "take a file without FILE.sha256")
	return cmd
}

func runServeRestore(cmd *cobra.Command, env *Env, opts *serveRestoreOptions, file string) error {
	place, err := opts.store.find(cmd, env)
	if err != nil {
		return err
	}
	r, err := server.Restore(cmd.Context(), place, env.Path(file), opts.force, opts.noChecksum)
	switch {
	case errors.Is(err, db.ErrNoBackup):
		return command.Usage(term.Hint(err, "pg_restore --clean --if-exists --dbname=%s %s asks for the password; PGPASSWORD or ~/.pgpass has it where nobody sits", term.ShellWord(withoutPassword(place.Database)), term.ShellWord(file)))
	case errors.Is(err, server.ErrBackup):
		return command.Data(err)
	case errors.Is(err, server.ErrNoDigest):
		return command.Data(term.Hint(err, "--no-checksum takes it all the same"))
	case errors.Is(err, server.ErrExists):
		return term.Hint(err, "--force replaces it and keeps it under another name")
	case err != nil:
		return serveError(err, place)
	}
	fmt.Fprintf(env.Stderr, "%s restored\n", text.Bytes(r.Size))
	if r.Kept != "" {
		fmt.Fprintf(env.Stderr, "what was there is %s\n", term.Printable(r.Kept))
	}
	return nil
}

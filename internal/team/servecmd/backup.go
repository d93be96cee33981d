package servecmd

import (
	"errors"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
)

func backupCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "serve backup", Short: "Copy the embedded database into a file", Args: []command.Arg{{Name: "FILE"}},
			Long: `Writes the database as it is at one moment into FILE, which must not exist yet,
and its SHA-256 into FILE.sha256. The server may run. Back up PostgreSQL with
pg_dump.`,
			Examples: []string{"cairn serve backup /backups/cairn-$(date +%F).db", "cairn serve backup --data /var/lib/cairn cairn.db && sha256sum -c cairn.db.sha256"},
			Effect:   command.Writes, Run: backup,
		},
		{
			Path: "serve restore", Short: "Replace the embedded database with a backup", Args: []command.Arg{{Name: "FILE"}},
			Long: `Copies FILE into the data directory, compares it with FILE.sha256, reads all of
it and checks its schema; only then it becomes the database. No server may run on
the directory. An existing database is replaced only with --force, and kept
beside the new one.`,
			Examples: []string{"cairn serve restore /backups/cairn-2026-03-01.db --data /srv/cairn", "cairn serve restore cairn.db --force"},
			Effect:   command.Writes, Run: restore,
			Flags: []command.Flag{
				{Name: "force", Default: false, Help: "replace the existing database; it is kept under another name"},
				{Name: "no-checksum", Default: false, Help: "accept a file without FILE.sha256"},
			},
		},
	}
}

func backup(c *command.Call) (*answer.Answer, error) {
	place, err := find(c)
	if err != nil {
		return nil, err
	}
	file := c.Arg("FILE")
	size, err := server.Backup(c, place, c.Path(file))
	switch {
	case errors.Is(err, db.ErrNoBackup):
		return nil, command.Usage(term.Hint(err, "pg_dump --format=custom --file=%s --dbname=%s asks for the password; PGPASSWORD or ~/.pgpass sets it in scripts",
			term.ShellWord(file), term.ShellWord(withoutPassword(place.Database))))
	case errors.Is(err, server.ErrExists):
		return nil, term.Hint(err, "a backup never replaces another; give it a name of its own")
	case err != nil:
		return nil, Explain(err, place)
	}
	return said(struct {
		File     string `json:"file"`
		Bytes    int64  `json:"bytes"`
		Checksum string `json:"checksum_file"`
	}{file, size, file + ".sha256"}, "%s, with its checksum in %s.sha256", text.Bytes(size), term.Printable(file))
}

func restore(c *command.Call) (*answer.Answer, error) {
	place, err := find(c)
	if err != nil {
		return nil, err
	}
	file := c.Arg("FILE")
	r, err := server.Restore(c, place, c.Path(file), c.Bool("force"), c.Bool("no-checksum"))
	switch {
	case errors.Is(err, db.ErrNoBackup):
		return nil, command.Usage(term.Hint(err, "pg_restore --clean --if-exists --dbname=%s %s asks for the password; PGPASSWORD or ~/.pgpass sets it in scripts",
			term.ShellWord(withoutPassword(place.Database)), term.ShellWord(file)))
	case errors.Is(err, server.ErrBackup):
		return nil, command.Data(err)
	case errors.Is(err, server.ErrNoDigest):
		return nil, command.Data(term.Hint(err, "--no-checksum takes it all the same"))
	case errors.Is(err, server.ErrExists):
		return nil, term.Hint(err, "--force replaces it and keeps it under another name")
	case err != nil:
		return nil, Explain(err, place)
	}
	did := text.Bytes(r.Size) + " restored"
	if r.Kept != "" {
		did += "\nwhat was there is " + term.Printable(r.Kept)
	}
	return said(struct {
		Bytes int64  `json:"bytes"`
		Kept  string `json:"kept,omitempty"` // the database that was there
	}{r.Size, r.Kept}, "%s", did)
}

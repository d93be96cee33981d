package servecmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/export"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/version"
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
	place := find(c)
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
	place := find(c)
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

// OutputFlag names the file of an export.
var OutputFlag = command.Flag{Name: "output", Short: "o", Default: "", Required: true, Help: "`FILE` to write, which must not exist yet"}

// CheckOutput refuses a file that is there, before anything is asked for.
func CheckOutput(c *command.Call) error {
	name := c.String("output")
	if _, err := os.Lstat(c.Path(name)); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s is there already", term.Printable(name))
		}
		return command.Usage(err)
	}
	return nil
}

// WriteExport writes an archive beside its name, checks it and gives it the name:
// what is called so is whole. Only its owner may read it.
func WriteExport(c *command.Call, write func(io.Writer) error) (*answer.Answer, error) {
	name := c.Path(c.String("output"))
	f, err := os.CreateTemp(filepath.Dir(name), ".export-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name()) // what was renamed is not called that any more
	if err = f.Chmod(home.PrivateFile); err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	m, err := export.Verify(f.Name())
	if err != nil {
		return nil, command.Data(err)
	}
	if err := os.Link(f.Name(), name); err != nil { // fails where another has come meanwhile
		if errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if err := os.Rename(f.Name(), name); err != nil { // a file system without links
			return nil, err
		}
	}
	var rows int64
	for _, file := range m.Files {
		rows += file.Rows
	}
	return &answer.Answer{Data: m, Done: true, View: answer.Line("%s: %d rows of %d tables; every checksum is right", term.Printable(c.String("output")), rows, len(m.Files))}, nil
}

// export exports a team, a person, or what is a person's of a team.
func (c *call) export(slug, email string) (*answer.Answer, error) {
	what := c.whatToExport(slug, email)
	return WriteExport(c.Call, func(w io.Writer) error {
		_, err := export.Write(c, c.st.DB, what, w)
		return err
	})
}

// whatToExport finds the team and the person, and notes the export.
func (c *call) whatToExport(slug, email string) (what export.What) {
	what.Version = version.Full()
	entry := audit.Entry{Action: audit.TeamExported}
	if email != "" {
		u := c.user(email)
		what.Person, what.Account = u.ID, slug == ""
		entry.Action, entry.Object = audit.PersonExported, audit.ID(u.ID)
	}
	must.OK(c.update(func(tx *db.Tx) (err error) {
		if slug != "" {
			if what.Team, err = tx.FindTeam(c, slug); err != nil {
				return err
			}
			entry.Team = audit.ID(what.Team)
		}
		return audit.Write(c, tx, entry)
	}))
	return what
}

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
	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/export"
	"cairn/internal/term"
	"cairn/internal/version"
)

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
	what, err := c.whatToExport(slug, email)
	if err != nil {
		return nil, err
	}
	return WriteExport(c.Call, func(w io.Writer) error {
		_, err := export.Write(c, c.st.DB, what, w)
		return err
	})
}

// whatToExport finds the team and the person, and notes the export.
func (c *call) whatToExport(slug, email string) (what export.What, err error) {
	what.Version = version.Full()
	entry := audit.Entry{Action: audit.TeamExported}
	if email != "" {
		u, err := c.user(email)
		if err != nil {
			return what, err
		}
		what.Person, what.Account = u.ID, slug == ""
		entry.Action, entry.Object = audit.PersonExported, audit.ID(u.ID)
	}
	err = c.update(func(tx *db.Tx) (err error) {
		if slug != "" {
			if what.Team, err = tx.FindTeam(c, slug); err != nil {
				return err
			}
			entry.Team = audit.ID(what.Team)
		}
		return audit.Write(c, tx, entry)
	})
	return what, err
}

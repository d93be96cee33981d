// Package export writes what a server has of a team, or of a person, into one
// ZIP archive: a file of JSON lines for each table, and manifest.json, which has
// the rows, bytes and SHA-256 of each and says what was left out and why. It is
// one snapshot of the database, read in pages, so neither the size of the team
// nor the speed of whoever receives it costs memory.
//
//	export.go   the archive
//	source.go   which tables and columns are in it, and which are not
//	page.go     rows as JSON, page by page, from both databases
//	verify.go   whether an archive is whole
//
// Secrets are never exported: hashes of passwords and tokens, what proves an
// invitation, addresses and keys of webhooks. A test compares source.go with the
// database, column by column. Who may have an export is checked by the caller.
// docs/export.md is the format.
package export

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// What is asked for.
type What struct {
	// Team is whose rows, the zero one for those of all teams; then Person is wanted.
	Team uuid.UUID
	// Person is whose rows, the zero one for everybody's.
	Person uuid.UUID
	// Account: also the person's account, ways to sign in and sessions, which are
	// no team's: for themselves and the operator.
	Account bool
	Version string // of cairn
}

// Format and Version of an archive.
const (
	Format  = "cairn-export"
	Version = 1
)

// manifestName is the last file of an archive: one without it is not whole.
const manifestName = "manifest.json"

// A Manifest says what is in an archive.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Cairn   string    `json:"cairn"`
	MadeAt  time.Time `json:"made_at"`
	Team    *Team     `json:"team"`   // null: every team of the person
	Person  *Person   `json:"person"` // null: everybody
	Files   []File    `json:"files"`
	LeftOut []LeftOut `json:"left_out"`
}

// A Team of a manifest.
type Team struct {
	ID   uuid.UUID `json:"id"`
	Slug string    `json:"slug"`
	Name string    `json:"name"`
}

// A Person of a manifest.
type Person struct {
	ID    uuid.UUID `json:"id"`
	Email string    `json:"email"`
}

// A File has the rows of one table, a JSON object a line.
type File struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// LeftOut is what the database has and the archive has not.
type LeftOut struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns,omitempty"` // none: all
	Reason  string   `json:"reason"`
}

// Write writes an archive. What was written before an error is no archive.
func Write(ctx context.Context, d *db.DB, what What, w io.Writer) (*Manifest, error) {
	m := &Manifest{Format: Format, Version: Version, Cairn: what.Version, MadeAt: time.Now().UTC().Truncate(time.Second), LeftOut: leftOut(what)}
	archive := zip.NewWriter(w)
	err := d.Snapshot(ctx, db.ServerItself, func(tx *db.Tx) error {
		s, err := about(ctx, tx, what, m)
		if err != nil {
			return err
		}
		for _, src := range s.sources() {
			f, err := s.file(ctx, tx, archive, src)
			if err != nil {
				return err
			}
			m.Files = append(m.Files, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f, err := archive.Create(manifestName)
	if err != nil {
		return nil, err
	}
	out := json.NewEncoder(f)
	out.SetIndent("", "  ")
	if err := out.Encode(m); err != nil {
		return nil, err
	}
	return m, archive.Close()
}

// about names the team and the person of an export in its manifest.
func about(ctx context.Context, tx *db.Tx, what What, m *Manifest) (*selection, error) {
	s := &selection{What: what, dialect: tx.Dialect()}
	if what.Team != uuid.Nil {
		m.Team = &Team{ID: what.Team}
		if err := tx.QueryRow(ctx, `select slug, name from teams where id = ?`, what.Team).Scan(&m.Team.Slug, &m.Team.Name); err != nil {
			return nil, err
		}
	}
	if what.Person != uuid.Nil {
		m.Person = &Person{ID: what.Person}
		if err := tx.QueryRow(ctx, `select email from auth.users where id = ?`, what.Person).Scan(&m.Person.Email); err != nil {
			return nil, err
		}
		s.email = m.Person.Email
	}
	return s, nil
}

// file writes the rows of a table.
func (s *selection) file(ctx context.Context, tx *db.Tx, archive *zip.Writer, src source) (File, error) {
	f := File{Name: src.name + ".ndjson"}
	w, err := archive.Create(f.Name)
	if err != nil {
		return f, err
	}
	sum := counting{hash: sha256.New()}
	out := bufio.NewWriterSize(io.MultiWriter(w, &sum), 64<<10)
	if f.Rows, err = s.rows(ctx, tx, src, out); err != nil {
		return f, err
	}
	if err := out.Flush(); err != nil {
		return f, err
	}
	f.Bytes, f.SHA256 = sum.n, hex.EncodeToString(sum.hash.Sum(nil))
	return f, nil
}

type counting struct {
	hash hash.Hash
	n    int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.hash.Write(p)
}

// ErrBroken says that an archive is not the one that was written, or not all of it.
var ErrBroken = errors.New("the export is not whole")

// mostManifest bounds what is read of a manifest.
const mostManifest = 1 << 20

// Verify reads an archive and compares every file with the manifest; ErrBroken.
func Verify(name string) (*Manifest, error) {
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	defer archive.Close()
	in, err := archive.Open(manifestName)
	if err != nil {
		return nil, fmt.Errorf("%w: it has no %s", ErrBroken, manifestName)
	}
	data, err := io.ReadAll(io.LimitReader(in, mostManifest))
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	var m Manifest
	switch err := json.Unmarshal(data, &m); {
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrBroken, manifestName, err)
	case m.Format != Format || m.Version != Version:
		return nil, fmt.Errorf("%w: %s is of format %q, version %d, not %q, version %d", ErrBroken, manifestName, m.Format, m.Version, Format, Version)
	case len(archive.File) != len(m.Files)+1:
		return nil, fmt.Errorf("%w: it has %d files, the manifest %d", ErrBroken, len(archive.File)-1, len(m.Files))
	}
	for _, f := range m.Files {
		if err := f.verify(&archive.Reader); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrBroken, f.Name, err)
		}
	}
	return &m, nil
}

func (f File) verify(archive *zip.Reader) error {
	in, err := archive.Open(f.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	sum, lines := counting{hash: sha256.New()}, lineCounter(0)
	if _, err := io.Copy(io.MultiWriter(&sum, &lines), io.LimitReader(in, f.Bytes+1)); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.hash.Sum(nil)); got != f.SHA256 || int64(lines) != f.Rows {
		return fmt.Errorf("%d rows, SHA-256 %s; the manifest has %d rows, %s", lines, got, f.Rows, f.SHA256)
	}
	return nil
}

type lineCounter int64

func (n *lineCounter) Write(p []byte) (int, error) {
	*n += lineCounter(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}

package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/home"
	"cairn/internal/project"
)

// A Cache is REPO/.cairn/team-cache: what the team had when it was last pulled, for
// other programs to read. TABLE.json is an array of rows, the oldest first;
// .meta.json is a Meta. Package replica writes it.
//
// A pull writes what a server says below a directory that came with the
// repository: no link there is followed.
type Cache struct{ in *project.Dir }

const (
	cacheDir   = "team-cache"
	metaFile   = cacheDir + "/.meta.json"
	ignoreFile = ".gitignore"
	ignoreLine = cacheDir + "/"
)

// OpenCache returns the cache in a repository's .cairn. It touches nothing.
func OpenCache(in *project.Dir) *Cache { return &Cache{in} }

// Meta is .meta.json.
type Meta struct {
	URL      string            `json:"url"`
	Team     string            `json:"team"` // id
	LastPull time.Time         `json:"last_pull,omitzero"`
	FullPull time.Time         `json:"full_pull,omitzero"` // when every row was last asked for
	Tables   map[string]Pulled `json:"tables"`
	Skipped  []string          `json:"skipped,omitempty"` // a sentence for each row that was too large, last time
}

// Pulled is what the cache has of a table.
type Pulled struct {
	Rows   int    `json:"rows"`
	Latest string `json:"latest"` // the newest row's created_at or day
	Cursor Place  `json:"cursor,omitzero"`
}

func tableFile(table string) string { return cacheDir + "/" + table + ".json" }

// Meta returns what is known of the cache; of none, or one that cannot be read,
// the zero Meta.
func (c *Cache) Meta() Meta {
	var m Meta
	data, err := c.in.Read(metaFile, mostAuth)
	if err != nil || json.Unmarshal(data, &m) != nil {
		m = Meta{}
	}
	if m.Tables == nil {
		m.Tables = map[string]Pulled{}
	}
	return m
}

func (c *Cache) write(name string, data []byte) error {
	return c.in.Write(name, data, home.PrivateDir, home.PrivateFile)
}

// WriteTable replaces a table, a row a line.
func (c *Cache) WriteTable(table string, rows []jsontext.Value) error {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(r)
	}
	b.WriteString("\n]\n")
	return c.write(tableFile(table), b.Bytes())
}

// WriteMeta says what the tables are.
func (c *Cache) WriteMeta(m Meta) error {
	data, err := json.Marshal(m, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return c.write(metaFile, append(data, '\n'))
}

// RemoveTable removes a table that is not known any more.
func (c *Cache) RemoveTable(table string) error { return c.in.Remove(tableFile(table)) }

// Prepare makes the directory, keeps it out of git, and removes what killed pulls and
// older versions left there.
func (c *Cache) Prepare() error {
	_, err := c.prepare()
	return err
}

func (c *Cache) prepare() (lock string, err error) {
	lock, err = c.in.Mkdir(cacheDir, ".lock", home.PrivateDir)
	if err == nil {
		c.in.RemoveStale(cacheDir)          // of pulls that were killed
		_ = c.in.Remove(cacheDir + "/runs") // of an older version: they are in the copy
		err = c.Ignore()
	}
	if err != nil {
		return "", fmt.Errorf("the cache cannot be written: %w", err)
	}
	return lock, nil
}

// Lock keeps others from writing the cache until unlock is called.
func (c *Cache) Lock(ctx context.Context) (unlock func(), err error) {
	lock, err := c.prepare()
	if err != nil {
		return nil, err
	}
	unlock, _, err = lockFile(ctx, lock, true)
	return unlock, err
}

// Ignore has git ignore the cache, whether or not there is one yet.
func (c *Cache) Ignore() error {
	data, err := c.in.Read(ignoreFile, mostAuth)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for l := range bytes.Lines(data) {
		if string(bytes.TrimSpace(l)) == ignoreLine {
			return nil
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	return c.in.Write(ignoreFile, append(data, ignoreLine+"\n"...), home.SharedDir, home.SharedFile)
}

// Remove removes the cache and what Ignore wrote.
func (c *Cache) Remove() error {
	if err := c.in.Remove(cacheDir); err != nil {
		return err
	}
	data, err := c.in.Read(ignoreFile, mostAuth)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var rest []byte
	for l := range bytes.Lines(data) {
		if string(bytes.TrimSpace(l)) != ignoreLine {
			rest = append(rest, l...)
		}
	}
	switch {
	case len(rest) == 0:
		return c.in.Remove(ignoreFile)
	case len(rest) == len(data):
		return nil
	}
	return c.in.Write(ignoreFile, rest, home.SharedDir, home.SharedFile)
}

// Problem says why the cache cannot be written, nil if it can or is not there.
func (c *Cache) Problem() error {
	const probe = cacheDir + "/.writable"
	if _, err := os.Lstat(c.in.Path(cacheDir)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := c.write(probe, nil); err != nil {
		return err
	}
	return c.in.Remove(probe)
}

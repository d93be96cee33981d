package client

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Cache is REPO/.cairn/team-cache: what the team had when it was last pulled.
// TABLE.json is an array of rows, the oldest first; .meta.json is a Meta.
type Cache struct {
	dir    string
	ignore string // REPO/.cairn/.gitignore
}

// OpenCache returns the cache of a repository. It touches nothing.
func OpenCache(repo home.Repo) *Cache { return &Cache{dir: repo.TeamCache(), ignore: repo.Ignore()} }

// Dir is the directory, for messages.
func (c *Cache) Dir() string { return c.dir }

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
	Cursor Cursor `json:"cursor,omitzero"`
}

// A Cursor is the last row that was pulled, in the order of created_at and id.
type Cursor struct {
	At string `json:"at"`
	ID string `json:"id"`
}

const mostCache = 512 << 20

func (c *Cache) file(table string) string { return filepath.Join(c.dir, table+".json") }
func (c *Cache) metaFile() string         { return filepath.Join(c.dir, ".meta.json") }

// Meta returns what is known of the cache; of none, or one that cannot be read,
// the zero Meta.
func (c *Cache) Meta() Meta {
	var m Meta
	data, err := atomicfile.ReadRegular(c.metaFile(), mostAuth)
	if err != nil || json.Unmarshal(data, &m) != nil {
		m = Meta{}
	}
	if m.Tables == nil {
		m.Tables = map[string]Pulled{}
	}
	return m
}

// errCorrupt says that a file of the cache is not what a pull writes.
var errCorrupt = errors.New("the cache is damaged")

// Rows decodes the rows of a table into out, a pointer to a slice. A table that
// was never pulled has none. A damaged file is an error; the next pull mends it.
func (c *Cache) Rows(table string, out any) error {
	data, err := atomicfile.ReadRegular(c.file(table), mostCache)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("%s: %w: %w", c.file(table), errCorrupt, err)
	}
	return nil
}

// write replaces a table, a row a line.
func (c *Cache) write(table string, rows []jsontext.Value) error {
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
	return atomicfile.WriteFile(c.file(table), b.Bytes(), home.PrivateFile)
}

func (c *Cache) writeMeta(m Meta) error {
	data, err := json.Marshal(m, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(c.metaFile(), append(data, '\n'), home.PrivateFile)
}

// prepare makes the directory and keeps it out of git.
func (c *Cache) prepare() error {
	if err := os.MkdirAll(c.dir, home.PrivateDir); err != nil {
		return err
	}
	atomicfile.RemoveStale(c.dir) // of pulls that were killed
	return c.Ignore()
}

// Ignore has git ignore the cache, whether or not there is one yet.
func (c *Cache) Ignore() error {
	line := filepath.Base(c.dir) + "/"
	data, err := os.ReadFile(c.ignore)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for l := range bytes.Lines(data) {
		if string(bytes.TrimSpace(l)) == line {
			return nil
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	return atomicfile.WriteFile(c.ignore, append(data, line+"\n"...), home.SharedFile)
}

// Remove removes the cache and what Ignore wrote.
func (c *Cache) Remove() error {
	if err := os.RemoveAll(c.dir); err != nil {
		return err
	}
	line := filepath.Base(c.dir) + "/"
	data, err := os.ReadFile(c.ignore)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var rest []byte
	for l := range bytes.Lines(data) {
		if string(bytes.TrimSpace(l)) != line {
			rest = append(rest, l...)
		}
	}
	switch {
	case len(rest) == 0:
		return os.Remove(c.ignore)
	case len(rest) == len(data):
		return nil
	}
	return atomicfile.WriteFile(c.ignore, rest, home.SharedFile)
}

// Problem says why the cache cannot be written, nil if it can or is not there.
func (c *Cache) Problem() error {
	if _, err := os.Stat(c.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := os.CreateTemp(c.dir, ".cairn-*.tmp")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

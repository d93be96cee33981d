// Package record turns what skills write down (a retrospective, a QA report, a
// ship, verdicts on review comments, a shared session) and what is collected (how
// far a plan is, how a day was worked) into rows of the team's tables. Bytes or
// figures go in, rows come out: it opens no file, asks no git and no server.
//
// cli imports it. Which columns there are package table says; how a row gets to
// a server is the spool's and the client's business.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// A Row is one row of a table of the registry, without the team and the user:
// these are known where it is sent.
type Row struct {
	Table     string
	IngestKey string         // 64 hex digits, the same for the same content
	Body      jsontext.Value // an object; its members are columns
	Title     string         // what a person knows it by, a stranger's text
}

// Repo is the repository that a row is of, "" where it has none.
func (r Row) Repo() string {
	var in struct {
		Repo string `json:"repo_slug"`
	}
	_ = json.Unmarshal(r.Body, &in) // a row is an object
	return in.Repo
}

// A Context is what is known of a record from outside its file.
type Context struct {
	Repo   string // owner/name, where the record names no repository
	Branch string
	Time   time.Time // of the file, where the record tells no time
}

// A File is what a file of records holds. Nothing of it is used unless all of it
// can be read.
type File struct {
	Rows     []Row
	Warnings []string // what was left out, each with its line
}

// columns are the members of a row that is being made.
type columns map[string]jsontext.Value

func (c columns) text(name, value string) {
	if quoted, err := jsontext.AppendQuote(nil, value); err == nil {
		c[name] = quoted
	}
}

func (c columns) time(name string, at time.Time) { c.text(name, at.UTC().Format(time.RFC3339Nano)) }

// string is a column's text, "" where it has none.
func (c columns) string(name string) string {
	return unquote(c[name])
}

// row finishes a row: its key is the SHA-256 of the canonical form (RFC 8785) of
// its columns, so that the same content is the same record wherever and however
// often it is sent. A time that only the file's tells is no content. ordinal
// tells records apart that are legally the same: the first, the second.
func (c columns) row(tab *table.Table, when Context, ordinal int, title string) (Row, error) {
	c.place(tab, when)
	content, err := json.Marshal(map[string]jsontext.Value(c), json.Deterministic(true))
	if err != nil {
		return Row{}, err
	}
	canonical := jsontext.Value(content)
	if err := canonical.Canonicalize(); err != nil {
		return Row{}, err
	}
	h := sha256.New()
	h.Write([]byte(tab.Name + "\n"))
	if ordinal > 1 {
		h.Write([]byte(strconv.Itoa(ordinal) + "\n"))
	}
	h.Write(canonical)
	return c.keyed(tab, when, hex.EncodeToString(h.Sum(nil)), title)
}

// place tells the repository, where the record does not.
func (c columns) place(tab *table.Table, when Context) {
	if _, told := c["repo_slug"]; !told && tab.Column("repo_slug") != nil {
		c.text("repo_slug", when.Repo)
	}
}

// keyed finishes a row whose key is known.
func (c columns) keyed(tab *table.Table, when Context, key, title string) (Row, error) {
	c.text("ingest_key", key)
	if _, told := c["occurred_at"]; !told && !when.Time.IsZero() {
		c.time("occurred_at", when.Time.Truncate(time.Millisecond))
	}
	body, err := json.Marshal(map[string]jsontext.Value(c), json.Deterministic(true))
	return Row{Table: tab.Name, IngestKey: key, Body: body, Title: title}, err
}

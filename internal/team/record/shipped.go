package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"cairn/internal/team/table"
)

// A Shipped is a ship that git knows of: a version that was tagged, or a pull
// request that was merged. What is not known is "".
type Shipped struct {
	Key     string // what makes it this ship of its repository
	Version string
	Branch  string // where the pull request came from
	SHA     string
	Title   string
	Author  string
	Email   string
	URL     string // of the pull request
	At      time.Time
}

// Row makes the row of a ship. Its key is of what the ship is, not of its words:
// who collects it after .mailmap was mended collects the same ship.
func (s Shipped) Row(when Context) (Row, error) {
	c := columns{}
	for _, column := range [...]struct{ name, value string }{
		{"version", s.Version}, {"branch", s.Branch}, {"git_sha", s.SHA}, {"title", s.Title},
		{"author", s.Author}, {"author_email", s.Email}, {"pr_url", s.URL},
	} {
		if column.value != "" {
			c.text(column.name, column.value)
		}
	}
	c.time("occurred_at", s.At)
	tab := table.Find(Ship.Table())
	c.place(tab, when)
	sum := sha256.Sum256([]byte(tab.Name + "\n" + c.string("repo_slug") + "\n" + s.Key))
	return c.keyed(tab, when, hex.EncodeToString(sum[:]), cmp.Or(s.Version, s.Title))
}

package account

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// each runs a test on both databases.
func each(t *testing.T, test func(*testing.T, *db.DB)) {
	urls := map[string]string{"sqlite": filepath.Join(t.TempDir(), "cairn.db")}
	if c := pgtest.Shared(); c != nil {
		url, err := c.Database()
		if err != nil {
			t.Fatal(err)
		}
		urls["postgres"] = url
	}
	for name, url := range urls {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			d, err := db.Open(ctx, url, db.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if _, err := d.Migrate(ctx, false); err != nil {
				t.Fatal(err)
			}
			test(t, d)
		})
	}
}

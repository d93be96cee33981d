package record

import (
	"strings"
	"testing"
	"time"
)

// Who collects a ship with other words for it collects the same one.
func TestShippedIsWhatItIs(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	row := func(s Shipped, repo string) Row {
		r, err := s.Row(Context{Repo: repo, Branch: "somebody's"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := row(Shipped{Key: "abc #1", SHA: "abc", Title: "One", Author: "ada", Email: "ada@x", URL: "https://h/pull/1", At: at}, "acme/app")
	mended := row(Shipped{Key: "abc #1", SHA: "abc", Title: "One", Author: "Ada Lovelace", Email: "ada@x", At: at}, "acme/app")
	if one.IngestKey != mended.IngestKey || len(one.IngestKey) != 64 {
		t.Errorf("keys are %s and %s", one.IngestKey, mended.IngestKey)
	}
	for _, other := range []Row{
		row(Shipped{Key: "abc #1", SHA: "abc", At: at}, "acme/other"),
		row(Shipped{Key: "abc #2", SHA: "abc", At: at}, "acme/app"),
	} {
		if other.IngestKey == one.IngestKey {
			t.Errorf("another ship has the same key: %s", other.Body)
		}
	}
	want := `{"author":"ada","author_email":"ada@x","git_sha":"abc","ingest_key":"` + one.IngestKey +
		`","occurred_at":"2026-03-01T09:00:00Z","pr_url":"https://h/pull/1","repo_slug":"acme/app","title":"One"}`
	if string(one.Body) != want || one.Title != "One" {
		t.Errorf("%s\n%s", one.Title, one.Body)
	}
	if v := row(Shipped{Key: "k", Version: "v1", Title: "x"}, "r"); v.Title != "v1" || !strings.Contains(string(v.Body), `"version":"v1"`) {
		t.Errorf("%s %s", v.Title, v.Body)
	}
}

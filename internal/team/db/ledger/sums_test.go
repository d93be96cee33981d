package ledger

import (
	"fmt"
	"path/filepath"
	"testing"

	"cairn/internal/team/db"
)

// TestDays: a day's requests are one row, whatever their quarters, phases and tools,
// and names come out as they went in, but for what is no text.
func TestDays(t *testing.T) {
	ctx := t.Context()
	d, err := db.OpenPrivate(ctx, filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	put := func(repo, session, branch, phase string, pull, quarter, nanos int) {
		t.Helper()
		if err := d.Do(ctx, `insert into cairn.ledger_sums (session, agent, quarter, model, tool, repo, branch, commit_sha, made, pull, phase,
			input, cache_read, write_5m, write_1h, output, requests, unpriced, nanos) values (?, 'codex', ?, 'm', '', ?, ?, 'c0ffee', '', ?, ?, 1, 2, 3, 4, 5, 1, 0, ?)`,
			session, quarter, repo, branch, pull, phase, nanos); err != nil {
			t.Fatal(err)
		}
	}
	const day = 96 // quarters
	odd := "a\n\"b\xff\xfe"
	put("acme/app", "s2", odd, "", 12, 20000*day+5, 400)
	put("acme/app", "s2", odd, "03", 12, 20000*day+9, 200)
	put("acme/app", "s2", odd, "03", 12, 20001*day-1, 900)
	put("acme/app", "s2", odd, "03", 12, 20001*day, 500)
	put("acme/app", "s1", "main", "", 0, 20001*day+1, 0)
	put("acme/other", "s1", "main", "", 0, 20001*day+1, 0)
	days, err := Days(ctx, d, "acme/app")
	got := ""
	for _, s := range days {
		got += fmt.Sprintf("%s %s %s %q %s #%d %q %s %d µ$%d %s\n", s.Day, s.Agent, s.Session, s.Branch, s.Commit, s.PullRequest, s.Phase, s.Model, s.Input+s.CacheRead+s.Write5m+s.Write1h+s.Output, s.Micros, s.At.UTC().Format("15:04"))
	}
	want := `2024-10-04 codex s2 "a\n\"b�" c0ffee #12 "03" m 45 µ$2 23:45
2024-10-05 codex s1 "main" c0ffee #0 "" m 15 µ$0 00:15
2024-10-05 codex s2 "a\n\"b�" c0ffee #12 "03" m 15 µ$1 00:00
`
	if got != want || err != nil {
		t.Errorf("%v\ngot:\n%swant:\n%s", err, got, want)
	}
	if titles, err := Titles(ctx, d, "s", 1); err != nil || len(titles) != 1 || titles[0].Of != "s1" || titles[0].Agent != "codex" || titles[0].Requests != 2 {
		t.Errorf("%+v, %v", titles, err)
	}
}

package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// inParts takes the cases and results of a run out of it, so many to a part.
func inParts(t *testing.T, p wire.EvalPush, each int) (head wire.EvalPush, parts []ingest.Part) {
	t.Helper()
	head = p
	head.Run.Cases, head.Run.Results = nil, nil
	for ; head.Run.Parts*each < len(p.Run.Results); head.Run.Parts++ {
		from, to := head.Run.Parts*each, min((head.Run.Parts+1)*each, len(p.Run.Results))
		body, err := json.Marshal(wire.EvalPartial{Cases: p.Run.Cases[from:to], Results: p.Run.Results[from:to]})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, ingest.Part{Team: p.Team, Key: p.Run.IngestKey, Number: head.Run.Parts, Body: body})
	}
	return head, parts
}

// A run in parts is the run: seen when all of it is there, its parts its
// sender's own and gone when they are no longer wanted.
func TestParts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as, other, stranger := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, dbtest.Team(t, d, "b"), "owner")
		head, parts := inParts(t, aLargeRun(team, "1", 250), 100)
		left := func() int { return dbtest.Count(t, d, `select count(*) from cairn.eval_parts`) }
		send := func(as db.Identity, parts ...ingest.Part) {
			t.Helper()
			for _, part := range parts {
				if err := ingest.StorePart(ctx, d, as, part); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := ingest.StorePart(ctx, d, stranger, parts[0]); code(err) != "42501" {
			t.Errorf("a part of a stranger: %v", err)
		}
		wrong := parts[1]
		wrong.Body = []byte(`{"cases": [], "results": []}`)
		send(as, parts[2], wrong, parts[0], parts[1]) // in any order; the same again takes its place
		if n := left(); n != 3 {
			t.Errorf("%d parts are kept", n)
		}
		if _, err := ingest.Store(ctx, d, other, head); code(err) != "PT503" || !strings.Contains(err.Error(), "part 0") {
			t.Errorf("of parts that another one sent: %v", err)
		}
		if got := seen(t, d, team); got != nothing {
			t.Errorf("before the run: %s", got)
		}
		send(other, parts[:2]...)
		if _, err := ingest.Store(ctx, d, other, head); code(err) != "PT503" || !strings.Contains(err.Error(), "part 2") {
			t.Errorf("of which one has not come: %v", err)
		}
		if got := seen(t, d, team); got != nothing {
			t.Errorf("after a run without its last part: %s", got)
		}
		const whole = "1 runs, 250 results, 3 payloads, 250 counted"
		if out, err := ingest.Store(ctx, d, as, head); err != nil || out.Duplicate || seen(t, d, team) != whole {
			t.Errorf("%+v, %v: %s", out, err, seen(t, d, team))
		}
		if n := left(); n != 2 {
			t.Errorf("%d parts are left, want the other one's 2", n)
		}
		send(as, parts...)
		if out, err := ingest.Store(ctx, d, as, head); err != nil || !out.Duplicate || out.ID != head.Run.ID || seen(t, d, team) != whole {
			t.Errorf("again: %+v, %v: %s", out, err, seen(t, d, team))
		}
		if n := left(); n != 2 {
			t.Errorf("%d parts are left of a run that was there", n)
		}
		if d.Dialect() == db.PostgreSQL { // where nobody may change what is kept
			return
		}
		dbtest.Exec(t, d, `update cairn.eval_parts set created_at = ?`, time.Now().Add(-25*time.Hour))
		if send(as, parts[0]); left() != 1 {
			t.Errorf("%d parts after a day", left())
		}
	})
}

// A part that could be none of a run is refused when it comes, or with its run.
func TestPartsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "member")
		head, parts := inParts(t, aLargeRun(team, "1", 20), 20)
		for name, change := range map[string]func(*ingest.Part){
			"22023 a short key":          func(p *ingest.Part) { p.Key = "short" },
			"22023 a long key":           func(p *ingest.Part) { p.Key = strings.Repeat("x", 129) },
			"22023 below 0":              func(p *ingest.Part) { p.Number = -1 },
			"22023 beyond the last":      func(p *ingest.Part) { p.Number = wire.MostParts },
			"22023 a list":               func(p *ingest.Part) { p.Body = []byte(`[]`) },
			"22P05 with the character 0": func(p *ingest.Part) { p.Body = []byte(`{"a":"\u0000"}`) },
		} {
			part := parts[0]
			change(&part)
			if err := ingest.StorePart(ctx, d, as, part); code(err) != name[:5] {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := dbtest.Count(t, d, `select count(*) from cairn.eval_parts`); n != 0 {
			t.Errorf("%d parts that were refused are kept", n)
		}
		for want, body := range map[string]string{
			"23514": `{"cases": [], "results": [{"case_id": 1, "status": 9}]}`,
			"22P02": `{"cases": [], "results": [{"case_id": "x"}]}`,
		} {
			parts[0].Body = []byte(body)
			if err := ingest.StorePart(ctx, d, as, parts[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := ingest.Store(ctx, d, as, head); err == nil || d.Dialect() == db.SQLite && code(err) != want {
				t.Errorf("%s: %v, want %s", body, err, want)
			}
		}
		if got := seen(t, d, team); got != nothing {
			t.Error(got)
		}
	})
}

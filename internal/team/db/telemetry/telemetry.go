// Package telemetry adds what agents told by OpenTelemetry to spend_days: each
// message once, of cumulative sums what came since the last one. It keeps figures,
// the names that package otlp made fit, and hashes.
//
// Who may write is decided by db/rows, as for any row. server/collector calls it.
package telemetry

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/otlp"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/record"
	"cairn/internal/team/table"
)

const (
	again     = time.Hour           // within which the same message is one that is sent again
	forgotten = 30 * 24 * time.Hour // a sum that does not move any more
	mostSums  = 20_000              // of one person or token in a team
)

// A Message is what is to be stored.
type Message struct {
	Team   uuid.UUID
	Digest [32]byte // of its bytes
	Batch  *otlp.Batch
	Rows   func(*otlp.Batch, []otlp.Delta) []record.SpendDay
	// Where the agent runs, for records that do not say it.
	Repo, Branch string
}

// Store adds a message, as somebody who may. Rows of another repository than the
// one that a token of CI is for are refused: others is how many.
func Store(ctx context.Context, d *db.DB, as db.Identity, m Message) (others int, err error) {
	err = d.UpdateLoad(ctx, as, db.Load{Team: m.Team, Rows: 1 + len(m.Batch.Events)}, func(tx *db.Tx) error {
		others = 0
		if err := admits(ctx, tx, as, m.Team, as.Repo); err != nil {
			return err
		}
		s := &storing{tx: tx, as: as, team: m.Team, now: time.Now().UTC()}
		if known, err := s.known(ctx, m.Digest); known || err != nil {
			return err
		}
		deltas := make([]otlp.Delta, len(m.Batch.Points))
		for i := range m.Batch.Points {
			if deltas[i], err = s.delta(ctx, &m.Batch.Points[i]); err != nil {
				return err
			}
		}
		for _, row := range m.Rows(m.Batch, deltas) {
			if row.Repo == "" && m.Repo != "" {
				row.Repo, row.Branch = m.Repo, cmp.Or(row.Branch, m.Branch)
				row = row.Bounded()
			}
			switch {
			case as.Repo != "" && row.Repo == "":
				row.Repo = as.Repo
			case as.Repo != "" && row.Repo != as.Repo:
				others++
				continue
			}
			if err := s.add(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
	return others, err
}

// admits asks whether somebody may write rows of the team.
func admits(ctx context.Context, tx *db.Tx, as db.Identity, team uuid.UUID, repo string) error {
	return rows.Admits(ctx, tx, as, table.Find("spend_days"), map[string]string{"team_id": team.String(), "user_id": as.User.String(), "repo_slug": repo})
}

// Team is the team that somebody's telemetry is of: that of a token of CI, the one
// that is named by slug or id, else the only one that they are in.
func Team(ctx context.Context, d *db.DB, as db.Identity, named string) (team uuid.UUID, err error) {
	switch {
	case as.Role == db.Anon:
		return team, &postgrest.Error{Status: 401, Code: "42501", Message: "telemetry needs a token of the team: Authorization: Bearer TOKEN"}
	case as.User == uuid.Nil:
		return team, &postgrest.Error{Status: 403, Code: "42501", Message: "telemetry is somebody's: a person's, or a token's of CI"}
	case as.Team != uuid.Nil:
		return as.Team, nil
	}
	err = d.View(ctx, as, func(tx *db.Tx) error {
		query, args := `select t.id from teams t join team_members m on m.team_id = t.id where m.user_id = ?`, []any{as.User}
		if id, err := uuid.Parse(named); err == nil {
			query, args = query+` and t.id = ?`, append(args, id)
		} else if named != "" {
			query, args = query+` and t.slug = ?`, append(args, named)
		}
		ids, err := tx.IDs(ctx, query, args...)
		switch {
		case err != nil:
			return err
		case len(ids) == 0:
			return &postgrest.Error{Status: 403, Code: "42501", Message: "no such team, or you are not in it"}
		case len(ids) > 1:
			return &postgrest.Error{Status: 400, Code: "22023", Message: "you are in several teams: name one in the header X-Cairn-Team"}
		}
		team = ids[0]
		return nil
	})
	return team, err
}

type storing struct {
	tx   *db.Tx
	as   db.Identity
	team uuid.UUID
	now  time.Time
}

// known notes a message and reports whether it came before.
func (s *storing) known(ctx context.Context, digest [32]byte) (bool, error) {
	if _, err := s.tx.ExecOften(ctx, `delete from cairn.telemetry_seen where team_id = ? and user_id = ? and seen_at < ?`, s.team, s.as.User, s.now.Add(-again)); err != nil {
		return false, err
	}
	n, err := s.tx.ExecOften(ctx, `insert into cairn.telemetry_seen (team_id, user_id, digest, seen_at) values (?, ?, ?, ?) on conflict do nothing`,
		s.team, s.as.User, digest[:], s.now)
	return n == 0, err
}

// delta is what a point adds; where its sum stands now is kept.
func (s *storing) delta(ctx context.Context, p *otlp.Point) (otlp.Delta, error) {
	if !p.Cumulative {
		return otlp.Delta{Value: p.Value, N: p.N}, nil
	}
	var start, at, n int64
	var value float64
	err := s.tx.QueryRow(ctx, `select start_ns, at_ns, value, n from cairn.telemetry_sums where team_id = ? and user_id = ? and series = ?`,
		s.team, s.as.User, p.Series[:]).Scan(&start, &at, &value, &n)
	d, fresh := otlp.Delta{Value: p.Value, N: p.N}, true
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if err := s.room(ctx); err != nil {
			return d, err
		}
	case err != nil:
		return d, err
	default:
		d, fresh = p.Since(uint64(start), uint64(at), value, n)
	}
	if !fresh {
		return d, nil
	}
	_, err = s.tx.ExecOften(ctx, `insert into cairn.telemetry_sums (team_id, user_id, series, start_ns, at_ns, value, n, seen_at) values (?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (team_id, user_id, series) do update set start_ns = excluded.start_ns, at_ns = excluded.at_ns, value = excluded.value, n = excluded.n, seen_at = excluded.seen_at`,
		s.team, s.as.User, p.Series[:], int64(p.Start), int64(p.At), p.Value, p.N, s.now)
	return d, err
}

// room forgets sums that do not move any more, and refuses one too many.
func (s *storing) room(ctx context.Context) error {
	if _, err := s.tx.ExecOften(ctx, `delete from cairn.telemetry_sums where team_id = ? and user_id = ? and seen_at < ?`, s.team, s.as.User, s.now.Add(-forgotten)); err != nil {
		return err
	}
	n, err := db.One[int](ctx, s.tx, `select count(*) from cairn.telemetry_sums where team_id = ? and user_id = ?`, s.team, s.as.User)
	if err == nil && n >= mostSums {
		err = &postgrest.Error{Status: 413, Code: "54000", Message: fmt.Sprintf("more than %d cumulative sums: send deltas", mostSums)}
	}
	return err
}

// add puts figures to those of the same place, session and model.
func (s *storing) add(ctx context.Context, r record.SpendDay) error {
	key := sha256.New()
	for _, part := range []string{s.as.User.String(), r.Source, r.Hostname, r.Day, r.Session, r.Agent, r.Repo, r.Branch, r.Model} {
		fmt.Fprintf(key, "%d %s", len(part), part)
	}
	_, err := s.tx.ExecOften(ctx, `insert into spend_days as s (team_id, id, ingest_key, user_id, occurred_at, repo_slug, day, source, hostname, agent, session, branch, model,
			input_tokens, cache_read_tokens, write_5m_tokens, write_1h_tokens, output_tokens, requests, usd_micros, unpriced)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (team_id, user_id, source, hostname, day, session, agent, repo_slug, branch, commit_sha, pull_request, model) do update set
			input_tokens = s.input_tokens + excluded.input_tokens, cache_read_tokens = s.cache_read_tokens + excluded.cache_read_tokens,
			write_5m_tokens = s.write_5m_tokens + excluded.write_5m_tokens, write_1h_tokens = s.write_1h_tokens + excluded.write_1h_tokens,
			output_tokens = s.output_tokens + excluded.output_tokens, requests = s.requests + excluded.requests,
			usd_micros = s.usd_micros + excluded.usd_micros, unpriced = s.unpriced + excluded.unpriced,
			occurred_at = case when excluded.occurred_at > s.occurred_at then excluded.occurred_at else s.occurred_at end`,
		s.team, uuid.New(), "telemetry-"+hex.EncodeToString(key.Sum(nil)), s.as.User, r.At, r.Repo, r.Day, r.Source, r.Hostname, r.Agent, r.Session, r.Branch, r.Model,
		r.Input, r.CacheRead, r.Write5m, r.Write1h, r.Output, r.Requests, r.Micros, r.Unpriced)
	return err
}

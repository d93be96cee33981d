package server

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/erase"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/retry"
)

// A job is regular work. Of several servers of a database one does it.
type job struct {
	name  string
	every time.Duration
	do    func(context.Context) ([]slog.Attr, error)
}

const (
	lookTime   = time.Minute     // how often a server looks for what is due
	noticeTime = 5 * time.Second // how often it looks for runs to judge and messages to send
	digestTime = 5 * time.Minute
	retryTime  = 10 * time.Minute // after a failure
	jobTime    = 30 * time.Minute // no job takes longer
)

// jobs is the one list of them.
func (s *Server) jobs() []job {
	return []job{
		{"sweep", time.Hour, func(ctx context.Context) ([]slog.Attr, error) {
			n, err := s.db.Sweep(ctx, time.Now())
			if err != nil {
				return nil, err
			}
			notices, err := notice.Sweep(ctx, s.db, time.Now(), alert.Stale)
			return []slog.Attr{slog.Int64("rows", n+notices)}, err
		}},
		{"digest", digestTime, func(ctx context.Context) ([]slog.Attr, error) {
			n, err := s.herald.Digest(ctx, uuid.Nil)
			return []slog.Attr{slog.Int("messages", n)}, err
		}},
		{"retain", 24 * time.Hour, func(ctx context.Context) ([]slog.Attr, error) {
			if s.config.RetainMonths == 0 {
				return nil, nil
			}
			n, err := s.db.DropMonthsBefore(ctx, retainedSince(time.Now(), s.config.RetainMonths))
			return []slog.Attr{slog.Int("months", n)}, err
		}},
		{"erase", 5 * time.Minute, func(ctx context.Context) ([]slog.Attr, error) { // what a server that stopped had begun
			n, err := erase.Resume(ctx, s.db)
			return []slog.Attr{slog.Int("finished", n)}, err
		}},
		{"quota", 10 * time.Minute, func(ctx context.Context) ([]slog.Attr, error) { // of a database of before there were any
			n, err := quota.CountTeams(ctx, s.db)
			return []slog.Attr{slog.Int("teams", n)}, err
		}},
		{"audit", 24 * time.Hour, func(ctx context.Context) ([]slog.Attr, error) {
			n, err := audit.Trim(ctx, s.db, time.Now().AddDate(0, 0, -cmp.Or(s.config.AuditDays, AuditDays)), audit.MostEntries)
			return []slog.Attr{slog.Int64("entries", n)}, err
		}},
		{"tidy", 24 * time.Hour, func(ctx context.Context) ([]slog.Attr, error) {
			return nil, s.db.Tidy(ctx, s.config.Litestream)
		}},
	}
}

// retainedSince is the first moment of the oldest month that stays: months
// whole ones before the one that is going on.
func retainedSince(now time.Time, months int) time.Time {
	now = now.UTC()
	return time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}

// work does what is due until ctx is over. Servers that were started at the
// same moment look at different ones.
func (s *Server) work(ctx context.Context) {
	list := s.jobs()
	for {
		if retry.Wait(ctx, lookTime/2+rand.N(lookTime)) != nil {
			return
		}
		for _, j := range list {
			s.turn(ctx, j)
		}
	}
}

// notices judges what was pushed and sends what is to be sent until ctx is over.
// Each server does it: the rows themselves say whose turn it is, and where
// nothing waits nothing is written.
func (s *Server) notices(ctx context.Context) {
	for {
		if retry.Wait(ctx, noticeTime/2+rand.N(noticeTime)) != nil {
			return
		}
		began := time.Now()
		done, err := s.herald.Round(ctx)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			s.log.Error("notices failed", "error", err)
		case done.Fired+done.Resolved+done.Sent+done.Failed > 0:
			s.log.Info("notices", "judged", done.Judged, "fired", done.Fired, "resolved", done.Resolved, "sent", done.Sent, "failed", done.Failed,
				"seconds", time.Since(began).Seconds())
		}
	}
}

// turn does a job if it is due and no other server has it.
func (s *Server) turn(ctx context.Context, j job) {
	now := time.Now()
	mine, err := s.db.Take(ctx, j.name, now, now.Add(j.every))
	if err != nil || !mine {
		if err != nil && ctx.Err() == nil {
			s.log.Warn("no job can be taken", "job", j.name, "error", err)
		}
		return
	}
	limited, done := context.WithTimeout(ctx, jobTime)
	defer done()
	attrs, err := j.do(limited)
	attrs = append(attrs, slog.String("job", j.name), slog.Float64("seconds", time.Since(now).Seconds()))
	if err == nil {
		s.log.LogAttrs(ctx, slog.LevelInfo, "job", attrs...)
		return
	}
	s.log.LogAttrs(ctx, slog.LevelError, "job failed", append(attrs, slog.Any("error", err))...)
	// Also when the server stops: the next one need not wait a day.
	if err := s.db.Postpone(context.WithoutCancel(ctx), j.name, time.Now().Add(retryTime)); err != nil {
		s.log.Warn("a failed job waits for its next turn", "job", j.name, "error", err)
	}
}

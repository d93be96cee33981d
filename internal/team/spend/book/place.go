package book

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"cairn/internal/git"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/eval"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/place"
)

// settled is the age from which a session's requests are not attributed again.
const settled = 90 * 24 * time.Hour

// place attributes new requests, and again those of repositories whose refs moved.
func (b *Book) place(ctx context.Context, notes map[string]string, p Progress, report *Report) error {
	dirs, err := ledger.Dirs(ctx, b.DB)
	if err != nil {
		return err
	}
	where, err := b.where(ctx, dirs, notes)
	if err != nil {
		return err
	}
	of := repositories(dirs, where)
	prints := map[string]string{}
	for common, r := range of {
		now := place.Fingerprint(common)
		if notes["head "+common] != now {
			prints[common] = now
			if err := ledger.Again(ctx, b.DB, r.sessions, time.Now().Add(-settled)); err != nil {
				return err
			}
		}
	}
	unplaced, err := ledger.Unplaced(ctx, b.DB)
	if err != nil || len(unplaced) == 0 {
		return err
	}
	p.Begin("finding where they belong", int64(len(unplaced)))
	defer p.End()
	waits := map[string]bool{}
	for _, s := range unplaced {
		waits[s] = true
	}
	traces, err := b.trace(ctx, dirs, where, waits, of)
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for common, r := range of {
		if !slices.ContainsFunc(r.sessions, func(s string) bool { return waits[s] }) {
			continue
		}
		// All sessions of a repository at once: who made a commit is told from all of them.
		if err := b.placeIn(ctx, r, where, traces, report); err != nil {
			return err
		}
		for _, s := range r.sessions {
			done[s] = true
		}
		p.Add(int64(len(r.sessions)))
		if now, ok := prints[common]; ok {
			if err := ledger.Note(ctx, b.DB, "head "+common, now); err != nil {
				return err
			}
		}
	}
	for _, s := range unplaced {
		if !done[s] { // it was in no repository that is there
			h, err := ledger.Sessions(ctx, b.DB, []string{s})
			if err == nil {
				err = ledger.Place(ctx, b.DB, h.Requests)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// A group is the sessions that worked in a repository, and a directory in it.
type group struct {
	common   string
	dir      string
	sessions []string
}

// repositories groups sessions by the git directory of where they worked.
func repositories(dirs map[string][]string, where map[string]string) map[string]*group {
	of := map[string]*group{}
	for dir, sessions := range dirs {
		common := where[dir]
		if common == "" {
			continue
		}
		if of[common] == nil {
			of[common] = &group{common: common, dir: filepath.Dir(common)} // of a bare one any working tree is
		}
		if g := of[common]; commonOf(dir) == common {
			g.dir = dir
		}
		of[common].add(sessions)
	}
	return of
}

func (g *group) add(sessions []string) {
	g.sessions = append(g.sessions, sessions...)
	slices.Sort(g.sessions)
	g.sessions = slices.Compact(g.sessions)
}

// commonOf is the git directory that a directory's working trees share, "" outside
// of a repository.
func commonOf(dir string) string {
	top, ok := git.Top(dir)
	if !ok {
		return ""
	}
	_, common := git.Dir(top)
	if real, err := filepath.EvalSymlinks(common); err == nil {
		common = real
	}
	return common
}

// placeIn places the requests of sessions that were sent from a repository.
func (b *Book) placeIn(ctx context.Context, g *group, where map[string]string, traces map[string][]string, report *Report) error {
	h, err := ledger.Sessions(ctx, b.DB, g.sessions)
	if err != nil {
		return err
	}
	repo, ok := place.Open(ctx, g.dir, eval.RepoSlug)
	if !ok {
		return nil // it went meanwhile
	}
	for dir, common := range where {
		if common == g.common && commonOf(dir) == "" {
			repo.Adopt(dir, traces[dir])
		}
	}
	repo.Recover(ctx, h.Calls, h.Marks, h.Stood)
	repo.Claim(h.Calls, h.Marks)
	ours := h.Requests[:0]
	oldest := time.Now()
	var made []string
	for _, q := range h.Requests {
		if at := where[q.Dir]; at != "" && at != g.common {
			continue // another repository's
		} else if at != "" { // else it was outside of any, or in one that is gone: what was found out then stays
			q.Place = stand(repo, &q)
			if q.Sent.Before(oldest) {
				oldest = q.Sent
			}
			if c := q.Place.Made; c != "" && !slices.Contains(made, c) {
				made = append(made, c)
			}
		}
		ours = append(ours, q)
	}
	if len(made) > 0 {
		if err := repo.Load(ctx, oldest, made); err != nil { // commits keep the names they were made with
			report.Unreadable = append(report.Unreadable, "commits of "+repo.Name+": "+err.Error())
		}
		for i := range ours {
			if p := &ours[i].Place; p.Made != "" {
				p.Commit = repo.Final(ctx, p.Made, p.Branch)
				p.Pull, p.Phase = repo.Pull(p.Commit, p.Made), repo.Phase(p.Made)
			}
		}
	}
	return ledger.Place(ctx, b.DB, ours)
}

// stand is where a request was sent from, and the session's next commit there.
func stand(repo *place.Repo, q *ledger.Standing) spend.Place {
	at := spend.Place{Repo: repo.Name, Branch: q.Hint}
	t := repo.Of(q.Dir)
	if t == nil {
		return at
	}
	if t.Top != "" {
		if branch, m, known := t.Branch(q.Sent); known {
			at.Branch = repo.Today(branch, m)
		}
	} else {
		at.Branch = repo.Today(q.Hint, nil)
	}
	if next := repo.Next(t, q.Session, q.Dir, at.Branch, q.Sent); next != nil {
		at.Branch = cmp.Or(at.Branch, repo.Today(next.Branch, next))
		at.Made, at.Commit = next.Head, next.Head
	} else if last := repo.Last(q.Session, q.Dir, q.Sent); t.Top == "" && at.Branch == "" && last != nil {
		at.Branch = repo.Today(last.Branch, last)
	}
	return at
}

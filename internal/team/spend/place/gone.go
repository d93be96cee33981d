package place

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/mark"
	"cairn/internal/team/spend"
)

// Has returns the commits of a repository that hashes, or beginnings of hashes, name, by
// these.
func Has(ctx context.Context, dir string, hashes []string) map[string]string {
	found := map[string]string{}
	if len(hashes) == 0 {
		return found
	}
	_ = git.Stream(ctx, dir, strings.NewReader(strings.Join(hashes, "\n")+"\n"), func(out *bufio.Reader) error {
		for _, h := range hashes {
			line, err := out.ReadString('\n')
			if full, kind, _ := strings.Cut(strings.TrimSpace(line), " "); kind == "commit" {
				found[h] = full
			}
			if err != nil {
				return nil
			}
		}
		_, err := io.Copy(io.Discard, out)
		return err
	}, "cat-file", "--batch-check=%(objectname) %(objecttype)")
	return found
}

// Adopt says that a directory, which is gone, was in this repository: where hashes are
// of commits that the log of one working tree has, that one was moved; else its working
// tree was removed.
func (r *Repo) Adopt(dir string, hashes []string) {
	r.moved[dir] = r.without()
	for _, t := range r.Trees {
		had := func(hash string) bool {
			return slices.ContainsFunc(t.Moves, func(m Move) bool { return strings.HasPrefix(m.Head, hash) })
		}
		if t.Top != "" && len(hashes) > 0 && !slices.ContainsFunc(hashes, func(h string) bool { return !had(h) }) {
			r.moved[dir] = t
			return
		}
	}
}

// Recover finds commits that were made in working trees that are gone, with branches
// that are gone: those whose hashes calls printed, those that hooks saw, and those
// before them. branch is where a call's session was then.
func (r *Repo) Recover(ctx context.Context, calls []spend.Call, marks []mark.Mark, branch func(*spend.Call) string) {
	gone := r.without()
	var heads []string
	for _, t := range r.Trees {
		for i := range t.Moves {
			heads = append(heads, t.Moves[i].Head)
		}
	}
	slices.Sort(heads)
	known := func(hash string) bool {
		i, _ := slices.BinarySearch(heads, hash)
		return i < len(heads) && strings.HasPrefix(heads[i], hash)
	}
	add := func(at time.Time, dir, session, hash, branch string) {
		gone.Moves = append(gone.Moves, Move{At: at, When: at, Head: hash, Kind: "commit", Branch: branch, Session: session, dir: dir})
	}
	var printed []*spend.Call
	var hashes []string
	for i := range calls {
		for _, h := range calls[i].Commits {
			if !known(h) && r.Of(calls[i].Dir) == gone {
				printed, hashes = append(printed, &calls[i]), append(hashes, h)
			}
		}
	}
	full := Has(ctx, r.top, hashes)
	for i, c := range printed {
		if h := full[hashes[i]]; h != "" && !known(h) {
			add(c.Start, c.Dir, c.Session, h, cmp.Or(c.On, branch(c)))
		}
	}
	learn := func() {
		for i := range gone.Moves {
			heads = append(heads, gone.Moves[i].Head)
		}
		slices.Sort(heads)
	}
	learn() // hooks have seen them too
	last := map[string]*mark.Mark{}
	for i := range marks {
		m := &marks[i]
		key := fmt.Sprintf("%q %q %q", m.Session, m.Sub, m.Dir)
		was := last[key]
		last[key] = m
		if was == nil || was.Head == m.Head || known(m.Head) || r.Of(m.Dir) != gone {
			continue
		}
		out, _ := git.Run(ctx, r.top, "rev-list", "--first-parent", "--reverse", "--max-count=50", was.Head+".."+m.Head)
		for _, h := range strings.Fields(out) {
			if !known(h) {
				add(m.At, m.Dir, m.Session, h, m.Branch)
			}
		}
	}
	learn()
	for _, m := range slices.Clone(gone.Moves) { // those before, which nobody printed: Claim finds out whose they are
		if m.Session == "" {
			continue
		}
		out, _ := git.Run(ctx, r.top, "log", "--first-parent", "--max-count=50", "--format=%H %ct", m.Head+"^")
		for line := range strings.Lines(out) {
			hash, at, _ := strings.Cut(strings.TrimSpace(line), " ")
			seconds, err := strconv.ParseInt(at, 10, 64)
			if err != nil || known(hash) {
				break
			}
			add(time.Unix(seconds, 0), m.dir, "", hash, m.Branch)
		}
	}
	slices.SortStableFunc(gone.Moves, func(a, b Move) int { return a.When.Compare(b.When) })
}

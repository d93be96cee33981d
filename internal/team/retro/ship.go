package retro

import (
	"context"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
)

// Ships is [Ships] of a history that was read. A pull request that several
// commits name was merged by the oldest of them, a merge before any other.
func (h *History) Ships(ctx context.Context) ([]Ship, error) {
	if h.tip == "" {
		return nil, nil
	}
	tags, err := h.tags(ctx)
	if err != nil {
		return nil, err
	}
	remote, _ := git.Run(ctx, h.o.Dir, "config", "--get", "remote.origin.url") // none is no error
	host := hostOf(remote)
	var out []Ship
	pulls := map[int]*commit{}
	for i := range h.commits { // the newest first
		c := &h.commits[i]
		if c.pull == nil {
			continue
		}
		if have := pulls[c.pull.number]; have == nil || c.isMerge() || !have.isMerge() {
			pulls[c.pull.number] = c
		}
	}
	for _, c := range pulls {
		s := Ship{
			Number: c.pull.number, SHA: c.sha, Title: c.pull.title, Author: c.pull.author.name, Email: c.pull.author.email,
			Branch: c.pull.branch, URL: host.pull(c.pull), At: time.Unix(c.at, 0).UTC(),
		}
		out = append(out, s)
	}
	for _, t := range tags {
		if h.o.Path == "" || t.merged == merged {
			who := t.who.real()
			out = append(out, Ship{Version: oneLine(t.name), SHA: t.sha, Title: t.title, Author: who.name, Email: who.email, At: t.at})
		}
	}
	slices.SortFunc(out, func(a, b Ship) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		if a.Number != b.Number {
			return a.Number - b.Number
		}
		return strings.Compare(a.Version, b.Version)
	})
	return out, nil
}

// Key is what makes it this ship, whoever collects it and however often.
func (s Ship) Key() string {
	return s.SHA + " " + s.Name()
}

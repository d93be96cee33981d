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
	at := make(map[string]*commit, len(tags))
	for _, t := range tags {
		at[t.sha] = nil
	}
	pulls := map[int]*commit{}
	for i := range h.commits { // the newest first
		c := &h.commits[i]
		if _, tagged := at[c.sha]; tagged {
			at[c.sha] = c
		}
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
		c := at[t.sha]
		if c == nil && h.o.Path != "" {
			continue
		}
		s := Ship{Version: oneLine(t.name), SHA: t.sha, Title: t.title, At: t.at}
		switch {
		case t.who != nil:
			s.Author, s.Email = t.who.real().name, t.who.real().email
		case c != nil:
			s.Author, s.Email = c.author.name, c.author.email
		}
		out = append(out, s)
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

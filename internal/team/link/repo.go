package link

import (
	"context"
	"path/filepath"
	"strings"

	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/eval"
	"cairn/internal/team/wire"
	"cairn/internal/text"
)

// DefaultSlug is what a team is called by default: who owns the repository, or
// where it has no remote, its directory.
func DefaultSlug(repo string) string {
	remote, _ := git.Run(context.Background(), repo, "config", "--get", "remote.origin.url")
	name, _, ok := strings.Cut(eval.RepoSlug(remote), "/")
	if !ok || name == "" {
		name = filepath.Base(git.MainTree(repo))
	}
	return text.Slug(name, wire.MostSlug)
}

// Exclude has this clone ignore the repository's team.json, or no longer.
func Exclude(repo home.Repo, ignore bool) error {
	top, ok := git.Top(string(repo))
	if !ok {
		return nil
	}
	rel, err := filepath.Rel(top, repo.Team())
	if err != nil {
		return err
	}
	return git.Ignore(top, "/"+filepath.ToSlash(rel), ignore)
}

// Person returns the client for a person's own session, whatever credentials of
// CI the environment has.
func (c *Checkout) Person() (*client.Client, error) {
	o := c.Options()
	o.CI = client.CI{}
	return client.Open(o)
}

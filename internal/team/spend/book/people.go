package book

import (
	"context"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/eval"
	"cairn/internal/team/spend/place"
)

// Persons returns who requests are of, by repository and commit ("" is none): the
// author of the commit, else whoever commits in that repository here, else whoever
// commits on this machine, by the address that git has. "" is not known.
func (b *Book) Persons(ctx context.Context) (func(repo, commit string) string, error) {
	dirs, err := ledger.RepoDirs(ctx, b.DB)
	if err != nil {
		return nil, err
	}
	commits, err := ledger.Commits(ctx, b.DB)
	if err != nil {
		return nil, err
	}
	machine := git.Email(b.user)
	here := map[string]string{}
	authors := map[string]string{}
	for repo, in := range dirs {
		asked := map[string]bool{"": true}
		for _, dir := range in { // a repository may have been cloned twice
			common := commonOf(dir)
			if asked[common] {
				continue
			}
			asked[common] = true
			if here[repo] == "" {
				here[repo] = git.Email(dir)
			}
			for sha, email := range git.AuthorEmails(ctx, dir, commits[repo]) {
				authors[repo+" "+sha] = email
			}
		}
	}
	return func(repo, commit string) string {
		for _, email := range [...]string{authors[repo+" "+commit], here[repo], machine} {
			if email != "" {
				return strings.ToLower(email)
			}
		}
		return ""
	}, nil
}

// Reviews is what git knows of a repository's pull requests, by their numbers; requests
// are those that belong to each. It is empty where the repository is not there any more.
func (b *Book) Reviews(ctx context.Context, repo string, requests map[int64][]ledger.Spent) (map[int64]place.Review, error) {
	reviews := map[int64]place.Review{}
	dirs, err := ledger.RepoDirs(ctx, b.DB)
	if err != nil {
		return nil, err
	}
	type names struct{ commits, made []string }
	of, all, since := map[int64]*names{}, []string(nil), time.Now()
	for pull, list := range requests {
		n := &names{}
		of[pull] = n
		for i := range list {
			at := &list[i].Place
			n.commits, n.made = including(n.commits, at.Commit), including(n.made, at.Made)
			if list[i].Sent.Before(since) {
				since = list[i].Sent
			}
		}
		all = slices.Concat(all, n.made, n.commits)
	}
	for _, dir := range dirs[repo] {
		r, is := place.Open(ctx, dir, eval.RepoSlug)
		if !is || r.Name != repo {
			continue
		}
		if err := r.Load(ctx, since, all); err != nil {
			return nil, err
		}
		for pull, n := range of {
			reviews[pull] = r.Review(ctx, pull, n.commits, n.made)
		}
		break
	}
	return reviews, nil
}

func including(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

package book

import (
	"context"
	"slices"
	"strings"

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

// Review is what git knows of a pull request that requests belong to; ok is false
// where its repository is not there any more.
func (b *Book) Review(ctx context.Context, repo string, pull int64, requests []ledger.Spent) (v place.Review, ok bool, err error) {
	dirs, err := ledger.RepoDirs(ctx, b.DB)
	if err != nil || len(requests) == 0 {
		return v, false, err
	}
	var made, commits []string
	for i := range requests {
		if at := &requests[i].Place; !slices.Contains(commits, at.Commit) {
			made, commits = append(made, at.Made), append(commits, at.Commit)
		}
	}
	for _, dir := range dirs[repo] {
		r, is := place.Open(ctx, dir, eval.RepoSlug)
		if !is || r.Name != repo {
			continue
		}
		if err := r.Load(ctx, requests[0].Sent, append(made, commits...)); err != nil {
			return v, false, err
		}
		return r.Review(ctx, pull, commits), true, nil
	}
	return v, false, nil
}

package book

import (
	"context"
	"strings"

	"cairn/internal/git"
	"cairn/internal/team/db/ledger"
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

// Package runs is where commands find the runs of evals and where they keep them:
// files of results, the user's store, and the runs of the team. What a ref means
// and how a run is stored is package eval's; here it meets files, git, the
// environment and the team of the checkout.
package runs

import (
	"cmp"
	"context"
	"path/filepath"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/term"
)

// A Store is the user's store, or that together with the runs of the team.
type Store struct {
	*eval.Store
	env *command.Env
}

// Own is the user's own store.
func Own(env *command.Env) Store { return Store{eval.Open(home.Find(env.Getenv).Evals()), env} }

// List returns the runs of the store, the newest first, and warns of files that
// cannot be read.
func (s Store) List() ([]eval.Entry, error) {
	entries, broken, err := s.Store.List()
	for i, b := range broken {
		if i == 3 {
			term.Warn(s.env.Stderr, "and %d more runs cannot be read", len(broken)-i)
			break
		}
		term.Warn(s.env.Stderr, "left out: %v", b)
	}
	return entries, err
}

// Repo is the repository that the working directory is in, as runs name it, and
// its top directory; both are "" outside of one.
func Repo(env *command.Env) (repo, top string) {
	top, ok := git.Top(env.Here())
	if !ok {
		return "", ""
	}
	remote, _ := git.Run(context.Background(), top, "config", "--get", "remote.origin.url")
	return cmp.Or(eval.RepoSlug(remote), filepath.Base(git.MainTree(top))), top
}

// Branch is the branch of a working tree; with a detached head, as in CI, the one
// that the environment names.
func Branch(env *command.Env, dir string) string {
	if branch, _ := git.Branch(context.Background(), dir); branch != "" {
		return branch
	}
	return cmp.Or(env.Getenv("GITHUB_HEAD_REF"), env.Getenv("GITHUB_REF_NAME"), env.Getenv("CI_COMMIT_REF_NAME"))
}

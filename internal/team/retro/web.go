package retro

import (
	"context"
	"net/url"
	"strings"

	"cairn/internal/git"
)

// A Web is where a repository's commits and pull requests can be read.
type Web struct{ host host }

// WebOf reads a remote of a repository; the zero Web leads nowhere.
func WebOf(remote string) Web { return Web{hostOf(remote)} }

// WebOfPull reads the address of one of its pull requests, as https alone.
func WebOfPull(address string) Web {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return Web{}
	}
	for _, before := range [...]string{"/-/merge_requests/", "/pull-requests/", "/pullrequest/", "/pulls/", "/pull/"} {
		if path, number, ok := strings.Cut(u.Path, before); ok && number != "" && strings.Trim(number, "0123456789") == "" {
			return WebOf("https://" + u.Host + path)
		}
	}
	return Web{}
}

// Commit is the page of a commit, "" where the host is none that is known.
func (w Web) Commit(sha string) string {
	if w.host.web == "" || len(sha) < 7 || strings.Trim(strings.ToLower(sha), "0123456789abcdef") != "" {
		return ""
	}
	switch w.host.form {
	case githubForm, giteaForm, azureForm:
		return w.host.web + "/commit/" + sha
	case gitlabForm:
		return w.host.web + "/-/commit/" + sha
	case bitbucketForm, serverForm:
		return w.host.web + "/commits/" + sha
	}
	return ""
}

// Pull is the page of the pull request that a commit merged, as its message says,
// with its number; "" for none.
func (w Web) Pull(ctx context.Context, dir, sha string) (number, address string) {
	if w.Commit(sha) == "" {
		return "", ""
	}
	out, err := git.Run(ctx, dir, "log", "-1", "--format=%P%n%s%n%b", sha)
	if err != nil {
		return "", ""
	}
	parents, rest, _ := strings.Cut(out, "\n")
	subject, body, _ := strings.Cut(rest, "\n")
	p := pullOf(subject, body, strings.Contains(parents, " "))
	if p == nil {
		return "", ""
	}
	address = w.host.pull(p)
	return address[strings.LastIndex(address, "/")+1:], address
}

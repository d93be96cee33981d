// Package forge writes what a job of CI found to where its change is reviewed: a
// comment on a pull request and a check run at GitHub, a note on a merge request
// at GitLab. What is written, and whether anything is, belongs to the caller.
package forge

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"cairn/internal/term"
)

// A Job is a job of CI, as its environment tells.
type Job struct {
	forge
	c client
}

// forge is what GitHub and GitLab do differently.
type forge interface {
	// list returns a page of the comments, from 1 on, and whether there are more.
	list(ctx context.Context, c *client, page int) (found []comment, more bool, err error)
	create(ctx context.Context, c *client, body string) (comment, error)
	edit(ctx context.Context, c *client, id int64, body string) (comment, error)
	check(ctx context.Context, c *client, run CheckRun) error
	// most is how long a comment can be, in bytes.
	most() int
	// refused adds to an error why such a token cannot write.
	refused(err error) error
}

// A comment, of which own says that this job's token may have written it.
type comment struct {
	id   int64
	body string
	url  string
	own  bool
}

// A CheckRun is the body of one, which gate.Report makes.
type CheckRun struct {
	Body []byte // JSON
	SHA  string
	Key  string // by which the next one finds it
}

// whose is the user of the token, 0 where the forge does not say: then no comment is
// taken for one's own, and a new one is written.
func whose(ctx context.Context, c *client) int64 {
	var user struct {
		ID int64 `json:"id"`
	}
	if _, err := c.do(ctx, http.MethodGet, []string{"user"}, nil, nil, &user); err != nil {
		return 0
	}
	return user.ID
}

// Environment is what a Job is found in: os.Getenv and os.ReadFile.
type Environment struct {
	Getenv   func(string) string
	ReadFile func(string) ([]byte, error)
}

// Find says which job this is. It is an error if it is none, or if it may not
// write because a variable is missing.
func Find(env Environment) (*Job, error) {
	if env.ReadFile == nil {
		env.ReadFile = os.ReadFile
	}
	var j Job
	var api, header, token string
	switch {
	case env.Getenv("GITLAB_CI") == "true":
		g, err := gitlabOf(env)
		if err != nil {
			return nil, err
		}
		api, header, token, j.forge = env.Getenv("CI_API_V4_URL"), "Private-Token", env.Getenv("GITLAB_TOKEN"), g
	case env.Getenv("GITHUB_ACTIONS") == "true" || env.Getenv("GITHUB_REPOSITORY") != "":
		g, err := githubOf(env)
		if err != nil {
			return nil, err
		}
		token = cmp.Or(env.Getenv("GITHUB_TOKEN"), env.Getenv("GH_TOKEN"))
		g.installation = strings.HasPrefix(token, "ghs_")
		api, header, j.forge = cmp.Or(env.Getenv("GITHUB_API_URL"), "https://api.github.com"), "Authorization", g
		if token == "" {
			return nil, term.Hint(fmt.Errorf("GITHUB_TOKEN is not set"), "env: { GITHUB_TOKEN: ${{ github.token }} } on the step")
		}
		token = "Bearer " + token
	default:
		return nil, fmt.Errorf("this is no job of GitHub Actions or GitLab CI: neither GITHUB_ACTIONS nor GITLAB_CI is true")
	}
	if token == "" {
		return nil, term.Hint(fmt.Errorf("GITLAB_TOKEN is not set"), "add a project access token with the scope api as a CI/CD variable; the job's own token cannot write notes")
	}
	base, err := url.Parse(strings.TrimRight(api, "/"))
	if err != nil || base.Host == "" || base.User != nil {
		return nil, fmt.Errorf("the API's address %q is no URL", api)
	}
	if base.Scheme != "https" && env.Getenv("CAIRN_INSECURE_HTTP") != "1" && !loopback(base.Hostname()) {
		return nil, term.Hint(fmt.Errorf("%s is not https, and a token would be readable on the way", base.Redacted()), "use https, or set CAIRN_INSECURE_HTTP=1 in a network that you trust")
	}
	j.c = client{base: base, header: header, token: token, http: newHTTP()}
	return &j, nil
}

// patience is how long all requests of a comment or a check run may take, with
// the pauses between tries.
const patience = time.Minute

// mostPages of comments are looked through: 5,000 comments.
const mostPages = 50

// Most is how many bytes Comment may be given.
func (j *Job) Most() int { return j.most() }

// Marker is the hidden line that a comment begins with, by which the next job
// finds it. name tells comments of one request apart.
func Marker(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '<' || r == '>' || r < ' ' {
			return '_'
		}
		return r
	}, name)
	return "<!-- cairn: " + clean + " -->\n"
}

// Comment writes a comment that begins with the marker, or edits the one that
// is there. It returns its address.
func (j *Job) Comment(ctx context.Context, marker, body string) (address string, edited bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err = j.c.again(ctx, func() error {
		old, err := j.find(ctx, marker)
		if err != nil {
			return err
		}
		var c comment
		if old != nil {
			c, err = j.edit(ctx, &j.c, old.id, marker+body)
		}
		// It was deleted meanwhile, or somebody else wrote the marker.
		edited = old != nil && !refusal(err)
		if !edited {
			c, err = j.create(ctx, &j.c, marker+body)
		}
		address = c.url
		return err
	})
	return address, edited, j.explain(err)
}

// find returns the newest comment that begins with the marker, nil for none. One
// that only quotes it begins otherwise.
func (j *Job) find(ctx context.Context, marker string) (found *comment, err error) {
	for page := 1; page <= mostPages; page++ {
		list, more, err := j.list(ctx, &j.c, page)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if c.own && strings.HasPrefix(strings.ReplaceAll(c.body, "\r\n", "\n"), strings.TrimSuffix(marker, "\n")) {
				found = &c
			}
		}
		if !more {
			break
		}
	}
	return found, nil
}

// Check writes a check run, or renews the one with the same key.
func (j *Job) Check(ctx context.Context, run CheckRun) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return j.explain(j.c.again(ctx, func() error { return j.check(ctx, &j.c, run) }))
}

func (j *Job) explain(err error) error {
	if refusal(err) {
		return j.refused(err)
	}
	return err
}

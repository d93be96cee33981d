package forge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"cairn/internal/term"
)

// gitlab is a job of GitLab CI: docs.gitlab.com, "Notes API", merge requests.
type gitlab struct {
	project, request string // its id, and the merge request's number in it
	server           string // the project's page, "" if not known
	me               int64  // whose token it is
}

// gitlabOf reads what GitLab tells a job. The project is that of the merge
// request, which is not the job's where the request comes from a fork.
func gitlabOf(env Environment) (*gitlab, error) {
	g := &gitlab{project: cmp.Or(env.Getenv("CI_MERGE_REQUEST_PROJECT_ID"), env.Getenv("CI_PROJECT_ID")),
		request: env.Getenv("CI_MERGE_REQUEST_IID"), server: cmp.Or(env.Getenv("CI_MERGE_REQUEST_PROJECT_URL"), env.Getenv("CI_PROJECT_URL"))}
	switch {
	case !isNumber(g.project):
		return nil, fmt.Errorf("CI_PROJECT_ID must be a number, not %q", term.Line(g.project))
	case g.request == "":
		return nil, term.Hint(fmt.Errorf("this job is of no merge request: CI_MERGE_REQUEST_IID is not set"), "rules: [{ if: $CI_PIPELINE_SOURCE == \"merge_request_event\" }]")
	case !isNumber(g.request):
		return nil, fmt.Errorf("CI_MERGE_REQUEST_IID must be a number, not %q", term.Line(g.request))
	}
	return g, nil
}

// most is less than GitLab takes, 1,000,000 characters: nobody reads a longer
// comment than GitHub's.
func (g *gitlab) most() int { return 65_536 }

type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

// comment of a note. A token of a maintainer could edit what another user wrote.
func (g *gitlab) comment(n note) comment {
	c := comment{id: n.ID, body: n.Body, own: !n.System && n.Author.ID != 0 && n.Author.ID == g.me}
	if g.server != "" {
		c.url = fmt.Sprintf("%s/-/merge_requests/%s#note_%d", g.server, g.request, n.ID)
	}
	return c
}

func (g *gitlab) path(parts ...string) []string {
	return append([]string{"projects", g.project, "merge_requests", g.request, "notes"}, parts...)
}

func (g *gitlab) list(ctx context.Context, c *client, page int) (found []comment, more bool, err error) {
	if g.me == 0 {
		g.me = whose(ctx, c)
	}
	var list []note
	header, err := c.do(ctx, http.MethodGet, g.path(), url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}, "order_by": {"created_at"}, "sort": {"asc"}}, nil, &list)
	for _, n := range list {
		found = append(found, g.comment(n))
	}
	return found, err == nil && header.Get("X-Next-Page") != "", err
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// noteOf is what is sent. GitLab does what a line says that begins as /merge, its
// quick actions, as the owner of the token; what a comment says comes from
// strangers too.
func noteOf(body string) map[string]string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		if text := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(text, "/") {
			line = line[:len(line)-len(text)] + `\` + text
		}
		b.WriteString(line)
	}
	return map[string]string{"body": b.String()}
}

func (g *gitlab) create(ctx context.Context, c *client, body string) (comment, error) {
	var made note
	_, err := c.do(ctx, http.MethodPost, g.path(), nil, noteOf(body), &made)
	return g.comment(made), err
}

func (g *gitlab) edit(ctx context.Context, c *client, id int64, body string) (comment, error) {
	var made note
	_, err := c.do(ctx, http.MethodPut, g.path(strconv.FormatInt(id, 10)), nil, noteOf(body), &made)
	return g.comment(made), err
}

func (g *gitlab) check(context.Context, *client, CheckRun) error {
	return errors.New("GitLab has no check runs; the status of the job says the verdict")
}

func (g *gitlab) refused(err error) error {
	return term.Hint(err, "GITLAB_TOKEN must be a project access token with the scope api and the role Reporter or higher")
}

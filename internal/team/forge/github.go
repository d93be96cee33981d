package forge

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/term"
)

// github is a job of GitHub Actions: docs.github.com, REST API, "Issue comments"
// and "Check runs".
type github struct {
	repo         []string // repos, owner, name
	number       int64    // of the pull request, 0 for none
	head         string   // its last commit, "" for none
	fork         bool     // it comes from a repository that is not ours
	installation bool     // the token is that of the job, or of an app
	login        string   // of that app's bot, "" before it was asked for
	me           int64    // whose token it is otherwise
}

// isName reports whether text is a part of a path: an owner or a repository.
func isName(text string) bool {
	return text != "" && text != "." && text != ".." && strings.Trim(text, letters+"-_.") == ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// isCommit reports whether text is all digits of a commit.
func isCommit(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// githubOf reads what GitHub tells a job.
func githubOf(env Environment) (*github, error) {
	owner, name, _ := strings.Cut(env.Getenv("GITHUB_REPOSITORY"), "/")
	if !isName(owner) || !isName(name) {
		return nil, fmt.Errorf("GITHUB_REPOSITORY must be owner/name, not %q", term.Line(env.Getenv("GITHUB_REPOSITORY")))
	}
	g := &github{repo: []string{"repos", owner, name}}
	type side struct {
		SHA  string `json:"sha"`
		Repo struct {
			FullName string `json:"full_name"`
		} `json:"repo"`
	}
	var event struct {
		Pull struct {
			Number int64 `json:"number"`
			Head   side  `json:"head"`
			Base   side  `json:"base"`
		} `json:"pull_request"`
	}
	if file := env.Getenv("GITHUB_EVENT_PATH"); file != "" {
		data, err := env.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &event)
		}
		if err != nil {
			return nil, fmt.Errorf("GITHUB_EVENT_PATH cannot be read: %w", err)
		}
	}
	p := event.Pull
	g.number, g.head = p.Number, p.Head.SHA
	g.fork = p.Number > 0 && p.Head.Repo.FullName != p.Base.Repo.FullName // a fork that was deleted has no name
	if ref, ok := strings.CutPrefix(env.Getenv("GITHUB_REF"), "refs/pull/"); ok && g.number == 0 {
		n, _, _ := strings.Cut(ref, "/")
		g.number, _ = strconv.ParseInt(n, 10, 64) // 0 is none
	}
	return g, nil
}

// HeadSHA is the commit that a check run of the job's pull request is shown at:
// its last one, not the merge that is checked out. "" where there is none.
func (j *Job) HeadSHA() string {
	if g, ok := j.forge.(*github); ok {
		return g.head
	}
	return ""
}

// most is what GitHub takes: 65,536 characters, of which each may be a byte.
func (g *github) most() int { return 65_536 }

type githubComment struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
	URL  string `json:"html_url"`
	User struct {
		Type  string `json:"type"`
		Login string `json:"login"`
		ID    int64  `json:"id"`
	} `json:"user"`
}

// comment reports as own what the token wrote: neither a person's, who might have
// written the marker themselves, nor another bot's that repeats it.
func (g *github) comment(c githubComment) comment {
	own := c.User.ID != 0 && c.User.ID == g.me
	if g.installation {
		own = c.User.Type == "Bot" && slug(c.User.Login) == slug(g.login)
	}
	return comment{id: c.ID, body: c.Body, url: c.URL, own: own}
}

// actionsBot is who a job's own token writes as.
const actionsBot = "github-actions[bot]"

// slug is the app of a bot: some calls name the one, some the other.
func slug(login string) string { return strings.TrimSuffix(login, "[bot]") }

// bot is the login that the token of an installation writes as. The REST API does not
// tell such a token, GraphQL does. Where it does not either, only the bot of jobs is
// taken for one's own.
func (g *github) bot(ctx context.Context, c *client) string {
	path := []string{"graphql"}
	if strings.HasSuffix(c.base.Path, "/api/v3") { // GitHub Enterprise Server
		path = []string{"..", "graphql"}
	}
	var said struct {
		Data struct {
			Viewer struct {
				Login string `json:"login"`
			} `json:"viewer"`
		} `json:"data"`
	}
	_, err := c.do(ctx, http.MethodPost, path, nil, map[string]string{"query": "query { viewer { login } }"}, &said)
	if login := said.Data.Viewer.Login; err == nil && login != "" {
		return login
	}
	return actionsBot
}

const perPage = 100

func (g *github) path(parts ...string) []string { return append(g.repo[:3:3], parts...) }

func (g *github) comments() ([]string, error) {
	if g.number == 0 {
		return nil, fmt.Errorf("this job is of no pull request")
	}
	return g.path("issues", strconv.FormatInt(g.number, 10), "comments"), nil
}

func (g *github) list(ctx context.Context, c *client, page int) (found []comment, more bool, err error) {
	path, err := g.comments()
	if err != nil {
		return nil, false, err
	}
	switch {
	case g.installation && g.login == "":
		g.login = g.bot(ctx, c)
	case !g.installation && g.me == 0:
		g.me = whose(ctx, c)
	}
	var list []githubComment
	_, err = c.do(ctx, http.MethodGet, path, url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}, nil, &list)
	for _, one := range list {
		found = append(found, g.comment(one))
	}
	return found, len(list) == perPage, err
}

func (g *github) create(ctx context.Context, c *client, body string) (comment, error) {
	path, err := g.comments()
	if err != nil {
		return comment{}, err
	}
	var made githubComment
	_, err = c.do(ctx, http.MethodPost, path, nil, map[string]string{"body": body}, &made)
	return g.comment(made), err
}

func (g *github) edit(ctx context.Context, c *client, id int64, body string) (comment, error) {
	var made githubComment
	_, err := c.do(ctx, http.MethodPatch, g.path("issues", "comments", strconv.FormatInt(id, 10)), nil, map[string]string{"body": body}, &made)
	return g.comment(made), err
}

// check renews the check run with the same key at the commit, or makes one. GitHub
// adds the annotations of a renewal to those that are there.
func (g *github) check(ctx context.Context, c *client, run CheckRun) error {
	if !isCommit(run.SHA) {
		return term.Hint(fmt.Errorf("GitHub needs all 40 digits of a commit, not %q", term.Line(run.SHA)), "--head-sha names it")
	}
	var body map[string]any
	if err := json.Unmarshal(run.Body, &body); err != nil {
		return err
	}
	body["external_id"] = run.Key
	for page := 1; page <= mostPages; page++ {
		var found struct {
			Runs []struct {
				ID     int64  `json:"id"`
				Key    string `json:"external_id"`
				Output struct {
					Annotations int `json:"annotations_count"`
				} `json:"output"`
			} `json:"check_runs"`
		}
		if _, err := c.do(ctx, http.MethodGet, g.path("commits", run.SHA, "check-runs"), url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}, nil, &found); err != nil {
			return err
		}
		for _, old := range found.Runs {
			if old.Key != run.Key {
				continue
			}
			if output, ok := body["output"].(map[string]any); ok && old.Output.Annotations > 0 {
				delete(output, "annotations")
			}
			delete(body, "head_sha")
			_, err := c.do(ctx, http.MethodPatch, g.path("check-runs", strconv.FormatInt(old.ID, 10)), nil, body, nil)
			return err
		}
		if len(found.Runs) < perPage {
			break
		}
	}
	_, err := c.do(ctx, http.MethodPost, g.path("check-runs"), nil, body, nil)
	return err
}

func (g *github) refused(err error) error {
	if g.fork {
		return fmt.Errorf("the pull request comes from a fork, so the job's token can only read (%w)", err)
	}
	return term.Hint(err, "the job needs permissions: { pull-requests: write, checks: write }")
}

package teamcmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/server/ci"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

var scopeFlag = command.Flag{
	Name: "scope", Default: []string{wire.ScopeIngest}, Commas: true, Values: func(*command.Call) []string { return []string{"ingest", "read", "ingest,read"} },
	Help: "what it may do: ingest (add), read, or both with a comma",
}

func tokenCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "team token", Short: "Manage the tokens with which CI sends results",
			Long: `Tokens of CI belong to the team, not to a person. One with the scope ingest can add
results and read nothing; read is for a gate that compares with the team's runs.`,
			Examples: []string{"cairn team token create --name nightly --repo acme/app", "cairn team token list"},
		},
		{
			Path: "team token create", Short: "Make a token for CI; it is shown once",
			Long: `Prints a token on stdout, once; the server keeps only its hash. Set it in the job as
CAIRN_ACCESS_TOKEN, and the server's URL as CAIRN_URL: without CAIRN_URL the token
is sent nowhere, because a pull request may change team.json.`,
			Examples: []string{"cairn team token create --name nightly --repo acme/app", "cairn team token create --scope ingest,read --expires 90d | gh secret set CAIRN_ACCESS_TOKEN"},
			Effect:   command.Writes, Run: with(createToken, checkToken),
			Flags: []command.Flag{
				scopeFlag,
				{Name: "repo", Default: "", Help: "only for this repository, `OWNER/NAME` (default: every one)"},
				{Name: "name", Default: "", Help: "a name to tell it by (default: the repository and the day)"},
				{Name: "expires", Default: "", Help: "when it expires: 90d, 12h, 2w (default: never)"},
			},
		},
		{
			Path: "team token list", Short: "List the team's tokens, without their secrets",
			Examples: []string{"cairn team token list", "cairn team token list --json"},
			Effect:   command.Reads, CSV: true, Run: with(listTokens),
		},
		{
			Path: "team token revoke", Short: "Revoke a token at once", Args: []command.Arg{{Name: "TOKEN", Help: "its name or how it begins"}},
			Examples: []string{"cairn team token revoke nightly", "cairn team token revoke cairn_ci_a1b2c3"},
			Effect:   command.Writes, Run: with(revokeToken),
		},
		{
			Path: "team token trust", Short: "Let GitHub Actions or GitLab CI in without a secret",
			Long: `Lets jobs of a repository exchange the identity token that GitHub or GitLab gives
each of them for one of cairn's that expires within the hour. Each identity token
works once. Only jobs are let in that somebody with write access starts; jobs of
pull and merge requests, which may be a stranger's, need --ref refs/pull/* or
--ref refs/merge-requests/*.`,
			Examples: []string{"cairn team token trust --github acme/app --ref refs/heads/main", "cairn team token trust --gitlab acme/backend/app --issuer https://gitlab.example.com"},
			Effect:   command.Writes, Run: with(trustWorkflow, checkTrust),
			Flags: []command.Flag{
				{Name: "github", Default: "", Help: "the repository, `OWNER/NAME`"},
				{Name: "gitlab", Default: "", Help: "the project, `GROUP/NAME`"},
				{Name: "issuer", Default: "", Help: "`URL` of the identity tokens' issuer, one of the server's --ci-issuer (default: github.com's or gitlab.com's)"},
				{Name: "ref", Default: "", Help: "only for this ref: refs/heads/main, refs/tags/* (default: every branch and tag)"},
				scopeFlag,
			},
		},
	}
}

func checkToken(c *command.Call) error {
	for _, s := range c.List("scope") {
		if s != wire.ScopeIngest && s != wire.ScopeRead {
			return command.Usagef("--scope must be ingest, read, or both with a comma, not %q", term.Line(s))
		}
	}
	if repo := c.String("repo"); repo != "" && strings.Count(repo, "/") != 1 {
		return command.Usagef("--repo must be owner/name, not %q", term.Line(repo))
	}
	_, err := life(c)
	return err
}

// life is how long a token lasts, 0 for ever.
func life(c *command.Call) (time.Duration, error) {
	text, now := c.String("expires"), time.Now()
	if text == "" {
		return 0, nil
	}
	from, err := command.Since(text, now)
	if err != nil || !from.Before(now) || from.IsZero() {
		return 0, command.Usagef("--expires must be a time such as 90d, 12h or 2w, not %q", term.Line(text))
	}
	return now.Sub(from).Round(time.Hour), nil
}

func createToken(c *command.Call, t *link.Team) (*answer.Answer, error) {
	expires := must.Get(life(c))
	repo := c.String("repo")
	made, err := t.NewToken(c, wire.NewToken{
		TeamID: t.ID, Scopes: c.List("scope"), RepoSlug: repo, ExpiresIn: int64(expires.Seconds()),
		Name: cmp.Or(c.String("name"), cmp.Or(repo, "ci")+" "+time.Now().Format(time.DateOnly)),
	})
	if err != nil {
		return nil, tokenHint(t, err)
	}
	return &answer.Answer{Data: made, View: answer.Line("%s", made.Token), Done: true, Said: fmt.Sprintf(`this is %q; it is not shown again. In the job:
  CAIRN_ACCESS_TOKEN=the token, as a secret
  CAIRN_URL=%s`, term.Printable(made.Name), t.URL())}, nil
}

func listTokens(c *command.Call, t *link.Team) (*answer.Answer, error) {
	tokens, err := t.Tokens(c, t.ID)
	if err != nil {
		return nil, tokenHint(t, err)
	}
	table := answer.NewTable("begins:name", "name", "scopes:name", "repository", "last_used:time", "expires:time", "state:name")
	for _, k := range tokens {
		state := ""
		switch {
		case k.RevokedAt != nil:
			state = "revoked"
		case k.ExpiresAt != nil && k.ExpiresAt.Before(time.Now()):
			state = "expired"
		}
		table.Add(k.Prefix, k.Name, strings.Join(k.Scopes, ","), k.RepoSlug, moment(k.LastUsedAt), moment(k.ExpiresAt), state)
	}
	return list(tokens, table, "the team has no tokens", "cairn team token create makes one")
}

func revokeToken(c *command.Call, t *link.Team) (*answer.Answer, error) {
	all, err := t.Tokens(c, t.ID)
	if err != nil {
		return nil, tokenHint(t, err)
	}
	which := c.Arg("TOKEN")
	id, _ := uuid.Parse(which)
	all = slices.DeleteFunc(all, func(k wire.Token) bool {
		begins := len(which) > len(wire.TokenPrefix) && (strings.HasPrefix(k.Prefix, which) || strings.HasPrefix(which, k.Prefix))
		return k.RevokedAt != nil || k.Name != which && k.ID != id && !begins
	})
	switch len(all) {
	case 0:
		return nil, command.Usage(term.Hint(errors.New("no token has this name"), "cairn team token list shows them"))
	case 1:
	default:
		return nil, command.Usage(term.Hint(fmt.Errorf("%d tokens have this name", len(all)), "give its first characters, as cairn team token list shows them"))
	}
	k := all[0]
	must.OK(t.RevokeToken(c, k.ID))
	return done(struct {
		ID     uuid.UUID `json:"id"`
		Name   string    `json:"name"`
		Prefix string    `json:"prefix"`
	}{k.ID, k.Name, k.Prefix}, "%s (%s) is revoked", term.Line(k.Name), term.Line(k.Prefix))
}

func checkTrust(c *command.Call) error {
	github, gitlab, ref := c.String("github"), c.String("gitlab"), c.String("ref")
	owner, name, _ := strings.Cut(cmp.Or(github, gitlab), "/")
	switch {
	case github != "" && gitlab != "":
		return command.Usagef("--github and --gitlab exclude each other")
	case owner == "" || name == "" || github != "" && strings.Contains(name, "/"):
		return command.Usage(term.Hint(errors.New("--github or --gitlab is missing"), "--github OWNER/NAME, or --gitlab GROUP/NAME"))
	case ref != "" && !strings.HasPrefix(ref, "refs/"):
		return command.Usage(term.Hint(fmt.Errorf("--ref must begin with refs/, not be %q", term.Printable(ref)), "of a branch: refs/heads/%s", term.Printable(ref)))
	}
	return nil
}

func trustWorkflow(c *command.Call, t *link.Team) (*answer.Answer, error) {
	gitlab, issuer := c.String("gitlab"), c.String("issuer")
	if gitlab != "" {
		issuer = cmp.Or(issuer, ci.GitLabIssuer)
	}
	made, err := t.Trust(c, wire.NewWorkflow{TeamID: t.ID, Issuer: issuer, Repository: cmp.Or(c.String("github"), gitlab), Ref: c.String("ref"), Scopes: c.List("scope")})
	if err != nil {
		return nil, tokenHint(t, err)
	}
	a, _ := done(made, "workflows of %s are let in from %s, to %s", term.Line(made.Repository),
		term.Line(cmp.Or(made.Ref, "every branch and tag")), strings.Join(made.Scopes, " and "))
	if a.Said = fmt.Sprintf("in the workflow: permissions: id-token: write, and CAIRN_URL=%s", t.URL()); gitlab != "" {
		a.Said = fmt.Sprintf("in the job: id_tokens with aud: %[1]s, and CAIRN_URL=%[1]s", t.URL())
	}
	return a, nil
}

// tokenHint explains what a Supabase project has instead of tokens.
func tokenHint(t *link.Team, err error) error {
	var e *client.Error
	if !errors.As(err, &e) || e.Status != 404 || strings.HasPrefix(e.Code, "42") {
		return err
	}
	return command.Usage(term.Hint(fmt.Errorf("%s is not a cairn server and has no tokens for CI", t.URL()),
		"on a Supabase project CI is a user of its own: cairn team invite BOT@ADDRESS --role ci, then CAIRN_CI_EMAIL and CAIRN_CI_PASSWORD in the job (docs/supabase.md)"))
}

package account

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
)

func TestTrustedRefs(t *testing.T) {
	for _, tt := range []struct {
		run     string
		foreign bool
		ref     string
		want    bool
	}{
		{"refs/heads/main", false, "", true},
		{"refs/heads/main", false, "refs/heads/main", true},
		{"refs/heads/main2", false, "refs/heads/main", false},
		{"refs/heads/release/1", false, "refs/heads/release/*", true},
		{"refs/heads/other", false, "refs/heads/release/*", false},
		{"refs/pull/7/merge", false, "", false},
		{"refs/pull/7/merge", false, "*", false},
		{"refs/pull/7/merge", false, "refs/pull/*", true},
		{"refs/merge-requests/7/head", true, "refs/merge-requests/*", true},
		{"refs/heads/main", true, "", false},
		{"refs/heads/main", true, "refs/heads/main", false},
		{"refs/heads/main", true, "refs/pull/*", true},
		{"refs/heads/main", true, "refs/merge-requests/*", true},
		{"refs/heads/main", true, "refs/pull/7/*", false},
	} {
		if got := (WorkflowRun{Ref: tt.run, Foreign: tt.foreign}).trusted(tt.ref); got != tt.want {
			t.Errorf("%s, a stranger's %v, by %q: %v", tt.run, tt.foreign, tt.ref, got)
		}
	}
}

// A workflow has tokens of the teams that trust it, one for each token of its
// issuer, as long as they do.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := t.Context()
		ada, bob, eve := person(t, a, "ada@acme.test"), person(t, a, "bob@acme.test"), person(t, a, "eve@evil.test")
		acme, evil := team(t, a, "acme", map[uuid.UUID]string{ada.ID: "owner", bob.ID: "member"}), team(t, a, "evil", map[uuid.UUID]string{eve.ID: "owner"})
		n := wire.NewWorkflow{TeamID: acme, Issuer: "https://ci.test", Repository: "Acme/App", Ref: "refs/heads/main", Scopes: []string{wire.ScopeIngest}}
		if _, err := a.AddWorkflow(ctx, bob.ID, n); !errors.Is(err, ErrNotAdmin) {
			t.Errorf("by a member: %v", err)
		}
		w, err := a.AddWorkflow(ctx, ada.ID, n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.AddWorkflow(ctx, ada.ID, n); !errors.Is(err, ErrWorkflowThere) {
			t.Errorf("again: %v", err)
		}
		if list, err := a.Workflows(ctx, ada.ID, acme); err != nil || len(list) != 1 || list[0].ID != w.ID || list[0].Repository != "Acme/App" || list[0].CreatedBy == nil || *list[0].CreatedBy != ada.ID {
			t.Errorf("%+v, %v", list, err)
		}
		if _, err := a.Workflows(ctx, eve.ID, acme); !errors.Is(err, ErrNotAdmin) {
			t.Errorf("listed by a stranger: %v", err)
		}

		shown := 0
		run := func(ref, number string) WorkflowRun {
			shown++
			return WorkflowRun{Issuer: "https://ci.test", Repository: "acme/app", Slug: "acme/app", RepositoryID: number, Ref: ref, Token: fmt.Sprint("token ", shown), Ends: a.now().Add(5 * time.Minute)}
		}
		for what, from := range map[string]WorkflowRun{
			"another branch":     run("refs/heads/other", "1"),
			"another repository": {Issuer: "https://ci.test", Repository: "evil/app", Ref: "refs/heads/main", Token: "x", Ends: a.now().Add(time.Minute)},
			"another issuer":     {Issuer: "https://evil.test", Repository: "acme/app", Ref: "refs/heads/main", Token: "y", Ends: a.now().Add(time.Minute)},
		} {
			if _, err := a.ExchangeToken(ctx, from, "acme", time.Hour); !errors.Is(err, ErrNotTrusted) {
				t.Errorf("%s: %v", what, err)
			}
		}
		first := run("refs/heads/main", "1")
		token, err := a.ExchangeToken(ctx, first, "", time.Hour)
		if err != nil || token.TeamID != acme || token.RepoSlug != "acme/app" || token.ExpiresAt == nil || !token.ExpiresAt.Equal(a.now().Add(time.Hour)) || role(t, a, acme, token.UserID) != "ci" {
			t.Fatalf("%+v, %v", token, err)
		}
		if _, err := a.ExchangeToken(ctx, first, "acme", time.Hour); !errors.Is(err, ErrUsed) {
			t.Errorf("the same token of the issuer again: %v", err)
		}
		if _, err := a.ExchangeToken(ctx, run("refs/heads/main", "2"), "acme", time.Hour); !errors.Is(err, ErrNotTrusted) {
			t.Errorf("another repository of the same name: %v", err)
		}
		if _, err := a.ExchangeToken(ctx, run("refs/heads/main", "1"), "evil", time.Hour); !errors.Is(err, ErrNotTrusted) {
			t.Errorf("for a team that does not trust it: %v", err)
		}

		n.TeamID = evil
		if _, err := a.AddWorkflow(ctx, eve.ID, n); err != nil {
			t.Fatal(err)
		}
		if _, err := a.ExchangeToken(ctx, run("refs/heads/main", "1"), "", time.Hour); !errors.Is(err, ErrManyTeams) {
			t.Errorf("two teams trust it and none is named: %v", err)
		}
		if token, err := a.ExchangeToken(ctx, run("refs/heads/main", "1"), acme.String(), time.Hour); err != nil || token.TeamID != acme {
			t.Errorf("by the id of the team: %v", err)
		}

		for what, id := range map[string]uuid.UUID{"another team's": w.ID, "none": uuid.New()} {
			if err := a.RemoveWorkflow(ctx, eve.ID, id); !errors.Is(err, ErrNoWorkflow) {
				t.Errorf("%s removed: %v", what, err)
			}
		}
		if err := a.RemoveWorkflow(ctx, ada.ID, w.ID); err != nil || role(t, a, acme, token.UserID) != "" {
			t.Errorf("the bot is still a member: %v", err)
		}
		if _, err := a.ExchangeToken(ctx, run("refs/heads/main", "1"), "acme", time.Hour); !errors.Is(err, ErrNotTrusted) {
			t.Errorf("after it was removed: %v", err)
		}
	})
}

package forge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/team/forge"
	"cairn/internal/term"
	"cairn/test/forgetest"
)

// event is what GitHub writes down of a pull request, of the members that are read.
func event(t *testing.T, head string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "event.json")
	text := fmt.Sprintf(`{"action": "synchronize", "number": 7, "pull_request": {"number": 7, "head": {"sha": %q, "repo": {"full_name": %q}}, "base": {"repo": {"full_name": "acme/web"}}}}`, sha, head)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

const sha = "4f0c2d1b7a994f0c2d1b7a994f0c2d1b7a994f0c"

// both are the environments of a job at either forge.
func both(t *testing.T, s *forgetest.Server) map[string]map[string]string {
	return map[string]map[string]string{
		"GitHub": {"GITHUB_ACTIONS": "true", "GITHUB_API_URL": s.URL, "GITHUB_REPOSITORY": "acme/web", "GITHUB_TOKEN": forgetest.Token,
			"GITHUB_EVENT_PATH": event(t, "acme/web"), "GITHUB_REF": "refs/pull/7/merge"},
		"GitLab": {"GITLAB_CI": "true", "CI_API_V4_URL": s.URL + "/api/v4", "CI_PROJECT_ID": "42", "CI_MERGE_REQUEST_IID": "7",
			"CI_MERGE_REQUEST_PROJECT_URL": "https://gitlab.test/acme/web", "GITLAB_TOKEN": forgetest.Token},
	}
}

func find(t *testing.T, env map[string]string) *forge.Job {
	t.Helper()
	j, err := forge.Find(forge.Environment{Getenv: func(name string) string { return env[name] }})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestComment: once made, later edited, found among many and past those who
// quote it or pretend to be it.
func TestComment(t *testing.T) {
	for _, name := range []string{"GitHub", "GitLab"} {
		t.Run(name, func(t *testing.T) {
			s := forgetest.New(t)
			j := find(t, both(t, s)[name])
			marker, other := forge.Marker("cairn eval gate"), forge.Marker("another")
			for i := range 250 {
				s.Comments = append(s.Comments, &forgetest.Comment{ID: int64(i + 1), Body: "> " + marker + "me too", Bot: i%2 == 0})
			}
			address, edited, err := j.Comment(t.Context(), marker, "## one")
			if err != nil || edited || !strings.Contains(address, "1250") || len(s.Comments) != 251 || s.Comments[250].Body != marker+"## one" {
				t.Fatalf("%s %v %v, %d comments", address, edited, err, len(s.Comments))
			}
			for i := range 120 {
				s.Comments = append(s.Comments, &forgetest.Comment{ID: int64(2000 + i), Body: "later"})
			}
			if _, edited, err = j.Comment(t.Context(), marker, "## two"); err != nil || !edited || len(s.Comments) != 371 || s.Comments[250].Body != marker+"## two" {
				t.Fatalf("%v %v, %d comments", edited, err, len(s.Comments))
			}
			if _, edited, err = j.Comment(t.Context(), other, "## its own"); err != nil || edited || len(s.Comments) != 372 {
				t.Fatalf("another name: %v %v, %d comments", edited, err, len(s.Comments))
			}
			// A person's comment with the marker is not ours to write.
			s.Comments = []*forgetest.Comment{{ID: 1, Body: marker + "passed, trust me"}}
			patched := s.Count("PATCH")
			if _, edited, err = j.Comment(t.Context(), marker, "## three"); err != nil || edited || s.Comments[0].Body != marker+"passed, trust me" || len(s.Comments) != 2 {
				t.Fatalf("a person's: %v %v %v", edited, err, s.Comments)
			}
			if s.Count("PATCH") != patched {
				t.Error("GitHub was asked to change a person's comment, which it may do")
			}
			if _, edited, err = j.Comment(t.Context(), marker, "## four"); err != nil || !edited || len(s.Comments) != 2 {
				t.Fatalf("beside a person's: %v %v", edited, err)
			}
		})
	}
}

// TestOtherBots: the token of a job or an app may edit what any bot wrote, and edits
// its own only.
func TestOtherBots(t *testing.T) {
	marker := forge.Marker("cairn eval gate")
	for _, tt := range []struct {
		what, login, api string
		noViewer, edited bool // the second time
		by               []string
	}{
		{"a job", "", "", false, true, []string{"renovate[bot]", "acme-ci[bot]"}},
		{"a job of GitHub Enterprise Server", "", "/api/v3", false, true, []string{"renovate[bot]"}},
		{"an app", "acme-ci[bot]", "", false, true, []string{"renovate[bot]", "github-actions[bot]"}},
		{"a job that may not ask", "", "", true, true, []string{"renovate[bot]"}},
		{"an app that may not ask", "acme-ci[bot]", "", true, false, []string{"renovate[bot]"}},
	} {
		s := forgetest.New(t)
		s.Login, s.NoViewer = tt.login, tt.noViewer
		env := both(t, s)["GitHub"]
		env["GITHUB_API_URL"] += tt.api
		for i, by := range tt.by {
			s.Comments = append(s.Comments, &forgetest.Comment{ID: int64(i + 1), Body: marker + "theirs", Bot: true, By: by})
		}
		if _, edited, err := find(t, env).Comment(t.Context(), marker, "one"); err != nil || edited {
			t.Errorf("%s: the first time: %v %v", tt.what, edited, err)
		}
		if _, edited, err := find(t, env).Comment(t.Context(), marker, "two"); err != nil || edited != tt.edited {
			t.Errorf("%s: the second time: %v %v", tt.what, edited, err)
		}
		for _, c := range s.Comments[:len(tt.by)] {
			if c.Body != marker+"theirs" {
				t.Errorf("%s: the comment of %s is %q", tt.what, c.By, c.Body)
			}
		}
		if last := s.Comments[len(s.Comments)-1].Body; last != marker+"two" {
			t.Errorf("%s: %q", tt.what, last)
		}
	}
}

// TestQuickActions: GitLab does what a line of a note that begins with / says.
func TestQuickActions(t *testing.T) {
	s := forgetest.New(t)
	j := find(t, both(t, s)["GitLab"])
	for range 2 { // made, then edited
		if _, _, err := j.Comment(t.Context(), forge.Marker("x"), "a/b\n/merge\n  /approve\n"); err != nil || !strings.HasSuffix(s.Comments[0].Body, "a/b\n\\/merge\n  \\/approve\n") {
			t.Errorf("%v %q", err, s.Comments[0].Body)
		}
	}
}

// TestTriesAgain: a server that fails for a moment, and an answer that gets lost,
// leave one comment.
func TestTriesAgain(t *testing.T) {
	for _, name := range []string{"GitHub", "GitLab"} {
		s := forgetest.New(t)
		j := find(t, both(t, s)[name])
		s.Fails, s.LoseOne = 1, true
		_, _, err := j.Comment(t.Context(), forge.Marker("x"), "text")
		if err != nil || len(s.Comments) != 1 {
			t.Errorf("%s: %v, %d comments", name, err, len(s.Comments))
		}
	}
}

func TestRefused(t *testing.T) {
	s := forgetest.New(t)
	s.ReadOnly = true
	env := both(t, s)["GitHub"]
	env["GITHUB_EVENT_PATH"] = event(t, "mallory/web")
	j := find(t, env)
	_, _, err := j.Comment(t.Context(), forge.Marker("x"), "text")
	const want = "the pull request comes from a fork, so the job's token can only read (403 Forbidden: Resource not accessible by integration)"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := j.Check(t.Context(), forge.CheckRun{Body: []byte(`{"name": "x"}`), SHA: sha, Key: "x"}); err == nil || err.Error() != want {
		t.Errorf("the check run: %v", err)
	}
	if n := s.Count("POST /repos"); n != 2 {
		t.Errorf("%d tries of what is refused", n)
	}
	for name, env := range both(t, s) {
		_, _, err := find(t, env).Comment(t.Context(), forge.Marker("x"), "text")
		if err == nil || !strings.Contains(err.Error(), "403") || !strings.Contains(term.HintOf(err), map[string]string{"GitHub": "pull-requests: write", "GitLab": "scope api"}[name]) {
			t.Errorf("%s: %v, hint %s", name, err, term.HintOf(err))
		}
		for _, key := range []string{"GITHUB_TOKEN", "GITLAB_TOKEN"} {
			env[key] = "ghs_s3cret"
		}
		_, _, err = find(t, env).Comment(t.Context(), forge.Marker("x"), "text")
		if err == nil || !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s, a wrong token that the server repeats: %v", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	s := forgetest.New(t)
	j := find(t, both(t, s)["GitHub"])
	if j.HeadSHA() != sha {
		t.Errorf("the head is %s", j.HeadSHA())
	}
	s.Checks = append(s.Checks, map[string]any{"id": 1, "name": "cairn", "head_sha": sha}) // the job's own
	for i, text := range []string{"failure", "success"} {
		run := forge.CheckRun{Body: []byte(fmt.Sprintf(`{"name": "cairn", "head_sha": %q, "conclusion": %q, "output": {"title": "t", "annotations": []}}`, sha, text)), SHA: sha, Key: "cairn: x"}
		if err := j.Check(t.Context(), run); err != nil || len(s.Checks) != 2 || s.Checks[1]["conclusion"] != text || s.Checks[1]["external_id"] != "cairn: x" {
			t.Errorf("%d: %v, %v", i, err, s.Checks)
		}
	}
	if s.Checks[0]["conclusion"] != nil {
		t.Error("the job's own check was written over")
	}
	if err := j.Check(t.Context(), forge.CheckRun{Body: []byte(`{}`), SHA: "../../../../user"}); err == nil || !strings.Contains(err.Error(), "40 digits") {
		t.Errorf("a commit that is none: %v", err)
	}
}

func TestFind(t *testing.T) {
	s := forgetest.New(t)
	for _, c := range []struct {
		forge  string
		change map[string]string
		want   string
	}{
		{"", nil, "neither GITHUB_ACTIONS nor GITLAB_CI is true"},
		{"GitHub", map[string]string{"GITHUB_TOKEN": ""}, "GITHUB_TOKEN is not set"},
		{"GitHub", map[string]string{"GITHUB_REPOSITORY": "../x"}, "must be owner/name"},
		{"GitHub", map[string]string{"GITHUB_REPOSITORY": "a/b/c"}, "must be owner/name"},
		{"GitHub", map[string]string{"GITHUB_EVENT_PATH": "gone.json"}, "GITHUB_EVENT_PATH cannot be read"},
		{"GitHub", map[string]string{"GITHUB_API_URL": "http://github.example.com/api/v3"}, "is not https"},
		{"GitHub", map[string]string{"GITHUB_API_URL": "://"}, "is no URL"},
		{"GitLab", map[string]string{"GITLAB_TOKEN": ""}, "GITLAB_TOKEN is not set"},
		{"GitLab", map[string]string{"CI_MERGE_REQUEST_IID": ""}, "of no merge request"},
		{"GitLab", map[string]string{"CI_PROJECT_ID": "acme/web"}, "must be a number"},
	} {
		env := both(t, s)[c.forge]
		for k, v := range c.change {
			env[k] = v
		}
		if _, err := forge.Find(forge.Environment{Getenv: func(name string) string { return env[name] }}); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), forgetest.Token) {
			t.Errorf("%v: %v, want %s", c.change, err, c.want)
		}
	}
	// A push has no pull request, and a job without an event has a ref.
	env := both(t, s)["GitHub"]
	env["GITHUB_EVENT_PATH"] = ""
	if _, _, err := find(t, env).Comment(t.Context(), forge.Marker("x"), "text"); err != nil || len(s.Comments) != 1 {
		t.Errorf("by the ref: %v", err)
	}
	env["GITHUB_REF"] = "refs/heads/main"
	if _, _, err := find(t, env).Comment(t.Context(), forge.Marker("x"), "text"); err == nil || !strings.Contains(err.Error(), "no pull request") {
		t.Errorf("a push: %v", err)
	}
}

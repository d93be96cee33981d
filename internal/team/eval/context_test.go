package eval

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

func TestFill(t *testing.T) {
	c := Context{Repo: "acme/app", Branch: "fix/it", SHA: "abc1234", Dirty: true, Hostname: "h", Time: day0.Add(3*time.Millisecond + time.Nanosecond), JudgeTier: "full", Scope: "quick", Suite: "s"}
	empty := &result.Run{}
	c.Fill(empty)
	if empty.Repo != "acme/app" || empty.GitBranch != "fix/it" || !empty.GitDirty || empty.Label != "fix_it_full" || !empty.Timestamp.Equal(day0.Add(3*time.Millisecond)) ||
		empty.Hostname != "h" || empty.Scope != "quick" || empty.Suite != "s" {
		t.Errorf("%+v", empty)
	}
	own := &result.Run{GitSHA: "def", Repo: "o/r", Label: "mine", JudgeTier: "fast", Suite: "t", Timestamp: result.Time{Time: day0}}
	c.Fill(own)
	if own.GitBranch != "" || own.GitDirty || own.GitSHA != "def" || own.Repo != "o/r" || own.Label != "mine" || own.JudgeTier != "fast" || own.Suite != "t" {
		t.Errorf("what the file says does not win: %+v", own)
	}
	c.Label = "asked for"
	if c.Fill(own); own.Label != "asked_for_fast" {
		t.Errorf("label %q", own.Label)
	}
}

func TestAutoLabel(t *testing.T) {
	for _, c := range [][4]string{
		{"", "", "", "run"},
		{"", "main", "standard", "main"},
		{"", "feature/x y", "fast", "feature_x_y_fast"},
		{"v1", "main", "full", "v1_full"},
		{"v1_full", "main", "full", "v1_full"},
		{"../..", "main", "", "main"},
		{"a", "b", "odd", "a"},
	} {
		if got := AutoLabel(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("AutoLabel(%q) = %q, want %q", c[:3], got, c[3])
		}
	}
}

func TestSanitize(t *testing.T) {
	for in, want := range map[string]string{
		"main": "main", "feature/x": "feature_x", "a  b//c": "a_b_c", "..": "", "../../etc/passwd": "etc_passwd",
		"v1.2-rc_3": "v1.2-rc_3", "größe": "gr_e", "\x1b[31m": "31m", "": "", "___": "",
	} {
		if got := Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFileName(t *testing.T) {
	run := aRun(0)
	run.ID, run.Label = "0123456789ab", "../"+strings.Repeat("x", 60)
	if got := fileName(run); got != "20260301T120000Z-"+strings.Repeat("x", 40)+"-0123456789ab.json" {
		t.Error(got)
	}
	run.Label = ""
	if got := fileName(run); got != "20260301T120000Z-0123456789ab.json" {
		t.Error(got)
	}
}

func TestRepoSlug(t *testing.T) {
	for remote, want := range map[string]string{
		"https://example.com/acme/app.git":           "acme/app",
		"https://user:secret@example.com/acme/app":   "acme/app",
		"git@example.com:acme/app.git":               "acme/app",
		"git@example.com:app.git":                    "app",
		"ssh://git@example.com:2222/acme/app.git/\n": "acme/app",
		"https://example.com/group/sub/app":          "sub/app",
		"/srv/git/acme/app.git":                      "acme/app",
		"https://user:secret@example.com":            "",
		"https://example.com/":                       "",
		"../app":                                     "app",
		"":                                           "",
	} {
		if got := RepoSlug(remote); got != want {
			t.Errorf("RepoSlug(%q) = %q, want %q", remote, got, want)
		}
	}
}

func TestStrip(t *testing.T) {
	run := &result.Run{X: jsontext.Value(`{"kept":1,"transcripts":["secret"]}`), Results: []result.Result{
		{X: jsontext.Value(`{"transcript":"secret"}`)}, {X: jsontext.Value(`{"note":"no transcript here"}`)}}}
	Strip(run)
	if string(run.X) != `{"kept":1}` || run.Results[0].X != nil || string(run.Results[1].X) != `{"note":"no transcript here"}` {
		t.Errorf("%s %s %s", run.X, run.Results[0].X, run.Results[1].X)
	}
}

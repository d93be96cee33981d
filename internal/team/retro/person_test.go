package retro

import (
	"testing"
	"time"
)

func TestSortOf(t *testing.T) {
	for _, c := range []struct {
		name, email string
		sort        nature
		agent       string
	}{
		{"Ada", "ada@example.com", human, ""},
		{"Claude", "noreply@anthropic.com", agent, "Claude"},
		{"Claude Opus 4.1 (1M context)", "noreply@anthropic.com", agent, "Claude"},
		{"claude[bot]", "209825114+claude[bot]@users.noreply.github.com", agent, "Claude"},
		{"Claude Monet", "claude@monet.fr", human, ""},
		{"Claude Monet", "1+claude@users.noreply.github.com", human, ""},
		{"Jane Doe", "jane@anthropic.com", human, ""},
		{"Copilot", "198982749+Copilot@users.noreply.github.com", agent, "Copilot"},
		{"copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com", agent, "Copilot"},
		{"Cursor Agent", "cursoragent@cursor.com", agent, "Cursor"},
		{"aider (claude-3-5-sonnet)", "noreply@aider.chat", agent, "Aider"},
		{"google-labs-jules[bot]", "161369871+google-labs-jules[bot]@users.noreply.github.com", agent, "Jules"},
		{"Devin AI", "158243242+devin-ai-integration[bot]@users.noreply.github.com", agent, "Devin"},
		{"Codex", "noreply@openai.com", agent, "Codex"},
		{"Codex:gpt-5", "", agent, "Codex"},
		{"Claudette", "", human, ""},
		{"Gemini", "218195315+gemini-cli@users.noreply.github.com", agent, "Gemini"},
		{"dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", bot, ""},
		{"dependabot", "support@github.com", bot, ""},
		{"Renovate Bot", "bot@renovateapp.com", bot, ""},
		{"renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com", bot, ""},
		{"github-actions", "actions@github.com", bot, ""},
		{"GitHub Actions", "x@y", bot, ""},
		{"acme-release-bot", "ci@acme.io", bot, ""},
		{"CI", "acme-bot@acme.io", bot, ""},
		{"Abbot", "abbot@example.com", human, ""},
		{"Talbot", "talbot@example.com", human, ""},
		{"Renata Renovate", "r@example.com", human, ""},
		{"", "", human, ""},
	} {
		if got, name := sortOf(c.name, c.email), agentName(c.name, c.email); got != c.sort || name != c.agent {
			t.Errorf("%s <%s> is %d %q, want %d %q", c.name, c.email, got, name, c.sort, c.agent)
		}
	}
}

func TestCoAuthors(t *testing.T) {
	body := "text\n\nCo-authored-by: Zoë <z@x>\nco-authored-by: nameless@x\nCO-AUTHORED-BY: <only@x>\nAssisted-by: Claude:opus\nAssisted-by: Bob <b@x>\n" +
		"Co-authored-by:\nCo-authored-by: Broken <\nReviewed-by: R <r@x>\r\nCo-authored-by: Last <l@x>\r\n"
	var got []string
	for name, email := range coAuthors(body) {
		got = append(got, name+"|"+email)
	}
	want := []string{"Zoë|z@x", "nameless@x|", "|only@x", "Claude:opus|", "Broken|", "Last|l@x"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestKindOf(t *testing.T) {
	for subject, want := range map[string]kind{
		"feat: x": feat, "feat(ui): x": feat, "feat!: x": feat, "feat(ui)!: x": feat, "Feature: x": feat, "fix: x": fix, "bugfix(a): x": fix, "hotfix: x": fix,
		"feature flags": other, "fixes: x": other, "docs: fix: x": other, "fix x": other, "": other, "feat(: x": other, ": x": other,
	} {
		if got := kindOf(subject); got != want {
			t.Errorf("%q is %d", subject, got)
		}
	}
}

func TestIsTest(t *testing.T) {
	for path, want := range map[string]bool{
		"a/b_test.go": true, "src/__tests__/a.js": true, "a.spec.ts": true, "test/x": true, "x/testdata/y": true, "test_a.py": true, "AppTest.java": true, "spec/a.rb": true,
		"conftest.py": true, "e2e/login.ts": true, "t/t0001-init.sh": true,
		"a/b.go": false, "contest.go": false, "latest.go": false, "src/testing.md": false, "Test": false, "attest/a": false, "": false, "LATEST": false,
	} {
		if isTest(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

func TestIsVersion(t *testing.T) {
	for name, want := range map[string]bool{
		"v1.2.3": true, "1.2": true, "v2": true, "go1.22.1": true, "release-2026.01": true, "pkg/v1.0.0-rc.1": true, "@scope/pkg@3.2.0": true, "REL_15_2": true, "app-v7": true,
		"nightly": false, "latest": false, "2026": false, "before-refactor": false, "dev3": false, "": false, "build-20260101": false, "v": false,
	} {
		if isVersion(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	for _, c := range [][2]string{{"v1.9", "v1.10"}, {"v1", "v1.0"}, {"a", "b"}, {"v1.0.9", "v1.1.0"}} {
		if compareVersions(c[0], c[1]) >= 0 || compareVersions(c[1], c[0]) <= 0 || compareVersions(c[0], c[0]) != 0 {
			t.Errorf("%s, %s", c[0], c[1])
		}
	}
}

func TestSessions(t *testing.T) {
	minute := func(list ...int64) (out []int64) {
		for _, m := range list {
			out = append(out, m*60)
		}
		return out
	}
	for _, c := range []struct {
		times []int64
		want  sessions
	}{
		{nil, sessions{}},
		{minute(5), sessions{count: 1}},
		{minute(60, 0, 30), sessions{count: 1, deep: 1, total: time.Hour}},
		{minute(0, 45), sessions{count: 1, total: 45 * time.Minute}},
		{minute(0, 46), sessions{count: 2}},
		{minute(0, 25, 50, 200, 210), sessions{count: 2, deep: 1, total: time.Hour}},
	} {
		if got := sessionsOf(c.times); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.times, got, c.want)
		}
	}
	if got := (sessions{count: 3, total: 100 * time.Minute}).minutes(); got != 33.3 {
		t.Errorf("average %v", got)
	}
}

func TestStreak(t *testing.T) {
	d := days{10: true, 9: true, 8: true, 5: true}
	for last, want := range map[int]int{10: 3, 11: 3, 12: 0, 9: 2, 7: 0, 6: 1, 5: 1, 4: 0} {
		if got := d.streak(last); got != want {
			t.Errorf("until %d: %d, want %d", last, got, want)
		}
	}
}

func TestParseDate(t *testing.T) {
	for raw, want := range map[string][2]int64{
		"100 +0000": {100, 0}, "100 +1400": {100, 50400}, "100 -1400": {100, -50400}, "100 -0330": {100, -12600}, "100 +051800": {100, 0}, "100 +9999": {100, 0},
		"100": {100, 0}, "": {0, 0}, "-5 +0100": {-5, 3600},
	} {
		if at, offset := parseDate(raw); at != want[0] || int64(offset) != want[1] {
			t.Errorf("%q is %d %d", raw, at, offset)
		}
	}
}

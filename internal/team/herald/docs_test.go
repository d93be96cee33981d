package herald

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/digest"
	"cairn/internal/team/notify"
)

var update = flag.Bool("update", false, "write the messages of docs/alerts.md")

// docs/alerts.md shows messages as they are sent.
func TestDocs(t *testing.T) {
	t.Parallel()
	const page = "../../../docs/alerts.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	a := &alert.Alert{ID: uuid.MustParse("6b1f0a52-3c0e-4d8e-9a55-0f1c2d3e4f50"), Series: alert.Series{Repo: "acme/app", Suite: "posts", Branch: "main", Kind: "eval"},
		State: alert.Firing, BeganAt: at.Add(-time.Hour), Run: uuid.MustParse("2beb55be-5fb3-596e-a475-d54d23b26cc0"), RunAt: at.Add(-time.Minute), Pushes: 2,
		P: 0.00064, Expected: .95, Observed: .82, Cases: 50, Worst: []alert.Worst{{Case: 41, Name: "greets by name", Expected: .976, Of: 1}, {Case: 7, Name: "keeps the tone", Expected: .93, Passed: 1, Of: 3}}, FiredAt: &at,
		Since: &alert.Since{Shown: true, At: at.Add(-time.Hour), SHA: "5100c3c1d2e3", LastSHA: "4be09a7c11f0", By: "CI", Before: .95, After: .82, P: .0012, Regressed: []string{"greets by name", "keeps the tone"}}}
	m, err := a.Message("acme", at)
	if err != nil {
		t.Fatal(err)
	}
	m.Link = "https://cairn.example.com/t/acme/"
	week := digest.Report{Team: "acme", From: "2026-03-09", To: "2026-03-15", Steady: 3, TooSmall: 1,
		People:  []digest.Person{{Name: "Ada L.", Ships: 3, PRs: 3, Improvements: 1, Streak: 2}, {Name: "bob", Ships: 1, Runs: 28}},
		Changes: []digest.Change{{Repo: "acme/app", Suite: "posts", Cases: 20, Before: .4, Now: .76, Low: .26, High: .45, Since: "2026-03-11", SHA: "5100c3c1", By: "Ada L.", Moved: []digest.Moved{{Case: "greets by name"}, {Case: "keeps the tone"}}}},
		Costs:   []digest.Cost{{Model: "claude-sonnet-4-5", USD: 33.6, Before: 14}}, Health: []digest.Health{{Repo: "acme/app", Reports: 2, Mean: 80, Worst: 70}},
		Plans: []digest.Plan{{Repo: "acme/app", Milestone: "v1", Done: 3, Phases: 5, Before: 1}}, Hotspots: []digest.Hotspot{{Repo: "acme/app", Path: "internal/post.go", Changes: 12}},
		Stale: []digest.Stale{{Repo: "acme/app", Suite: "search", Days: 21}}}
	weekly, err := week.Message(at)
	if err != nil {
		t.Fatal(err)
	}
	indented := func(kind string) string {
		body, err := notify.Body(kind, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := body.Indent(jsontext.WithIndent("  ")); err != nil {
			t.Fatal(err)
		}
		return string(body) + "\n"
	}
	for _, c := range []struct{ after, fence, want string }{
		{"### Slack\n", "```json\n", indented(notify.Slack)},
		{"### Webhook\n", "```json\n", indented(notify.Webhook)},
		{"### Mail\n", "```\n", "Subject: [cairn] " + m.Title + "\n\n" + m.Plain()},
		{"## The digest\n", "```markdown\n", weekly.Markdown()},
	} {
		before, rest, ok := strings.Cut(text, c.after)
		between, block, ok2 := strings.Cut(rest, c.fence)
		old, tail, ok3 := strings.Cut(block, "```\n")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("%s has no place for %s", page, c.after)
		}
		if old != c.want && !*update {
			t.Errorf("%s is not what is sent: go test ./internal/team/herald -run Docs -update\n%s", c.after, c.want)
		}
		text = before + c.after + between + c.fence + c.want + "```\n" + tail
	}
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

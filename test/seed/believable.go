package seed

import (
	"fmt"
	"strings"
)

// What a team that is believable has, where the others have names that are in the
// way: too long, in other scripts, with markup.

var colleagues = [...]string{"Grace Hopper", "Jonas Weber", "Mira Patel", "Tomas Silva", "Lena Novak", "Priya Raman", "Kat Olsen"}

var titles = [...]string{
	"Retry uploads that time out", "Show why a post was rejected", "Cache the list of mailboxes", "Fix paging of drafts",
	"Add undo to bulk archive", "Shorten the prompt for summaries", "Read attachments in the background", "Drop the old editor",
	"Speed up search in long threads", "Warn before a reply to all", "Move sessions to the new store", "Translate the sign-in page",
	"Log slow queries", "Let admins rename a team", "Sort drafts by date", "Fix the flaky upload test",
}

func (p *plan) title(n int) string {
	if p.believable {
		return titles[n%len(titles)]
	}
	return fmt.Sprintf("Make part %d of it <faster> & simpler", n)
}

func (p *plan) file(n int) string {
	if p.believable {
		return [...]string{"internal/server/handler.go", "docs/guide.md"}[n]
	}
	return [...]string{"internal/server/<handler>.go", long + ".md"}[n]
}

var phases = [...]string{"Accounts", "Drafts", "Sending", "Search", "Attachments", "Shared inboxes", "Rules", "Summaries", "Mobile", "Release"}

func (p *plan) phase(n int) string {
	if p.believable {
		return phases[n]
	}
	return fmt.Sprintf("Phase <%d>", n+1)
}

// says is what a plan says at a time: members of its snapshot's detail.
func (p *plan) says(done int) string {
	decided := [...][2]string{
		{"Drafts are kept for 30 days after the last change", "Grace Hopper"},
		{"Attachments are read in the background, one worker a mailbox", "Jonas Weber"},
		{"Search has one index for all mailboxes of a team; results are filtered by who may read them", "Mira Patel"},
		{"A rule that fails is switched off, and its owner gets a message", "Grace Hopper"},
		{"Bulk changes can be undone for ten minutes", "Tomas Silva"},
		{"Summaries never quote a message whose sender asked for that", "Priya Raman"},
	}
	required := [...][2]string{
		{"ACC-01", "A person signs in with a passkey"}, {"DRA-01", "A draft is saved while it is written"}, {"SEN-01", "A message that cannot be sent stays in the outbox, with the reason"},
		{"SEA-01", "A search answers within a second in 100,000 messages"}, {"ATT-01", "An attachment opens without a download"}, {"RUL-01", "A rule moves new messages"}, {"SUM-01", "A thread has a summary"},
	}
	var decisions, requirements []string
	for i, d := range decided {
		state, extra := "open", ""
		switch {
		case i == 1:
			state, extra = "superseded", `, "superseded_by": "D-05"`
		case i+4 < done:
			state = "verified"
		case i+4 == done:
			state = "planned"
		}
		text, by := d[0], d[1]
		if !p.believable {
			text, by = fmt.Sprintf("Decide <%d> & %s", i+1, long), "Ada <Lovelace>"
		}
		decisions = append(decisions, fmt.Sprintf(`{"ref": "D-%02d", "phase": "%d", "text": %q, "state": %q, "by": %q%s}`, i+1, i+5, text, state, by, extra))
	}
	for i, r := range required {
		state, phase := "unassigned", ""
		switch {
		case i+4 < done:
			state = "done"
		case i+4 == done:
			state = "planned"
		case i < 6:
			state = "assigned"
		}
		if state != "unassigned" {
			phase = fmt.Sprint(i + 5)
		}
		requirements = append(requirements, fmt.Sprintf(`{"id": %q, "text": %q, "phase": %q, "state": %q}`, r[0], r[1], phase, state))
	}
	return `, "decisions": [` + strings.Join(decisions, ", ") + `], "requirements": [` + strings.Join(requirements, ", ") +
		`], "blockers": [{"text": "The mail provider has not answered about the higher limit"}, {"text": "decision D-04 is cited by no plan", "do": "plan-phase 4"}]`
}

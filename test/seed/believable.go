package seed

import "fmt"

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

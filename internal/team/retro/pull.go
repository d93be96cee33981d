package retro

import (
	"strconv"
	"strings"
)

// A pull is a pull request as the message of the commit that merged it tells.
type pull struct {
	number int
	title  string
	branch string
	form   form
	author *person
}

// A form of message: who writes it so.
type form uint8

const (
	anyForm       form = iota // Title (#12): GitHub, Gitea and who follows them
	githubForm                // Merge pull request #12 from owner/branch
	giteaForm                 // Merge pull request 'Title' (#12) from branch into main
	gitlabForm                // See merge request group/project!12
	bitbucketForm             // Merged in branch (pull request #12)
	serverForm                // Merge pull request #12 in PROJECT/repository from branch to main
	azureForm                 // Merged PR 12: Title
)

// pullOf reads which pull request a commit merged, nil for none.
func pullOf(subject, body string, merge bool) *pull {
	if rest, ok := strings.CutPrefix(subject, "Merge pull request "); ok && merge {
		return mergedPull(rest, body)
	}
	if rest, ok := strings.CutPrefix(subject, "Merged PR "); ok {
		number, title, _ := strings.Cut(rest, ":")
		return numbered(number, pull{title: strings.TrimSpace(title), form: azureForm})
	}
	if rest, ok := strings.CutPrefix(subject, "Merged in "); ok {
		if branch, number, ok := strings.Cut(rest, " (pull request #"); ok {
			return numbered(strings.TrimSuffix(number, ")"), pull{title: firstLine(body), branch: branch, form: bitbucketForm})
		}
	}
	if p := gitlabPull(subject, body); p != nil {
		return p
	}
	if at := strings.LastIndex(subject, " (#"); at > 0 && !merge && strings.HasSuffix(subject, ")") {
		return numbered(subject[at+3:len(subject)-1], pull{title: subject[:at]})
	}
	if at := strings.LastIndex(subject, " (pull request #"); at > 0 && strings.HasSuffix(subject, ")") { // Bitbucket's squash
		return numbered(subject[at+16:len(subject)-1], pull{title: subject[:at], form: bitbucketForm})
	}
	return nil
}

// mergedPull reads what follows "Merge pull request ".
func mergedPull(rest, body string) *pull {
	if quoted, ok := strings.CutPrefix(rest, "'"); ok {
		title, tail, _ := cutLast(quoted, "' (#")
		number, tail, _ := strings.Cut(tail, ")")
		return numbered(number, pull{title: title, branch: between(tail, " from ", " into "), form: giteaForm})
	}
	number, tail, _ := strings.Cut(strings.TrimPrefix(rest, "#"), " ")
	p := pull{title: firstLine(body)}
	switch {
	case strings.HasPrefix(tail, "in "):
		p.branch, p.form = between(tail, " from ", " to "), serverForm
		if _, title, ok := strings.Cut(p.title, ": "); ok && strings.HasPrefix(p.title, "Pull request #") {
			p.title = title
		}
	case strings.HasPrefix(tail, "from "):
		p.branch, p.form = strings.TrimPrefix(tail, "from "), githubForm
	default:
		return nil
	}
	return numbered(number, p)
}

// gitlabPull looks for the line that GitLab ends its messages with.
func gitlabPull(subject, body string) *pull {
	at := strings.LastIndex("\n"+body, "\nSee merge request ")
	if at < 0 {
		return nil
	}
	line := firstLine(body[at:])
	_, number, found := cutLast(line, "!")
	if !found {
		if _, number, found = cutLast(line, "/merge_requests/"); !found {
			return nil
		}
	}
	p := pull{title: subject, form: gitlabForm}
	if rest, ok := strings.CutPrefix(subject, "Merge branch '"); ok {
		p.branch, _, _ = strings.Cut(rest, "'")
		if first := firstLine(body); !strings.HasPrefix(first, "See merge request ") {
			p.title = first
		}
	}
	return numbered(number, p)
}

// mostNumber is more than any host has numbered.
const mostNumber = 100_000_000

func numbered(number string, p pull) *pull {
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || n > mostNumber || number[0] == '+' {
		return nil
	}
	p.number, p.title, p.branch = n, oneLine(p.title), oneLine(p.branch)
	return &p
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

func cutLast(text, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(text, sep); at >= 0 {
		return text[:at], text[at+len(sep):], true
	}
	return text, "", false
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	if head, _, found := cutLast(rest, to); found {
		return head
	}
	return rest
}

package retro

import (
	"iter"
	"strings"
)

// A kind is what a commit says it does, by conventionalcommits.org.
type kind uint8

const (
	other kind = iota
	feat
	fix
)

// kindOf reads the type of a subject: "feat(ui)!: …".
func kindOf(subject string) kind {
	head, _, found := strings.Cut(subject, ":")
	if !found {
		return other
	}
	head = strings.TrimSuffix(head, "!")
	if name, scope, scoped := strings.Cut(head, "("); scoped && strings.HasSuffix(scope, ")") {
		head = name
	}
	switch strings.ToLower(strings.TrimSpace(head)) {
	case "feat", "feature":
		return feat
	case "fix", "bugfix", "hotfix":
		return fix
	}
	return other
}

// splitMessage returns the subject, which is the first paragraph in one line, and
// what follows.
func splitMessage(message string) (subject, body string) {
	message = strings.TrimLeft(message, "\r\n \t")
	var first []string
	for line := range strings.Lines(message) {
		message = message[len(line):]
		text := strings.TrimSpace(line)
		if text == "" {
			break
		}
		first = append(first, text)
	}
	return strings.Join(first, " "), message
}

// coAuthors yields names and addresses of the lines of a body that tell who else
// wrote a commit: GitHub's Co-authored-by, and Assisted-by for agents.
func coAuthors(body string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(body) {
			label, who, found := strings.Cut(line, ":")
			if !found || !strings.EqualFold(label, "Co-authored-by") && !strings.EqualFold(label, "Assisted-by") {
				continue
			}
			name, rest, _ := strings.Cut(who, "<")
			email, _, _ := strings.Cut(rest, ">")
			name, email = strings.TrimSpace(name), strings.TrimSpace(email)
			if strings.EqualFold(label, "Assisted-by") {
				if sortOf(name, email) != agent { // a person's review is no authorship
					continue
				}
			}
			if (name != "" || email != "") && !yield(name, email) {
				return
			}
		}
	}
}

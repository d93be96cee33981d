// Package message is what members are told of an alert or of a week, before it is
// written for a channel: the message, and its form as plain text and Markdown.
//
// What makes messages imports it (alert, digest, herald), and so does notify,
// which writes them for Slack, webhooks and mail and sends them. HTML and HTTP
// belong there.
package message

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/term"
)

// A Message is what is told, whatever the channel. Its texts are what strangers
// chose and never markup.
type Message struct {
	Event    string // alert.firing, alert.resolved, digest, test
	At       time.Time
	Team     string // slug
	Title    string // one line
	Text     string // a sentence or two, "" for none
	Sections []Section
	Link     string         // where more is to be seen, "" for none
	Data     jsontext.Value // what a webhook gets: an object
}

// A Section is a list under a heading.
type Section struct {
	Head  string
	Lines []string
	Note  string // below the lines, "" for none
}

// Plain is the message as plain text.
func (m Message) Plain() string {
	var b strings.Builder
	line := func(s string) {
		if s != "" {
			b.WriteString(s + "\n")
		}
	}
	line(m.Text)
	for _, s := range m.Sections {
		b.WriteString("\n")
		line(s.Head)
		for _, l := range s.Lines {
			line("  - " + l)
		}
		line(s.Note)
	}
	if m.Link != "" {
		b.WriteString("\n" + m.Link + "\n")
	}
	return strings.TrimLeft(b.String(), "\n")
}

// Markdown is the message as Markdown, with its title.
func (m Message) Markdown() string {
	m = m.Clean()
	var b strings.Builder
	b.WriteString("# " + escape(m.Title) + "\n")
	if m.Text != "" {
		b.WriteString("\n" + escape(m.Text) + "\n")
	}
	for _, s := range m.Sections {
		b.WriteString("\n## " + escape(s.Head) + "\n\n")
		for _, l := range s.Lines {
			b.WriteString("- " + escape(l) + "\n")
		}
		if s.Note != "" {
			if len(s.Lines) > 0 {
				b.WriteString("\n")
			}
			b.WriteString(escape(s.Note) + "\n")
		}
	}
	if m.Link != "" {
		b.WriteString("\n<" + m.Link + ">\n")
	}
	return b.String()
}

// escape makes a text say in Markdown what it is: no markup, no HTML.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@' && i > 0 && s[i-1] == ' ', r == '@' && i == 0:
			b.WriteString("&#64;") // mentions somebody
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && strings.ContainsRune("#-+=>", r):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Clean makes every text of strangers one line of plain characters.
func (m Message) Clean() Message {
	m.Title, m.Text = term.Line(m.Title), term.Line(m.Text)
	sections := make([]Section, len(m.Sections))
	for i, s := range m.Sections {
		lines := make([]string, len(s.Lines))
		for k, l := range s.Lines {
			lines[k] = term.Line(l)
		}
		sections[i] = Section{term.Line(s.Head), lines, term.Line(s.Note)}
	}
	m.Sections = sections
	return m
}

package mail

import (
	"bytes"
	"embed"
	"fmt"
	html "html/template"
	"strings"
	"sync"
	text "text/template"
	"time"
	"unicode"
)

// The first line of a text is its subject, the second is empty.
//
//go:embed *.txt *.html
var files embed.FS

// A Text is what Send is given.
type Text struct{ Subject, Text, HTML string }

// A SignIn is the mail with which someone signs in, or proves an address for
// the first time.
type SignIn struct {
	Server  string // team.example
	Link    string
	Code    string // six digits
	Life    time.Duration
	Confirm bool // the address is new: the first sign-in
}

// Text writes it.
func (s SignIn) Text() (Text, error) {
	return write("signin", s)
}

// Minutes says how long it is valid.
func (s SignIn) Minutes() int { return int(s.Life.Minutes()) }

// An Invitation is the mail that asks someone to join a team, or the server
// where Team is "".
type Invitation struct {
	Server string
	Team   string // its name, which a member chose
	By     string // e-mail address of who invites, "" is the server's admin
	Link   string
	Code   string // six digits, "" is none
	Life   time.Duration
}

// Text writes it.
func (i Invitation) Text() (Text, error) {
	i.Team, i.By = line(i.Team), line(i.By)
	return write("invite", i)
}

// Days says how long it is valid.
func (i Invitation) Days() int { return int(i.Life.Hours() / 24) }

// mostOfLine is how much of what a member chose stands in another's mail.
const mostOfLine = 100

// line makes a stranger's text one plain line.
func line(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }), " ")
	if r := []rune(s); len(r) > mostOfLine {
		s = string(r[:mostOfLine]) + "…"
	}
	return s
}

type templates struct {
	text *text.Template
	html *html.Template
}

var parsed = sync.OnceValue(func() templates {
	return templates{text.Must(text.ParseFS(files, "*.txt")), html.Must(html.ParseFS(files, "*.html"))}
})

func write(name string, data any) (Text, error) {
	t := parsed()
	var plain, rich bytes.Buffer
	if err := t.text.ExecuteTemplate(&plain, name+".txt", data); err != nil {
		return Text{}, err
	}
	if err := t.html.ExecuteTemplate(&rich, name+".html", data); err != nil {
		return Text{}, err
	}
	subject, body, ok := strings.Cut(plain.String(), "\n\n")
	if !ok || strings.Contains(subject, "\n") {
		return Text{}, fmt.Errorf("the mail %s has no subject", name)
	}
	return Text{Subject: subject, Text: body, HTML: rich.String()}, nil
}

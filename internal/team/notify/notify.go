// Package notify writes a message for Slack, for a webhook and for a mail, and
// sends it there. What is sent is made once and kept (see [Body]); sending it is
// one request or one mail, whose failure says whether another try is of use.
//
// Addresses come from members of teams, so they are checked when a connection
// is made: see [Public]. docs/alerts.md is the receivers' page. Which messages
// there are, and when they are sent, is team/herald's to know; SQL never
// belongs here.
package notify

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Kinds of channels.
const (
	Slack   = "slack"
	Webhook = "webhook"
	Mail    = "mail"
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

// A Channel is where a message goes.
type Channel struct {
	Kind   string
	Target string
	Secret string
}

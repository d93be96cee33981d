// Package notify writes a message (package message) for Slack, for a webhook and
// for a mail, and sends it there. What is sent is made once and kept (see [Body]); sending it is
// one request or one mail, whose failure says whether another try is of use.
//
// Addresses come from members of teams, so they are checked when a connection
// is made: see [Public]. docs/alerts.md is the receivers' page. Which messages
// there are, and when they are sent, is team/herald's to know; SQL never
// belongs here.
package notify

// Kinds of channels.
const (
	Slack   = "slack"
	Webhook = "webhook"
	Mail    = "mail"
)

// A Channel is where a message goes.
type Channel struct {
	Kind   string
	Target string
	Secret string
}
